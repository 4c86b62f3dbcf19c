import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getBatchFile,
  getBatchTable,
  listBatches,
  voidBatch,
  type BatchRow,
} from '@waybill/contract/bookkeeping/bookkeeping'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { saveFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { ReasonWindow } from '../../kit/form/page/reason-window.tsx'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { ExportMenu } from '../../kit/list/page/export-menu.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { StatusBadge } from '../../ui/marks/status-badge.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import classes from './bookkeeping.module.css'

const SHOWN = 100

/** The batches of a company, the newest first: to fetch again, as they were made, and to void. */
export function BatchList({ company }: { company: { id: number } }) {
  const { t } = useTranslation(['bookkeeping', 'common'])
  const client = useQueryClient()
  const refusalWords = useRefusalWords()
  const { data, error, refetch } = useQuery({
    queryKey: ['bookkeeping', 'batches', company.id],
    queryFn: ({ signal }) => callApi(listBatches, { query: { companyId: [company.id], perPage: SHOWN }, signal }),
  })
  const [asked, setAsked] = useState<BatchRow | null>(null)
  const refuse = (fault: unknown) =>
    notify({
      tone: 'danger',
      title: t('bookkeeping:refused'),
      detail: refusalWords(fault).join('. '),
      closeLabel: t('common:close'),
    })
  const give = useMutation({
    mutationFn: ({ batch, reason }: { batch: BatchRow; reason: string }) =>
      callApi(voidBatch, { params: { id: batch.id }, version: batch.version, body: { reason } }),
    onSettled: () => void client.invalidateQueries({ queryKey: ['bookkeeping'] }),
  })
  const fetchFile = ({ id }: BatchRow) =>
    callFile(getBatchFile, { params: { id } })
      .then(({ blob, fileName }) => saveFile(blob, fileName))
      .catch(refuse)
  return (
    <section className={classes.block} aria-label={t('bookkeeping:batches')}>
      <h2 className={classes.heading}>{t('bookkeeping:batches')}</h2>
      {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? (
        error ? null : (
          <SkeletonLines lines={4} label={t('bookkeeping:batches')} />
        )
      ) : data.items.length === 0 ? (
        <p className={classes.dim}>{t('bookkeeping:noBatches')}</p>
      ) : (
        <ul className={classes.batches}>
          {data.items.map((batch) => (
            <Batch key={batch.id} batch={batch} onFile={fetchFile} onVoid={setAsked} />
          ))}
        </ul>
      )}
      {asked === null ? null : (
        <ReasonWindow
          of={{ path: 'bookkeeping/void', id: asked.id }}
          title={t('bookkeeping:void.title', { number: asked.number })}
          doLabel={t('bookkeeping:void.do')}
          onGive={(reason) => give.mutateAsync({ batch: asked, reason })}
          onClose={() => setAsked(null)}
        >
          <p>{t('bookkeeping:void.text')}</p>
        </ReasonWindow>
      )}
    </section>
  )
}

interface BatchProps {
  batch: BatchRow
  onFile: (batch: BatchRow) => void
  onVoid: (batch: BatchRow) => void
}

function Batch({ batch, onFile, onVoid }: BatchProps) {
  const { t } = useTranslation('bookkeeping')
  const format = useFormat()
  const { id, number, rowCount, debitCents, creditCents, fileName, createdAt, createdBy, earlier } = batch
  return (
    <li className={classes.batch} data-void={batch.voidedAt === null ? undefined : true}>
      <div className={classes.about}>
        <b>{number}</b> <span className={classes.dim}>{t('rows', { count: rowCount })}</span>
        {batch.voidedAt === null ? null : <StatusBadge status="canceled">{t('voided')}</StatusBadge>}
        <p className={classes.dim}>
          {[format.dateTime(createdAt), createdBy?.title].filter(Boolean).join(', ')}
          {earlier.length === 0 ? null : `, ${t('after', { number: earlier[0]!.title })}`}
        </p>
        {batch.voidedAt === null ? null : (
          <p className={classes.dim}>
            {[format.dateTime(batch.voidedAt), batch.voidedBy?.title].filter(Boolean).join(', ')}: {batch.voidReason}
          </p>
        )}
        {batch.deletedAt === null ? null : (
          <p className={classes.dim}>{t('deleted', { date: format.day(batch.deletedAt) })}</p>
        )}
      </div>
      <dl className={classes.amounts}>
        <dt>{t('column.debit')}</dt>
        <dd>{format.money(debitCents)}</dd>
        <dt>{t('column.credit')}</dt>
        <dd>{format.money(creditCents)}</dd>
      </dl>
      <div className={classes.actions}>
        {fileName === null || batch.deletedAt !== null ? null : (
          <Button
            size="compact-sm"
            leftSection={<Icon name="download" size={13} />}
            title={fileName}
            onClick={() => onFile(batch)}
          >
            {t('datev')}
          </Button>
        )}
        <ExportMenu
          exportAs={(as) =>
            callFile(getBatchTable, {
              params: { id },
              query: { format: as, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
            })
          }
        />
        {batch.voidedAt === null ? (
          <IconButton icon="trash" label={t('void.of', { number })} onClick={() => onVoid(batch)} />
        ) : null}
      </div>
    </li>
  )
}

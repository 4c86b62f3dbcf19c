import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  PAPER_KINDS,
  previewPaperPeriods,
  type PaperPeriods,
  type PaperPreview,
} from '@waybill/contract/operations/paper-periods'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { fileSize } from '../../kit/i18n/file-size.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import classes from './operations-page.module.css'

type Country = PaperPeriods['countries'][number]

/** How much would be deleted tonight in a country, and what stays and why; nothing is changed by it. */
export function PaperPreviewWindow({ shown, onClose }: { shown: Country | null; onClose: () => void }) {
  const { t } = useTranslation('operations')
  // While it leaves it shows what it did.
  const [last, setLast] = useState(shown)
  if (shown !== null && shown !== last) setLast(shown)
  return (
    <ModalFrame
      isOpen={shown !== null}
      onClose={onClose}
      title={last === null ? '' : t('papers.previewTitle', { country: last.title })}
      closeLabel={t('close')}
      footer={
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      {last === null ? null : <Preview country={last} />}
    </ModalFrame>
  )
}

function Preview({ country: { id, years } }: { country: Country }) {
  const { t } = useTranslation('operations')
  const chosen = Object.fromEntries(PAPER_KINDS.flatMap((kind) => (years[kind] === null ? [] : [[kind, years[kind]]])))
  const { data, error, refetch } = useQuery({
    queryKey: ['operations', 'paper-periods', id, chosen],
    queryFn: ({ signal }) => callApi(previewPaperPeriods, { query: { countryId: id, ...chosen }, signal }),
    refetchOnMount: 'always',
    meta: { showsRefusals: true },
  })
  if (data !== undefined) return <Found kinds={data.kinds} />
  return error === null ? (
    <SkeletonLines lines={4} label={t('papers.previewLoading')} />
  ) : (
    <LoadError error={error} onRetry={() => void refetch()} />
  )
}

function Found({ kinds }: Pick<PaperPreview, 'kinds'>) {
  const { t } = useTranslation('operations')
  const format = useFormat()
  return (
    <table className={classes.found}>
      <thead>
        <tr>
          <th scope="col">{t('papers.kind')}</th>
          <th scope="col">{t('papers.would')}</th>
          <th scope="col">{t('papers.stays')}</th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, dueCount, dueBytes, firstYear, lastYear, stays }) => (
          <tr key={kind}>
            <th scope="row">{t(`papers.kinds.${kind}`)}</th>
            <td>
              <b>{format.number(dueCount)}</b>
              {firstYear === null ? null : (
                <>
                  <br />
                  {firstYear === lastYear ? firstYear : `${firstYear}–${lastYear}`}
                  {dueBytes === 0 ? null : `, ${fileSize(dueBytes, format.number)}`}
                </>
              )}
            </td>
            <td>
              {stays.map(({ reason, count }) => (
                <div key={reason}>{t(`papers.why.${reason}`, { number: format.number(count) })}</div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

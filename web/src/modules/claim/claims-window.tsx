import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listClaims } from '@waybill/contract/claim/claim'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { ModalFrame } from '../../ui/windows/confirm-modal.tsx'
import type { Asked } from './asked.ts'
import classes from './claim.module.css'
import { ClaimForm } from './claim-form.tsx'
import { ClaimRow } from './claim-row.tsx'

/** Claims of late payment by customer and invoice, to book as paid, to waive, and to take that back. */
export function ClaimsWindow({ q, onClose }: { q: string; onClose: () => void }) {
  const { t } = useTranslation('claim')
  const format = useFormat()
  const client = useQueryClient()
  const [show, setShow] = useState<'open' | 'all'>('open')
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['claims', q, show],
    queryFn: ({ signal }) => callApi(listClaims, { query: { show, ...(q === '' ? {} : { q }) }, signal }),
    placeholderData: (before) => before,
  })
  const refresh = () => void client.invalidateQueries({ queryKey: ['claims'] })
  useLiveChanges('invoice', refresh)
  if (asked !== null)
    return (
      <ClaimForm
        asked={asked}
        onBack={() => setAsked(null)}
        onBooked={() => {
          setAsked(null)
          refresh()
          void client.invalidateQueries({ queryKey: ['open-items'] })
          void client.invalidateQueries({ queryKey: ['reminders'] })
          void client.invalidateQueries({ queryKey: ['payments'] })
        }}
      />
    )
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={q === '' ? t('title') : t('titleFor', { q })}
      closeLabel={t('close')}
      footer={
        <>
          {data === undefined || data.claimCount === 0 ? null : (
            <b className={classes.sum}>{t('openSum', { amount: format.euro(data.openCents) })}</b>
          )}
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </>
      }
    >
      <Segmented
        isSmall
        label={t('title')}
        value={show}
        onChange={setShow}
        options={[
          { value: 'open', label: t('show.open') },
          { value: 'all', label: t('show.all') },
        ]}
      />
      {error && data === undefined ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined && !error ? <SkeletonLines lines={4} label={t('title')} /> : null}
      {data !== undefined && data.items.length === 0 ? <p className={classes.none}>{t(`none.${show}`)}</p> : null}
      {data === undefined || data.items.length === 0 ? null : (
        <ul className={classes.claims} aria-label={t('title')}>
          {data.items.map((claim) => (
            <ClaimRow key={claim.invoice.id} claim={claim} onAsk={setAsked} />
          ))}
        </ul>
      )}
      {data === undefined || data.claimCount <= data.items.length ? null : (
        <p className={classes.dim}>{t('more', { count: data.claimCount - data.items.length })}</p>
      )}
    </ModalFrame>
  )
}

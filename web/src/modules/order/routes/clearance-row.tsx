import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clearanceOf, isCleared, RELEASABLE_REASONS, transportOf } from '@waybill/contract/order/clearance/clearance'
import { getCarrierPapers } from '@waybill/contract/order/clearance/release'
import type { Order } from '@waybill/contract/order/order'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { keptOf } from '../../../kit/api/kept-data.ts'
import { useFormValueOf } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import type { CargoValues, StopValues } from '../values/draft.ts'
import { known } from '../values/money.ts'
import { AskReleaseModal } from './ask-release-modal.tsx'
import classes from './clearance-row.module.css'
import { useReasonWords } from '../values/reason-words.ts'

interface ClearanceRowProps {
  order: Order
  /** Null: the route is not saved yet */
  routeId: number | null
  carrierId: number
  stops: readonly StopValues[]
  isReadOnly: boolean
  /** What the order says of its clearance may be another by now */
  onChanged: () => void
}

/** What a carrier is liable for. A figure that cannot be read, or is on its way, counts as none: the field tells. */
const goodsOf = (cargo: readonly CargoValues[]) =>
  cargo.map(({ id, key, weightKg, valueCents }) => ({
    id,
    key,
    weightKg: known(weightKg),
    valueCents: known(valueCents),
  }))

/** Whether the carrier of a route may be sent on it as it is typed, why not, and how far its release is. */
export function ClearanceRow({ order, routeId, carrierId, stops, isReadOnly, onChanged }: ClearanceRowProps) {
  const { t } = useTranslation('clearance')
  const format = useFormat()
  const words = useReasonWords()
  const queries = useQueryClient()
  const goods = useFormValueOf('cargo', goodsOf)
  const [isAsking, setAsking] = useState(false)
  const key = ['orders', order.id, 'clearance', routeId]
  const { data } = useQuery({
    queryKey: [...key, carrierId, order.version],
    queryFn: ({ signal }) =>
      callApi(getCarrierPapers, {
        params: { id: carrierId },
        query: routeId === null ? {} : { routeId },
        signal,
      }),
    placeholderData: keptOf(...key, carrierId),
    meta: { showsRefusals: true },
  })
  const refresh = () => void queries.invalidateQueries({ queryKey: key })
  useLiveChanges('order', refresh)
  // Another person has decided meanwhile: the order's steps follow.
  const known = order.clearances.find((one) => one.routeId === routeId && one.carrierCompanyId === carrierId)
  const isStale =
    data !== undefined &&
    known !== undefined &&
    (known.release?.id !== data.release?.id || known.release?.decision !== data.release?.decision)
  useEffect(() => {
    if (isStale) onChanged()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the order is read again once for each difference
  }, [isStale])
  if (data === undefined) return <div className={classes.place} />
  const transport = transportOf(stops as Parameters<typeof transportOf>[0], goods, {
    today: new Date().toISOString().slice(0, 10),
    demandedCents: data.demandedCents,
  })
  const reasons = clearanceOf(data.papers, transport)
  const { release } = data
  const isOpen = isCleared(reasons, transport, release)
  const isWaiting = release !== null && release.decision === null
  const mayAsk = reasons.every(({ code }) => RELEASABLE_REASONS.includes(code))
  return (
    <section className={classes.row} aria-label={t('title')} data-state={isOpen ? 'cleared' : 'kept'}>
      <div className={classes.head}>
        <Icon name={isOpen ? 'check' : 'alert'} />
        <b>{t(reasons.length === 0 ? 'cleared' : isOpen ? 'released' : 'notCleared')}</b>
        <span className={classes.asks}>
          {t('asks', { day: format.date(transport.lastDay), sum: format.euro(transport.neededCents) })}
        </span>
        {isOpen || isWaiting || !mayAsk ? null : (
          <Button
            size="compact-sm"
            disabled={isReadOnly || routeId === null}
            title={routeId === null ? t('saveFirst') : undefined}
            onClick={() => setAsking(true)}
          >
            {t('ask')}
          </Button>
        )}
      </div>
      {reasons.length === 0 ? null : (
        <ul className={classes.reasons}>
          {reasons.map((reason) => (
            <li key={reason.code}>{words(reason)}</li>
          ))}
        </ul>
      )}
      {reasons.length === 0 || release === null ? null : (
        <p className={classes.release}>
          {t('askedBy', {
            name: release.askedBy.title,
            when: format.dayTime(release.askedAt),
            reason: release.reason,
          })}{' '}
          {release.decision === null
            ? t('waits')
            : t(`${release.decision}By`, {
                name: release.decidedBy?.title,
                when: format.dayTime(release.decidedAt!),
                reason: release.decisionReason,
              })}
        </p>
      )}
      {isAsking && routeId !== null ? (
        <AskReleaseModal
          routeId={routeId}
          carrierId={carrierId}
          reasons={reasons}
          onClose={() => setAsking(false)}
          onAsked={() => {
            setAsking(false)
            refresh()
          }}
        />
      ) : null}
    </section>
  )
}

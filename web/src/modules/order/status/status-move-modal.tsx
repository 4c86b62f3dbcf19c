import { listTakenBack, orderApi, type Order, type StatusMove } from '@waybill/contract/order/order'
import { isCanceled, WITHDRAWING_STATUSES, type OrderMove } from '@waybill/contract/order/status'
import { proposedStopTime, stopTimeDoubts, stopTimeFaults, TIME_ASKED } from '@waybill/contract/order/stop-times'
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { TextAreaField } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { StopMark } from '../../../ui/marks/marks.tsx'
import { InstantInput } from '../stops/instant-input.tsx'
import { isInstant } from '../values/instant-words.ts'
import { terminWords } from '../values/stop-words.ts'
import { OrderStatusBadge } from './status-badge.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import classes from './status-menu.module.css'
import { stopsAskedFor, type PossibleMove } from './status-moves.ts'

type Body = Pick<StatusMove, 'to'> & Partial<StatusMove>

interface StatusMoveModalProps {
  order: Pick<Order, 'id' | 'version' | 'locations' | 'createdAt'> & Partial<Pick<Order, 'pods' | 'routes'>>
  possible: PossibleMove
  /** One of several routes, which is moved by itself */
  routeId?: number | undefined
  /** Unsaved changes are saved before the move */
  hasChanges: boolean
  isBusy: boolean
  /** What the server says is missing */
  refusals: readonly string[]
  onClose: () => void
  /** Answers whether the status is moved; what is not was refused, and its reason is there when it is asked again */
  onMove: (body: Body) => Promise<boolean>
}

type AskedTime = keyof typeof TIME_ASKED
const isTime = (asks: OrderMove['asks']): asks is AskedTime => asks !== null && asks in TIME_ASKED

interface TypedMove {
  reason: string
  /** by the stop's id */
  times: Readonly<Record<number, string | null>>
  tellsCarrier: boolean
}

const NOTHING: TypedMove = { reason: '', times: {}, tellsCarrier: false }

/** Asks what a status move needs: times at stops, a reason, or why there is no POD. */
export function StatusMoveModal({
  order,
  possible: { move, asks },
  routeId,
  hasChanges,
  isBusy,
  refusals,
  onClose,
  onMove,
}: StatusMoveModalProps) {
  const { t } = useTranslation(['order', 'order-list'])
  const fieldErrorText = useFieldErrorText()
  const format = useFormat()
  const stops = isTime(asks) ? stopsAskedFor(order, asks) : []
  const [openedAt] = useState(() => new Date())
  const kept = useKept(`${routeId === undefined ? 'orders' : 'routes'}/step/${move.to}`, routeId ?? order.id, NOTHING)
  const { reason, tellsCarrier } = kept.values
  // What is proposed goes by the moment at which it is asked: kept is what somebody has typed.
  const [proposed] = useState(() =>
    Object.fromEntries(stops.map((stop) => [stop.id, proposedStopTime(stop, openedAt)])),
  )
  const times: Record<number, string | null> = { ...proposed, ...kept.values.times }
  const giveUp = () => {
    void kept.forget()
    onClose()
  }
  const mayTellCarrier =
    WITHDRAWING_STATUSES.includes(move.to) &&
    (order.routes ?? []).some(({ assignment }) => assignment?.carrierCompanyId != null)
  const [isTried, setTried] = useState(false)
  const isReasonMissing = (move.needsReason || asks === 'podOrWaiver') && reason.trim() === ''
  const timed = order.locations.map((stop) => {
    const time = times[stop.id] ?? null
    return time === null || !isTime(asks) || !isInstant(time) ? stop : { ...stop, [TIME_ASKED[asks]]: time }
  })
  // Of the times that are asked for here: what the server would refuse.
  const faults = stopTimeFaults(timed, { now: openedAt, createdAt: order.createdAt }).filter(
    ({ stop, field }) => isTime(asks) && field === TIME_ASKED[asks] && order.locations[stop]!.id in times,
  )
  const doubtsOf = (stop: (typeof stops)[number]) => {
    const time = times[stop.id] ?? null
    const others = stops.flatMap(({ id }) => (id !== stop.id && times[id] != null ? times[id] : []))
    return time === null || !isInstant(time) ? [] : stopTimeDoubts(stop, time, others.filter(isInstant))
  }
  const terminOf = ({ termin }: (typeof stops)[number]) =>
    termin === null ? '' : terminWords(termin, format, { before: t('termin.before'), fix: t('termin.fix') })
  const wrongTime = (id: number): string | undefined => {
    const time = times[id] ?? null
    if (time === null) return isTried ? fieldErrorText('required') : undefined
    if (!isInstant(time)) return isTried ? fieldErrorText('invalid_date') : undefined
    const found = faults.find(({ stop }) => order.locations[stop]!.id === id)
    return found === undefined ? undefined : fieldErrorText(found.code)
  }
  const submit = async () => {
    setTried(true)
    if (isReasonMissing || faults.length > 0) return
    if (stops.some(({ id }) => times[id] === null || !isInstant(times[id]!))) return
    const isMoved = await onMove({
      to: move.to,
      reason: move.needsReason ? reason.trim() : null,
      tellsCarrier: mayTellCarrier && tellsCarrier,
      podWaiverReason: asks === 'podOrWaiver' ? reason.trim() : null,
      stopTimes: isTime(asks) ? stops.map(({ id }) => ({ locationId: id, [TIME_ASKED[asks]]: times[id]! })) : [],
    })
    if (isMoved) await kept.forget()
  }
  const status = t(`order-list:status.${move.to}`)
  // Beside a status that is called so, *Cancel* would say two things.
  const words = isCanceled(move.to)
    ? cancelWords(t, routeId === undefined ? 'order' : 'route')
    : {
        title: t(`move.title.${move.kind === 'next' ? 'next' : move.kind === 'back' ? 'back' : 'out'}`, { status }),
        leave: t('cancel'),
        submit: t('move.setTo', { status }),
      }
  // The field of a time takes what stands in it as it is entered.
  if (stops.length > 0 && !kept.isRead) return null
  return (
    <ModalFrame
      isOpen
      onClose={giveUp}
      onSubmit={() => void submit()}
      title={words.title}
      closeLabel={t('close')}
      footer={
        <>
          <Button onClick={giveUp}>{words.leave}</Button>
          <Button type="submit" variant="filled" color={move.kind === 'out' ? 'red' : 'petrol'} loading={isBusy}>
            {words.submit}
          </Button>
        </>
      }
    >
      <div className={classes.modal}>
        {stops.map((stop, index) => (
          <div key={stop.id} className={classes.stopTime}>
            <InstantInput
              label={
                <span className={classes.stopLabel}>
                  <StopMark position={stop.position} size={16} />{' '}
                  {t(`move.time.${asks as AskedTime}`, { place: stop.city ?? stop.companyTitle ?? '' })}
                </span>
              }
              note={stop.timeZone}
              isRequired
              value={times[stop.id] ?? null}
              onChange={(value) => kept.change({ times: { ...kept.values.times, [stop.id]: value } })}
              zone={stop.timeZone}
              day={stop.termin?.dateTo ?? stop.termin?.dateFrom}
              error={wrongTime(stop.id)}
              isFirst={index === 0}
            />
            {doubtsOf(stop).map((doubt) => (
              <p key={doubt} className={classes.doubt} role="status">
                <Icon name="alert" size={13} /> {t(`move.doubt.${doubt}`, { termin: terminOf(stop) })}
              </p>
            ))}
          </div>
        ))}
        {asks === 'podOrWaiver' && order.pods?.some(({ state }) => state === 'toCheck') ? (
          <Notice tone="warn">{fieldErrorText('pod_to_check')}</Notice>
        ) : null}
        {move.needsReason || asks === 'podOrWaiver' ? (
          <TextAreaField
            label={asks === 'podOrWaiver' ? t('move.waiver') : t('move.reason')}
            hint={asks === 'podOrWaiver' ? t('move.waiverHint') : undefined}
            isRequired
            value={reason}
            error={isTried && isReasonMissing ? fieldErrorText('required') : undefined}
            maxLength={2000}
            placeholder={asks === 'podOrWaiver' ? undefined : t('move.reasonExample')}
            data-autofocus
            onChange={(event) => kept.change({ reason: event.currentTarget.value })}
          />
        ) : null}
        {mayTellCarrier ? (
          <Checkbox
            label={t('move.tellCarrier')}
            description={t('move.tellCarrierHint')}
            checked={tellsCarrier}
            onChange={(event) => kept.change({ tellsCarrier: event.currentTarget.checked })}
          />
        ) : null}
        {move.kind === 'back' ? <TakenBack order={order} routeId={routeId} to={move.to} /> : null}
        <p>
          {t('move.becomes')} <OrderStatusBadge status={move.to} />
          {hasChanges ? ` ${t('move.savesFirst')}` : ''}
        </p>
        <RefusalsNotice refusals={refusals} />
      </div>
    </ModalFrame>
  )
}

/** The times at the stops that a step back takes away. */
function TakenBack({ order, routeId, to }: Pick<StatusMoveModalProps, 'order' | 'routeId'> & Pick<StatusMove, 'to'>) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const { data } = useQuery({
    queryKey: [orderApi.path, order.id, 'taken-back', order.version, routeId, to],
    queryFn: ({ signal }) => callApi(listTakenBack, { params: { id: order.id }, query: { to, routeId }, signal }),
    gcTime: 0,
    // What cannot be read here is refused by the move itself, in words.
    meta: { showsRefusals: true },
  })
  const times = (data?.items ?? []).flatMap((taken) => {
    const stop = order.locations.find(({ id }) => id === taken.locationId)
    if (stop === undefined) return []
    const said = (at: string) => `${format.dayTime(at, stop.timeZone)} ${stop.timeZone}`
    const place = [t(`stopFields.${taken.field}`), stop.city ?? stop.companyTitle ?? ''].filter(Boolean).join(', ')
    const becomes = taken.becomes === null ? '' : ` → ${said(taken.becomes)}`
    return [{ key: `${stop.id} ${taken.field}`, words: `${place}: ${said(taken.at)}${becomes}` }]
  })
  if (times.length === 0) return null
  return (
    <Notice tone="warn">
      {t('move.takenBack', { count: times.length })}
      <ul className={classes.taken}>
        {times.map(({ key, words }) => (
          <li key={key}>{words}</li>
        ))}
      </ul>
    </Notice>
  )
}

const cancelWords = (t: ReturnType<typeof useTranslation<['order', 'order-list']>>['t'], what: 'order' | 'route') => ({
  title: t(`move.cancel.${what}.title`),
  leave: t(`move.cancel.${what}.keep`),
  submit: t(`move.cancel.${what}.confirm`),
})

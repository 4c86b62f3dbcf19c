import { delayWords, HOURS_A_DAY } from '../values/delay-words.ts'
import { Link } from '@tanstack/react-router'
import type { OrderRow } from '@waybill/contract/order/order'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Format } from '../../../kit/i18n/format.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import type { ListColumn } from '../../../kit/list/page/list-table.tsx'
import { useSession } from '../../../kit/session/session.ts'
import { Avatar, CountryCode, DelayMark, MoneyText } from '../../../ui/marks/marks.tsx'
import { CustomerLink } from '../../customer/customer-link.tsx'
import { orderPath } from '../values/paths.ts'
import classes from './list.module.css'
import { OrderMarks } from '../status/marks.tsx'
import { marginTone } from '../values/money.ts'
import { movesOfRow, statusBadgeId, type ListedOrder } from './rows.ts'
import { OrderStatusBadge } from '../status/status-badge.tsx'

type Words = ReturnType<typeof useTranslation<['order-list', 'order-columns']>>['t']

/** The card of a phone: what the table says, in four lines. */
export const ORDER_PHONE_GRID = [
  '"select number number status" 24px',
  '"select customer customer customerPriceCents" 20px',
  '"select lane lane marginBp" 20px',
  '"select firstLoadingAt delay marks" 22px',
  '/ 32px minmax(0, 1fr) auto auto',
].join(' ')

// px. German and Polish have longer words for a status and shorter dates; no language pays for
// another with the customer's name.
const widthsOf = ({ locale }: Format) => (locale === 'en-GB' ? { status: 104, date: 98 } : { status: 120, date: 93 })

// The lane and the customer need the room of 1280 px: what fewer people ask for waits in the columns' menu.
const EXTRA = { isHiddenOnPhone: true, isExtra: true }

/** What of a row a column shows. */
const shows = (...fields: (keyof OrderRow)[]) => ({ fields })

/** The columns of the orders list; an `id` that the contract sorts by sorts. */
export function useOrderColumns(
  onStatus: (row: ListedOrder, badge: HTMLElement) => void,
): readonly ListColumn<ListedOrder>[] {
  const { t } = useTranslation(['order-list', 'order-columns'])
  const format = useFormat()
  const isAdmin = useSession()?.rights.isAdmin ?? false
  return useMemo(() => {
    const widths = widthsOf(format)
    const columns: ListColumn<ListedOrder>[] = [
      {
        id: 'number',
        header: t('order-columns:column.number'),
        // A number is a name: tabular figures would widen its hyphen.
        meta: { width: 76 },
        cell: (row) => (
          <Link to={orderPath(row.id) as string} className={classes.number}>
            {row.number}
          </Link>
        ),
      },
      {
        id: 'customer',
        header: t('order-columns:column.customer'),
        meta: shows('customer', 'customerCount'),
        cell: (row) => <Customer row={row} t={t} />,
      },
      {
        id: 'lane',
        header: t('order-columns:column.lane'),
        isSortable: false,
        meta: { width: 204, ...shows('from', 'to', 'viaCount') },
        cell: (row) => <Lane row={row} t={t} />,
      },
      {
        id: 'firstLoadingAt',
        header: t('order-columns:column.loading'),
        meta: { width: widths.date, ...shows('from', 'to') },
        cell: (row) => <Dates row={row} format={format} t={t} />,
      },
      {
        id: 'lastUnloadingAt',
        header: t('order-columns:column.unloading'),
        meta: { width: widths.date, isHiddenOnPhone: true, ...shows('to') },
        cell: (row) => <Appointment place={row.to} format={format} />,
      },
      {
        id: 'status',
        header: t('order-columns:column.status'),
        meta: { width: widths.status, ...shows('mergedIntoId') },
        cell: (row) => <Status row={row} isAdmin={isAdmin} onStatus={onStatus} t={t} />,
      },
      {
        id: 'delay',
        header: t('order-columns:column.delayShort'),
        isSortable: false,
        meta: { width: 80, headTitle: t('order-columns:column.delay'), ...shows('delay', 'from', 'to') },
        cell: (row) => <OrderDelay row={row} format={format} t={t} />,
      },
      {
        id: 'marks',
        header: t('order-columns:column.marks'),
        isSortable: false,
        meta: { width: 66, ...shows('deviations', 'disposition') },
        cell: (row) => (
          <span className={classes.end}>
            <OrderMarks of={row} />
          </span>
        ),
      },
      {
        id: 'department',
        header: t('order-columns:column.departmentShort'),
        isSortable: false,
        meta: { width: 74, headTitle: t('order-columns:column.department'), ...EXTRA, ...shows('department') },
        cell: (row) => <span title={row.department?.title}>{row.department?.title}</span>,
      },
      {
        id: 'caseWorker',
        header: t('order-columns:column.caseWorkerShort'),
        isSortable: false,
        meta: {
          width: 34,
          headTitle: t('order-columns:column.caseWorker'),
          isHiddenOnPhone: true,
          ...shows('caseWorker'),
        },
        cell: (row) => (row.caseWorker == null ? null : <Avatar name={row.caseWorker.title} size={20} />),
      },
      {
        id: 'customerPriceCents',
        header: t('order-columns:column.price'),
        meta: { width: 76, align: 'end', ...shows('customerPriceCents') },
        cell: (row) =>
          row.customerPriceCents == null ? (
            <MoneyText tone="none">–</MoneyText>
          ) : (
            <MoneyText>{format.money(row.customerPriceCents)}</MoneyText>
          ),
      },
      {
        id: 'marginBp',
        header: t('order-columns:column.margin'),
        meta: { width: 84, align: 'end', ...shows('incomeCents', 'marginBp', 'marginWarningBp') },
        cell: (row) => <Margin row={row} format={format} />,
      },
      {
        id: 'marginPercent',
        header: t('order-columns:column.marginPercent'),
        isSortable: false,
        meta: { width: 76, align: 'end', ...EXTRA, ...shows('marginBp') },
        cell: (row) => (row.marginBp == null ? null : format.percent(row.marginBp)),
      },
      {
        id: 'customerOrderNumber',
        header: t('order-columns:column.customerOrderNumberShort'),
        isSortable: false,
        meta: {
          width: 130,
          headTitle: t('order-columns:column.customerOrderNumber'),
          ...EXTRA,
          ...shows('customerOrderNumber'),
        },
        cell: (row) => <span title={row.customerOrderNumber ?? undefined}>{row.customerOrderNumber}</span>,
      },
      {
        id: 'disposition',
        header: t('order-columns:filter.disposition'),
        isSortable: false,
        meta: { width: 150, ...EXTRA, ...shows('disposition') },
        cell: (row) => (row.disposition == null ? null : t(`disposition.${row.disposition}`)),
      },
      {
        id: 'createdAt',
        header: t('order-columns:filter.createdAt'),
        meta: { width: widths.date, ...EXTRA, ...shows('createdAt') },
        cell: (row) =>
          row.createdAt === undefined ? null : (
            <time dateTime={row.createdAt} title={format.dateTime(row.createdAt)} className={classes.time}>
              {format.dayTime(row.createdAt)}
            </time>
          ),
      },
    ]
    return columns
  }, [t, format, isAdmin, onStatus])
}

function Status({
  row,
  isAdmin,
  onStatus,
  t,
}: {
  row: ListedOrder
  isAdmin: boolean
  onStatus: (row: ListedOrder, badge: HTMLElement) => void
  t: Words
}) {
  const badge = <OrderStatusBadge status={row.status} />
  return (
    <span className={classes.end}>
      {row.mergedIntoId != null ? (
        // What became of it is told by the order that carries it now.
        <Link to={orderPath(row.mergedIntoId) as string}>{badge}</Link>
      ) : movesOfRow(row, isAdmin).length === 0 ? (
        badge
      ) : (
        <button
          type="button"
          id={statusBadgeId(row.id)}
          className={classes.status}
          aria-haspopup="menu"
          aria-label={t('changeStatus', { status: t(`status.${row.status}`) })}
          onClick={(event) => onStatus(row, event.currentTarget)}
        >
          {badge}
        </button>
      )}
    </span>
  )
}

function Customer({ row: { customer, customerCount = 1 }, t }: { row: ListedOrder; t: Words }) {
  if (customer == null) return null
  return (
    <span className={classes.customer}>
      <CustomerLink of={customer} className={classes.customerLink} />
      {customerCount > 1 ? (
        <span
          className={classes.more}
          title={t('moreCustomers', { count: customerCount - 1 })}
        >{` +${customerCount - 1}`}</span>
      ) : null}
    </span>
  )
}

/** Countries before towns: staff scan lanes. */
export function Lane({ row: { from, to, viaCount = 0 }, t }: { row: Partial<OrderRow>; t: Words }) {
  if (from == null && to == null) return <span className={classes.more}>–</span>
  return (
    <span className={classes.lane}>
      <Place place={from} />
      <span className={classes.arrow} aria-label={t('laneTo')} role="img">
        →
      </span>
      <span className={classes.place}>
        <Place place={to} />
        {viaCount > 0 ? (
          <span className={classes.more} title={t('via', { count: viaCount })}>
            {` +${viaCount}`}
          </span>
        ) : null}
      </span>
    </span>
  )
}

function Place({ place }: { place: OrderRow['from'] | undefined }) {
  if (place == null) return <span className={classes.more}>–</span>
  return (
    <span className={classes.town} title={place.city ?? undefined}>
      <CountryCode code={place.countryCode} /> {place.city}
    </span>
  )
}

/**
 * An appointment in the stop's own time zone. A stop without a time of day is due all
 * day: then its day alone is true.
 */
export function Appointment({ place, format }: { place: OrderRow['from'] | undefined; format: Format }) {
  if (place?.at == null) return null
  const { at, timeZone } = place
  return (
    <time dateTime={at} title={`${format.dateTime(at, timeZone)} (${timeZone})`} className={classes.time}>
      {isWholeDay(at, timeZone, format) ? format.dayShort(at, timeZone) : format.dayTime(at, timeZone)}
    </time>
  )
}

// Its first minute stands for the loading that has no time, its last for the unloading.
const WHOLE_DAY = new Set(['00:00', '23:59'])

/** True for an appointment that is due all day. */
export const isWholeDay = (at: string, timeZone: string, format: Format): boolean =>
  WHOLE_DAY.has(format.time(at, timeZone))

function Dates({ row, format, t }: { row: ListedOrder; format: Format; t: Words }) {
  return (
    <>
      <Appointment place={row.from} format={format} />
      <span className={classes.phoneDate}>
        <span aria-label={t('laneTo')} role="img">
          {' → '}
        </span>
        <Appointment place={row.to} format={format} />
      </span>
    </>
  )
}

interface OrderDelayProps {
  row: Partial<OrderRow>
  format: Format
  t: Words
  /** Where the date stands beside it anyway */
  withoutDay?: boolean
}

/** Under one day the hours count, above it the started days (domain, Order status); with the day that was due. */
export function OrderDelay({ row: { delay, from, to }, format, t, withoutDay = false }: OrderDelayProps) {
  if (delay == null) return null
  const isLong = delay.hours >= HOURS_A_DAY
  const zone = (delay.kind === 'sending' ? from : to)?.timeZone
  const words = delayWords(delay, format, t, zone)
  return (
    <span className={classes.end}>
      <DelayMark isLong={isLong} title={words}>
        <span aria-hidden>
          {isLong
            ? t('delay.days', { number: format.number(delay.days) })
            : t('delay.hours', { number: format.number(delay.hours) })}
          {withoutDay ? null : <span className={classes.dueDay}> {format.dayShort(delay.expectedAt, zone)}</span>}
        </span>
        <span className={classes.words}>{words}</span>
      </DelayMark>
    </span>
  )
}

function Margin({ row, format }: { row: ListedOrder; format: Format }) {
  const { incomeCents = null, marginBp = null, marginWarningBp = 0 } = row
  if (incomeCents === null) return <MoneyText tone="none">–</MoneyText>
  return (
    <span title={marginBp === null ? undefined : format.percent(marginBp)} className={classes.margin}>
      <MoneyText tone={marginTone(incomeCents, marginBp, marginWarningBp)}>{format.money(incomeCents)}</MoneyText>
    </span>
  )
}

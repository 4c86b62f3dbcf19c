import { Link } from '@tanstack/react-router'
import type { InvoiceRow } from '@waybill/contract/invoice/invoice'
import type { InvoiceSide } from '@waybill/contract/invoice/status'
import { ORDER_ACCESS } from '@waybill/contract/permissions'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Format } from '../../kit/i18n/format.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import type { ListColumn } from '../../kit/list/page/list-table.tsx'
import { hasAccess } from '../../kit/session/session.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { CountryCode, MoneyText } from '../../ui/marks/marks.tsx'
import classes from './invoice-list.module.css'
import { PartyLink } from './invoice-party-link.tsx'
import { InvoiceStatusBadge } from './invoice-status-badge.tsx'

type Words = ReturnType<typeof useTranslation<'invoice-list'>>['t']

/** Where an invoice is opened. */
export const invoicePath = (id: number): string => `/invoices/${id}/edit`

/** The card of a phone, in three lines. Each holds a link, and a finger needs 24 px from one to the next. */
export const INVOICE_PHONE_GRID =
  '"number status" 24px "party totalCents" 24px "orders dueDate" 24px / minmax(0, 1fr) auto'

// px. German and Polish have longer words for side, status and date; English has longer dates.
const widthsOf = ({ locale }: Format) =>
  locale === 'en-GB' ? { side: 94, status: 108, date: 94 } : { side: 120, status: 120, date: 100 }

/** The columns of the invoices list. Both sides in one list need a column that says which. */
export function useInvoiceColumns(side: InvoiceSide | null): readonly ListColumn<InvoiceRow>[] {
  const { t } = useTranslation('invoice-list')
  const format = useFormat()
  return useMemo(() => {
    const widths = widthsOf(format)
    const columns: ListColumn<InvoiceRow>[] = [
      {
        id: 'number',
        header: t('column.number'),
        meta: { width: 130 },
        cell: (row) => (
          <Link
            to={invoicePath(row.id)}
            className={classes.number}
            title={row.number ?? t('draftOf', { number: row.innerNumber })}
          >
            {row.number ?? row.innerNumber}
          </Link>
        ),
      },
      {
        id: 'innerNumber',
        header: t('column.innerNumber'),
        isSortable: false,
        meta: { width: 80, isHiddenOnPhone: true, isExtra: true },
        cell: (row) => <span className={classes.inner}>{row.innerNumber}</span>,
      },
      {
        id: 'entityType',
        header: t('column.side'),
        isSortable: false,
        meta: { width: widths.side, isHiddenOnPhone: true },
        cell: (row) => t(`side.${row.entityType}`),
      },
      {
        id: 'party',
        header: t(side === null ? 'column.party' : side === 'customer' ? 'column.billingCustomer' : 'column.carrier'),
        isSortable: false,
        cell: (row) => (
          <span className={classes.party}>
            <PartyLink invoice={row} />
          </span>
        ),
      },
      {
        id: 'orders',
        header: t('column.orders'),
        isSortable: false,
        meta: { width: 92 },
        cell: (row) => <Orders row={row} t={t} />,
      },
      {
        id: 'destinations',
        header: t('column.destination'),
        isSortable: false,
        meta: { width: 116, isHiddenOnPhone: true },
        cell: (row) => <Destinations row={row} t={t} />,
      },
      {
        id: 'status',
        header: t('column.status'),
        meta: { width: widths.status },
        cell: (row) => <Status row={row} />,
      },
      {
        id: 'invoiceDate',
        header: t('column.invoiceDate'),
        isSortable: false,
        meta: { width: widths.date, isHiddenOnPhone: true },
        cell: (row) =>
          row.invoiceDate === null ? null : <time dateTime={row.invoiceDate}>{format.date(row.invoiceDate)}</time>,
      },
      {
        id: 'dueDate',
        header: t('column.dueDate'),
        meta: { width: 112 },
        cell: (row) => <DueDate row={row} t={t} words={format.date} />,
      },
      {
        id: 'amountCents',
        header: t('column.amount'),
        isSortable: false,
        meta: { width: 86, align: 'end', isHiddenOnPhone: true },
        cell: (row) => <MoneyText>{format.money(row.amountCents, row.currency)}</MoneyText>,
      },
      {
        id: 'totalCents',
        header: t('column.total'),
        meta: { width: 96, align: 'end' },
        cell: (row) => (
          <span className={classes.total}>
            <MoneyText isStrong>{format.money(row.totalCents, row.currency)}</MoneyText>
          </span>
        ),
      },
      {
        id: 'openCents',
        header: t('column.open'),
        isSortable: false,
        meta: { width: 96, align: 'end', isHiddenOnPhone: true },
        cell: (row) =>
          row.openCents === null || row.openCents === 0 ? null : (
            <span title={row.isDisputed ? t('disputed') : undefined}>
              {row.isDisputed ? <Icon name="alert" size={13} label={t('disputed')} /> : null}
              <MoneyText>{format.money(row.openCents, row.currency)}</MoneyText>
            </span>
          ),
      },
    ]
    return columns.filter((column) => side === null || column.id !== 'entityType')
  }, [t, format, side])
}

const Status = ({ row }: { row: InvoiceRow }) => (
  <span className={classes.end}>
    <InvoiceStatusBadge status={row.status} />
  </span>
)

/** Who may not see orders gets their numbers, not links. */
function Orders({ row, t }: { row: InvoiceRow; t: Words }) {
  const [first, ...others] = row.orders
  if (first === undefined) return null
  return (
    <span className={classes.orders}>
      {hasAccess(ORDER_ACCESS) ? <Link to={`/orders/${first.id}/edit` as string}>{first.title}</Link> : first.title}
      {others.length === 0 ? null : (
        <span
          className={classes.more}
          title={t('moreOrders', { count: others.length, numbers: others.map((one) => one.title).join(', ') })}
        >
          {` +${others.length}`}
        </span>
      )}
    </span>
  )
}

function Destinations({ row, t }: { row: InvoiceRow; t: Words }) {
  const [first, ...others] = row.destinations
  if (first === undefined) return null
  const nameOf = ({ countryCode, city }: typeof first) => [countryCode, city].filter(Boolean).join(' ')
  return (
    <>
      <CountryCode code={first.countryCode} /> {first.city}
      {others.length === 0 ? null : (
        <span
          className={classes.more}
          title={t('moreDestinations', { places: others.map(nameOf).join(', ') })}
        >{` +${others.length}`}</span>
      )}
    </>
  )
}

function DueDate({ row, t, words }: { row: InvoiceRow; t: Words; words: (date: string) => string }) {
  if (row.dueDate === null) return null
  return (
    <span
      className={classes.due}
      data-overdue={row.isOverdue || undefined}
      title={row.isOverdue ? t('overdue') : undefined}
    >
      <span className={classes.phoneLabel}>{t('column.dueDate')}</span>
      <time dateTime={row.dueDate}>{words(row.dueDate)}</time>
      {row.isOverdue ? <Icon name="alert" size={13} label={t('overdue')} /> : null}
      {row.reminderLevel === null ? null : (
        <abbr className={classes.reminded} title={t('reminded', { level: row.reminderLevel })}>
          {t('remindedShort', { level: row.reminderLevel })}
        </abbr>
      )}
    </span>
  )
}

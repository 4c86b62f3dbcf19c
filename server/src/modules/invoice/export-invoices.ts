import type { InvoiceRow } from '@waybill/contract/invoice/invoice'
import { createdColumn, day, euros, moment, stateColumn, text, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('invoice')

const placeOf = ({ countryCode, city }: InvoiceRow['destinations'][number]): string =>
  [countryCode, city].filter(Boolean).join(' ')

export const invoiceSheet: SheetOf<InvoiceRow> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.number, ({ number }) => number),
    text(TEXTS.columns.innerNumber, ({ innerNumber }) => innerNumber),
    text(TEXTS.columns.side, ({ entityType }, say) => say(TEXTS.sides[entityType])),
    text(TEXTS.columns.partner, ({ billingCustomer, carrierCompany }) => (billingCustomer ?? carrierCompany)?.title),
    text(TEXTS.columns.orders, ({ orders }) => orders.map((order) => order.title).join(', ')),
    text(TEXTS.columns.destination, ({ destinations }) => destinations.map(placeOf).join(', ')),
    text(TEXTS.columns.status, ({ status }, say) => say(TEXTS.statuses[status])),
    moment(TEXTS.columns.statusSince, ({ statusDate }) => statusDate),
    day(TEXTS.columns.invoiceDate, ({ invoiceDate }) => invoiceDate),
    day(TEXTS.columns.due, ({ dueDate }) => dueDate),
    yesNo(TEXTS.columns.isOverdue, ({ isOverdue }) => isOverdue),
    euros(TEXTS.columns.net, ({ amountCents }) => amountCents),
    euros(TEXTS.columns.total, ({ totalCents }) => totalCents),
    createdColumn,
    stateColumn,
  ],
}

import type { PaymentFileRow } from '@waybill/contract/payment-file/payment-file'
import { createdColumn, day, euros, number, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('payment-file')

export const paymentFileSheet: SheetOf<PaymentFileRow> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.number, (run) => run.number),
    text(TEXTS.columns.status, ({ status }, say) => say(TEXTS.statuses[status])),
    text(TEXTS.columns.company, ({ company }) => company.title),
    day(TEXTS.columns.payOn, ({ executionDate }) => executionDate),
    number(TEXTS.columns.invoices, ({ invoiceCount }) => invoiceCount),
    number(TEXTS.columns.payments, ({ paymentCount }) => paymentCount),
    euros(TEXTS.columns.total, ({ totalCents }) => totalCents),
    number(TEXTS.columns.returned, ({ returnedCount }) => returnedCount),
    euros(TEXTS.columns.returnedTotal, ({ returnedCents }) => returnedCents),
    text(TEXTS.columns.messageId, ({ messageId }) => messageId),
    createdColumn,
    text(TEXTS.columns.createdBy, ({ createdBy }) => createdBy?.title),
  ],
}

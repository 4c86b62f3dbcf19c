import type { customerApi } from '@waybill/contract/customer'
import type { RowOf } from '@waybill/contract/kit/resource'
import { createdColumn, number, stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('customer')

export const customerSheet: SheetOf<RowOf<typeof customerApi>> = {
  title: TEXTS.title,
  columns: [
    titleColumn,
    text(TEXTS.columns.alias, ({ alias }) => alias),
    text(TEXTS.columns.vatNumber, ({ vatNumber }) => vatNumber),
    text(TEXTS.columns.country, ({ country }) => country.title),
    text(TEXTS.columns.postal, ({ postal }) => postal),
    text(TEXTS.columns.city, ({ city }) => city),
    text(TEXTS.columns.responsibleUser, ({ responsibleUser }) => responsibleUser?.title),
    number(TEXTS.columns.paymentPeriodDays, ({ paymentPeriodDays }) => paymentPeriodDays),
    createdColumn,
    stateColumn,
  ],
}

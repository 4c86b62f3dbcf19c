import type { carrierCompanyApi } from '@waybill/contract/carrier-company'
import type { RowOf } from '@waybill/contract/kit/resource'
import { createdColumn, number, stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('carrier-company')

export const carrierCompanySheet: SheetOf<RowOf<typeof carrierCompanyApi>> = {
  title: TEXTS.title,
  columns: [
    titleColumn,
    text(TEXTS.columns.vatNumber, ({ vatNumber }) => vatNumber),
    text(TEXTS.columns.country, ({ country }) => country.title),
    text(TEXTS.columns.city, ({ city }) => city),
    text(TEXTS.columns.timocomId, ({ timocomId }) => timocomId),
    text(TEXTS.columns.transId, ({ transId }) => transId),
    number(TEXTS.columns.paymentPeriodDays, ({ paymentPeriodDays }) => paymentPeriodDays),
    createdColumn,
    stateColumn,
  ],
}

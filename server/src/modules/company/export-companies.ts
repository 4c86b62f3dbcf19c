import type { companyApi } from '@waybill/contract/company'
import type { RowOf } from '@waybill/contract/kit/resource'
import { stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('company')

export const companySheet: SheetOf<RowOf<typeof companyApi>> = {
  title: TEXTS.title,
  columns: [
    titleColumn,
    text(TEXTS.columns.code, ({ code }) => code),
    text(TEXTS.columns.vatNumber, ({ vatNumber }) => vatNumber),
    text(TEXTS.columns.country, ({ country }) => country.title),
    text(TEXTS.columns.city, ({ city }) => city),
    stateColumn,
  ],
}

import type { Country } from '@waybill/contract/country'
import { percent, stateColumn, text, titleColumn, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('country')

export const countrySheet: SheetOf<Country> = {
  title: TEXTS.title,
  columns: [
    titleColumn,
    text(TEXTS.columns.code, ({ code }) => code),
    yesNo(TEXTS.columns.isEu, ({ isEu }) => isEu),
    percent(TEXTS.columns.standardVat, ({ standardVatBp }) => standardVatBp),
    text(TEXTS.columns.timeZone, ({ timeZone }) => timeZone),
    stateColumn,
  ],
}

import type { Salutation } from '@waybill/contract/salutation'
import { stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

const TEXTS = wordingsOf('salutation')

export const salutationSheet: SheetOf<Salutation> = {
  title: TEXTS.title,
  columns: [
    titleColumn,
    text(TEXTS.columns.gender, ({ gender }, say) => say(TEXTS.genders[gender])),
    text(TEXTS.columns.country, ({ country }) => country.title),
    stateColumn,
  ],
}

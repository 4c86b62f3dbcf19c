import type { Texts } from '@waybill/contract/errors'
import type { Gender, Salutation } from '@waybill/contract/salutation'
import { stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'

const GENDERS: Readonly<Record<Gender, Texts>> = {
  female: { en: 'female', de: 'weiblich', pl: 'kobieta' },
  male: { en: 'male', de: 'männlich', pl: 'mężczyzna' },
}

export const salutationSheet: SheetOf<Salutation> = {
  title: { en: 'Salutations', de: 'Anreden', pl: 'Zwroty grzecznościowe' },
  columns: [
    titleColumn,
    text({ en: 'Gender', de: 'Geschlecht', pl: 'Płeć' }, ({ gender }, say) => say(GENDERS[gender])),
    text({ en: 'Country', de: 'Land', pl: 'Kraj' }, ({ country }) => country.title),
    stateColumn,
  ],
}

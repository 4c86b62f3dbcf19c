import type { companyApi } from '@waybill/contract/company'
import type { RowOf } from '@waybill/contract/kit/resource'
import { stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'

export const companySheet: SheetOf<RowOf<typeof companyApi>> = {
  title: { en: 'Companies', de: 'Unternehmen', pl: 'Firmy' },
  columns: [
    titleColumn,
    text({ en: 'Code', de: 'Kürzel', pl: 'Kod' }, ({ code }) => code),
    text({ en: 'VAT number', de: 'USt-IdNr.', pl: 'Numer VAT' }, ({ vatNumber }) => vatNumber),
    text({ en: 'Country', de: 'Land', pl: 'Kraj' }, ({ country }) => country.title),
    text({ en: 'City', de: 'Ort', pl: 'Miejscowość' }, ({ city }) => city),
    stateColumn,
  ],
}

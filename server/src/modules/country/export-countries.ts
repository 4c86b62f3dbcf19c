import type { Country } from '@waybill/contract/country'
import { percent, stateColumn, text, titleColumn, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'

export const countrySheet: SheetOf<Country> = {
  title: { en: 'Countries', de: 'Länder', pl: 'Kraje' },
  columns: [
    titleColumn,
    text({ en: 'Code', de: 'Kürzel', pl: 'Kod' }, ({ code }) => code),
    yesNo({ en: 'Member of the EU', de: 'EU-Mitglied', pl: 'Członek UE' }, ({ isEu }) => isEu),
    percent(
      { en: 'Standard VAT rate %', de: 'Regelsteuersatz %', pl: 'Podstawowa stawka VAT %' },
      ({ standardVatBp }) => standardVatBp,
    ),
    text({ en: 'Time zone', de: 'Zeitzone', pl: 'Strefa czasowa' }, ({ timeZone }) => timeZone),
    stateColumn,
  ],
}

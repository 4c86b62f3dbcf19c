import type { Generated, GeneratedAlways } from 'kysely'
import { countryApi, type Country } from '@waybill/contract/country'
import type { State } from '@waybill/contract/kit/fields'
import { tableRecord } from '../../kit/records/table-record.ts'
import { percent, stateColumn, text, titleColumn, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'

declare module '../../kit/database/db.ts' {
  interface Tables {
    country: {
      id: Generated<number>
      version: Generated<number>
      title: string
      code: string
      isEu: boolean
      standardVatBp: number
      timeZone: string
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
  }
}

const sheet: SheetOf<Country> = {
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

export const countryRecord = tableRecord({
  api: countryApi,
  table: 'country',
  title: 'title',
  sorts: {
    title: { column: 'country.title', type: 'text' },
    code: { column: 'country.code', type: 'text' },
    standardVatBp: { column: 'country.standardVatBp', type: 'int' },
  },
  filter: (rows, { isEu }) => (isEu === undefined ? rows : rows.where('country.isEu', '=', isEu)),
  sheet,
})

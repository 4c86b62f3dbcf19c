import { sql, type Generated, type GeneratedAlways } from 'kysely'
import { countryApi, type Country } from '@waybill/contract/country'
import type { Language } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import { tableRecord } from '../../kit/records/table-record.ts'
import { percent, stateColumn, text, titleColumn, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

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
      language: Language | null
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
      codeKey: GeneratedAlways<string>
    }
  }
}

const TEXTS = wordingsOf('country')

const sheet: SheetOf<Country> = {
  title: TEXTS.title,
  columns: [
    titleColumn,
    text(TEXTS.columns.code, ({ code }) => code),
    yesNo(TEXTS.columns.isEu, ({ isEu }) => isEu),
    percent(TEXTS.columns.standardVat, ({ standardVatBp }) => standardVatBp),
    text(TEXTS.columns.timeZone, ({ timeZone }) => timeZone),
    text(TEXTS.columns.language, ({ language }) => language),
    stateColumn,
  ],
}

export const countryRecord = tableRecord({
  api: countryApi,
  table: 'country',
  title: 'title',
  shortSearch: ['country.codeKey'],
  sorts: {
    title: { column: 'country.title', type: 'text' },
    code: { column: 'country.code', type: 'text' },
    standardVatBp: { column: 'country.standardVatBp', type: 'int' },
  },
  filters: { isEu: (_ctx, isEu) => sql<boolean>`country."isEu" = ${isEu}` },
  sheet,
})

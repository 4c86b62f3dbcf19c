import { sql, type ColumnType, type Generated, type GeneratedAlways } from 'kysely'
import { countryApi, type Country } from '@waybill/contract/country'
import type { Language } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import type { LatePayment } from '@waybill/contract/reminder/terms'
import { tableRecord } from '../../kit/records/table-record.ts'
import { otherNames, type FollowingTitles } from '../../kit/records/titles.ts'
import { percent, shownTitleColumn, stateColumn, text, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

declare module '../../kit/database/db.ts' {
  interface Tables {
    country: FollowingTitles & {
      id: Generated<number>
      version: Generated<number>
      title: string
      code: string
      isEu: boolean
      standardVatBp: number
      timeZone: string
      language: Language | null
      latePayment: ColumnType<LatePayment, string | undefined, string>
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
    shownTitleColumn,
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
  isTitled: true,
  // What its names are follows from the code.
  select: (rows) =>
    rows.select([
      'country.id',
      'country.version',
      'country.title',
      'country.code',
      'country.isEu',
      'country.standardVatBp',
      'country.timeZone',
      'country.language',
      'country.latePayment',
      'country.state',
    ]),
  compact: (rows, ctx) => rows.select(['country.code', otherNames(ctx.language, 'country').as('names')]),
  shortSearch: ['country.codeKey'],
  sorts: {
    title: { column: 'country.title', type: 'text' },
    code: { column: 'country.code', type: 'text' },
    standardVatBp: { column: 'country.standardVatBp', type: 'int' },
  },
  filters: { isEu: (_ctx, isEu) => sql<boolean>`country."isEu" = ${isEu}` },
  sheet,
})

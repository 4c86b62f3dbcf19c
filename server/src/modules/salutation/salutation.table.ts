import { sql, type Generated, type GeneratedAlways } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { State } from '@waybill/contract/kit/fields'
import { salutationApi, type Gender, type Salutation } from '@waybill/contract/salutation'
import { tableRecord } from '../../kit/records/table-record.ts'
import { shownTitle, type TitleColumns } from '../../kit/records/titles.ts'
import { shownTitleColumn, stateColumn, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

declare module '../../kit/database/db.ts' {
  interface Tables {
    salutation: TitleColumns & {
      id: Generated<number>
      version: Generated<number>
      title: string
      gender: Gender
      countryId: number
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
  }
}

const TEXTS = wordingsOf('salutation')

const sheet: SheetOf<Salutation> = {
  title: TEXTS.title,
  columns: [
    shownTitleColumn,
    text(TEXTS.columns.gender, ({ gender }, say) => say(TEXTS.genders[gender])),
    text(TEXTS.columns.country, ({ country }) => country.title),
    stateColumn,
  ],
}

export const salutationRecord = tableRecord({
  api: salutationApi,
  table: 'salutation',
  title: 'title',
  isTitled: true,
  sorts: { title: { column: 'salutation.title', type: 'text' } },
  select: (rows, ctx) =>
    rows.selectAll('salutation').select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('country')
          .select(['country.id', shownTitle(ctx.language, 'country').as('title')])
          .whereRef('country.id', '=', 'salutation.countryId'),
      ).as('country'),
    ),
  filters: {
    gender: (_ctx, genders) => sql<boolean>`salutation.gender = any(${genders}::text[])`,
    countryId: (_ctx, ids) => sql<boolean>`salutation."countryId" = any(${ids}::bigint[])`,
  },
  sheet,
})

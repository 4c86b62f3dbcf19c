import { sql, type Generated, type GeneratedAlways } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Texts } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import { salutationApi, type Gender, type Salutation } from '@waybill/contract/salutation'
import { tableRecord } from '../../kit/records/table-record.ts'
import { stateColumn, text, titleColumn, type SheetOf } from '../../kit/tables/sheet.ts'

declare module '../../kit/database/db.ts' {
  interface Tables {
    salutation: {
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

const GENDERS: Readonly<Record<Gender, Texts>> = {
  female: { en: 'female', de: 'weiblich', pl: 'kobieta' },
  male: { en: 'male', de: 'männlich', pl: 'mężczyzna' },
}

const sheet: SheetOf<Salutation> = {
  title: { en: 'Salutations', de: 'Anreden', pl: 'Zwroty grzecznościowe' },
  columns: [
    titleColumn,
    text({ en: 'Gender', de: 'Geschlecht', pl: 'Płeć' }, ({ gender }, say) => say(GENDERS[gender])),
    text({ en: 'Country', de: 'Land', pl: 'Kraj' }, ({ country }) => country.title),
    stateColumn,
  ],
}

export const salutationRecord = tableRecord({
  api: salutationApi,
  table: 'salutation',
  title: 'title',
  sorts: { title: { column: 'salutation.title', type: 'text' } },
  select: (rows) =>
    rows
      .selectAll('salutation')
      .select((eb) =>
        jsonObjectFrom(
          eb
            .selectFrom('country')
            .select(['country.id', 'country.title'])
            .whereRef('country.id', '=', 'salutation.countryId'),
        ).as('country'),
      ),
  filter: (rows, { gender, countryId }) => {
    let filtered = rows
    if (gender) filtered = filtered.where('salutation.gender', 'in', gender)
    if (countryId) filtered = filtered.where(sql<boolean>`salutation."countryId" = any(${countryId}::bigint[])`)
    return filtered
  },
  sheet,
})

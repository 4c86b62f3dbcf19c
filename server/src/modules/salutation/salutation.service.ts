import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { salutationApi } from '@waybill/contract/salutation'
import { tableService } from '../../kit/records/table-service.ts'
import './salutation.table.ts'

export const salutationService = tableService({
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
  filters: {
    gender: (_ctx, genders) => sql<boolean>`salutation.gender = any(${genders}::text[])`,
    countryId: (_ctx, ids) => sql<boolean>`salutation."countryId" = any(${ids}::bigint[])`,
  },
})

import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { departmentApi } from '@waybill/contract/department'
import { nowOf } from '../../kit/context/context.ts'
import { tableService } from '../../kit/records/table-service.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import './department.table.ts'

export const departmentService = tableService({
  api: departmentApi,
  table: 'department',
  title: 'abbreviation',
  sorts: {
    abbreviation: { column: 'department.abbreviation', type: 'text' },
    city: { column: 'department.city', type: 'text', isNullable: true },
    createdAt: { column: 'department.createdAt', type: 'timestamptz' },
  },
  select: (rows, ctx) =>
    rows.selectAll('department').select((eb) => [
      jsonObjectFrom(
        eb
          .selectFrom('company')
          .select(['company.id', 'company.title'])
          .whereRef('company.id', '=', 'department.companyId'),
      ).as('company'),
      jsonObjectFrom(
        eb
          .selectFrom('country')
          .select(['country.id', shownTitle(ctx.language, 'country').as('title')])
          .whereRef('country.id', '=', 'department.countryId'),
      ).as('country'),
    ]),
  filters: { companyId: (_ctx, ids) => sql<boolean>`department."companyId" = any(${ids}::bigint[])` },
  narrow: (rows, ctx) =>
    ctx.companyFilter === null ? rows : rows.where('department.companyId', '=', ctx.companyFilter),
  onCreate: (ctx) => ({ createdAt: nowOf(ctx) }),
})

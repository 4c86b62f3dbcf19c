import { sql } from 'kysely'
import { countryApi } from '@waybill/contract/country'
import { tableService } from '../../kit/records/table-service.ts'
import './country.table.ts'

export const countryService = tableService({
  api: countryApi,
  table: 'country',
  title: 'title',
  sorts: {
    title: { column: 'country.title', type: 'text' },
    code: { column: 'country.code', type: 'text' },
    standardVatBp: { column: 'country.standardVatBp', type: 'int' },
  },
  filters: { isEu: (_ctx, isEu) => sql<boolean>`country."isEu" = ${isEu}` },
})

import type { Texts } from '@waybill/contract/errors'
import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import type { Tables } from '../../kit/database/db.ts'
import { tableService } from '../../kit/records/table-service.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { typeSheet } from './export-types.ts'
import './type-list.table.ts'

const TEXTS = wordingsOf('type-list')

// Four lists, one idea: a title each (spec §3).
const titles = (api: typeof unitTypeApi, table: keyof Tables & string, many: Texts) => ({
  api,
  sheet: typeSheet(many),
  service: tableService({
    api,
    table,
    title: 'title',
    sorts: { title: { column: `${table}.title`, type: 'text' } },
    filters: {},
  }),
})

export const typeLists = [
  titles(unitTypeApi, 'unit_type', TEXTS.unitTypes),
  titles(vehicleTypeApi, 'vehicle_type', TEXTS.vehicleTypes),
  titles(cargoTypeApi, 'cargo_type', TEXTS.cargoTypes),
  titles(specialHandlingTypeApi, 'special_handling_type', TEXTS.specialHandlingTypes),
]

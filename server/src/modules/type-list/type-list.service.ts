import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import type { Tables } from '../../kit/db.ts'
import { tableService } from '../../kit/table-service.ts'
import './type-list.table.ts'

// Four lists, one idea: a title each (spec §3).
const titles = (api: typeof unitTypeApi, table: keyof Tables & string) => ({
  api,
  service: tableService({ api, table, title: 'title', sorts: { title: { column: `${table}.title`, type: 'text' } } }),
})

export const typeLists = [
  titles(unitTypeApi, 'unit_type'),
  titles(vehicleTypeApi, 'vehicle_type'),
  titles(cargoTypeApi, 'cargo_type'),
  titles(specialHandlingTypeApi, 'special_handling_type'),
]

import type { Texts } from '@waybill/contract/errors'
import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import type { Tables } from '../../kit/database/db.ts'
import { tableService } from '../../kit/records/table-service.ts'
import { typeSheet } from './export-types.ts'
import './type-list.table.ts'

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
  titles(unitTypeApi, 'unit_type', { en: 'Unit types', de: 'Einheiten', pl: 'Rodzaje jednostek' }),
  titles(vehicleTypeApi, 'vehicle_type', { en: 'Vehicle types', de: 'Fahrzeugtypen', pl: 'Typy pojazdów' }),
  titles(cargoTypeApi, 'cargo_type', { en: 'Cargo types', de: 'Frachtarten', pl: 'Rodzaje ładunków' }),
  titles(specialHandlingTypeApi, 'special_handling_type', {
    en: 'Special handling types',
    de: 'Besondere Behandlung',
    pl: 'Rodzaje obsługi specjalnej',
  }),
]

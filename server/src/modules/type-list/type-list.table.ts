import type { Generated, GeneratedAlways } from 'kysely'
import type { Texts } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import { cargoTypeApi, specialHandlingTypeApi, unitTypeApi, vehicleTypeApi } from '@waybill/contract/type-list'
import type { Tables } from '../../kit/database/db.ts'
import { tableRecord } from '../../kit/records/table-record.ts'
import { stateColumn, titleColumn } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

interface TypeTable {
  id: Generated<number>
  version: Generated<number>
  title: string
  state: Generated<State>
  titleKey: GeneratedAlways<string>
  searchKey: GeneratedAlways<string>
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    unit_type: TypeTable
    vehicle_type: TypeTable
    cargo_type: TypeTable
    special_handling_type: TypeTable
  }
}

const TITLES = wordingsOf('sheet').records

// Four lists, one idea: a title each (spec §3).
const titles = (api: typeof unitTypeApi, table: keyof Tables & string, many: Texts) =>
  tableRecord({
    api,
    table,
    title: 'title',
    sorts: { title: { column: `${table}.title`, type: 'text' } },
    filters: {},
    sheet: { title: many, columns: [titleColumn, stateColumn] },
  })

export const typeRecords = [
  titles(unitTypeApi, 'unit_type', TITLES.unitTypes),
  titles(vehicleTypeApi, 'vehicle_type', TITLES.vehicleTypes),
  titles(cargoTypeApi, 'cargo_type', TITLES.cargoTypes),
  titles(specialHandlingTypeApi, 'special_handling_type', TITLES.specialHandlingTypes),
]

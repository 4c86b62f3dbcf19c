import { sql, type Generated, type GeneratedAlways } from 'kysely'
import type { Texts } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import {
  cargoTypeApi,
  specialHandlingTypeApi,
  unitTypeApi,
  vehicleTypeApi,
  type UnitType,
} from '@waybill/contract/type-list'
import type { Tables } from '../../kit/database/db.ts'
import { tableRecord } from '../../kit/records/table-record.ts'
import { otherNames, type TitleColumns } from '../../kit/records/titles.ts'
import { number, shownTitleColumn, stateColumn, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

interface TypeTable extends TitleColumns {
  id: Generated<number>
  version: Generated<number>
  title: string
  state: Generated<State>
  titleKey: GeneratedAlways<string>
  searchKey: GeneratedAlways<string>
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    unit_type: TypeTable & { lengthCm: number | null; widthCm: number | null; heightCm: number | null }
    vehicle_type: TypeTable
    cargo_type: TypeTable
    special_handling_type: TypeTable
  }
}

const TEXTS = wordingsOf('sheet')
const TITLES = TEXTS.records

// Four lists, one idea: a title each (spec §3).
const titled = (table: keyof Tables & string) =>
  ({
    table,
    title: 'title',
    isTitled: true,
    sorts: { title: { column: `${table}.title`, type: 'text' } },
    filters: {},
  }) as const

const titles = (api: typeof vehicleTypeApi, table: keyof Tables & string, many: Texts) =>
  tableRecord({
    ...titled(table),
    api,
    sheet: { title: many, columns: [shownTitleColumn, stateColumn] },
  })

const unitSheet: SheetOf<UnitType> = {
  title: TITLES.unitTypes,
  columns: [
    shownTitleColumn,
    number(TEXTS.columns.lengthCm, ({ lengthCm }) => lengthCm),
    number(TEXTS.columns.widthCm, ({ widthCm }) => widthCm),
    number(TEXTS.columns.heightCm, ({ heightCm }) => heightCm),
    stateColumn,
  ],
}

const unitTypes = tableRecord({
  ...titled('unit_type'),
  api: unitTypeApi,
  // Cells that are pasted into an order name them; their dimensions are proposed for a line of cargo.
  compact: (rows, ctx) =>
    rows.select([
      otherNames(ctx.language, 'unit_type').as('names'),
      sql`jsonb_build_object('lengthCm', unit_type."lengthCm", 'widthCm', unit_type."widthCm",
        'heightCm', unit_type."heightCm")`.as('dimensions'),
    ]),
  sheet: unitSheet,
})

export const typeRecords = [
  unitTypes,
  titles(vehicleTypeApi, 'vehicle_type', TITLES.vehicleTypes),
  titles(cargoTypeApi, 'cargo_type', TITLES.cargoTypes),
  titles(specialHandlingTypeApi, 'special_handling_type', TITLES.specialHandlingTypes),
]

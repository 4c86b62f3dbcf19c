import { sql, type Generated, type GeneratedAlways } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { State } from '@waybill/contract/kit/fields'
import { vehicleApi, type Vehicle, type VehicleKind } from '@waybill/contract/vehicle/vehicle'
import { fieldError } from '../../kit/context/errors.ts'
import { tableRecord } from '../../kit/records/table-record.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { day, number, stateColumn, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'

declare module '../../kit/database/db.ts' {
  interface Tables {
    vehicle: {
      id: Generated<number>
      version: Generated<number>
      title: string
      plateKey: GeneratedAlways<string>
      kind: VehicleKind
      vehicleTypeId: number | null
      ldm: number | null
      payloadKg: number | null
      heightCm: number | null
      driverId: number | null
      carrierCompanyId: number | null
      nextInspectionOn: string | null
      note: string | null
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
  }
}

const TEXTS = wordingsOf('vehicle')

const sheet: SheetOf<Vehicle> = {
  title: TEXTS.title,
  columns: [
    text(TEXTS.columns.plate, ({ title }) => title),
    text(TEXTS.columns.kind, ({ kind }, say) => say(TEXTS.kinds[kind])),
    text(TEXTS.columns.carrierCompany, ({ carrierCompany }) => carrierCompany?.title ?? null),
    text(TEXTS.columns.vehicleType, ({ vehicleType }) => vehicleType?.title ?? null),
    number(TEXTS.columns.ldm, ({ ldm }) => ldm),
    number(TEXTS.columns.payloadKg, ({ payloadKg }) => payloadKg),
    number(TEXTS.columns.heightCm, ({ heightCm }) => heightCm),
    text(TEXTS.columns.driver, ({ driver }) => driver?.title ?? null),
    day(TEXTS.columns.nextInspectionOn, ({ nextInspectionOn }) => nextInspectionOn),
    text(TEXTS.columns.note, ({ note }) => note),
    stateColumn,
  ],
}

export const vehicleRecord = tableRecord({
  api: vehicleApi,
  table: 'vehicle',
  title: 'title',
  sorts: {
    title: { column: 'vehicle.title', type: 'text' },
    kind: { column: 'vehicle.kind', type: 'text' },
    nextInspectionOn: { column: 'vehicle.nextInspectionOn', type: 'date', isNullable: true },
  },
  select: (rows, ctx) =>
    rows.selectAll('vehicle').select((eb) => [
      jsonObjectFrom(
        eb
          .selectFrom('vehicle_type')
          .select(['vehicle_type.id', shownTitle(ctx.language, 'vehicle_type').as('title')])
          .whereRef('vehicle_type.id', '=', 'vehicle.vehicleTypeId'),
      ).as('vehicleType'),
      jsonObjectFrom(
        eb
          .selectFrom('user')
          .select(['user.id', 'user.fullName as title'])
          .whereRef('user.id', '=', 'vehicle.driverId'),
      ).as('driver'),
      jsonObjectFrom(
        eb
          .selectFrom('carrier_company')
          .select(['carrier_company.id', 'carrier_company.title'])
          .whereRef('carrier_company.id', '=', 'vehicle.carrierCompanyId'),
      ).as('carrierCompany'),
    ]),
  filters: {
    kind: (_ctx, kinds) => sql<boolean>`vehicle.kind = any(${kinds}::text[])`,
    vehicleTypeId: (_ctx, ids) => sql<boolean>`vehicle."vehicleTypeId" = any(${ids}::bigint[])`,
    carrierCompanyId: (_ctx, ids) => sql<boolean>`vehicle."carrierCompanyId" = any(${ids}::bigint[])`,
  },
  check: async (_ctx, { kind, carrierCompanyId }) => {
    if (kind === 'carrier' && carrierCompanyId === null) throw fieldError('carrierCompanyId', 'required')
    if (kind !== 'carrier' && carrierCompanyId !== null) throw fieldError('carrierCompanyId', 'invalid_value')
  },
  sheet,
})

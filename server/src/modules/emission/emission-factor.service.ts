import { sql } from 'kysely'
import { emissionFactorApi, type EmissionFactor, type EmissionFactorWrite } from '@waybill/contract/emission/factor'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { bindResource } from '../../kit/http/routes.ts'
import { tableOwner } from '../../kit/records/owners.ts'
import type { TableRecord } from '../../kit/records/table-record.ts'
import { tableService } from '../../kit/records/table-service.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { day, number, percent, stateColumn, text, type SheetOf } from '../../kit/tables/sheet.ts'
import { wordingsOf } from '../../kit/texts/texts.ts'
import { isFactorUsed } from './order-picture.query.ts'
import './emission.table.ts'

const TEXTS = wordingsOf('emission')

const sheet: SheetOf<EmissionFactor> = {
  title: TEXTS.factors,
  columns: [
    text(TEXTS.columns.factor, ({ title }) => title),
    day(TEXTS.columns.validFrom, ({ validFrom }) => validFrom),
    text(TEXTS.columns.vehicleClass, ({ vehicleClass }, say) => say(TEXTS.classes[vehicleClass])),
    text(TEXTS.columns.fuel, ({ fuel }, say) => say(TEXTS.fuels[fuel])),
    number(TEXTS.columns.wellToTank, ({ wellToTank }) => wellToTank),
    number(TEXTS.columns.tankToWheel, ({ tankToWheel }) => tankToWheel),
    number(TEXTS.columns.wellToWheel, ({ wellToWheel }) => wellToWheel),
    percent(TEXTS.columns.empty, ({ emptyBp }) => emptyBp),
    text(TEXTS.columns.source, ({ source }) => source),
    stateColumn,
  ],
}

/** What a figure of an order hangs on; title and source say more about it, and may be said better. */
const COUNTED = [
  'validFrom',
  'vehicleClass',
  'fuel',
  'wellToTank',
  'tankToWheel',
  'emptyBp',
  'vehicleTypeIds',
  'isFallback',
  'state',
] as const satisfies readonly (keyof EmissionFactorWrite)[]

const asCompared = (value: unknown): string =>
  JSON.stringify(Array.isArray(value) ? value.toSorted((one, other) => one - other) : value)

async function check(ctx: Ctx, body: EmissionFactorWrite, before: EmissionFactor | null): Promise<void> {
  const changed = COUNTED.find((field) => before !== null && asCompared(body[field]) !== asCompared(before[field]))
  if (before !== null && changed !== undefined && (await isFactorUsed(ctx, before.id)))
    throw fieldError(changed, 'factor_in_use')
  // The years before are reported: what was counted there stays.
  if (body.validFrom !== before?.validFrom && body.validFrom < `${ctx.clock.now().toISOString().slice(0, 4)}-01-01`)
    throw fieldError('validFrom', 'factor_too_early')
}

/** Types that it counts for; orders from its first day on are worked out again, earlier ones stay as they are. */
async function saveTypes(ctx: Ctx, id: number, { vehicleTypeIds, validFrom }: EmissionFactorWrite): Promise<void> {
  await ctx.db.deleteFrom('emission_factor_vehicle_type').where('factorId', '=', id).execute()
  const { numAffectedRows } = await sql`
    insert into emission_factor_vehicle_type ("factorId", "vehicleTypeId")
    select ${id}, t.id from vehicle_type t where t.id = any(${vehicleTypeIds}::bigint[])
  `.execute(ctx.db)
  if (Number(numAffectedRows) !== new Set(vehicleTypeIds).size) throw fieldError('vehicleTypeIds', 'unknown_reference')
  await sql`
    insert into emission_due ("orderId") select distinct "orderId" from order_emission where day >= ${validFrom}
  `.execute(ctx.db)
}

const service = tableService({
  api: emissionFactorApi,
  table: 'emission_factor',
  title: 'title',
  sorts: {
    title: { column: 'emission_factor.title', type: 'text' },
    validFrom: { column: 'emission_factor.validFrom', type: 'date' },
    vehicleClass: { column: 'emission_factor.vehicleClass', type: 'text' },
    fuel: { column: 'emission_factor.fuel', type: 'text' },
  },
  select: (rows, ctx) => {
    const types = sql`from emission_factor_vehicle_type v join vehicle_type on vehicle_type.id = v."vehicleTypeId"
      where v."factorId" = emission_factor.id`
    return rows.selectAll('emission_factor').select([
      sql`round(("wellToTank" + "tankToWheel")::numeric, 3)::double precision`.as('wellToWheel'),
      sql`array(select vehicle_type.id ${types} order by vehicle_type.id)`.as('vehicleTypeIds'),
      sql`coalesce((select jsonb_agg(jsonb_build_object('id', vehicle_type.id,
        'title', ${shownTitle(ctx.language, 'vehicle_type')}) order by vehicle_type.id) ${types}), '[]')`.as(
        'vehicleTypes',
      ),
    ])
  },
  filters: {
    vehicleClass: (_ctx, classes) => sql<boolean>`emission_factor."vehicleClass" = any(${classes}::text[])`,
    fuel: (_ctx, fuels) => sql<boolean>`emission_factor.fuel = any(${fuels}::text[])`,
  },
  columnsOf: ({ vehicleTypeIds: _types, ...columns }) => columns,
  check,
  saveChildren: saveTypes,
})

export const emissionFactorRecord: TableRecord = {
  kind: 'emissionFactor',
  owner: tableOwner(emissionFactorApi, 'emission_factor'),
  bind: (host) =>
    bindResource(
      host,
      emissionFactorApi,
      {
        ...service,
        async remove(ctx, id, version) {
          if (await isFactorUsed(ctx, id))
            throw new AppError('in_use', { fields: [{ path: 'title', code: 'factor_in_use' }] })
          await service.remove(ctx, id, version)
        },
      },
      sheet,
    ),
}

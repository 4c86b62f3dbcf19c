import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { exportForSale } from '@waybill/contract/order/planning/board'
import { FOR_SALE } from '@waybill/contract/order/planning/for-sale'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { CANCELED_ORDER, FIRST_ORDER_STATUS } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { instantText } from '../../../kit/database/db.ts'
import { shownTitle } from '../../../kit/records/titles.ts'
import { sendSheet } from '../../../kit/tables/send-sheet.ts'
import { moment, number, text, yesNo, type SheetOf } from '../../../kit/tables/sheet.ts'
import { wordingsOf } from '../../../kit/texts/texts.ts'
import { visibleOrders } from '../order.policy.ts'

const TEXTS = wordingsOf('for-sale')

interface Stop {
  kind: string
  cargoActions: { action: 'PICK_UP' | 'DROP_OFF' }[]
  countryCode: string
  postal: string | null
  city: string | null
  timeZone: string
  startAt: string | null
  endAt: string | null
  ldm: number
  kg: number
}

interface ForSale {
  number: string
  vehicleType: string | null
  isLiftRequired: boolean
  hasAdr: boolean
  temperatureFrom: number | null
  temperatureTo: number | null
  stops: Stop[]
}

/** What nobody drives yet and may be offered: routes without a carrier, and orders without a route as a whole. */
async function forSaleOf(
  ctx: Ctx,
  { departmentId }: Pick<z.output<typeof exportForSale.query>, 'departmentId'>,
): Promise<ForSale[]> {
  const departments =
    departmentId === undefined ? sql`true` : sql`"order"."departmentId" = any(${[...departmentId]}::bigint[])`
  const ofRoute = sql`location."orderId" = "order".id and location."canceledAt" is null
    and (route.id is null or location."routeId" = route.id)`
  const { rows } = await sql<ForSale>`
    select "order".number || coalesce('/' || route.n, '') as number, "order"."isLiftRequired",
      (select ${shownTitle(ctx.language, 'kind')} from vehicle_type kind where kind.id = "order"."vehicleTypeId")
        as "vehicleType",
      goods."hasAdr", goods."temperatureFrom", goods."temperatureTo",
      coalesce((select json_agg(json_build_object('kind', location.kind, 'cargoActions', load.actions,
          'countryCode', country.code, 'postal', location.postal, 'city', location.city,
          'timeZone', location."timeZone", 'startAt', location."startAt", 'endAt', location."endAt",
          'ldm', load.ldm, 'kg', load.kg)
          order by case when route.id is null then location.position else location."routePosition" end)
        from location join country on country.id = location."countryId",
          lateral (select coalesce(json_agg(json_build_object('action', ca.action)), '[]') as actions,
              coalesce(sum(case ca.action when 'PICK_UP' then cargo.ldm else -cargo.ldm end), 0) as ldm,
              coalesce(sum(case ca.action when 'PICK_UP' then cargo."weightKg" else -cargo."weightKg" end), 0) as kg
            from cargo_action ca join cargo on cargo.id = ca."cargoId" where ca."locationId" = location.id) load
        where ${ofRoute}), '[]') as stops
    from "order"
      left join route on route."orderId" = "order".id and route.status <> ${sql.lit(CANCELED_ORDER)}
      left join assignment on assignment."routeId" = route.id,
      lateral (select coalesce(bool_or(cargo.adr is not null), false) as "hasAdr",
          max(cargo."temperatureFrom") as "temperatureFrom", min(cargo."temperatureTo") as "temperatureTo"
        from cargo where cargo."orderId" = "order".id and (route.id is null or exists (
          select 1 from cargo_action ca join location on location.id = ca."locationId"
          where ca."cargoId" = cargo.id and ${ofRoute}))) goods
    where "order".state = 'active' and "order".status = ${sql.lit(FIRST_ORDER_STATUS)}
      and "order".disposition = ${sql.lit(FOR_SALE)} and ${visibleOrders(ctx)} and ${departments}
      and (route.id is null or (route.status = ${sql.lit(FIRST_ORDER_STATUS)}
        and assignment."carrierCompanyId" is null and not coalesce(assignment."ownFleet", false)))
    order by "order"."firstLoadingAt" nulls last, "order".id, route.n
  `.execute(ctx.db)
  return rows
}

const first = ({ stops }: ForSale) => stops.find(isPickUp) ?? stops[0]
const last = ({ stops }: ForSale) => stops.findLast(isDropOff) ?? stops.at(-1)
const instant = (value: string | null | undefined) => (value == null ? null : instantText(value))

/** The most that lies on the truck at once, to three decimals. */
function mostOf({ stops }: ForSale, measure: 'ldm' | 'kg'): number {
  let now = 0
  let most = 0
  for (const stop of stops) {
    now += stop[measure]
    most = Math.max(most, now)
  }
  return Math.round(most * 1000) / 1000
}

const place = (title: keyof typeof TEXTS.columns, of: (row: ForSale) => string | null | undefined) =>
  text<ForSale>(TEXTS.columns[title], of)
const time = (title: keyof typeof TEXTS.columns, of: typeof first, end: 'startAt' | 'endAt') =>
  moment<ForSale>(
    TEXTS.columns[title],
    (row) => instant(of(row)?.[end]),
    (row) => of(row)?.timeZone,
  )

/** What exchanges of freight ask for: nothing of the customer, no street, no price. */
const sheet: SheetOf<ForSale> = {
  title: TEXTS.title,
  columns: [
    place('number', ({ number }) => number),
    place('fromCountry', (row) => first(row)?.countryCode),
    place('fromPostal', (row) => first(row)?.postal),
    place('fromCity', (row) => first(row)?.city),
    time('loadFrom', first, 'startAt'),
    time('loadUntil', first, 'endAt'),
    place('toCountry', (row) => last(row)?.countryCode),
    place('toPostal', (row) => last(row)?.postal),
    place('toCity', (row) => last(row)?.city),
    time('unloadFrom', last, 'startAt'),
    time('unloadUntil', last, 'endAt'),
    number(TEXTS.columns.stops, ({ stops }) => stops.length),
    number(TEXTS.columns.ldm, (row) => mostOf(row, 'ldm')),
    number(TEXTS.columns.weight, (row) => mostOf(row, 'kg')),
    place('vehicle', ({ vehicleType }) => vehicleType),
    yesNo(TEXTS.columns.lift, ({ isLiftRequired }) => isLiftRequired),
    yesNo(TEXTS.columns.adr, ({ hasAdr }) => hasAdr),
    number(TEXTS.columns.temperatureFrom, ({ temperatureFrom }) => temperatureFrom),
    number(TEXTS.columns.temperatureTo, ({ temperatureTo }) => temperatureTo),
  ],
}

/** The list of what is for sale as a file, for exchanges of freight. */
export async function sendForSale(
  ctx: Ctx,
  { format, timeZone, ...query }: z.output<typeof exportForSale.query>,
  reply: FastifyReply,
): Promise<void> {
  await sendSheet(ctx, reply, sheet, await forSaleOf(ctx, query), { name: 'for-sale', format, timeZone })
}

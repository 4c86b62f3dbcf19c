import { sql } from 'kysely'
import {
  emissionElements,
  emissionSum,
  type DatedFactor,
  type EmissionElement,
  type EmissionOrder,
} from '@waybill/contract/emission/emission'
import { CANCELED_ORDER, NOT_SUMMED_STATUSES, type OrderStatus } from '@waybill/contract/order/status'
import type { Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import './emission.table.ts'

/** What is read of an order to work its emissions out. */
export interface OrderPicture extends EmissionOrder {
  id: number
  customerId: number
  customerIds: number[]
  departmentId: number
  mergedIntoId: number | null
  isCounted: boolean
  month: string | null
  status: OrderStatus
  routes: (EmissionOrder['routes'][number] & { number: string })[]
  stops: (EmissionOrder['stops'][number] & { title: string })[]
}

/** Routes and stops that are canceled carry nothing. */
export async function orderPictures(ctx: Ctx, ids: readonly number[]): Promise<OrderPicture[]> {
  const { rows } = await sql<OrderPicture>`
    select o.id, o.status, o."customerId", o."customerIds", o."departmentId", o."vehicleTypeId", o."mergedIntoId",
      to_char(last.day, 'YYYY-MM-DD') as day, to_char(last.day, 'YYYY-MM-01') as month,
      o.state = 'active' and o.status <> all(${NOT_SUMMED_STATUSES}::text[]) as "isCounted",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', r.id, 'number', o.number || '/' || r.n, 'distanceKm', r."distanceKm",
          'isDistanceEstimated', r."isDistanceEstimated", 'vehicleTypeId', a."vehicleTypeId") order by r.n)
        from route r left join assignment a on a."routeId" = r.id
        where r."orderId" = o.id and r.status <> ${CANCELED_ORDER}), '[]') as routes,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', l.id, 'routeId', l."routeId", 'kind', l.kind,
          'title', concat_ws(' ', c.code, l.postal, l.city),
          'position', case when l.latitude is not null and l.longitude is not null
            then jsonb_build_object('latitude', l.latitude, 'longitude', l.longitude) end) order by l.position)
        from location l join country c on c.id = l."countryId" left join route r on r.id = l."routeId"
        where l."orderId" = o.id and l."canceledAt" is null
          and r.status is distinct from ${CANCELED_ORDER}), '[]') as stops,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', g.id, 'customerId', coalesce(g."customerId", o."customerId"),
          'sourceOrderId', g."sourceOrderId", 'weightKg', g."weightKg",
          'pickUpIds', coalesce((select jsonb_agg(x."locationId") from cargo_action x
            where x."cargoId" = g.id and x.action = 'PICK_UP'), '[]'),
          'dropOffIds', coalesce((select jsonb_agg(x."locationId") from cargo_action x
            where x."cargoId" = g.id and x.action = 'DROP_OFF'), '[]')) order by g.position)
        from cargo g where g."orderId" = o.id), '[]') as cargo
    from "order" o
      cross join lateral (
        select (o."lastUnloadingAt" at time zone coalesce(o."toTimeZone", 'UTC'))::date as day
      ) last
    where o.id = any(${ids}::bigint[])
    order by o.id
  `.execute(ctx.db)
  return rows
}

/** The factors that count, with what they are for. */
export async function countingFactors(ctx: Ctx): Promise<DatedFactor[]> {
  const { rows } = await sql<DatedFactor>`
    select f.id, to_char(f."validFrom", 'YYYY-MM-DD') as "validFrom", f."wellToTank", f."tankToWheel", f."isFallback",
      array(select v."vehicleTypeId" from emission_factor_vehicle_type v where v."factorId" = f.id) as "vehicleTypeIds"
    from emission_factor f where f.state = 'active' order by f.id
  `.execute(ctx.db)
  return rows
}

/** What is stored of an order for one of its customers. */
type EmissionPart = Tables['order_emission']

/** One part for each customer; a customer without goods has one, too, in which everything is missing. */
function partsOf(picture: OrderPicture, elements: readonly EmissionElement[]): EmissionPart[] {
  const { id, customerId, customerIds, departmentId, day, month, isCounted } = picture
  if (!isCounted || day === null || month === null) return []
  const customers = [...new Set([customerId, ...customerIds, ...elements.map((element) => element.customerId)])]
  const sums = customers
    .map((one) => ({ one, sum: emissionSum(elements.filter((element) => element.customerId === one)) }))
    .toSorted((a, b) => a.one - b.one)
  const isOrderComplete = sums.every(({ sum }) => sum.isComplete)
  return sums.map(({ one, sum }, part) => ({
    orderId: id,
    part,
    customerId: one,
    departmentId,
    day,
    month,
    kgKm: sum.kgKm,
    wttGrams: sum.wttGrams,
    ttwGrams: sum.ttwGrams,
    isComplete: sum.isComplete,
    isOrderComplete,
    factorIds: sum.factorIds,
  }))
}

/** What these orders come to now. */
export async function emissionParts(ctx: Ctx, ids: readonly number[]): Promise<EmissionPart[]> {
  if (ids.length === 0) return []
  const factors = await countingFactors(ctx)
  const pictures = await orderPictures(ctx, ids)
  return pictures.flatMap((picture) => partsOf(picture, emissionElements(picture, factors)))
}

/** More than these are not worked out while somebody waits for a report. */
export const MOST_AT_ONCE = 500

/** Orders that wait to be worked out, and what they come to, where they are few. */
export async function waitingEmissions(ctx: Ctx): Promise<{ ids: number[]; parts: EmissionPart[]; waiting: number }> {
  const { rows } = await sql<{ orderId: number }>`select distinct "orderId" from emission_due`.execute(ctx.db)
  if (rows.length > MOST_AT_ONCE) return { ids: [], parts: [], waiting: rows.length }
  const ids = rows.map(({ orderId }) => orderId)
  return { ids, parts: await emissionParts(ctx, ids), waiting: 0 }
}

/** True where an order is counted with this factor, or may be: too many wait to be sure. */
export async function isFactorUsed(ctx: Ctx, id: number): Promise<boolean> {
  const { parts, waiting } = await waitingEmissions(ctx)
  if (waiting > 0 || parts.some(({ factorIds }) => factorIds.includes(id))) return true
  const { rows } = await sql<{ is: boolean }>`
    select exists (select 1 from order_emission where ${id}::bigint = any("factorIds")) as is
  `.execute(ctx.db)
  return rows[0]!.is
}

import { sql } from 'kysely'
import { TRUCK_LINK_DAYS } from '@waybill/contract/public/driver-link'
import { CANCELED_ORDER, NOT_SUMMED_STATUSES } from '@waybill/contract/order/status'
import type { Ctx } from '../../../kit/context/context.ts'
import { LONGEST_TOUR_DAYS, plateKeyOf, statuses } from './board.query.ts'

/**
 * The routes that one of our trucks drives in its days from `day` on: those of our fleet with its plate that have a
 * stop due, or planned, on one of these days by the clock of the stop. With `stopId` the one that has this stop.
 */
export async function routesOfTruck(
  ctx: Ctx,
  { vehicleId, day }: { vehicleId: number; day: string },
  stopId: number | null = null,
): Promise<{ orderId: number; routeId: number }[]> {
  const { rows } = await sql<{ orderId: number; routeId: number }>`
    select route."orderId", route.id as "routeId"
    from "order" join route on route."orderId" = "order".id
      join assignment on assignment."routeId" = route.id and assignment."ownFleet"
      join vehicle on vehicle.id = ${vehicleId} and vehicle."plateKey" = ${plateKeyOf(sql`assignment."plateNumber"`)}
    where "order".state = 'active' and "order".status not in (${statuses(NOT_SUMMED_STATUSES)})
      and route.status <> ${sql.lit(CANCELED_ORDER)}
      and "order"."firstLoadingAt" >= ${day}::date - ${sql.lit(LONGEST_TOUR_DAYS)}::int
      and "order"."firstLoadingAt" < ${day}::date + ${sql.lit(TRUCK_LINK_DAYS + 1)}::int
      and exists (select 1 from location l where l."routeId" = route.id and l."canceledAt" is null
        and (least(l."plannedAt", l."startAt", l."endAt") at time zone l."timeZone")::date
          < ${day}::date + ${sql.lit(TRUCK_LINK_DAYS)}::int
        and (greatest(l."plannedAt", l."startAt", l."endAt") at time zone l."timeZone")::date >= ${day}::date)
      and (${stopId}::bigint is null
        or exists (select 1 from location l where l.id = ${stopId}::bigint and l."routeId" = route.id))
    order by "order"."firstLoadingAt", route.id
  `.execute(ctx.db)
  return rows
}

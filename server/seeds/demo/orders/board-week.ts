import { sql } from 'kysely'
import type { Db } from '../../../src/kit/database/db.ts'
import { DAY, iso } from '../calendar.ts'

/** What becomes of the next orders that have no route: some are planned onto our trucks, some wait in the two lanes. */
const UNASSIGNED = 2
const FOR_SALE = 3
const ON_TRUCKS = 9
const MOST_LDM = 13.4
const MOST_KG = 22_000
const HOUR = 3_600_000

interface Waiting {
  id: number
  startAt: string
  endAt: string
  isForSale: boolean
}

/**
 * Plans part of the coming days, as somebody would before going home: routes on our trucks that nobody was told of yet,
 * one of them on a truck that is still on the road, some that look for a carrier, and some that are for sale.
 */
export async function planWeek(db: Db, now: number): Promise<void> {
  const { rows: waiting } = await sql<Waiting>`
    select o.id, o."firstLoadingAt" as "startAt", o."lastUnloadingAt" as "endAt",
      o.disposition is not distinct from 'FOR_SALE' as "isForSale" from "order" o
    where o.status = 'new' and o.state = 'active' and o."mergedIntoId" is null and not o."isMergeResult"
      and o."firstLoadingAt" > ${iso(now)} and o."firstLoadingAt" < ${iso(now + 6 * DAY)}
      and o."lastUnloadingAt" is not null and o."customerPriceCents" is not null
      and not exists (select 1 from route r where r."orderId" = o.id)
      and (select sum(c.ldm) <= ${MOST_LDM} and sum(c."weightKg") <= ${MOST_KG} from cargo c where c."orderId" = o.id)
    order by o."firstLoadingAt", o.id
  `.execute(db)
  const { rows: trucks } = await sql<{ title: string; driverId: number | null; vehicleTypeId: number | null }>`
    select title, "driverId", "vehicleTypeId" from vehicle where kind = 'truck' and coalesce(ldm, 0) >= ${MOST_LDM}
    order by "driverId" nulls last, title
  `.execute(db)
  const isFor = (wanted: boolean) => waiting.filter(({ isForSale }) => isForSale === wanted)
  for (const order of isFor(true).slice(0, FOR_SALE)) await giveRoute(db, order)
  const others = isFor(false)
  for (const order of others.slice(0, UNASSIGNED)) await giveRoute(db, order)
  const busyUntil = trucks.map(() => 0)
  let planned = 0
  for (const order of others.slice(UNASSIGNED)) {
    if (planned === ON_TRUCKS) return
    // The last one is put onto a truck that is still away: the board says so.
    const free = busyUntil.findIndex((until) => until + 4 * HOUR < Date.parse(order.startAt))
    const truck = planned === ON_TRUCKS - 1 ? 0 : free
    if (truck === -1 || trucks[truck] === undefined) continue
    const routeId = await giveRoute(db, order)
    const { title, driverId, vehicleTypeId } = trucks[truck]
    const { rows } = await sql<{ id: number }>`
      insert into assignment ("routeId", "ownFleet", "plateNumber", "vehicleTypeId")
      values (${routeId}, true, ${title}, ${vehicleTypeId}) returning id
    `.execute(db)
    if (driverId !== null)
      await sql`insert into assignment_driver ("assignmentId", position, "userId")
        values (${rows[0]!.id}, 0, ${driverId})`.execute(db)
    busyUntil[truck] = Math.max(busyUntil[truck]!, Date.parse(order.endAt))
    planned += 1
  }
}

/** A route over all stops of an order: loading when its termin begins, unloading when it ends. */
async function giveRoute(db: Db, { id }: Waiting): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into route ("orderId", n, status, "statusDates")
    select o.id, 1, 'new', jsonb_build_object('new', o."newAt") from "order" o where o.id = ${id} returning id
  `.execute(db)
  const routeId = rows[0]!.id
  await sql`update location set "routeId" = ${routeId}, "routePosition" = position,
      "plannedAt" = case kind when 'unloading' then "endAt" else "startAt" end
    where "orderId" = ${id}`.execute(db)
  await sql`update "order" set "lastRouteN" = 1 where id = ${id}`.execute(db)
  return routeId
}

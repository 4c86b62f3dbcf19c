import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { insertLink, insertReport, insertTruckLink, linkOfRoute } from '../../../src/modules/driver-link/index.ts'
import { routesOfTruck } from '../../../src/modules/order/index.ts'

interface Driven {
  orderId: number
  routeId: number
  assignmentId: number
  carrierCompanyId: number | null
}

/**
 * Links of drivers: of the latest route that is on its way, whose driver has told the loading, and of the latest that
 * is planned, where nothing was told yet; and of the first of our trucks that drives something today or tomorrow.
 */
export async function seedDriverLinks(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Driven & { loadingId: number; arrivedAt: string | null; loadedAt: string | null }>`
    select distinct on (r.status) r."orderId", r.id as "routeId", a.id as "assignmentId", a."carrierCompanyId",
      s.id as "loadingId", s."arrivedAt", s."loadedAt"
    from route r
      join assignment a on a."routeId" = r.id and (a."ownFleet" or a."carrierCompanyId" is not null)
      join location s on s."routeId" = r.id and s."routePosition" = 1
    where r.status in ('scheduled', 'in_transit')
      and (select max(l."endAt") from location l where l."routeId" = r.id) > ${ctx.clock.now().toISOString()}
    order by r.status, r.id desc
  `.execute(ctx.db)
  for (const { loadingId, arrivedAt, loadedAt, ...subject } of rows) {
    await insertLink(ctx, subject)
    const link = (await linkOfRoute(ctx, subject.routeId))!
    const told = { arrived: arrivedAt, loaded: loadedAt }
    for (const [place, kind] of (['arrived', 'loaded'] as const).entries()) {
      const at = told[kind]
      if (at === null) continue
      const key = (subject.routeId * 10 + place).toString(16).padStart(32, '0')
      await insertReport(ctx, { linkId: link.id, truckLinkId: null }, link, {
        locationId: loadingId,
        key,
        kind,
        at,
        isWritten: true,
      })
    }
  }
  const day = ctx.clock.now().toISOString().slice(0, 10)
  const trucks = await sql<{ id: number }>`select id from vehicle where kind = 'truck' order by id`.execute(ctx.db)
  for (const { id } of trucks.rows) {
    const truck = { vehicleId: id, day }
    if ((await routesOfTruck(ctx, truck)).length === 0) continue
    await insertTruckLink(ctx, truck)
    break
  }
}

import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { insertLink, insertReport, insertTruckLink, linkOfRoute } from '../../../src/modules/driver-link/index.ts'

interface Driven {
  orderId: number
  routeId: number
  assignmentId: number
  carrierCompanyId: number | null
}

/**
 * Links of drivers: of the latest route that is on its way, whose driver has told the loading, and of the latest that
 * is planned, where nothing was told yet; and of the truck of ours that begins something next.
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
  const now = ctx.clock.now().toISOString()
  // In a small demo no truck has anything before it: then the link of the first one, from today on.
  const { rows: trucks } = await sql<{ vehicleId: number; day: string }>`
    select v.id as "vehicleId", coalesce(next.day, (${now}::timestamptz)::date)::text as day
    from vehicle v left join lateral (
        select (coalesce(s."plannedAt", s."startAt") at time zone s."timeZone")::date as day
        from assignment a join location s on s."routeId" = a."routeId"
        where a."ownFleet" and v."plateKey" = upper(regexp_replace(a."plateNumber", '[^[:alnum:]]', '', 'g'))
          and coalesce(s."plannedAt", s."startAt") > ${now}
        order by 1 limit 1
      ) next on true
    where v.kind = 'truck'
    order by next.day nulls last, v.id limit 1
  `.execute(ctx.db)
  for (const truck of trucks) await insertTruckLink(ctx, truck)
}

import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { insertLink } from '../../../src/modules/tracking-link/index.ts'

const LINKS_OF_A_STATUS = 6

/** Tracking links of the latest orders of each status on the road, sent to their customers but for every fourth. */
export async function seedTrackingLinks(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ orderId: number; customerId: number }>`
    select latest.id as "orderId", c."customerId"
    from (select id, row_number() over (partition by status, "isMergeResult" order by id desc) as place
        from "order" where status in ('scheduled', 'in_transit', 'arrived', 'delivered', 'completed')) latest
      join order_customer c on c."orderId" = latest.id
    where latest.place <= ${sql.lit(LINKS_OF_A_STATUS)}
    order by latest.id, c.position
  `.execute(ctx.db)
  for (const subject of rows) await insertLink(ctx, subject)
  // Whose mail it was, so that the page may tell the plate.
  await sql`
    update email set "routeId" = (select min(r.id) from route r where r."orderId" = email."ownerId"),
        "customerId" = (select c."customerId" from order_customer c
          where c."orderId" = email."ownerId" order by c.position limit 1)
      where "ownerKind" = 'order' and type = 'driver_information'
        and exists (select 1 from tracking_link l where l."orderId" = email."ownerId")
  `.execute(ctx.db)
  await sql`update tracking_link set "sentAt" = "createdAt" where id % 4 <> 0`.execute(ctx.db)
}

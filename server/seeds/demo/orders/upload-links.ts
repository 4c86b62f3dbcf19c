import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { insertLink, newNonce, revokeLinks } from '../../../src/modules/upload-link/index.ts'

const MOST_LINKS = 60

interface Driven {
  orderId: number
  routeId: number
  assignmentId: number
  carrierCompanyId: number
  podId: number | null
}

/**
 * Upload links of the transports under way and lately delivered: most of them sent, some opened, the proofs of delivery
 * that wait came through theirs, and one was revoked.
 */
export async function seedUploadLinks(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Driven>`
    select r."orderId", r.id as "routeId", a.id as "assignmentId", a."carrierCompanyId", (select d.id from document d
        where d."ownerKind" = 'order' and d."ownerId" = r."orderId" and d."orderCarrier" = a.id
          and d.acceptance = 'toCheck' order by d.id limit 1) as "podId"
      from assignment a join route r on r.id = a."routeId"
      where a."carrierCompanyId" is not null and r.status in ('scheduled', 'in_transit', 'arrived', 'delivered')
      order by "podId" is null, a.id desc limit ${sql.lit(MOST_LINKS)}
  `.execute(ctx.db)
  for (const [index, { podId, ...subject }] of rows.entries()) {
    const { id, createdAt } = await insertLink(ctx, subject, newNonce())
    const isOpened = podId !== null || index % 3 === 0
    await ctx.db
      .updateTable('upload_link')
      .set({
        sentAt: createdAt,
        ...(isOpened && { openedFirstAt: createdAt, openedLastAt: createdAt, openedCount: 1 + (index % 3) }),
      })
      .where('id', '=', id)
      .execute()
    if (podId !== null)
      await sql`
        insert into upload_file ("linkId", kind, state, title, "contentType", "sizeBytes", sha256, "receivedSha256",
            scan, "createdAt", "submittedAt", "documentId")
          select ${id}, 'pod', 'submitted', title, "contentType", "sizeBytes", sha256, sha256, scan, "createdAt",
            "createdAt", id from document where id = ${podId}
      `.execute(ctx.db)
    if (index === rows.length - 1) await revokeLinks(ctx, subject.assignmentId)
  }
}

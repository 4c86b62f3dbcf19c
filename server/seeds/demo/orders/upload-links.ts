import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { insertLink, newNonce, revokeLinks } from '../../../src/modules/upload-link/index.ts'

const USED_LINKS = 5
const OPEN_LINKS = 55

interface Driven {
  orderId: number
  routeId: number
  assignmentId: number
  carrierCompanyId: number
  podId: number | null
}

/**
 * Upload links of the transports under way and of some that were delivered: all sent, some opened; the last proofs of
 * delivery came through theirs, and one was revoked.
 */
export async function seedUploadLinks(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Driven>`
    (select r."orderId", r.id as "routeId", a.id as "assignmentId", a."carrierCompanyId", max(d.id) as "podId"
      from assignment a join route r on r.id = a."routeId"
        join document d on d."ownerKind" = 'order' and d."ownerId" = r."orderId"
          and d."documentType" = 'PROOF_OF_DELIVERY' and coalesce(d."orderCarrier", a.id) = a.id
      where a."carrierCompanyId" is not null and r.status in ('delivered', 'completed')
      group by r."orderId", r.id, a.id order by a.id desc limit ${sql.lit(USED_LINKS)})
    union all
    (select r."orderId", r.id, a.id, a."carrierCompanyId", null
      from assignment a join route r on r.id = a."routeId"
      where a."carrierCompanyId" is not null and r.status in ('scheduled', 'in_transit', 'arrived')
      order by a.id desc limit ${sql.lit(OPEN_LINKS)})
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

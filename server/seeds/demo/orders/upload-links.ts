import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { insertLink, newNonce, revokeLinks } from '../../../src/modules/upload-link/index.ts'

const USED_LINKS = 5
const BILLED_LINKS = 5
const OPEN_LINKS = 55

interface Driven {
  orderId: number
  routeId: number
  assignmentId: number
  carrierCompanyId: number
  podId: number | null
  invoiceId: number | null
  invoicePaperId: number | null
}

/**
 * Upload links of the transports under way and of some that were delivered: all sent, some opened; the last proofs of
 * delivery and the last invoices with a paper came through theirs, and one was revoked.
 */
export async function seedUploadLinks(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Driven>`
    with pod as (
      select r."orderId", r.id as "routeId", a.id as "assignmentId", a."carrierCompanyId", max(d.id) as "podId"
      from assignment a join route r on r.id = a."routeId"
        join document d on d."ownerKind" = 'order' and d."ownerId" = r."orderId"
          and d."documentType" = 'PROOF_OF_DELIVERY' and coalesce(d."orderCarrier", a.id) = a.id
      where a."carrierCompanyId" is not null and r.status in ('delivered', 'completed')
      group by r."orderId", r.id, a.id
    ), billed as (
      select pod.*, i.id as "invoiceId", paper.id as "invoicePaperId"
      from pod join invoice i on i."entityType" = 'carrier' and i."routeId" = pod."routeId"
          and i."carrierCompanyId" = pod."carrierCompanyId" and i.status <> 'canceled'
        join document paper on paper."ownerKind" = 'invoice' and paper."ownerId" = i.id
      order by i.status <> 'received', paper."eInvoice" is null, i.id desc limit ${sql.lit(BILLED_LINKS)}
    )
    select * from billed
    union all
    (select pod.*, null, null from pod where not exists (select 1 from billed where billed."routeId" = pod."routeId")
      order by "assignmentId" desc limit ${sql.lit(USED_LINKS)})
    union all
    (select r."orderId", r.id, a.id, a."carrierCompanyId", null, null, null
      from assignment a join route r on r.id = a."routeId"
      where a."carrierCompanyId" is not null and r.status in ('scheduled', 'in_transit', 'arrived')
      order by a.id desc limit ${sql.lit(OPEN_LINKS)})
  `.execute(ctx.db)
  for (const [index, { podId, invoiceId, invoicePaperId, ...subject }] of rows.entries()) {
    const { id, createdAt } = await insertLink(ctx, subject, newNonce())
    const isOpened = podId !== null || index % 3 === 0
    await ctx.db
      .updateTable('upload_link')
      .set({
        sentAt: createdAt,
        invoiceId,
        ...(isOpened && { openedFirstAt: createdAt, openedLastAt: createdAt, openedCount: 1 + (index % 3) }),
      })
      .where('id', '=', id)
      .execute()
    for (const documentId of [podId, invoicePaperId])
      if (documentId !== null)
        await sql`
          insert into upload_file ("linkId", kind, state, title, "contentType", "eInvoice", "sizeBytes", sha256,
              "receivedSha256", scan, "createdAt", "submittedAt", "documentId")
            select ${id}, case "ownerKind" when 'order' then 'pod' else 'invoice' end, 'submitted', title,
              "contentType", "eInvoice", "sizeBytes", sha256, sha256, scan, "createdAt", "createdAt", id
            from document where id = ${documentId}
        `.execute(ctx.db)
    if (index === rows.length - 1) await revokeLinks(ctx, subject.assignmentId)
  }
}

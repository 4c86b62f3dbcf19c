import { sql } from 'kysely'
import type { Ctx } from '../../../kit/context/context.ts'

/** A proof of delivery of an order that is billed. */
export interface BilledPod {
  documentId: number
  fileKey: string
  title: string
  orderNumber: string
  contentType: string
  sizeBytes: number
}

/** Behind an invoice stand no more pages, and no more bytes. */
const MOST_PAGES = 60
const MOST_BYTES = 10 * 2 ** 20
/** As many a mail of a run carries as files. */
export const MOST_POD_FILES = 20
/** What the typesetter sets as a picture; others stay files. */
const SET_AS_PICTURES = ['image/jpeg', 'image/png']

/**
 * The accepted proofs of delivery of these orders, in their order; none of a customer that does not want them with its
 * invoices, nor of orders with several customers, for their papers show cargo of others.
 */
export async function podsOfOrders(
  ctx: Ctx,
  customerId: number | null,
  orderIds: readonly number[],
): Promise<BilledPod[]> {
  const { rows } = await sql<BilledPod>`
    select d.id as "documentId", d."fileKey", d.title, o.number as "orderNumber", d."contentType", d."sizeBytes"
      from document d join "order" o on o.id = d."ownerId"
      where d."ownerKind" = 'order' and d."documentType" = 'PROOF_OF_DELIVERY' and d.acceptance = 'accepted'
        and d."ownerId" = any(${orderIds}::bigint[])
        and (select count(*) from order_customer c where c."orderId" = o.id) = 1
        and exists (select 1 from customer c where c.id = ${customerId} and c."podsInPdf")
      order by array_position(${orderIds}::bigint[], o.id), d.id
  `.execute(ctx.db)
  return rows
}

/** Those that stand behind the pages: all pictures, or none where they are too many or too big together. */
export function podsInPages(pods: readonly BilledPod[]): BilledPod[] {
  const pictures = pods.filter(({ contentType }) => SET_AS_PICTURES.includes(contentType))
  const bytes = pictures.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return pictures.length <= MOST_PAGES && bytes <= MOST_BYTES ? pictures : []
}

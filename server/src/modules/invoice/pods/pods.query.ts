import { sql } from 'kysely'
import type { Ctx } from '../../../kit/context/context.ts'
import { billedProofs, type BilledProof } from './billed-proofs.query.ts'

/** One page of a proof of delivery, as it stands behind an invoice. */
export interface PodPicture {
  documentId: number
  fileKey: string
  /** of the picture, in hex */
  sha256: string
  title: string
  orderNumber: string
  /** of a proof with several pages: which one this is */
  page?: { number: number; of: number }
}

/** A proof of delivery of an order that is billed. */
export interface BilledPod {
  documentId: number
  fileKey: string
  title: string
  orderNumber: string
  contentType: string
  sizeBytes: number
  sha256: string
  /** of a PDF that could be drawn */
  drawn: { fileKey: string; sha256: string; sizeBytes: number }[] | null
}

/** Behind an invoice stand no more pages, and no more bytes. */
export const MOST_PAGES = 60
export const MOST_BYTES = 10 * 2 ** 20
/** As many a mail of a run carries as files. */
const MOST_POD_FILES = 20
/** What the typesetter sets as it is. */
const SET_AS_PICTURES = ['image/jpeg', 'image/png']

/** The proofs as a table beside the orders that are billed, in their order. */
const tableOf = (proofs: readonly BilledProof[]) => sql`
  unnest(${proofs.map(({ documentId }) => documentId)}::bigint[], ${proofs.map(({ orderId }) => orderId)}::bigint[])
    with ordinality as given("documentId", "orderId", place)
  join document d on d.id = given."documentId" join "order" o on o.id = given."orderId"`

/**
 * The accepted proofs of delivery that go with the invoices of these orders, in their order; none of a customer that
 * does not want them there, nor any that shows the goods of others.
 */
export async function podsOfOrders(
  ctx: Ctx,
  customerId: number | null,
  orderIds: readonly number[],
): Promise<BilledPod[]> {
  const { rows } = await sql<BilledPod>`
    select d.id as "documentId", d."fileKey", d.title, o.number as "orderNumber", d."contentType", d."sizeBytes",
        d.sha256, (select jsonb_agg(jsonb_build_object('fileKey', p."fileKey", 'sha256', p.sha256,
          'sizeBytes', p."sizeBytes") order by p.page) from drawn_document_page p where p."documentId" = d.id) as drawn
      from ${tableOf(await billedProofs(ctx, orderIds))}
      where exists (select 1 from customer c where c.id = ${customerId} and c."podsInPdf")
      order by given.place
  `.execute(ctx.db)
  return rows
}

export interface PodToDraw {
  documentId: number
  fileKey: string
}

/**
 * Of those of these orders the ones that are PDFs and were not drawn yet, where the customer that is billed wants them
 * with its invoices; none of more than fit behind an invoice.
 */
export async function podsToDraw(ctx: Ctx, orderIds: readonly number[]): Promise<PodToDraw[]> {
  const { rows } = await sql<PodToDraw>`
    select d.id as "documentId", d."fileKey" from ${tableOf(await billedProofs(ctx, orderIds))}
      where d."contentType" = 'application/pdf'
        and exists (select 1 from customer c where c.id = o."billingCustomerId" and c."podsInPdf")
        and not exists (select 1 from drawn_document p where p."documentId" = d.id)
      order by given.place
      limit ${MOST_PAGES + 1}
  `.execute(ctx.db)
  return rows.length > MOST_PAGES ? [] : rows
}

/** The orders with whose invoices the papers of this one may go: itself, and those that were merged into it. */
export async function ordersBilledFor(ctx: Ctx, orderId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from "order" where id = ${orderId} or "mergedIntoId" = ${orderId} order by id
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

function picturesOf({ drawn, contentType, sizeBytes, sha256, ...pod }: BilledPod): (PodPicture & Sized)[] {
  if (SET_AS_PICTURES.includes(contentType)) return [{ ...pod, sha256, sizeBytes }]
  if (drawn === null) return []
  const of = drawn.length
  return drawn.map((page, index) => ({ ...pod, ...page, ...(of > 1 && { page: { number: index + 1, of } }) }))
}

interface Sized {
  sizeBytes: number
}

/** Those that stand behind the pages: all that can be pictures, or none where they are too many or too big together. */
export function podsInPages(pods: readonly BilledPod[]): PodPicture[] {
  const pictures = pods.flatMap(picturesOf)
  const bytes = pictures.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (pictures.length > MOST_PAGES || bytes > MOST_BYTES) return []
  return pictures.map(({ sizeBytes: _size, ...picture }) => picture)
}

/** How many proofs go as files beside the pages; as many as a mail of a run carries. */
export function podFilesBeside(pods: readonly BilledPod[], pictures: readonly { documentId: number }[]): number[] {
  const set = new Set(pictures.map(({ documentId }) => documentId))
  return pods.flatMap(({ documentId }) => (set.has(documentId) ? [] : documentId)).slice(0, MOST_POD_FILES)
}

import { sql } from 'kysely'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { inTransaction, type Ctx } from '../../kit/context/context.ts'
import { linkPlace } from '../../kit/mail/link-places.ts'
import { currentLink, insertLink, newNonce, noteSent, urlOf } from './upload-link.repository.ts'

/** A link as mails and papers carry it. */
export interface PrintedLink {
  assignmentId: number
  /** on paper */
  url: string
  /** in a mail that waits: delivery puts the link in its place */
  place: string
}

/** The links of an order's carriers that work. */
export async function linksOfOrder(ctx: Ctx, order: Order): Promise<PrintedLink[]> {
  const links = await ctx.db
    .selectFrom('upload_link')
    .selectAll()
    .where('orderId', '=', order.id)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', ctx.clock.now().toISOString())
    .execute()
  return links
    .filter((link) =>
      order.routes.some(
        ({ id, assignment }) =>
          id === link.routeId &&
          assignment?.id === link.assignmentId &&
          assignment.carrierCompanyId === link.carrierCompanyId,
      ),
    )
    .map((link) => ({
      assignmentId: link.assignmentId,
      url: urlOf(ctx, link),
      place: linkPlace(ctx.ports.publicUrl, 'upload', link.id),
    }))
}

/** Makes the link of a route's carrier where there is none that works: a mail is about to carry it. */
export async function makeLinkFor(ctx: Ctx, order: Order, { id: routeId, assignment }: OrderRoute): Promise<void> {
  const carrierCompanyId = assignment?.carrierCompanyId ?? null
  if (!assignment || carrierCompanyId === null) return
  if ((await linksOfOrder(ctx, order)).some(({ assignmentId }) => assignmentId === assignment.id)) return
  await inTransaction(ctx, async (inner) => {
    // Two nodes may write mails of one transport at once: the link of the first must not end with that of the second.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`upload_link ${assignment.id}`}, 0))`.execute(inner.db)
    const subject = { orderId: order.id, routeId, assignmentId: assignment.id, carrierCompanyId }
    const known = await currentLink(inner, assignment.id)
    const isTheirs =
      known?.carrierCompanyId === carrierCompanyId && Date.parse(known.expiresAt) > inner.clock.now().getTime()
    if (!isTheirs) await insertLink(inner, subject, newNonce())
  })
}

/** Reaction to `email.linksSent`: staff see that the carrier has its link. */
export const noteLinksSent = async (ctx: Ctx, { uploadLinkIds }: { uploadLinkIds: number[] }): Promise<void> => {
  if (uploadLinkIds.length > 0) await noteSent(ctx, uploadLinkIds)
}

/**
 * What the carrier sends through the link of its transport corrects this invoice, which staff have entered: they have
 * asked for it. A link that took an invoice already keeps that one.
 */
export async function entrustInvoice(ctx: Ctx, assignmentId: number, invoiceId: number): Promise<void> {
  await ctx.db
    .updateTable('upload_link')
    .set({ invoiceId })
    .where('assignmentId', '=', assignmentId)
    .where('revokedAt', 'is', null)
    .where('invoiceId', 'is', null)
    .execute()
}

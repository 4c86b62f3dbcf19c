import { sql } from 'kysely'
import type { Order } from '@waybill/contract/order/order'
import { inTransaction, type Ctx } from '../../kit/context/context.ts'
import { linkPlace } from '../../kit/mail/link-places.ts'
import { insertLink, noteSent, workingLinks } from './tracking-link.repository.ts'

/** A link as a mail that waits carries it: delivery puts the link in its place. */
export interface TrackingPlace {
  customerId: number
  place: string
}

/** The places of the links of an order's customers that work. */
export const trackingPlacesOf = async (ctx: Ctx, { id }: Order): Promise<TrackingPlace[]> =>
  (await workingLinks(ctx, id)).map((link) => ({
    customerId: link.customerId,
    place: linkPlace(ctx.ports.publicUrl, 'tracking', link.id),
  }))

/** Makes the link of a customer where there is none that works: a mail is about to carry it. */
export async function makeTrackingLinkFor(ctx: Ctx, { id: orderId }: Order, customerId: number): Promise<void> {
  const isThere = async (inner: Ctx) =>
    (await workingLinks(inner, orderId)).some((link) => link.customerId === customerId)
  if (await isThere(ctx)) return
  await inTransaction(ctx, async (inner) => {
    // Two nodes may write mails of one order at once: the link of the first must not end with that of the second.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`tracking_link ${orderId}`}, 0))`.execute(inner.db)
    if (!(await isThere(inner))) await insertLink(inner, { orderId, customerId })
  })
}

/** Reaction to `email.linksSent`: staff see that the customer has its link. */
export const noteTrackingLinksSent = async (
  ctx: Ctx,
  { trackingLinkIds }: { trackingLinkIds: number[] },
): Promise<void> => {
  if (trackingLinkIds.length > 0) await noteSent(ctx, trackingLinkIds)
}

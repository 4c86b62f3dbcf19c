import type { Order } from '@waybill/contract/order/order'
import type { TrackingLinks } from '@waybill/contract/public/tracking-link'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { holdOrder, loadOrder } from '../order/index.ts'
import { insertLink, revokeLinks, urlOf, workingLinks, type TrackingLink } from './tracking-link.repository.ts'

const ofCustomer = (links: readonly TrackingLink[], customerId: number): TrackingLink | undefined =>
  links.find((link) => link.customerId === customerId)

async function shown(ctx: Ctx, order: Order): Promise<TrackingLinks> {
  const links = await workingLinks(ctx, order.id)
  return {
    items: order.customers.map((customer) => {
      const link = ofCustomer(links, customer.id)
      if (link === undefined) return { customer, link: null }
      const { id, createdAt, expiresAt, sentAt } = link
      return { customer, link: { id, url: urlOf(ctx, link), createdAt, expiresAt, sentAt } }
    }),
  }
}

/** The links of an order as staff see them. Error: `not_found` for who may not know of the order. */
export const showTrackingLinks = async (ctx: Ctx, orderId: number): Promise<TrackingLinks> =>
  shown(ctx, await loadOrder(ctx, orderId))

/**
 * Locks the order upon the version that was read. Also one that was merged into another: its link works on, and must
 * end at once where somebody says so. Errors: `not_found`, `stale_version`.
 */
async function lockedOrder(ctx: Ctx, orderId: number, version: number): Promise<Order> {
  await loadOrder(ctx, orderId)
  await holdOrder(ctx, orderId)
  const order = await loadOrder(ctx, orderId)
  if (order.version !== version) throw new AppError('stale_version', { current: order })
  return order
}

const told = (ctx: Ctx, { id, customers }: Order, customerId: number, action: string): Promise<void> =>
  audit(ctx, {
    ownerKind: 'order',
    ownerId: id,
    action,
    after: { customer: customers.find((one) => one.id === customerId)?.title ?? null },
  })

/** Makes a link; the one before stops working. Errors: as `renewTrackingLink` names them. */
export async function renewTrackingLink(
  ctx: Ctx,
  orderId: number,
  version: number,
  { customerId, linkId }: { customerId: number; linkId: number | null },
): Promise<TrackingLinks> {
  const order = await lockedOrder(ctx, orderId, version)
  if (!order.customerIds.includes(customerId)) throw fieldError('customerId', 'unknown_reference')
  // Two people who renew at once would make the first one's mail useless without knowing.
  const current = ofCustomer(await workingLinks(ctx, orderId), customerId)
  if ((current?.id ?? null) !== linkId) throw new AppError('conflict')
  await insertLink(ctx, { orderId, customerId })
  await told(ctx, order, customerId, linkId === null ? 'trackingLinkMade' : 'trackingLinkRenewed')
  return shown(ctx, order)
}

/** The link stops working. Errors: `not_found`, `stale_version`. */
export async function revokeTrackingLink(
  ctx: Ctx,
  orderId: number,
  version: number,
  customerId: number,
): Promise<void> {
  const order = await lockedOrder(ctx, orderId, version)
  if (!(await revokeLinks(ctx, { orderId, customerId }))) throw new AppError('not_found')
  await told(ctx, order, customerId, 'trackingLinkRevoked')
}

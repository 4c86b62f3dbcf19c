import type { Order, OrderRoute } from '@waybill/contract/order/order'
import type { RouteUploadLink } from '@waybill/contract/public/upload-link'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { holdOrder, loadOrderOfRoute } from '../order/index.ts'
import {
  currentLink,
  insertLink,
  newNonce,
  revokeLinks,
  urlOf,
  type LinkSubject,
  type UploadLink,
} from './upload-link.repository.ts'
import { filesOf, invoicesOf, stateOf } from './upload-page.query.ts'

interface Asked {
  order: Order
  route: OrderRoute
  subject: LinkSubject | null
}

/** The route of an order that the caller may know of, and whom a link of it would be for. Error: `not_found`. */
async function routeAsked(ctx: Ctx, routeId: number): Promise<Asked> {
  const order = await loadOrderOfRoute(ctx, routeId)
  const route = order.routes.find(({ id }) => id === routeId)!
  const carrierCompanyId = route.assignment?.carrierCompanyId ?? null
  const subject =
    carrierCompanyId === null
      ? null
      : { orderId: order.id, routeId, assignmentId: route.assignment!.id, carrierCompanyId }
  return { order, route, subject }
}

/** The link that works, if there is one: of this carrier, and not over. */
async function workingLink(ctx: Ctx, subject: LinkSubject | null): Promise<UploadLink | null> {
  const link = subject && (await currentLink(ctx, subject.assignmentId))
  const isWorking =
    link &&
    link.routeId === subject.routeId &&
    link.carrierCompanyId === subject.carrierCompanyId &&
    Date.parse(link.expiresAt) > ctx.clock.now().getTime()
  return isWorking ? link : null
}

async function shown(ctx: Ctx, { route, subject }: Asked): Promise<RouteUploadLink> {
  const carrier = route.assignment?.carrierCompany?.title ?? null
  const link = await workingLink(ctx, subject)
  if (!link) return { link: null, carrier }
  const files = await filesOf(ctx, link.id)
  const lastOf = (kind: 'pod' | 'invoice') =>
    files.findLast((file) => file.kind === kind && file.submittedAt !== null)?.submittedAt ?? null
  const { id, createdAt, expiresAt, sentAt, openedFirstAt, openedLastAt, openedCount } = link
  return {
    link: {
      id,
      createdAt,
      expiresAt,
      sentAt,
      openedFirstAt,
      openedLastAt,
      openedCount,
      url: urlOf(ctx, link),
      podArrivedAt: lastOf('pod'),
      invoiceArrivedAt: lastOf('invoice'),
      state: stateOf(await invoicesOf(ctx, link)),
    },
    carrier,
  }
}

/** The link of a route as staff see it. Error: `not_found`. */
export const showLink = async (ctx: Ctx, routeId: number): Promise<RouteUploadLink> =>
  shown(ctx, await routeAsked(ctx, routeId))

/** Locks the order of a route upon the version that was read. Errors: `not_found`, `stale_version`. */
async function lockedRoute(ctx: Ctx, routeId: number, version: number): Promise<Asked> {
  const { order } = await routeAsked(ctx, routeId)
  await admitToOwner(ctx, 'order', order.id, 'write')
  await holdOrder(ctx, order.id)
  const asked = await routeAsked(ctx, routeId)
  if (asked.order.version !== version) throw new AppError('stale_version', { current: asked.order })
  return asked
}

const told = (ctx: Ctx, { order, route }: Asked, action: string): Promise<void> =>
  audit(ctx, {
    ownerKind: 'order',
    ownerId: order.id,
    action,
    after: { carrierCompany: route.assignment?.carrierCompany?.title ?? null, route: route.number },
  })

/** Makes a link; the one before stops working. Errors: as `renewRouteUploadLink` names them. */
export async function renewLink(
  ctx: Ctx,
  routeId: number,
  version: number,
  seenId: number | null,
): Promise<RouteUploadLink> {
  const asked = await lockedRoute(ctx, routeId, version)
  const { subject } = asked
  if (subject === null) throw fieldError('linkId', 'carrier_missing')
  // Two people who renew at once would make the first one's mail useless without knowing.
  if (((await workingLink(ctx, subject))?.id ?? null) !== seenId) throw new AppError('conflict')
  await insertLink(ctx, subject, newNonce())
  await told(ctx, asked, seenId === null ? 'uploadLinkMade' : 'uploadLinkRenewed')
  return shown(ctx, asked)
}

/** The link stops working. Errors: `not_found`, `stale_version`. */
export async function revokeLink(ctx: Ctx, routeId: number, version: number): Promise<void> {
  const asked = await lockedRoute(ctx, routeId, version)
  if (asked.subject === null || !(await revokeLinks(ctx, asked.subject.assignmentId))) throw new AppError('not_found')
  await told(ctx, asked, 'uploadLinkRevoked')
}

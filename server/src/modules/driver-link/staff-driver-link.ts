import type { Reference } from '@waybill/contract/kit/fields'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import type { RouteDriverLink } from '@waybill/contract/public/driver-link'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { instantText } from '../../kit/database/db.ts'
import { audit } from '../../kit/records/audit.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { exchangeTypes } from '../load-carrier/index.ts'
import { holdOrder, loadOrderOfRoute } from '../order/index.ts'
import {
  insertLink,
  reportsOf,
  revokeLinks,
  urlOf,
  workingLink,
  type DriverReport,
  type LinkSubject,
} from './driver-link.repository.ts'

interface Asked {
  order: Order
  route: OrderRoute
  /** null: nobody drives the route yet */
  subject: LinkSubject | null
}

/** The route of an order that the caller may know of, and whom a link of it would be for. Error: `not_found`. */
async function routeAsked(ctx: Ctx, routeId: number): Promise<Asked> {
  const order = await loadOrderOfRoute(ctx, routeId)
  const route = order.routes.find(({ id }) => id === routeId)!
  const { assignment } = route
  const isDriven = assignment !== null && (assignment.ownFleet || assignment.carrierCompanyId !== null)
  const subject = isDriven
    ? { orderId: order.id, routeId, assignmentId: assignment.id, carrierCompanyId: assignment.carrierCompanyId }
    : null
  return { order, route, subject }
}

type Shown = RouteDriverLink['reports'][number]

const positionOf = ({ latitude, longitude, accuracyM }: DriverReport): Shown['position'] =>
  latitude === null || longitude === null || accuracyM === null ? null : { latitude, longitude, accuracyM }

/** What was exchanged, by the titles of the types. */
function exchangeShown({ exchange }: DriverReport, types: readonly Reference[]): Shown['exchange'] {
  if (exchange === null) return null
  const titleOf = (typeId: number) => types.find(({ id }) => id === typeId)?.title ?? String(typeId)
  const lines = exchange.lines.map(({ typeId, ...pieces }) => ({ type: titleOf(typeId), ...pieces }))
  return { noteNumber: exchange.noteNumber, lines }
}

async function reportsShown(ctx: Ctx, routeId: number): Promise<Shown[]> {
  const reports = await reportsOf(ctx, routeId)
  const ids = reports.flatMap(({ documentId }) => documentId ?? [])
  const documents =
    ids.length === 0
      ? []
      : await ctx.db.selectFrom('document').select(['id', 'title', 'contentType']).where('id', 'in', ids).execute()
  const types = reports.some(({ exchange }) => exchange !== null) ? await exchangeTypes(ctx) : []
  return reports.map((report) => ({
    id: report.id,
    stopId: report.locationId,
    kind: report.kind,
    at: instantText(report.at),
    receivedAt: instantText(report.receivedAt),
    position: positionOf(report),
    text: report.text,
    signedBy: report.signedBy,
    document: documents.find(({ id }) => id === report.documentId) ?? null,
    exchange: exchangeShown(report, types),
    isWritten: report.isWritten,
  }))
}

async function shown(ctx: Ctx, { route, subject }: Asked): Promise<RouteDriverLink> {
  const link = await workingLink(ctx, route.id)
  return {
    link: link && {
      id: link.id,
      url: urlOf(ctx, link),
      createdAt: instantText(link.createdAt),
      endsAt: instantText(link.endsAt),
    },
    isDriven: subject !== null,
    reports: await reportsShown(ctx, route.id),
  }
}

/** The link of a route and what came by it, as staff see them. Error: `not_found`. */
export const showDriverLink = async (ctx: Ctx, routeId: number): Promise<RouteDriverLink> =>
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
  audit(ctx, { ownerKind: 'order', ownerId: order.id, action, after: { route: route.number } })

/** Makes a link; the one before stops working. Errors: as `renewRouteDriverLink` names them. */
export async function renewDriverLink(
  ctx: Ctx,
  routeId: number,
  version: number,
  seenId: number | null,
): Promise<RouteDriverLink> {
  const asked = await lockedRoute(ctx, routeId, version)
  if (asked.subject === null) throw fieldError('linkId', 'assignment_missing')
  // Two people who renew at once would make the first one's message useless without knowing.
  if (((await workingLink(ctx, routeId))?.id ?? null) !== seenId) throw new AppError('conflict')
  await insertLink(ctx, asked.subject)
  await told(ctx, asked, seenId === null ? 'driverLinkMade' : 'driverLinkRenewed')
  return shown(ctx, asked)
}

/** The link stops working. Errors: `not_found`, `stale_version`. */
export async function revokeDriverLink(ctx: Ctx, routeId: number, version: number): Promise<void> {
  const asked = await lockedRoute(ctx, routeId, version)
  if (!(await revokeLinks(ctx, routeId))) throw new AppError('not_found')
  await told(ctx, asked, 'driverLinkRevoked')
}

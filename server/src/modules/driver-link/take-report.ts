import { localOf } from '@waybill/contract/kit/local-time'
import type { OrderLocation } from '@waybill/contract/order/order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { isCanceled } from '@waybill/contract/order/status'
import { timeFault, type StopTime } from '@waybill/contract/order/stop-times'
import {
  isTimeTold,
  MOST_REPORTS,
  type DriverPage,
  type DriverReport,
  type ReportKind,
  type TimeTold,
} from '@waybill/contract/public/driver-link'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { exchangeInHistory, writeToldExchange } from '../load-carrier/index.ts'
import { holdOrder, routesOfTruck, writeTold } from '../order/index.ts'
import {
  insertReport,
  linkWithId,
  reportsOf,
  reportWithKey,
  type DriverReport as Stored,
  type RouteRef,
  type Told,
} from './driver-link.repository.ts'
import { transportIn, type Transport } from './driver-page.query.ts'
import { isOfTruck, pageOf, type AnyLink } from './link-page.ts'
import { heldTruckLink, truckReportWithKey } from './truck-link.repository.ts'

const FIELD_OF: Readonly<Record<TimeTold, StopTime>> = {
  arrived: 'arrivedAt',
  loaded: 'loadedAt',
  unloaded: 'unloadedAt',
}

/** What every report says, a picture too. */
export type Reported = Pick<DriverReport, 'key' | 'stopId' | 'at'> & { kind: ReportKind }

/** Where a report is taken: everything about it is held until the transaction ends. */
export interface Taking {
  link: AnyLink
  transport: Transport
  stop: OrderLocation
}

/** The route that a report is about: the link's, or that of the truck's which has the stop; undefined: none. */
async function routeAbout(ctx: Ctx, link: AnyLink, { stopId }: Reported): Promise<RouteRef | undefined> {
  return isOfTruck(link) ? (await routesOfTruck(ctx, link, stopId))[0] : link
}

/** What was told under the key of a report: of its route by any link, or by the truck's link of any route. */
async function toldBefore(ctx: Ctx, link: AnyLink, report: Reported): Promise<Stored | undefined> {
  const told = isOfTruck(link) ? await truckReportWithKey(ctx, link.id, report.key) : undefined
  if (told !== undefined) return told
  const route = await routeAbout(ctx, link, report)
  return route && reportWithKey(ctx, route.routeId, report.key)
}

/**
 * True where this report was taken before. Error: `conflict` where the telephone called something else so, which none
 * of ours does.
 */
export async function isKnown(ctx: Ctx, link: AnyLink, report: Reported): Promise<boolean> {
  const { stopId, kind } = report
  const known = await toldBefore(ctx, link, report)
  if (known === undefined) return false
  if (known.locationId !== stopId || known.kind !== kind) throw new AppError('conflict')
  return true
}

/** A time that contradicts what was told before. */
function refuseBackwards({ kind, at }: Reported, told: readonly Stored[]): void {
  if (told.some((one) => one.kind === kind)) throw fieldError('kind', 'already_told')
  if (kind === 'arrived') {
    if (told.some((one) => one.kind === 'loaded' || one.kind === 'unloaded')) throw fieldError('kind', 'step_back')
    return
  }
  const arrived = told.find((one) => one.kind === 'arrived')
  if (arrived && Date.parse(at) < Date.parse(arrived.at)) throw fieldError('at', 'before_arrival')
}

/**
 * Takes one report: `work` writes what is its own in the same transaction, in which order and link are held; a
 * repeat does nothing again. The order first: who makes or ends links holds it, too. Answers the page as it is then.
 */
export async function taking(
  ctx: Ctx,
  asked: AnyLink,
  report: Reported,
  work: (inner: Ctx, taking: Taking) => Promise<void>,
): Promise<DriverPage> {
  return inTransaction(ctx, async (inner) => {
    const before = await routeAbout(inner, asked, report)
    const order = before && (await holdOrder(inner, before.orderId))
    const link = await (isOfTruck(asked) ? heldTruckLink(inner, asked.id) : linkWithId(inner, asked.id))
    if (link === undefined || link.isOver) throw new AppError('not_found')
    if (await isKnown(inner, link, report)) return pageOf(inner, link)
    // Of a truck the stop may have gone to another one until the order was held.
    const route = await routeAbout(inner, link, report)
    if (route === undefined || route.orderId !== before?.orderId) throw fieldError('stopId', 'unknown_reference')
    const transport = transportIn(order, route)
    if (isCanceled(transport.route.status))
      throw new AppError('conflict', { fields: [{ path: '', code: 'transport_canceled' }] })
    const stop = transport.stops.find((one) => one.id === report.stopId)
    if (stop === undefined) throw fieldError('stopId', 'unknown_reference')
    const impossible = timeFault(report.at, { now: nowOf(inner), createdAt: transport.order.createdAt })
    if (impossible !== null) throw fieldError('at', impossible)
    if ((await reportsOf(inner, route.routeId)).length >= MOST_REPORTS)
      throw fieldError('key', 'too_many', { max: MOST_REPORTS })
    await work(inner, { link, transport, stop })
    return pageOf(inner, link)
  })
}

/** Writes a report of the stop at which it is taken. */
export const keepReport = (
  ctx: Ctx,
  { link, transport: { order, route }, stop }: Taking,
  told: Omit<Told, 'locationId'>,
) =>
  insertReport(
    ctx,
    isOfTruck(link) ? { linkId: null, truckLinkId: link.id } : { linkId: link.id, truckLinkId: null },
    { orderId: order.id, routeId: route.id },
    { ...told, locationId: stop.id },
  )

/** Says in the order's history what the driver told. */
export const auditTold = (
  ctx: Ctx,
  { transport: { order, route }, stop }: Taking,
  { kind, at }: Reported,
  said: string | null = null,
  exchanged: object | null = null,
): Promise<void> => {
  const { date, time } = localOf(at, stop.timeZone)
  return audit(ctx, {
    ownerKind: 'order',
    ownerId: order.id,
    action: `driverTold_${kind}`,
    // The types are told one by one, as of a record that was empty.
    ...(exchanged !== null && { before: { loadCarriers: {} } }),
    after: { route: route.number, stop: stop.city ?? stop.companyTitle, time: `${date} ${time}`, said, ...exchanged },
  })
}

/** Takes a time, a remark, damage or load carriers. Errors: as `tellReport` names them. */
export const takeReport = (ctx: Ctx, link: AnyLink, report: DriverReport): Promise<DriverPage> =>
  taking(ctx, link, report, async (inner, taken) => {
    const { key, kind, position, text, exchange } = report
    const { transport, stop } = taken
    const at = new Date(report.at).toISOString()
    if ((kind === 'loaded' && !isPickUp(stop)) || (kind === 'unloaded' && !isDropOff(stop)))
      throw fieldError('kind', 'invalid_value')
    let isWritten = false
    if (exchange === null) await auditTold(inner, taken, report, text)
    else {
      isWritten = await writeToldExchange(inner, transport.order, stop, { at, exchange })
      const { lines, noteNumber } = exchange
      await auditTold(inner, taken, report, noteNumber, await exchangeInHistory(inner, lines))
    }
    if (isTimeTold(kind)) {
      const told = await reportsOf(inner, transport.route.id)
      refuseBackwards(
        report,
        told.filter(({ locationId }) => locationId === stop.id),
      )
      const time = { routeId: transport.route.id, locationId: stop.id, field: FIELD_OF[kind], at }
      isWritten = (await writeTold(inner, transport.order, time)).isWritten
    }
    const { latitude = null, longitude = null, accuracyM = null } = position ?? {}
    const place = { latitude, longitude, accuracyM }
    await keepReport(inner, taken, { key, kind, at, text, exchange, ...place, isWritten })
  })

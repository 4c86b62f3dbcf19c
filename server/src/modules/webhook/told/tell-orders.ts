import { isDeepStrictEqual } from 'node:util'
import type { Order } from '@waybill/contract/order/order'
import type { WebhookEvent } from '@waybill/contract/webhook/webhook'
import type { Ctx, Reaction } from '../../../kit/context/context.ts'
import { addressOf, tellWebhooks, type Told } from '../tell-webhooks.ts'

interface Facts {
  id: number
  number: string
  version: number
  status: Order['status']
}

const told = (ctx: Ctx, type: WebhookEvent, { id, number, version, status }: Facts, more: object = {}): Told => ({
  type,
  record: { kind: 'order', id },
  data: { id, number, version, status, ...more, url: addressOf(ctx, `orders/${id}`) },
})

/** One message about an order as it stands now. */
const tellOrder = (ctx: Ctx, type: WebhookEvent, orderId: number, more: object = {}): Promise<void> =>
  tellWebhooks(ctx, [type], async () => {
    const facts = await ctx.db
      .selectFrom('order')
      .select(['id', 'number', 'version', 'status'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
    return [told(ctx, type, facts, more)]
  })

export const tellOrderCreated: Reaction<'order.created'> = (ctx, { orderId }) =>
  tellOrder(ctx, 'order.created', orderId)
export const tellOrderUpdated: Reaction<'order.changed'> = (ctx, { orderId }) =>
  tellOrder(ctx, 'order.updated', orderId)
export const tellOrderMerged: Reaction<'order.merged'> = (ctx, { orderId, sourceIds }) =>
  tellOrder(ctx, 'order.merged', orderId, { sourceIds })
export const tellOrderUnmerged: Reaction<'order.unmerged'> = (ctx, { orderId, sourceIds }) =>
  tellOrder(ctx, 'order.unmerged', orderId, { sourceIds })

/** It is gone, and so is what could be read of it. */
export const tellOrderDeleted: Reaction<'order.deleted'> = (ctx, { orderId }) =>
  tellWebhooks(ctx, ['order.deleted'], () => [
    { type: 'order.deleted', record: { kind: 'order', id: orderId }, data: { id: orderId } },
  ])

type Route = Order['routes'][number]

/** Who drives a route; null while nobody does. */
const driving = (route: Route | undefined) => {
  const { carrierCompanyId = null, ownFleet = false } = route?.assignment ?? {}
  return carrierCompanyId === null && !ownFleet ? null : { carrierCompanyId, ownFleet }
}

/** What of a route is worth a message: how it stands, what drives it, and its stops with their times. */
const picture = (route: Route, locations: Order['locations']) => ({
  status: route.status,
  driver: [route.assignment?.driverIds, route.assignment?.driverText],
  vehicle: [route.assignment?.plateNumber, route.assignment?.vehicleTypeId],
  stops: route.locationIds.map((stopId) => {
    const stop = locations.find(({ id }) => id === stopId)
    return (
      stop && [stop.termin, stop.plannedAt, stop.arrivedAt, stop.loadedAt, stop.unloadedAt, stop.postal, stop.address]
    )
  }),
})

/** What became of a route; null where nothing worth a message did. */
function routeEvent(before: Order | null, after: Order, route: Route): 'route.assigned' | 'route.changed' | null {
  const former = before?.routes.find(({ id }) => id === route.id)
  const [was, is] = [driving(former), driving(route)]
  if (!isDeepStrictEqual(was, is)) return is === null ? 'route.changed' : 'route.assigned'
  if (before === null || former === undefined) return 'route.changed'
  const isSame = isDeepStrictEqual(picture(former, before.locations), picture(route, after.locations))
  return isSame ? null : 'route.changed'
}

function toldOfRoute(
  ctx: Ctx,
  order: Order,
  { type, route, isRemoved }: { type: WebhookEvent; route: Route; isRemoved: boolean },
): Told {
  const driven = isRemoved ? null : driving(route)
  return {
    type,
    record: { kind: 'order', id: order.id },
    data: {
      id: route.id,
      number: route.number,
      status: route.status,
      carrierCompanyId: driven?.carrierCompanyId ?? null,
      ownFleet: driven?.ownFleet ?? false,
      isRemoved,
      order: { id: order.id, number: order.number, version: order.version },
      url: addressOf(ctx, `orders/${order.id}`),
    },
  }
}

/** Another status of an order, and what became of its routes. */
export const tellOrderWritten: Reaction<'order.written'> = (ctx, { before, after }) => {
  const moved: Told[] =
    before === null || before.status === after.status
      ? []
      : [told(ctx, 'order.statusChanged', after, { from: before.status })]
  const routes = after.routes.flatMap((route): Told[] => {
    const type = routeEvent(before, after, route)
    return type === null ? [] : [toldOfRoute(ctx, after, { type, route, isRemoved: false })]
  })
  // Who has heard of a route would otherwise keep a truck on what is gone.
  const removed = (before?.routes ?? [])
    .filter((route) => !after.routes.some(({ id }) => id === route.id))
    .map((route) => toldOfRoute(ctx, after, { type: 'route.changed', route, isRemoved: true }))
  const all = [...moved, ...removed, ...routes]
  return all.length === 0
    ? Promise.resolve()
    : tellWebhooks(
        ctx,
        all.map(({ type }) => type),
        () => all,
      )
}

import { disponentOf, type DispatchContact } from '@waybill/contract/order/choice/disponent'
import { dispositionOfGiven } from '@waybill/contract/order/planning/for-sale'
import { orderApi, type Order } from '@waybill/contract/order/order'
import type { Ctx } from '../../../kit/context/context.ts'
import { parseInput } from '../../../kit/http/validation.ts'
import { withoutReadOnly, writable } from '../../../kit/records/merge.ts'
import { orderService } from '../order.service.ts'

interface Assigned {
  carrierCompanyId: number
  costCents: number
  /** whom the carrier writes from */
  contact: DispatchContact | null
}

/**
 * Puts a carrier with its price on a route, as a save of the whole order does: under the same rules, with the same
 * refusals. Who belonged to another carrier goes. Must run inside a transaction.
 */
export async function assignCarrier(
  ctx: Ctx,
  order: Order,
  routeId: number,
  { carrierCompanyId, costCents, contact }: Assigned,
): Promise<Order> {
  const routes = order.routes.map((route) => {
    if (route.id !== routeId) return route
    const before = route.assignment
    const isSame = before?.carrierCompanyId === carrierCompanyId
    const people = {
      driverIds: [],
      driverText: null,
      plateNumber: null,
      signedBy: null,
      paymentPeriodDays: null,
      ...disponentOf(contact),
    }
    return {
      ...route,
      assignment: { ...before, ...(isSame ? {} : people), ownFleet: false, carrierCompanyId, costCents },
    }
  })
  const body = {
    ...writable(orderApi.write, order as unknown as Record<string, unknown>),
    disposition: dispositionOfGiven(
      order.disposition,
      routes.map(({ assignment }) => assignment),
    ),
    routes,
  }
  const written = parseInput(orderApi.write, asWritten(body, order, routeId))
  return orderService.update(ctx, order.id, order.version, written)
}

/** Without what a view shows beside what is written; of the route that changes, whatever it says. */
function asWritten(body: object, order: Order, routeId: number): unknown {
  const changed = {
    ...order,
    routes: order.routes.map((route) => (route.id === routeId ? shownOf(body, routeId) : route)),
  }
  return withoutReadOnly(orderApi.write, body, changed, orderApi.changing)
}

const shownOf = (body: object, routeId: number) =>
  (body as { routes: { id: number }[] }).routes.find(({ id }) => id === routeId)

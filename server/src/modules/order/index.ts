import { sql } from 'kysely'
import { POD_CHECK_ACCESS } from '@waybill/contract/document'
import { dropOffsToProve } from '@waybill/contract/order/papers/pod'
import { isReadOnlyOrder } from '@waybill/contract/order/status'
import { hasPermission, ORDER_ACCESS } from '@waybill/contract/permissions'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { actorOf, type Ctx, type OwnerRule } from '../../kit/context/context.ts'
import { titleBy } from '../../kit/records/owners.ts'
import { ofCompany, ofItsDepartments, seesOwnOrdersOnly, visibleOrders } from './order.policy.ts'
import { orderAsItIs } from './order-view.query.ts'
export { addPassedMails } from './order.repository.ts'
import { refreshCarrierNames, refreshCustomerTitle, refreshDriverName } from './order.repository.ts'

/** Files, mails and history of an order are seen by who may see the order. */
export const orderOwner: OwnerRule = {
  read: ORDER_ACCESS,
  write: ORDER_ACCESS,
  visible: (ctx, ownerId) =>
    sql<boolean>`exists (select 1 from "order" where "order".id = ${ownerId}
      and ${visibleOrders(ctx, undefined, ofItsDepartments)})`,
  refuseClosed: async (ctx, id) => {
    const order = await ctx.db.selectFrom('order').select('status').where('id', '=', id).executeTakeFirst()
    if (order && isReadOnlyOrder(order.status))
      throw new AppError('conflict', { fields: [{ path: 'status', code: 'order_merged' }] })
  },
  check: {
    access: POD_CHECK_ACCESS,
    visible: (ctx, ownerId) => {
      const rows = hasPermission(actorOf(ctx), 'INVOICES_PROCESSING') ? ofCompany(ctx) : visibleOrders(ctx)
      return sql<boolean>`exists (select 1 from "order" where "order".id = ${ownerId} and ${rows})`
    },
  },
  proven: async (ctx, id, { locationIds, partId }) => {
    const order = (await orderAsItIs(ctx, id))!
    const routeId =
      partId === null ? null : (order.routes.find(({ assignment }) => assignment?.id === partId)?.id ?? null)
    const { dropOffs, isAsked } = dropOffsToProve(order, routeId)
    const known = dropOffs.map((stop) => stop.id)
    if (locationIds === undefined) {
      if (isAsked) throw fieldError('locationIds', 'required')
      return known.length === 0 ? null : known
    }
    if (!locationIds.every((one) => known.includes(one))) throw fieldError('locationIds', 'unknown_reference')
    return known.filter((one) => locationIds.includes(one))
  },
  // The assignment whose carrier sent the file.
  hasPart: async (ctx, id, assignmentId) =>
    (await ctx.db
      .selectFrom('assignment')
      .innerJoin('route', 'route.id', 'assignment.routeId')
      .select('assignment.id')
      .where('assignment.id', '=', assignmentId)
      .where('route.orderId', '=', id)
      .executeTakeFirst()) !== undefined,
  title: titleBy('order', 'number'),
  seesAll: (ctx) => !seesOwnOrdersOnly(ctx),
}

/** Reaction to `customer.changed`: lists and search show the new title at once. */
export const refreshOrdersOfCustomer = (ctx: Ctx, { customerId }: { customerId: number }): Promise<void> =>
  refreshCustomerTitle(ctx, customerId)

/** Reaction to `carrierCompany.changed`: the search finds orders by the new names at once. */
export const refreshOrdersOfCarrier = (ctx: Ctx, { carrierCompanyId }: { carrierCompanyId: number }): Promise<void> =>
  refreshCarrierNames(ctx, carrierCompanyId)

/** Reaction to `user.renamed`: the search finds the orders that this person drives by the new name at once. */
export const refreshOrdersOfDriver = (ctx: Ctx, { userId }: { userId: number }): Promise<void> =>
  refreshDriverName(ctx, userId)

export { forgetAtRoutes, forgetAtStops } from './forget-typed.ts'
/** What a save comes to, for who writes many orders at once. */
export { newChildren, settle } from './order-children.rules.ts'
export { derivedColumns, refuseWrongOrder, type SaveFacts } from './order.rules.ts'
/** What a carrier's invoice says beyond the agreed cost. */
export { refreshExtraSums } from './extras/extra-sums.ts'
export { extrasOwed } from './extras/order-extra.query.ts'
export { bookExtras, unbookExtras } from './extras/book-extras.ts'
export { notePassedMails, writeSearchKeys } from './order.repository.ts'
/** Orders to write an invoice for, for who processes invoices. */
export { PROVES_ROUTE } from './order-day.query.ts'
export { listOrdersToInvoice } from './order-list.query.ts'
export { ordersWithLoss } from './loss-orders.query.ts'
export { assignCarrier } from './choice/assign-carrier.ts'
export { loadOrder, loadOrderOfRoute, orderAsItIs } from './order-view.query.ts'
export { ofCompany, visibleOrders } from './order.policy.ts'
export { createOrder } from './order.service.ts'
/** What of an order the next ones begin with. */
export { templateOf } from './copy/order-template.ts'
export { STATUS_COLUMNS } from './order.table.ts'
export { routesOfTruck } from './planning/truck-days.query.ts'
/** What a carrier is told of why it loses its order. */
export { withdrawalReason } from './status/withdrawal-reason.query.ts'
/** What a driver tells of a stop. */
export { holdOrder, writeTold } from './status/write-told.ts'

import { getOrderOrigin } from '@waybill/contract/order/recurring/order-origin'
import * as api from '@waybill/contract/order/recurring/recurring-order'
import { bindEndpoint, type Host } from '../../kit/http/routes.ts'
import { orderOrigin, recurringOrders, recurringOrderView } from './recurring-order.query.ts'
import {
  changeRecurringOrder,
  changeRecurringTemplate,
  createRecurringOrder,
  makeRecurringDay,
  moveRecurringOrder,
  takeOverRecurringOrder,
} from './recurring-order.service.ts'

export function bindRecurringOrderRoutes(host: Host): void {
  bindEndpoint(host, api.listRecurringOrders, (ctx, { query }) => recurringOrders(ctx, query))
  bindEndpoint(host, api.getRecurringOrder, (ctx, { params }) => recurringOrderView(ctx, params.id))
  bindEndpoint(host, api.createRecurringOrder, (ctx, { body }) => createRecurringOrder(ctx, body))
  bindEndpoint(host, api.changeRecurringOrder, (ctx, { params, version, body }) =>
    changeRecurringOrder(ctx, params.id, version, body),
  )
  bindEndpoint(host, api.changeRecurringTemplate, (ctx, { params, version, body }) =>
    changeRecurringTemplate(ctx, params.id, version, body),
  )
  bindEndpoint(host, api.moveRecurringOrder, (ctx, { params, version, body }) =>
    moveRecurringOrder(ctx, params.id, version, body.to),
  )
  bindEndpoint(host, api.takeOverRecurringOrder, (ctx, { params, version }) =>
    takeOverRecurringOrder(ctx, params.id, version),
  )
  bindEndpoint(host, api.makeRecurringDay, (ctx, { params, version, body }) =>
    makeRecurringDay(ctx, params.id, version, body.day),
  )
  bindEndpoint(host, getOrderOrigin, (ctx, { params }) => orderOrigin(ctx, params.id))
}

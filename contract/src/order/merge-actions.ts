import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText } from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'
import { MERGE_LEAST, MERGE_MOST } from './merge.ts'
import { Order } from './order.ts'

/**
 * Several new orders of one department on one carrier: all or none (domain, Merge). The rows are locked, so no
 * version is asked for: an order that is not `new` any more is an obstacle. Answers the result. Errors: `not_found`
 * where the caller may not know of one; `validation` with each order's obstacles.
 */
export const mergeOrders = endpoint({
  method: 'POST',
  path: '/orders/merge',
  access: ORDER_ACCESS,
  summary: 'Merge new orders into one that carries them all',
  body: z.strictObject({ orderIds: z.array(id).min(MERGE_LEAST).max(MERGE_MOST), carrierCompanyId: id }),
  reply: Order,
  status: 201,
  location: '/orders',
})

/**
 * Undoes a merge: the sources are new again, the result is canceled and answered. Error: `conflict` with what stands
 * in the way.
 */
export const unmergeOrder = endpoint({
  method: 'POST',
  path: '/orders/:id/unmerge',
  access: ORDER_ACCESS,
  summary: 'Undo a merge',
  params: z.strictObject({ id: idText }),
  reply: Order,
  needsVersion: true,
})

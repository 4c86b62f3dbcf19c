import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idText, localDate, reference } from '../kit/fields.ts'
import { queryBoolean, queryIds } from '../kit/paging.ts'
import { can, ORDER_ACCESS } from '../permissions.ts'

/** What one person can finish, the most urgent first. */
export const WAITING_KINDS = [
  'carrier_missing',
  'plate_missing',
  'pod_to_check',
  'pod_missing',
  'price_missing',
  'cost_missing',
  'billed_differs',
] as const
export type WaitingKind = (typeof WAITING_KINDS)[number]

/** How long before the first loading a missing carrier or plate is somebody's business. */
export const LOADING_AHEAD_HOURS = 36
/** After how many days on a delivered order the proof of delivery is to be asked for. */
export const POD_AFTER_DAYS = 3

const WaitingOrder = z.object({
  kind: z.enum(WAITING_KINDS),
  order: reference,
  customer: reference,
  /** the loading that comes, the delivery that was, or the order's creation where it was never delivered */
  at: z.string(),
  /** the zone of that stop */
  timeZone: z.string(),
})
export type WaitingOrder = z.output<typeof WaitingOrder>

/**
 * The caller's own orders, as case worker, that need a step: fifty at most, all of them counted up to 200 of a kind.
 * `billed_differs`, the price is not what was billed, waits for who may write the correction, anybody's order.
 */
export const listWaitingOrders = endpoint({
  method: 'GET',
  path: '/orders/waiting',
  access: ORDER_ACCESS,
  summary: 'What waits for the caller',
  reply: z.object({ items: z.array(WaitingOrder), total: z.number().int() }),
})

/**
 * What was ordered within days, without what was canceled; the result of a merge stands for what went into it.
 * `marginBp` is of the orders whose cost is known.
 */
export const sumOrders = endpoint({
  method: 'GET',
  path: '/orders/figures',
  access: ORDER_ACCESS,
  summary: 'Number, price and margin of the orders of some days',
  query: z.strictObject({
    createdAt: z.strictObject({ from: localDate, to: localDate }),
    mine: queryBoolean.optional(),
    departmentId: queryIds.optional(),
  }),
  reply: z.object({
    count: z.number().int(),
    isExact: z.boolean(),
    customerPriceCents: z.number().int(),
    incomeCents: z.number().int(),
    marginBp: z.number().int().nullable(),
  }),
})

/** What of an order's freight is billed, in which invoice, its corrections included; null where nothing is. */
export const getBilled = endpoint({
  method: 'GET',
  path: '/orders/:id/billed',
  access: can('INVOICES_PROCESSING'),
  summary: 'What of the freight of an order is billed',
  params: z.strictObject({ id: idText }),
  reply: z.object({ billed: z.object({ invoice: reference, billedCents: z.number().int() }).nullable() }),
})

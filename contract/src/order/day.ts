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
  'pod_accepted',
  'pod_missing',
  'price_missing',
  'cost_missing',
  'billed_differs',
  'billed_load_differs',
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
 * `billed_differs`, the price is not what was billed, and `billed_load_differs`, cargo or way is not, wait for who may
 * write the correction, anybody's order.
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

/** What is carried, in sum: units, kg, m³, loading metres; and from where to where, `DE Hamburg`. */
export const FreightLoad = z.object({
  quantity: z.number(),
  weightKg: z.number(),
  volumeM3: z.number(),
  ldm: z.number(),
  from: z.string(),
  to: z.string(),
})
export type FreightLoad = z.output<typeof FreightLoad>
export const LOAD_PARTS = ['quantity', 'weightKg', 'volumeM3', 'ldm', 'from', 'to'] as const

const billedReply = z.object({
  billed: z
    .object({
      invoice: reference,
      billedCents: z.number().int(),
      /** what the order said when it was billed, or when somebody said last that the invoice stands */
      load: FreightLoad,
      /** what it says now */
      loadNow: FreightLoad,
    })
    .nullable(),
})
export type BilledFreight = NonNullable<z.output<typeof billedReply>['billed']>

/** What of an order's freight is billed, in which invoice, its corrections included; null where nothing is. */
export const getBilled = endpoint({
  method: 'GET',
  path: '/orders/:id/billed',
  access: can('INVOICES_PROCESSING'),
  summary: 'What of the freight of an order is billed',
  params: z.strictObject({ id: idText }),
  reply: billedReply,
})

/**
 * Says that the invoice stands although cargo or way changed since; a later change is told again. Errors: `not_found`
 * where nothing is billed; `stale_version` where the order changed since it was read.
 */
export const keepBilled = endpoint({
  method: 'POST',
  path: '/orders/:id/billed/keep',
  access: can('INVOICES_PROCESSING'),
  summary: 'Let an invoice stand although its order changed',
  params: z.strictObject({ id: idText }),
  reply: billedReply,
  needsVersion: true,
})

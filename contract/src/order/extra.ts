import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { cents, decimal, id, idText, optionalText, reference } from '../kit/fields.ts'
import { can, ORDER_ACCESS } from '../permissions.ts'

/** What an order can cost or bring beside its freight. `weight` and `deduction` come from carriers' invoices. */
export const EXTRA_KINDS = [
  'waiting_time',
  'tolls',
  'customs',
  'detour',
  'additional_stop',
  'handling',
  'storage',
  'ferry',
  'pallets',
  'cancellation',
  'weight',
  'deduction',
  'other',
] as const
export type ExtraKind = (typeof EXTRA_KINDS)[number]

/** The only one that a canceled order can still have. */
export const EXTRA_OF_CANCELED = 'cancellation' satisfies ExtraKind

export const EXTRA_UNITS = ['hour', 'piece', 'day', 'flat'] as const
export type ExtraUnit = (typeof EXTRA_UNITS)[number]

export const EXTRA_STATES = ['open', 'approved', 'refused'] as const
export type ExtraState = (typeof EXTRA_STATES)[number]

/** The state in which an extra counts, and is billed. */
export const APPROVED_EXTRA = 'approved' satisfies ExtraState
export const isApprovedExtra = (state: ExtraState): boolean => state === APPROVED_EXTRA

/** True while an extra can be changed or removed: what was decided is taken back first. */
export const isOpenExtra = (state: ExtraState): boolean => state === 'open'

/** As many extras an order can have. */
export const MOST_EXTRAS = 100

const optionalId = id.nullable().default(null)

/**
 * An extra as it is written. Without `priceCents` the customer is not charged, without `costCents` the carrier is not
 * paid; both are for one unit, net.
 */
export const ExtraWrite = z.strictObject({
  kind: z.enum(EXTRA_KINDS),
  /** for the line of the invoice; null: what the kind is called in the customer's language */
  text: optionalText(500),
  quantity: decimal(100_000).default(1),
  unit: z.enum(EXTRA_UNITS).default('flat'),
  priceCents: cents.nullable().default(null),
  costCents: cents.nullable().default(null),
  /** whose carrier is paid; may be left out where one route alone has a carrier */
  routeId: optionalId,
  /** of a merge's result: the order that is billed */
  sourceOrderId: optionalId,
  /** stays inside */
  note: optionalText(2000),
})
export type ExtraWrite = z.output<typeof ExtraWrite>

export const Extra = ExtraWrite.extend({
  id,
  version: z.number().int(),
  state: z.enum(EXTRA_STATES),
  netPriceCents: z.number().int().nullable(),
  netCostCents: z.number().int().nullable(),
  /** `26-00042/1` */
  route: reference.nullable(),
  sourceOrder: reference.nullable(),
  decidedBy: reference.nullable(),
  decidedAt: z.string().nullable(),
  /** it stands on an invoice that is not canceled: nothing of it can be changed */
  isBilled: z.boolean(),
  /** that invoice, for who may see invoices */
  invoice: reference.nullable(),
})
export type Extra = z.output<typeof Extra>

/** Who sees and approves extras: of an order right by the row rule. Writing them needs the order. */
export const EXTRA_APPROVE_ACCESS = can('ORDERS_MANAGEMENT', 'ASSIGNED_ORDERS', 'INVOICES_PROCESSING')

const ofOrder = z.strictObject({ id: idText })
const ofExtra = z.strictObject({ id: idText, extraId: idText })

export const listExtras = endpoint({
  method: 'GET',
  path: '/orders/:id/extras',
  access: EXTRA_APPROVE_ACCESS,
  summary: 'The extras of an order, in the order in which they were entered',
  params: ofOrder,
  reply: z.object({ items: z.array(Extra) }),
})

/**
 * Errors: `conflict` for a merged order, for one that has MOST_EXTRAS already, and for a canceled one at `kind`;
 * `required` at `routeId` where several routes have a carrier, at `sourceOrderId` where a merge's result is to bill it;
 * `price_or_cost_missing` at `priceCents`.
 */
export const createExtra = endpoint({
  method: 'POST',
  path: '/orders/:id/extras',
  access: ORDER_ACCESS,
  summary: 'Enter an extra of an order, open until it is approved',
  params: ofOrder,
  body: ExtraWrite,
  reply: Extra,
  status: 201,
  location: null,
})

/** One that is open alone: else `conflict`. Errors as entering it. */
export const changeExtra = endpoint({
  method: 'PUT',
  path: '/orders/:id/extras/:extraId',
  access: ORDER_ACCESS,
  summary: 'Write an open extra anew',
  params: ofExtra,
  body: ExtraWrite,
  reply: Extra,
  needsVersion: true,
})

/** One that is not approved alone: else `conflict`. */
export const removeExtra = endpoint({
  method: 'DELETE',
  path: '/orders/:id/extras/:extraId',
  access: ORDER_ACCESS,
  summary: 'Remove an extra that is not approved',
  params: ofExtra,
  needsVersion: true,
})

/**
 * `open` takes back what was decided. Asking for the state it has is a no-op. Errors: `conflict` at `state` with
 * `extra_billed` for one that is billed, and for a merged order.
 */
export const decideExtra = endpoint({
  method: 'POST',
  path: '/orders/:id/extras/:extraId/state',
  access: EXTRA_APPROVE_ACCESS,
  summary: 'Approve an extra, refuse it, or take that back',
  params: ofExtra,
  body: z.strictObject({ to: z.enum(EXTRA_STATES) }),
  reply: Extra,
  needsVersion: true,
})

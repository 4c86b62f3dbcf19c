import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { countryCode, id, reference, timeZone } from '../../kit/fields.ts'
import { isPeriod, periodFields, wrongPeriod } from '../../kit/months.ts'
import { EXPORT_FORMATS, queryIds } from '../../kit/paging.ts'
import { EXTRA_KINDS } from '../extra.ts'
import { can } from '../../permissions.ts'

/** Which losses are shown: all, those with an extra that nobody is charged for, those of the caller's own orders. */
export const LOSS_SCOPES = ['all', 'billable', 'mine'] as const
export type LossScope = (typeof LOSS_SCOPES)[number]

const narrowing = { ...periodFields, departmentId: queryIds.optional(), show: z.enum(LOSS_SCOPES).default('all') }
const cents = z.number().int()
const count = z.number().int()
const place = z.object({ countryCode, city: z.string().nullable() })

/** Why an order costs more than it brings, as far as its figures say it. */
const LossReason = z.discriminatedUnion('kind', [
  /** an extra costs us more than the customer pays for it */
  z.object({ kind: z.literal('extra'), extra: z.enum(EXTRA_KINDS), lossCents: cents, note: z.string().nullable() }),
  /** several trucks drive it */
  z.object({ kind: z.literal('trucks'), trucks: count }),
  /** the freight was bought for more than it was sold for */
  z.object({ kind: z.literal('freight'), lossCents: cents }),
])
export type LossReason = z.output<typeof LossReason>

/**
 * How its extras stand: `open` costs that nobody is charged for, and that are not refused; `charged`: each cost has a
 * price; `none`.
 */
export const LOSS_EXTRAS = ['open', 'charged', 'none'] as const

const LossRow = z.object({
  id,
  number: z.string(),
  /** the day of its last unloading, there */
  unloadedOn: z.string(),
  customer: reference,
  /** a merged truck has several */
  customers: count,
  from: place.nullable(),
  to: place.nullable(),
  /** agreed, with approved extras */
  priceCents: cents,
  costCents: cents,
  incomeCents: cents,
  /** the dearest first; none where it is known of no figure */
  reasons: z.array(LossReason),
  extras: z.enum(LOSS_EXTRAS),
  /** cost of extras that nobody is charged for */
  openCents: cents,
  caseWorker: reference.nullable(),
})
export type LossRow = z.output<typeof LossRow>

const LossReport = z.object({
  /** the greatest loss first */
  rows: z.array(LossRow),
  /** what stands in no row of its own */
  others: z.object({ count, incomeCents: cents }).nullable(),
  sum: z.object({ count, incomeCents: cents }),
  /** how many there are of each scope in the period */
  counts: z.object({ all: count, billable: count, mine: count }),
})
export type LossReport = z.output<typeof LossReport>

const ACCESS = can('ORDERS_MANAGEMENT')

/**
 * Orders whose agreed cost is higher than their price, by their last unloading, with why and what of it can still be
 * charged. The list of orders has them by its filter `money`.
 */
export const getLossReport = endpoint({
  method: 'GET',
  path: '/reports/losses',
  access: ACCESS,
  summary: 'Orders with a loss, why, and what can still be charged',
  query: z.strictObject(narrowing).refine(isPeriod, wrongPeriod),
  reply: LossReport,
})

export const exportLossReport = endpoint({
  method: 'GET',
  path: '/reports/losses/export',
  access: ACCESS,
  summary: 'The same as a file, with all rows',
  query: z
    .strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') })
    .refine(isPeriod, wrongPeriod),
  shape: 'file',
})

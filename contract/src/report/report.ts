import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idText, text, timeZone } from '../kit/fields.ts'
import { EXPORT_FORMATS, queryIds } from '../kit/paging.ts'
import { isPeriod, periodFields, wrongPeriod } from '../kit/months.ts'
import { can } from '../permissions.ts'

/** What a report is grouped by. */
export const REPORT_GROUPS = ['customer', 'carrier', 'lane', 'department', 'caseWorker', 'vehicle', 'month'] as const
export type ReportGroup = (typeof REPORT_GROUPS)[number]

/**
 * `agreed`: price and cost of the orders, with approved extras. `actual`: what was billed and what carriers' approved
 * invoices say, where there are such, else what was agreed; for who may see invoices alone.
 */
export const REPORT_BASES = ['agreed', 'actual'] as const
export type ReportBasis = (typeof REPORT_BASES)[number]

/** More rows than a screen shows are summed up as one. */
export const MOST_REPORT_ROWS = 100
/** Keys of rows that stand for no single record: nothing is known, our own fleet, more than one. */
export const NO_KEY = 'none'
export const OWN_FLEET_KEY = 'own'
export const SEVERAL_KEY = 'several'

/** Of a row, to look closer at it. */
export const reportKey = text(40)
const narrowing = {
  by: z.enum(REPORT_GROUPS),
  ...periodFields,
  basis: z.enum(REPORT_BASES).default('agreed'),
  departmentId: queryIds.optional(),
  /** keys of rows, to look closer at one of them */
  customer: idText.optional(),
  carrier: reportKey.optional(),
  lane: reportKey.optional(),
  caseWorker: reportKey.optional(),
  vehicle: reportKey.optional(),
}
const cents = z.number().int()
const count = z.number().int()

const Figures = z.object({
  orders: count,
  /** orders without a price, or without a cost: they stand in no margin */
  unpriced: count,
  uncosted: count,
  /** orders whose freight is billed, and those with an approved invoice of a carrier for each route; null without the
   * right to see invoices */
  billed: count.nullable(),
  invoiced: count.nullable(),
  revenueCents: cents,
  costCents: cents,
  /** of orders with price and cost */
  incomeCents: cents,
  /** of their revenue; null where there is none */
  marginBp: z.number().int().nullable(),
})
export type Figures = z.output<typeof Figures>

const ReportRow = z.object({
  key: z.string(),
  /** null: the key says it, or stands for no single record */
  title: z.string().nullable(),
  now: Figures,
  /** the same months of the year before; null: there was nothing */
  before: Figures.nullable(),
})
export type ReportRow = z.output<typeof ReportRow>

const MarginReport = z.object({
  /** the records that the query looks closer at, by group; departments where one alone is asked for */
  named: z.array(z.object({ by: z.enum(REPORT_GROUPS), key: z.string(), title: z.string().nullable() })),
  rows: z.array(ReportRow),
  /** what stands in no row of its own */
  others: z.object({ count, now: Figures, before: Figures.nullable() }).nullable(),
  sum: z.object({ now: Figures, before: Figures.nullable() }),
  /** each month of the period, in order */
  months: z.array(z.object({ month: z.string(), incomeCents: cents, beforeCents: cents })),
  /** orders by their agreed margin: below zero, and below the warning of their company but not below zero */
  losses: z.object({ count, incomeCents: cents }),
  low: count,
  /** the highest warning of the companies that are seen */
  marginWarningBp: z.number().int(),
})
export type MarginReport = z.output<typeof MarginReport>

const ACCESS = can('ORDERS_MANAGEMENT')

/**
 * Revenue, cost and margin of orders by their last unloading; of canceled ones what they still bring and cost, without
 * counting them. The result of a merge stands for what went into it. Error: `forbidden` for the basis `actual` without
 * the right to see invoices.
 */
export const getMarginReport = endpoint({
  method: 'GET',
  path: '/reports/margin',
  access: ACCESS,
  summary: 'Revenue, cost and margin by customer, carrier, lane and more, beside the year before',
  query: z.strictObject(narrowing).refine(isPeriod, wrongPeriod),
  reply: MarginReport,
})

export const exportMarginReport = endpoint({
  method: 'GET',
  path: '/reports/margin/export',
  access: ACCESS,
  summary: 'The same as a file, with all rows',
  query: z
    .strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') })
    .refine(isPeriod, wrongPeriod),
  shape: 'file',
})

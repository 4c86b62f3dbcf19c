import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idText, timeZone } from '../kit/fields.ts'
import { isPeriod, periodFields, wrongPeriod } from '../kit/months.ts'
import { EXPORT_FORMATS, queryIds } from '../kit/paging.ts'
import { can } from '../permissions.ts'

/** What spans of time are grouped by. */
export const SPAN_GROUPS = ['customer', 'department', 'month'] as const
export type SpanGroup = (typeof SPAN_GROUPS)[number]

const narrowing = {
  by: z.enum(SPAN_GROUPS),
  ...periodFields,
  departmentId: queryIds.optional(),
  customer: idText.optional(),
}
const count = z.number().int()

const Span = z.object({
  /** orders of which the span is known */
  orders: count,
  /** of whole hours; null where no order has it */
  meanHours: z.number().nullable(),
  medianHours: z.number().nullable(),
})
export type Span = z.output<typeof Span>

const Spans = z.object({
  /** from the order to its plan */
  plan: Span,
  /** from the accepted proof of delivery to the invoice; null without the right to see invoices */
  bill: Span.nullable(),
})
export type Spans = z.output<typeof Spans>

const SpanRow = z.object({
  key: z.string(),
  /** null: the key says it */
  title: z.string().nullable(),
  now: Spans,
  /** the same months of the year before; null: there was nothing */
  before: Spans.nullable(),
})
export type SpanRow = z.output<typeof SpanRow>

const SpanReport = z.object({
  /** the customer that is looked at */
  named: z.array(z.object({ by: z.enum(SPAN_GROUPS), key: z.string(), title: z.string().nullable() })),
  rows: z.array(SpanRow),
  /** rows that are not shown; their orders are in the sum */
  others: count,
  sum: z.object({ now: Spans, before: Spans.nullable() }),
})
export type SpanReport = z.output<typeof SpanReport>

const ACCESS = can('ORDERS_MANAGEMENT')

/**
 * How long orders waited for their plan, and their invoices for nothing more, by the month of the last unloading. Each
 * order that a customer gave counts; one that was merged has plan and proof of the result (decision 134).
 */
export const getSpanReport = endpoint({
  method: 'GET',
  path: '/reports/spans',
  access: ACCESS,
  summary: 'Time from order to plan and from POD to invoice, mean and median, beside the year before',
  query: z.strictObject(narrowing).refine(isPeriod, wrongPeriod),
  reply: SpanReport,
})

export const exportSpanReport = endpoint({
  method: 'GET',
  path: '/reports/spans/export',
  access: ACCESS,
  summary: 'The same as a file, with all rows',
  query: z
    .strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') })
    .refine(isPeriod, wrongPeriod),
  shape: 'file',
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { idText, timeZone } from '../kit/fields.ts'
import { isPeriod, periodFields, wrongPeriod } from '../kit/months.ts'
import { EXPORT_FORMATS, queryIds } from '../kit/paging.ts'
import { can } from '../permissions.ts'
import { reportKey } from './report.ts'

/** What punctuality is grouped by. */
export const PUNCTUALITY_GROUPS = ['carrier', 'lane', 'customer', 'department', 'month'] as const
export type PunctualityGroup = (typeof PUNCTUALITY_GROUPS)[number]

const narrowing = {
  by: z.enum(PUNCTUALITY_GROUPS),
  ...periodFields,
  departmentId: queryIds.optional(),
  /** keys of rows, to look closer at one of them */
  carrier: reportKey.optional(),
  lane: reportKey.optional(),
  customer: idText.optional(),
}
const count = z.number().int()

const Punctuality = z.object({
  /** routes of which at least one stop is measured */
  trips: count,
  /** stops that are measured, and those of them that were reached before their time was over */
  loadings: count,
  loadingsInTime: count,
  unloadings: count,
  unloadingsInTime: count,
  /** whole minutes after their time, of all that were late together */
  lateMinutes: count,
  /** late because of the customer: they are not measured */
  excused: count,
  /** stops of routes that have arrived without a time of arrival, or without a time to be there */
  unmeasured: count,
})
export type Punctuality = z.output<typeof Punctuality>

const PunctualityRow = z.object({
  key: z.string(),
  /** null: the key says it, or stands for no single record */
  title: z.string().nullable(),
  now: Punctuality,
  /** the same months of the year before; null: there was nothing */
  before: Punctuality.nullable(),
})
export type PunctualityRow = z.output<typeof PunctualityRow>

const PunctualityReport = z.object({
  /** the records that the query looks closer at, by group; departments where one alone is asked for */
  named: z.array(z.object({ by: z.enum(PUNCTUALITY_GROUPS), key: z.string(), title: z.string().nullable() })),
  rows: z.array(PunctualityRow),
  /** what stands in no row of its own */
  others: z.object({ count, now: Punctuality, before: Punctuality.nullable() }).nullable(),
  sum: z.object({ now: Punctuality, before: Punctuality.nullable() }),
})
export type PunctualityReport = z.output<typeof PunctualityReport>

/** How many of the measured stops were late. */
export const lateStopsOf = (of: Punctuality): number =>
  of.loadings - of.loadingsInTime + of.unloadings - of.unloadingsInTime

/** The share of stops in time in hundredths of a percent, rounded down, so that 100 % is all of them; null of none. */
export const inTimeBpOf = (inTime: number, measured: number): number | null =>
  measured === 0 ? null : Math.floor((inTime * 10_000) / measured)

/** How late the late stops were on average, in whole minutes; null where none was. */
export function meanDelayOf(of: Punctuality): number | null {
  const late = lateStopsOf(of)
  return late === 0 ? null : Math.round(of.lateMinutes / late)
}

const ACCESS = can('ORDERS_MANAGEMENT')

/**
 * How many stops were reached in time, by the month of their order's last unloading, the most late ones first. A stop
 * is measured where its time of arrival and the end of its time are known; the row `own` is our own fleet (decision
 * 134).
 */
export const getPunctualityReport = endpoint({
  method: 'GET',
  path: '/reports/punctuality',
  access: ACCESS,
  summary: 'Stops reached in time, by carrier, lane, customer, department or month, beside the year before',
  query: z.strictObject(narrowing).refine(isPeriod, wrongPeriod),
  reply: PunctualityReport,
})

export const exportPunctualityReport = endpoint({
  method: 'GET',
  path: '/reports/punctuality/export',
  access: ACCESS,
  summary: 'The same as a file, with all rows',
  query: z
    .strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') })
    .refine(isPeriod, wrongPeriod),
  shape: 'file',
})

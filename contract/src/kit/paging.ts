import { z } from 'zod'
import { EXPIRY_WARNINGS } from './expiry.ts'
import { coded, countryCode, decimal, idText, localDate, reference, STATES } from './fields.ts'
import { isPlainText } from './text.ts'

/** Rows per page that a list offers (api, Lists). */
export const PAGE_SIZES = [10, 25, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]
export const DEFAULT_PAGE_SIZE: PageSize = 25

/** What a list can be taken out as (api, Lists). */
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Above this a total is no longer counted (api, Lists). */
export const EXACT_TOTAL = 10_000

/** Query values are text on the wire: booleans travel as 1/0, ids as digits (spec §7). */
export const queryBoolean = z.enum(['0', '1']).transform((value) => value === '1')
/** How many records a query may name. */
export const MOST_IDS = 200
export const queryIds = z.array(idText).max(MOST_IDS)
export const queryRange = z.strictObject({ from: localDate.optional(), to: localDate.optional() })
export const queryEnum = <const T extends readonly [string, ...string[]]>(values: T) => z.array(z.enum(values)).max(50)

const pageSize = z
  .enum(PAGE_SIZES.map(String) as [string, ...string[]])
  .transform((value) => Number(value) as PageSize)
  .default(DEFAULT_PAGE_SIZE)

const searchText = z.string().max(100).refine(isPlainText, coded('invalid_text'))

/** What every list takes: page or cursor, size, search and state. */
export const listBase = {
  page: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number)
    .optional(),
  cursor: z.string().max(2000).optional(),
  perPage: pageSize,
  q: searchText.optional(),
  state: z.enum(STATES).optional(),
}

/** What a select box may ask of any open resource (domain, People and rights): nothing but q, state and ids. */
export const compactQuery = z.strictObject({ ...listBase, ids: queryIds.optional() })

/** One page of a list. `total` stops counting at EXACT_TOTAL; `nextCursor` is null on the last page. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    items: z.array(row),
    page: z.number().int().nullable(),
    perPage: z.number().int(),
    total: z.number().int(),
    totalIsExact: z.boolean(),
    nextCursor: z.string().nullable(),
  })

/**
 * The same page where `fields[]` names what is wanted of each row: `items` are lists of these values, in the order in
 * which they were asked for.
 */
export const pageOfValues = pageOf(z.array(z.unknown()))

export interface Page<Row> {
  items: Row[]
  page: number | null
  perPage: number
  total: number
  totalIsExact: boolean
  nextCursor: string | null
}

const sideCm = decimal(10_000).nullable()

/** A record in a select box. */
export const compactRow = reference.extend({
  /** What tells it from others of its name: town and VAT number of a firm */
  detail: z.string().nullable().optional(),
  /** The state of its papers, where it has some that run out and one asks for another */
  warning: z.enum(EXPIRY_WARNINGS).nullable().optional(),
  /** What it is called besides, in other languages: it is found by these names, too */
  names: z.array(z.string()).optional(),
  /** Of a country */
  code: countryCode.optional(),
  /** Of a unit type: what it measures as a rule, in cm */
  dimensions: z.object({ lengthCm: sideCm, widthCm: sideCm, heightCm: sideCm }).optional(),
})
export type CompactRow = z.output<typeof compactRow>

/**
 * True for the beginning of an order number as one types it (`2`, `26-`, `26-01`):
 * looked for at the beginning of numbers alone, where further digits are looked for everywhere.
 */
export const isNumberBeginning = (q: string): boolean => /^\d{1,2}(-\d{0,2})?$/.test(q.trim())

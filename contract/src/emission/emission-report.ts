import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference, timeZone } from '../kit/fields.ts'
import { EXPORT_FORMATS, queryIds } from '../kit/paging.ts'
import { can, ORDER_ACCESS } from '../permissions.ts'
import { isPeriod, periodFields, wrongPeriod } from '../kit/months.ts'
import { DISTANCE_BASES, EMISSION_GAPS } from './emission.ts'
import { FUELS, VEHICLE_CLASSES } from './factor.ts'

/** What the CO₂e report is grouped by. */
export const EMISSION_GROUPS = ['customer', 'month'] as const
export type EmissionGroup = (typeof EMISSION_GROUPS)[number]

/** More rows than a screen shows are summed up as one. */
export const MOST_EMISSION_ROWS = 100

const count = z.number().int()
const figures = {
  /** thousandths of a tonne-kilometre */
  kgKm: count,
  wttGrams: count,
  ttwGrams: count,
}

const gaps = z.array(z.enum(EMISSION_GAPS))

/** A transport chain element: goods of one customer on one leg. */
const Element = z.object({
  customer: reference,
  /** null: no route yet */
  routeNumber: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  weightKg: z.number().nullable(),
  distanceKm: z.number().nullable(),
  distanceBasis: z.enum(DISTANCE_BASES).nullable(),
  isDistanceEstimated: z.boolean(),
  isVehicleAssumed: z.boolean(),
  factor: z
    .object({
      id,
      title: z.string(),
      validFrom: z.string(),
      vehicleClass: z.enum(VEHICLE_CLASSES),
      fuel: z.enum(FUELS),
      wellToTank: z.number(),
      tankToWheel: z.number(),
      emptyBp: z.number().int().nullable(),
      source: z.string(),
    })
    .nullable(),
  figures: z.object(figures).nullable(),
  gaps,
})

export const OrderEmission = z.object({
  /** false: canceled, and in no report */
  isCounted: z.boolean(),
  /** its goods travel with a merge: the legs are those of its result */
  isMerged: z.boolean(),
  day: z.string().nullable(),
  ...figures,
  isComplete: z.boolean(),
  isUnknown: z.boolean(),
  gaps,
  elements: z.array(Element),
})
export type OrderEmission = z.output<typeof OrderEmission>

export const getOrderEmission = endpoint({
  method: 'GET',
  path: '/orders/:id/emission',
  access: ORDER_ACCESS,
  summary: 'CO₂e of an order, leg by leg, with the factors that count and what is missing',
  params: z.strictObject({ id: idText }),
  reply: OrderEmission,
})

const narrowing = {
  by: z.enum(EMISSION_GROUPS),
  ...periodFields,
  departmentId: queryIds.optional(),
  customer: idText.optional(),
}
const Sum = z.object({
  orders: count,
  /** those of which nothing is missing */
  complete: count,
  ...figures,
})

const EmissionReport = z.object({
  rows: z.array(
    Sum.extend({
      key: z.string(),
      /** null: the key says it */
      title: z.string().nullable(),
    }),
  ),
  /** what stands in no row of its own */
  others: Sum.extend({ count }).nullable(),
  sum: Sum,
  /** the customer that is looked at */
  customer: reference.nullable(),
  /** orders that were changed and are not worked out again yet; what they were before counts */
  waiting: count,
})
export type EmissionReport = z.output<typeof EmissionReport>
export type EmissionReportRow = EmissionReport['rows'][number]

const ACCESS = can('ORDERS_MANAGEMENT')

/**
 * Tonne-kilometres and CO₂e of orders by their last unloading, without what was canceled; of a merge each customer has
 * the own goods. What is missing is not guessed: `complete` says how many orders are whole.
 */
export const getEmissionReport = endpoint({
  method: 'GET',
  path: '/reports/emission',
  access: ACCESS,
  summary: 'CO₂e by customer or month',
  query: z.strictObject(narrowing).refine(isPeriod, wrongPeriod),
  reply: EmissionReport,
})

export const exportEmissionReport = endpoint({
  method: 'GET',
  path: '/reports/emission/export',
  access: ACCESS,
  summary: 'The same as a file',
  query: z
    .strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') })
    .refine(isPeriod, wrongPeriod),
  shape: 'file',
})

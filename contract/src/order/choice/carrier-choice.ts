import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { id, idText, text } from '../../kit/fields.ts'
import { ORDER_ACCESS } from '../../permissions.ts'
import { CarrierPapers, ClearanceReason } from '../clearance/clearance.ts'
import { PLACE_REASONS } from './ranking.ts'

/** As many as are listed. */
export const MOST_CHOICES = 60
/** Prices of orders that the caller may see, the newest. */
export const MOST_PRICES = 5

const cents = z.number().int()

/** A trip of an order that the caller may see. */
const LanePrice = z.object({
  orderId: id,
  /** of the route */
  number: z.string(),
  at: z.string(),
  priceCents: cents.nullable(),
  perKmCents: cents.nullable(),
})

const LaneEnd = z.object({ countryCode: z.string(), area: z.string(), city: z.string().nullable() })

/** A carrier that could drive a route. Orders that the caller may not see count in sums and averages alone. */
export const CarrierChoice = z.object({
  id,
  title: z.string(),
  countryCode: z.string(),
  city: z.string().nullable(),
  phone: z.string().nullable(),
  /** where a request for its price goes; null: nobody of it has an address */
  email: z.string().nullable(),
  warnings: z.string().nullable(),
  why: z.enum(PLACE_REASONS),
  trips: z.number().int(),
  /** of orders that the caller may see, the newest first */
  prices: z.array(LanePrice),
  /** null: no trip with a price, or too few of orders that the caller may not see */
  averageCents: cents.nullable(),
  averagePerKmCents: cents.nullable(),
  /** what its place goes by: its last price, else its average one */
  priceCents: cents.nullable(),
  /** unloadings of its last routes, on all lanes */
  onTime: z.object({ inTime: z.number().int(), measured: z.number().int() }),
  /** orders among these with a deviation that the carrier caused */
  deviations: z.number().int(),
  /** invoices of the last twelve months that were put in progress because something was wrong */
  problemInvoices: z.number().int(),
  vehicleTypes: z.array(z.string()),
  /** its last unloading before the pick-up, of an order that the caller may see */
  before: z
    .object({
      countryCode: z.string(),
      city: z.string().nullable(),
      at: z.string(),
      /** estimated, by road; null where nobody knows where one of the two is */
      km: z.number().int().nullable(),
    })
    .nullable(),
  isCleared: z.boolean(),
  reasons: z.array(ClearanceReason),
  papers: CarrierPapers,
})
export type CarrierChoice = z.output<typeof CarrierChoice>

export const CarrierChoices = z.object({
  /** null: an end of the route has no postal area, so that nobody is found by the lane */
  lane: z.object({ from: LaneEnd, to: LaneEnd }).nullable(),
  distanceKm: z.number().nullable(),
  /** until when papers must hold, and for how much */
  lastDay: z.string(),
  neededCents: cents,
  /** what the customer pays for the route, with extras; null where that is not said of it */
  revenueCents: cents.nullable(),
  /** what extras of the route cost beside the freight */
  extrasCostCents: cents,
  marginWarningBp: z.number().int(),
  /** the most it may cost without a low margin */
  limitCents: cents.nullable(),
  items: z.array(CarrierChoice),
})
export type CarrierChoices = z.output<typeof CarrierChoices>

const ofRoute = z.strictObject({ id: idText, routeId: idText })

/**
 * Carriers for a route as it is saved, the one that is named first before the others: who drove its lane, and who
 * unloads near its pick-up before it; with `q` those of that name instead. Error: `not_found`, for the order and for
 * the route.
 */
export const listCarrierChoices = endpoint({
  method: 'GET',
  path: '/orders/:id/routes/:routeId/carriers',
  access: ORDER_ACCESS,
  summary: 'Carriers that could drive a route, in an order that can be read',
  params: ofRoute,
  query: z.strictObject({ q: text(200).optional() }),
  reply: CarrierChoices,
})

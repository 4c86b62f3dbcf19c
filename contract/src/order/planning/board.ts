import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { countryCode, id, idText, localDate, reference, timeZone } from '../../kit/fields.ts'
import { EXPORT_FORMATS, queryIds } from '../../kit/paging.ts'
import { ORDER_ACCESS } from '../../permissions.ts'
import { CarrierPapers, ClearanceReason } from '../clearance/clearance.ts'
import { Delay } from '../order.ts'
import { DISPOSITIONS, ORDER_STATUSES } from '../status.ts'

/** Days that the board shows at once. */
export const BOARD_SPANS = [1, 7, 14] as const
export type BoardSpan = (typeof BOARD_SPANS)[number]

/** More bars, and more orders that wait, are cut off: `isCut` says so. */
export const MOST_BARS = 2000
export const MOST_WAITING = 500

const moment = z.string().nullable()

/** A stop as the board shows it. Instants are RFC 3339. */
export const BoardStop = z.object({
  id,
  isLoading: z.boolean(),
  isUnloading: z.boolean(),
  city: z.string().nullable(),
  countryCode,
  timeZone: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** the customer's termin */
  startAt: moment,
  endAt: moment,
  plannedAt: moment,
  arrivedAt: moment,
  /** loaded or unloaded there */
  doneAt: moment,
  /** loading metres and kilograms that come on here, and that go off */
  ldmOn: z.number(),
  ldmOff: z.number(),
  kgOn: z.number(),
  kgOff: z.number(),
})
export type BoardStop = z.output<typeof BoardStop>

const boardOrder = {
  orderId: id,
  version: z.number().int(),
  customer: reference,
  departmentId: id,
  disposition: z.enum(DISPOSITIONS).nullable(),
  customerPriceCents: z.number().int().nullable(),
  stops: z.array(BoardStop),
  /** what it asks of a carrier's papers by the customer's termins, whenever it is planned */
  asks: z.object({ lastDay: z.string(), neededCents: z.number().int() }),
}

/** What carriers have answered so far to the request for prices that is open for a route. */
export const BoardPrices = z.object({
  asked: z.number().int(),
  priced: z.number().int(),
  declined: z.number().int(),
  /** the lowest price; null as long as there is none */
  bestCents: z.number().int().nullable(),
  /** what it may cost at most */
  limitCents: z.number().int().nullable(),
})
export type BoardPrices = z.output<typeof BoardPrices>

/**
 * What hangs on a route and does not come back when an act is undone: the answers to requests for prices and releases
 * go with the route; links to hand in papers and drivers' links end as soon as nobody is on it; a request that is open
 * ends as soon as somebody is.
 */
export const ATTACHED = ['prices', 'release', 'uploadLink', 'driverLink', 'openPrices'] as const
export type Attached = (typeof ATTACHED)[number]

/** Taking a route away, taking off who is on it, or giving it to somebody. */
export type EndingAct = 'remove' | 'release' | 'give'

/** What an act on a route ends for good. */
export function endedBy(act: EndingAct, attached: readonly Attached[]): Attached[] {
  const ended: Record<EndingAct, readonly Attached[]> = {
    remove: ['prices', 'release', 'uploadLink', 'driverLink'],
    release: ['uploadLink', 'driverLink'],
    give: ['openPrices'],
  }
  return attached.filter((one) => ended[act].includes(one))
}

/** A route on the board. */
export const BoardBar = z.object({
  ...boardOrder,
  routeId: id,
  /** the route's: `26-04817/1` */
  number: z.string(),
  /** true: the order has no other route */
  isOnly: z.boolean(),
  status: z.enum(ORDER_STATUSES),
  delay: Delay.nullable(),
  marginBp: z.number().int().nullable(),
  incomeCents: z.number().int().nullable(),
  distanceKm: z.number().nullable(),
  ownFleet: z.boolean(),
  carrierCompany: reference.nullable(),
  plateNumber: z.string().nullable(),
  driverIds: z.array(id),
  /** of the drivers, or what was typed in their place */
  driverNames: z.string().nullable(),
  vehicleTypeId: id.nullable(),
  /** how its carrier stands, as the order says it; null without a carrier, and of what is unloaded */
  clearance: z.object({ isCleared: z.boolean(), reasons: z.array(ClearanceReason) }).nullable(),
  /** null: nobody is asked for a price */
  prices: BoardPrices.nullable(),
  attached: z.array(z.enum(ATTACHED)),
})
export type BoardBar = z.output<typeof BoardBar>

/** An order that has no route yet. */
export const WaitingCard = z.object({
  ...boardOrder,
  number: z.string(),
  firstLoadingAt: moment,
  vehicleType: reference.nullable(),
})
export type WaitingCard = z.output<typeof WaitingCard>

/** A vehicle that has a row. */
export const BoardVehicle = z.object({
  id,
  plate: z.string(),
  kind: z.enum(['truck', 'carrier']),
  carrierCompany: reference.nullable(),
  vehicleType: reference.nullable(),
  driver: reference.nullable(),
  ldm: z.number().nullable(),
  payloadKg: z.number().nullable(),
  nextInspectionOn: z.string().nullable(),
})
export type BoardVehicle = z.output<typeof BoardVehicle>

/** A carrier of the routes or trucks in view, with what bounds its use. */
export const BoardCarrier = z.object({
  id,
  /** who gets its mails: the first on its record, as in the order's form */
  contact: z.object({ fullName: z.string(), phone: z.string().nullable(), email: z.string().nullable() }).nullable(),
  /** what is on file of it, for an order that it does not drive for yet */
  papers: CarrierPapers,
})
export type BoardCarrier = z.output<typeof BoardCarrier>

/** When a vehicle is on the road for an order that the caller may not know of. */
export const BusySpan = z.object({ vehicleId: id, startAt: z.string(), endAt: z.string() })
export type BusySpan = z.output<typeof BusySpan>

/**
 * The routes of some days, from `from` on, in the zone of the company whose department is asked for, else of the
 * caller's; with the vehicles that drive them and the orders that have no route yet. What came late and is still under
 * way stands on the board too, whenever it was planned.
 */
export const getBoard = endpoint({
  method: 'GET',
  path: '/planning',
  access: ORDER_ACCESS,
  summary: 'The planning board: routes, vehicles, and orders without a route',
  query: z.strictObject({
    from: localDate,
    days: z
      .enum(['1', '7', '14'])
      .default('7')
      .transform((days) => Number(days) as BoardSpan),
    departmentId: queryIds.optional(),
  }),
  reply: z.object({
    timeZone: z.string(),
    startAt: z.string(),
    endAt: z.string(),
    bars: z.array(BoardBar),
    waiting: z.array(WaitingCard),
    vehicles: z.array(BoardVehicle),
    carriers: z.array(BoardCarrier),
    busy: z.array(BusySpan),
    /** true: there are more bars or orders than are shown */
    isCut: z.boolean(),
  }),
})
export type Board = z.output<typeof getBoard.reply>

/** What hangs on a route by now: it may be more than when the board was read. Error: `not_found`. */
export const getAttached = endpoint({
  method: 'GET',
  path: '/planning/routes/:id/attached',
  access: ORDER_ACCESS,
  summary: 'What ends for good with an act on a route',
  params: z.strictObject({ id: idText }),
  reply: z.object({ attached: z.array(z.enum(ATTACHED)) }),
})

/**
 * What is for sale and nobody drives yet, as a file for exchanges of freight: places, times, load and vehicle. It holds
 * no customer, no street and no price.
 */
export const exportForSale = endpoint({
  method: 'GET',
  path: '/planning/for-sale/export',
  access: ORDER_ACCESS,
  summary: 'What is for sale, as a file for exchanges of freight',
  query: z.strictObject({
    departmentId: queryIds.optional(),
    format: z.enum(EXPORT_FORMATS),
    timeZone: timeZone.default('UTC'),
  }),
  shape: 'file',
})

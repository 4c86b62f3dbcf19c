import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  coded,
  countryCode,
  id,
  idText,
  instant,
  language,
  line,
  localDate,
  optionalText,
  reference,
} from '../kit/fields.ts'
import { can, ORDER_ACCESS } from '../permissions.ts'
import { ExchangedPieces, KeptPieces, MOST_EXCHANGED_TYPES } from '../pieces/pieces.ts'

/** Times of a stop that a driver tells. */
export const TIMES_TOLD = ['arrived', 'loaded', 'unloaded'] as const
export type TimeTold = (typeof TIMES_TOLD)[number]

/** What a driver writes down at a stop. */
export const WORDS_TOLD = ['remark', 'damage'] as const

/** Load carriers that were left at a stop and taken along from there; told again it takes the place of the last. */
export const EXCHANGE_TOLD = 'loadCarriers'

/** What a driver sends a picture of: papers, pallets, damage, and the signature of who received the goods. */
export const PICTURES_TOLD = ['cmr', 'pallets', 'damagePicture', 'signature'] as const
export type PictureTold = (typeof PICTURES_TOLD)[number]

export const REPORT_KINDS = [...TIMES_TOLD, ...WORDS_TOLD, EXCHANGE_TOLD, ...PICTURES_TOLD] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

export const isTimeTold = (kind: ReportKind): kind is TimeTold => TIMES_TOLD.some((one) => one === kind)
export const isPictureTold = (kind: ReportKind): kind is PictureTold => PICTURES_TOLD.some((one) => one === kind)

/** A link ends so many days after the last stop of its route, one of a truck after the last of its days. */
export const DRIVER_LINK_DAYS = 7

/** A truck's link shows so many days: the one that it was made for, and those after it. */
export const TRUCK_LINK_DAYS = 2

/** Reports of one route, pictures among them. */
export const MOST_REPORTS = 200

/** What the telephone calls a report: by it the same one, sent again, is known. */
const reportKey = z.string().regex(/^[0-9a-f]{32}$/, coded('invalid_value'))

/** Where the telephone was; told only where the driver wants it so. */
const Position = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracyM: z.number().int().min(0).max(100_000),
})
export type Position = z.output<typeof Position>

/** What was exchanged at a stop; without lines nothing was. */
const ToldExchange = z.strictObject({
  /** of the pallet note */
  noteNumber: optionalText(50),
  lines: z.array(ExchangedPieces).max(MOST_EXCHANGED_TYPES),
})
export type ToldExchange = z.output<typeof ToldExchange>

/** When a stop is due, as it is typed in the order: local dates and times at the stop. */
const DrivenTermin = z.object({
  kind: z.enum(['before', 'fix', 'period']),
  dateFrom: z.string(),
  timeFrom: z.string().nullable(),
  dateTo: z.string().nullable(),
  timeTo: z.string().nullable(),
})

/** Goods as far as who carries them must know them. */
const DrivenGoods = z.object({
  action: z.enum(['PICK_UP', 'DROP_OFF']),
  title: z.string().nullable(),
  quantity: z.number(),
  unit: z.string().nullable(),
  packages: z.number().nullable(),
  weightKg: z.number().nullable(),
  ldm: z.number().nullable(),
  marks: z.string().nullable(),
  instructions: z.string().nullable(),
  temperatureFrom: z.number().nullable(),
  temperatureTo: z.number().nullable(),
  adr: z.object({ unNumber: z.string(), adrClass: z.string() }).nullable(),
})
export type DrivenGoods = z.output<typeof DrivenGoods>

const DrivenStop = z.object({
  id,
  /** of its route */
  number: z.string(),
  kind: z.enum(['loading', 'unloading', 'both', 'customs', 'other']),
  companyTitle: z.string().nullable(),
  address: z.string().nullable(),
  postal: z.string().nullable(),
  city: z.string().nullable(),
  countryCode,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  timeZone: z.string(),
  termin: DrivenTermin.nullable(),
  plannedAt: z.string().nullable(),
  reference: z.string().nullable(),
  contactPerson: z.string().nullable(),
  phone: z.string().nullable(),
  notes: z.array(z.string()),
  goods: z.array(DrivenGoods),
  /** as they stand in the order, told by anybody */
  arrivedAt: z.string().nullable(),
  loadedAt: z.string().nullable(),
  unloadedAt: z.string().nullable(),
  /** what was told by links of this route, the oldest first */
  told: z.array(
    z.object({
      key: z.string(),
      kind: z.enum(REPORT_KINDS),
      at: z.string(),
      /** of `loadCarriers` */
      exchange: z.object({ noteNumber: z.string().nullable(), lines: z.array(KeptPieces) }).nullable(),
    }),
  ),
})
export type DrivenStop = z.output<typeof DrivenStop>

/** What a driver must know of a route, or of all routes of a truck in two days, and no more (decision 109). */
export const DriverPage = z.object({
  /** of the carrier; of our own drivers that of our company's country */
  language,
  /** of the route; of a truck its plate */
  number: z.string(),
  plateNumber: z.string().nullable(),
  /** the first of the days of a truck's link; null: the link is of one route */
  day: z.string().nullable(),
  isCanceled: z.boolean(),
  stops: z.array(DrivenStop),
  /** the types of load carriers that can be told */
  loadCarrierTypes: z.array(reference),
  contact: z.object({ name: z.string().nullable(), phone: z.string().nullable() }),
  company: z.object({ title: z.string(), phone: z.string().nullable() }),
  /** when this was told: a telephone whose clock is wrong can tell by it */
  at: z.string(),
  endsAt: z.string(),
})
export type DriverPage = z.output<typeof DriverPage>

// Any text is one answer: what cannot be a token is told apart by nothing.
const byToken = z.strictObject({ token: z.string().max(500) })

/**
 * What a driver's link shows. Changes nothing. Unknown, changed, revoked and ended links, those of another
 * installation, of a route that somebody else drives by now, of one that is gone, and of a truck that is no longer ours
 * are one `not_found`.
 */
export const getDriverPage = endpoint({
  method: 'GET',
  path: '/drive/:token',
  access: 'public',
  summary: 'What a driver’s link shows',
  params: byToken,
  reply: DriverPage,
})

export const DriverReport = z
  .strictObject({
    key: reportKey,
    stopId: id,
    kind: z.enum([...TIMES_TOLD, ...WORDS_TOLD, EXCHANGE_TOLD]),
    at: instant,
    position: Position.nullable().default(null),
    text: optionalText(1000),
    exchange: ToldExchange.nullable().default(null),
  })
  .refine(({ kind, text }) => !WORDS_TOLD.some((one) => one === kind) || text !== null, {
    path: ['text'],
    ...coded('required'),
  })
  .refine(({ kind, exchange }) => kind !== EXCHANGE_TOLD || exchange !== null, {
    path: ['exchange'],
    ...coded('required'),
  })
  .refine(({ kind, exchange }) => kind === EXCHANGE_TOLD || exchange === null, {
    path: ['exchange'],
    ...coded('invalid_value'),
  })
export type DriverReport = z.output<typeof DriverReport>

/**
 * Takes what a driver tells of a stop, once: the same key again is answered as the first time. Errors: `conflict` with
 * `transport_canceled`, and for a key that was something else; `unknown_reference` at `stopId`; at `kind`
 * `invalid_value` where nothing is loaded or unloaded there, `already_told`, `step_back`; at `at` `in_the_future`,
 * `long_before_order`, `before_arrival`; `too_many` at `key` beyond MOST_REPORTS; at `exchange.lines.<n>.typeId`
 * `unknown_reference`, and `taken` for a type twice.
 */
export const tellReport = endpoint({
  method: 'POST',
  path: '/drive/:token/reports',
  access: 'public',
  summary: 'Tell a time, a remark, damage or load carriers of a stop through a driver’s link',
  params: byToken,
  body: DriverReport,
  reply: DriverPage,
})

export const DriverPicture = z
  .strictObject({
    key: reportKey,
    stopId: idText,
    kind: z.enum(PICTURES_TOLD),
    at: instant,
    /** who received the goods, beside the signature */
    signedBy: line(150).optional(),
  })
  .refine(({ kind, signedBy }) => kind !== 'signature' || signedBy !== undefined, {
    path: ['signedBy'],
    ...coded('required'),
  })
export type DriverPicture = z.output<typeof DriverPicture>

/**
 * Takes a picture of a stop, once. Errors: those of `tellReport`; `file_too_large`, `file_type_not_allowed`,
 * `file_infected`; at `file` why a picture is not taken.
 */
export const tellPicture = endpoint({
  method: 'POST',
  path: '/drive/:token/files',
  access: 'public',
  summary: 'Send a picture or a signature of a stop through a driver’s link (multipart: file, key, stopId, kind, at)',
  params: byToken,
  body: DriverPicture,
  reply: DriverPage,
  shape: 'multipart',
})

// ---------------------------------------------------------------- for staff

/** The driver's link of a route, and what came by it. */
export const RouteDriverLink = z.object({
  /** null: there is none, or the last one is over */
  link: z.object({ id, url: z.string(), createdAt: z.string(), endsAt: z.string() }).nullable(),
  /** somebody drives the route, so that there is whom to give a link to */
  isDriven: z.boolean(),
  /** the oldest first */
  reports: z.array(
    z.object({
      id,
      /** the stop as it was called; it may be gone */
      stopId: id,
      kind: z.enum(REPORT_KINDS),
      at: z.string(),
      receivedAt: z.string(),
      position: Position.nullable(),
      text: z.string().nullable(),
      signedBy: z.string().nullable(),
      document: z.object({ id, title: z.string(), contentType: z.string() }).nullable(),
      /** of `loadCarriers`, by the titles of the types */
      exchange: z
        .object({
          noteNumber: z.string().nullable(),
          lines: z.array(KeptPieces.omit({ typeId: true }).extend({ type: z.string() })),
        })
        .nullable(),
      /** of a time: it became that of the stop, where none stood there; of load carriers: those of the stop */
      isWritten: z.boolean(),
    }),
  ),
})
export type RouteDriverLink = z.output<typeof RouteDriverLink>
export type DriverReportView = RouteDriverLink['reports'][number]

const ofRoute = z.strictObject({ id: idText })

/** Rights of all three: those of the order. */
export const getRouteDriverLink = endpoint({
  method: 'GET',
  path: '/routes/:id/driver-link',
  access: ORDER_ACCESS,
  summary: 'The driver’s link of a route, and what the driver told by it',
  params: ofRoute,
  reply: RouteDriverLink,
})

/**
 * Makes a link; the one before stops working. `linkId` is the one that the caller saw, null for none. The version is
 * the order's. Errors: `stale_version`, `conflict` where another link is there by now, `assignment_missing`.
 */
export const renewRouteDriverLink = endpoint({
  method: 'POST',
  path: '/routes/:id/driver-link',
  access: ORDER_ACCESS,
  summary: 'Make the driver’s link of a route anew',
  params: ofRoute,
  body: z.strictObject({ linkId: id.nullable() }),
  reply: RouteDriverLink,
  needsVersion: true,
})

/** The link stops working at once. The version is the order's. Errors: `stale_version`, `not_found` without a link. */
export const revokeRouteDriverLink = endpoint({
  method: 'DELETE',
  path: '/routes/:id/driver-link',
  access: ORDER_ACCESS,
  summary: 'Revoke the driver’s link of a route',
  params: ofRoute,
  needsVersion: true,
})

/** The link of one of our own trucks for some days, by which its driver sees whatever it drives then. */
export const TruckLink = z.object({
  /** null: there is none, or the last one is over */
  link: z.object({ id, url: z.string(), createdAt: z.string(), endsAt: z.string() }).nullable(),
  plate: z.string(),
  /** the routes of these days, in the order in which they begin; more that are planned by then are shown as well */
  routes: z.array(z.object({ orderId: id, number: z.string(), places: z.array(z.string()) })),
})
export type TruckLink = z.output<typeof TruckLink>

const ofTruck = z.strictObject({ id: idText, day: localDate })

// Who has a truck's link sees the stops of all that it drives: not a matter of assigned orders alone.
const TRUCK_LINK_ACCESS = can('ORDERS_MANAGEMENT')

/** Error of all three: `not_found` for what is no active truck of ours. */
export const getTruckLink = endpoint({
  method: 'GET',
  path: '/vehicles/:id/driver-links/:day',
  access: TRUCK_LINK_ACCESS,
  summary: 'The driver’s link of one of our trucks from a day on, and what it drives then',
  params: ofTruck,
  reply: TruckLink,
})

/**
 * Makes a link; the one before stops working. `linkId` is the one that the caller saw, null for none. Errors:
 * `conflict` where another link is there by now; `in_the_past` at `day` where it would be over already.
 */
export const renewTruckLink = endpoint({
  method: 'POST',
  path: '/vehicles/:id/driver-links/:day',
  access: TRUCK_LINK_ACCESS,
  summary: 'Make the driver’s link of one of our trucks from a day on',
  params: ofTruck,
  body: z.strictObject({ linkId: id.nullable() }),
  reply: TruckLink,
})

/** The link stops working at once. Error: `not_found` without a link. */
export const revokeTruckLink = endpoint({
  method: 'DELETE',
  path: '/vehicles/:id/driver-links/:day',
  access: TRUCK_LINK_ACCESS,
  summary: 'Revoke the driver’s link of one of our trucks',
  params: ofTruck,
})

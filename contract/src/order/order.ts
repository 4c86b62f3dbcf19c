import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  coded,
  countryCode,
  decimal,
  id,
  idText,
  instant,
  optionalEmail,
  optionalPhone,
  optionalText,
  periodDays,
  positiveCents,
  reference,
  state,
  STATES,
  text,
  timeZone,
  vatBp,
} from '../kit/fields.ts'
import { isNumberBeginning, queryBoolean, queryEnum, queryIds, queryRange } from '../kit/paging.ts'
import { resource } from '../kit/resource.ts'
import { RouteClearance } from './clearance/clearance.ts'
import { ORDER_ACCESS } from '../permissions.ts'
import { UNMERGE_OBSTACLES } from './merge.ts'
import { POD_AGES, POD_STATES } from './papers/pod.ts'
import { DEVIATIONS, DISPOSITIONS, ORDER_STATUSES } from './status.ts'
import { STOP_TIMES } from './stop-times.ts'
import { termin } from './termin/termin.ts'

/** A name by which other parts of the same body refer to a child that has no id yet (api, One record). */
const key = z.string().min(1).max(60).optional()
const moment = instant.nullable().default(null)
const optionalId = id.nullable().default(null)
const optionalCents = positiveCents.nullable().default(null)

/** One line of cargo (spec §3; domain, Cargo). `weightKg` is the line's. Marked *calculated* until typed over. */
export const CargoWrite = z.strictObject({
  id: id.optional(),
  key,
  customerId: optionalId,
  title: optionalText(500),
  cargoTypeId: optionalId,
  unitTypeId: optionalId,
  quantity: decimal(1_000_000).default(1),
  packages: z.number().int().min(0).max(1_000_000).nullable().default(null),
  lengthCm: decimal(10_000).nullable().default(null),
  widthCm: decimal(10_000).nullable().default(null),
  heightCm: decimal(10_000).nullable().default(null),
  stackingFactor: z.number().int().min(1).max(20).default(1),
  weightKg: decimal(1_000_000).nullable().default(null),
  volumeM3: decimal(100_000).nullable().default(null),
  /**
   * true: by the dimensions, whatever was sent; left out: true unless a value is sent that the dimensions do not give
   */
  isVolumeCalculated: z.boolean().nullable().default(null),
  ldm: decimal(10_000).nullable().default(null),
  isLdmCalculated: z.boolean().nullable().default(null),
  valueCents: optionalCents,
  specialHandlingTypeIds: z.array(id).max(50).default([]),
  instructions: optionalText(2000),
  temperatureFrom: decimal(100, -100).nullable().default(null),
  temperatureTo: decimal(100, -100).nullable().default(null),
  marks: optionalText(500),
  adr: z
    .strictObject({ unNumber: z.string().regex(/^\d{4}$/), adrClass: text(10) })
    .nullable()
    .default(null),
})

export const LOCATION_KINDS = ['loading', 'unloading', 'customs', 'other'] as const
export const CARGO_ACTIONS = ['PICK_UP', 'DROP_OFF'] as const

const cargoAction = z
  .strictObject({ cargoId: id.optional(), cargoKey: key, action: z.enum(CARGO_ACTIONS) })
  .refine((value) => (value.cargoId === undefined) !== (value.cargoKey === undefined), coded('required'))

/** A stop. Times happen here (domain, Location). */
export const LocationWrite = z.strictObject({
  id: id.optional(),
  key,
  /** its place among the stops; left out, or as it was read, the place in the array decides */
  position: z.number().int().min(0).max(1000).optional(),
  kind: z.enum(LOCATION_KINDS),
  termin: termin.nullable().default(null),
  /** left out: the country's */
  timeZone: timeZone.nullable().default(null),
  companyTitle: optionalText(250),
  address: optionalText(250),
  countryId: id,
  postal: optionalText(20),
  city: optionalText(100),
  latitude: z.number().min(-90).max(90).nullable().default(null),
  longitude: z.number().min(-180).max(180).nullable().default(null),
  contactPerson: optionalText(150),
  phone: optionalPhone,
  reference: optionalText(100),
  comment: optionalText(2000),
  specialInstructions: optionalText(2000),
  cargoActions: z.array(cargoAction).max(500).default([]),
  customerPriceCents: optionalCents,
  carrierPriceCents: optionalCents,
  /** why it is reached late; customers read it on their tracking page and in the mail about a delay */
  delayReason: optionalText(300),
  plannedAt: moment,
  arrivedAt: moment,
  loadedAt: moment,
  unloadedAt: moment,
  canceledAt: moment,
})

/** Who drives a route: a carrier company or our own fleet, never both. Cost is net. */
export const AssignmentWrite = z.strictObject({
  carrierCompanyId: optionalId,
  ownFleet: z.boolean().default(false),
  driverIds: z.array(id).max(10).default([]),
  driverText: optionalText(250),
  plateNumber: optionalText(40),
  disponentName: optionalText(150),
  disponentPhone: optionalPhone,
  disponentEmail: optionalEmail,
  costCents: optionalCents,
  vatBp: vatBp.default(0),
  /** null: the carrier's */
  paymentPeriodDays: periodDays,
  vehicleTypeId: optionalId,
  signedBy: optionalText(150),
  extraData: optionalText(2000),
})

/**
 * A leg with its stops in order: by `locationIds`, or by `locationKeys` for stops that are new in the same body;
 * where both are used, the stops' own order decides.
 * An only route that names no stop takes all of them over.
 */
export const RouteWrite = z.strictObject({
  id: id.optional(),
  key,
  distanceKm: decimal(100_000).nullable().default(null),
  isDistanceEstimated: z.boolean().default(true),
  customerPriceCents: optionalCents,
  locationIds: z.array(id).max(200).default([]),
  locationKeys: z.array(z.string().min(1).max(60)).max(200).default([]),
  assignment: AssignmentWrite.nullable().default(null),
})

export const OrderWrite = z.strictObject({
  customerIds: z.array(id).min(1).max(50),
  contactPersonId: optionalId,
  billingCustomerId: optionalId,
  customerOrderNumber: optionalText(100),
  departmentId: id,
  caseWorkerId: optionalId,
  managerIds: z.array(id).max(50).default([]),
  invoiceText: optionalText(2000),
  description: optionalText(4000),
  internalComments: optionalText(10_000),
  originalMessage: optionalText(50_000),
  disposition: z.enum(DISPOSITIONS).nullable().default(null),
  deviations: z.array(z.enum(DEVIATIONS)).max(DEVIATIONS.length).default([]),
  customerPriceCents: optionalCents,
  customerVatBp: vatBp.nullable().default(null),
  paymentPeriodDays: periodDays,
  vehicleTypeId: optionalId,
  isLiftRequired: z.boolean().default(false),
  isTransshipmentForbidden: z.boolean().default(false),
  state,
  cargo: z.array(CargoWrite).max(500).default([]),
  locations: z.array(LocationWrite).max(100).default([]),
  routes: z.array(RouteWrite).max(30).default([]),
})
export type OrderWrite = z.output<typeof OrderWrite>
export type OrderInput = z.input<typeof OrderWrite>

const orderStatus = z.enum(ORDER_STATUSES)
const stateView = z.enum(['active', 'inactive'])

const CargoView = CargoWrite.omit({ key: true }).extend({
  id,
  isVolumeCalculated: z.boolean(),
  isLdmCalculated: z.boolean(),
  customer: reference.nullable(),
  unitType: reference.nullable(),
  cargoType: reference.nullable(),
  /** which order brought the line into a merge, where the caller may know of it */
  sourceOrder: reference.nullable(),
})

const LocationView = LocationWrite.omit({ key: true, cargoActions: true }).extend({
  id,
  position: z.number().int(),
  routeId: id.nullable(),
  timeZone: z.string(),
  country: reference,
  countryCode,
  cargoActions: z.array(z.object({ cargoId: id, action: z.enum(CARGO_ACTIONS) })),
})

const AssignmentView = AssignmentWrite.extend({
  id,
  carrierCompany: reference.nullable(),
  drivers: z.array(reference),
  vatCents: z.number().int().nullable(),
  totalCents: z.number().int().nullable(),
  plannedAt: z.string().nullable(),
  arrivedAt: z.string().nullable(),
  loadedAt: z.string().nullable(),
  unloadedAt: z.string().nullable(),
})

const RouteView = RouteWrite.omit({ key: true, locationKeys: true }).extend({
  id,
  number: z.string(),
  status: orderStatus,
  statusDates: z.partialRecord(orderStatus, z.string()),
  assignment: AssignmentView.nullable(),
})

/**
 * Delays are derived, never stored (domain, Order status). `days` counts started days; under one day `hours` is shown.
 */
export const Delay = z.object({
  kind: z.enum(['sending', 'delivery']),
  expectedAt: z.string(),
  days: z.number().int(),
  hours: z.number().int(),
})

/** One of the orders that a result carries: the billing unit (domain, Merge). */
const MergeSource = z.object({
  id,
  title: z.string(),
  customer: reference,
  customerPriceCents: z.number().int().nullable(),
})

export const Order = z.object({
  id,
  version: z.number().int(),
  number: z.string(),
  status: orderStatus,
  ...OrderWrite.omit({ cargo: true, locations: true, routes: true }).shape,
  state: stateView,
  customers: z.array(reference),
  contactPerson: reference.nullable(),
  billingCustomer: reference.nullable(),
  department: reference,
  caseWorker: reference.nullable(),
  managers: z.array(reference),
  vehicleType: reference.nullable(),
  creatorId: id.nullable(),
  creator: reference.nullable(),
  createdAt: z.string(),
  statusDates: z.partialRecord(orderStatus, z.string()),
  firstLoadingAt: z.string().nullable(),
  lastUnloadingAt: z.string().nullable(),
  delay: Delay.nullable(),
  /** of the freight; income and margin count approved extras too */
  carrierCostCents: z.number().int().nullable(),
  /** what approved extras come to, by route; null: of no route (decision 079) */
  approvedExtras: z.array(
    z.object({ routeId: id.nullable(), priceCents: z.number().int(), costCents: z.number().int() }),
  ),
  incomeCents: z.number().int().nullable(),
  marginBp: z.number().int().nullable(),
  /** below this the margin is low: what the company of the order's department has set */
  marginWarningBp: z.number().int(),
  mergedIntoId: id.nullable(),
  /** the result that carries this order, where the caller may know of it */
  mergedInto: reference.nullable(),
  /** made by merging; it stays so when the merge is undone */
  isMergeResult: z.boolean(),
  /** the orders that this one carries, as far as the caller may know of them */
  sources: z.array(MergeSource),
  /** null: nothing to unmerge; empty: it may be unmerged */
  unmergeObstacles: z.array(z.enum(UNMERGE_OBSTACLES)).nullable(),
  /** near the credit limit of who is billed, or over it; only while it is new, and without sums */
  credit: z.enum(['near', 'over']).nullable(),
  podWaiverReason: z.string().nullable(),
  /** each route that is not canceled has an accepted proof of delivery */
  hasPod: z.boolean(),
  /** how the proof of delivery of each route stands */
  pods: z.array(z.object({ routeId: id, state: z.enum(POD_STATES) })),
  /** how the carrier of each route stands that has one and is not unloaded (decision 098) */
  clearances: z.array(RouteClearance),
  /** until when the last status move can be undone without a reason */
  undoUntil: z.string().nullable(),
  cargo: z.array(CargoView),
  locations: z.array(LocationView),
  routes: z.array(RouteView),
})
export type Order = z.output<typeof Order>
export type OrderCargo = Order['cargo'][number]
export type OrderLocation = Order['locations'][number]
export type OrderRoute = Order['routes'][number]

/**
 * What time alone changes of an order, or a record of its own:
 * a document that came in, a mail, an entry of its history, an extra.
 */
export const CHANGING_BY_ITSELF = [
  'delay',
  'undoUntil',
  'credit',
  'hasPod',
  'pods',
  'clearances',
  'unmergeObstacles',
  'approvedExtras',
  'incomeCents',
  'marginBp',
] as const satisfies readonly (keyof Order)[]

/** A place as the list shows it: country code before the town. */
const listPlace = z.object({
  countryCode: z.string(),
  city: z.string().nullable(),
  at: z.string().nullable(),
  timeZone: z.string(),
})

export const OrderRow = z.object({
  id,
  version: z.number().int(),
  number: z.string(),
  status: orderStatus,
  state: stateView,
  customer: reference.nullable(),
  customerCount: z.number().int(),
  customerOrderNumber: z.string().nullable(),
  from: listPlace.nullable(),
  to: listPlace.nullable(),
  /** stops between the first loading and the last unloading */
  viaCount: z.number().int(),
  firstLoadingAt: z.string().nullable(),
  lastUnloadingAt: z.string().nullable(),
  department: reference,
  caseWorker: reference.nullable(),
  disposition: z.enum(DISPOSITIONS).nullable(),
  deviations: z.array(z.enum(DEVIATIONS)),
  delay: Delay.nullable(),
  customerPriceCents: z.number().int().nullable(),
  incomeCents: z.number().int().nullable(),
  marginBp: z.number().int().nullable(),
  marginWarningBp: z.number().int(),
  mergedIntoId: id.nullable(),
  isMergeResult: z.boolean(),
  hasRoute: z.boolean(),
  createdAt: z.string(),
})
export type OrderRow = z.output<typeof OrderRow>

const statusRanges = Object.fromEntries(ORDER_STATUSES.map((status) => [status, queryRange.optional()])) as Record<
  (typeof ORDER_STATUSES)[number],
  z.ZodOptional<typeof queryRange>
>

/**
 * How the list is sorted where nobody says: by the date that it is narrowed by, the latest first, because among many
 * thousand orders no index finds one date in the order of another; by number where the beginning of one is searched
 * for; else by creation.
 */
function orderOfList({ q, firstLoading, lastUnloading, statusDate }: Readonly<Record<string, unknown>>): string {
  if (firstLoading) return '-firstLoadingAt'
  if (lastUnloading) return '-lastUnloadingAt'
  const [status] = Object.keys(statusDate ?? {})
  if (status !== undefined) return `-statusDate.${status}`
  return typeof q === 'string' && isNumberBeginning(q) ? '-number' : '-createdAt'
}

/**
 * What may be wrong with the money of an order: no price, no cost, a margin below zero, one below the warning of its
 * company.
 */
export const MONEY_FAULTS = ['unpriced', 'uncosted', 'loss', 'low'] as const
export type MoneyFault = (typeof MONEY_FAULTS)[number]

export const orderApi = resource({
  path: 'orders',
  name: 'order',
  access: { read: ORDER_ACCESS, write: ORDER_ACCESS },
  write: OrderWrite,
  view: Order,
  changing: CHANGING_BY_ITSELF,
  row: OrderRow,
  filter: {
    /** these orders and no others: what somebody has chosen */
    id: queryIds.optional(),
    status: queryEnum(ORDER_STATUSES).optional(),
    departmentId: queryIds.optional(),
    customerId: queryIds.optional(),
    carrierCompanyId: queryIds.optional(),
    caseWorkerId: queryIds.optional(),
    managerId: queryIds.optional(),
    disposition: queryEnum(DISPOSITIONS).optional(),
    deviation: queryEnum(DEVIATIONS).optional(),
    delayed: queryBoolean.optional(),
    mine: queryBoolean.optional(),
    fromCountry: z.array(countryCode).max(50).optional(),
    toCountry: z.array(countryCode).max(50).optional(),
    /** how the town of the first pick-up, or of the last drop-off, begins; without regard to case and accents */
    fromTown: text(100).optional(),
    toTown: text(100).optional(),
    /** from which postal area to which, as `laneKeyOf` writes it */
    lane: text(40).optional(),
    /** what is wrong with its money, one of these */
    money: queryEnum(MONEY_FAULTS).optional(),
    /** one of its routes is unloaded, has no accepted proof of delivery, and has waited for it that long */
    openPod: queryEnum(POD_AGES).optional(),
    createdAt: queryRange.optional(),
    /** changed at that instant or later, in whatever way its history tells of */
    changedSince: instant.optional(),
    firstLoading: queryRange.optional(),
    lastUnloading: queryRange.optional(),
    statusDate: z.strictObject(statusRanges).partial().optional(),
  },
  /** `dueAt`: by when what the status waits for was expected; the longest delay stands first */
  sort: [
    'createdAt',
    'number',
    'status',
    'customer',
    'firstLoadingAt',
    'lastUnloadingAt',
    'customerPriceCents',
    'marginBp',
    'dueAt',
  ],
  defaultSort: orderOfList,
})

const byId = z.strictObject({ id: idText })

/** The status action on orders and routes (api, Resources): `at` is when it happened, now if left out. */
export const StatusMove = z.strictObject({
  to: orderStatus,
  reason: optionalText(2000),
  /** the reason stands in the mail to each carrier whose transport order is withdrawn by it */
  tellsCarrier: z.boolean().default(false),
  at: instant.optional(),
  stopTimes: z
    .array(
      z.strictObject({
        locationId: id,
        arrivedAt: instant.optional(),
        loadedAt: instant.optional(),
        unloadedAt: instant.optional(),
      }),
    )
    .max(100)
    .default([]),
  podWaiverReason: optionalText(2000),
})
export type StatusMove = z.output<typeof StatusMove>

export const moveOrder = endpoint({
  method: 'POST',
  path: '/orders/:id/status',
  access: ORDER_ACCESS,
  summary: 'Move an order, and with it all its routes that may move',
  params: byId,
  body: StatusMove,
  reply: Order,
  needsVersion: true,
})

export const undoOrderMove = endpoint({
  method: 'POST',
  path: '/orders/:id/status/undo',
  access: ORDER_ACCESS,
  summary: 'Take the last status move back within its eight seconds',
  params: byId,
  reply: Order,
  needsVersion: true,
})

export const moveRoute = endpoint({
  method: 'POST',
  path: '/routes/:id/status',
  access: ORDER_ACCESS,
  summary: 'Move one route of an order; the version is the order’s',
  params: byId,
  body: StatusMove,
  reply: Order,
  needsVersion: true,
})

/**
 * How many orders each status holds, under the same filters as the list;
 * like a list's total, no count goes beyond 10,000.
 */
export const countOrders = endpoint({
  method: 'GET',
  path: '/orders/counts',
  access: ORDER_ACCESS,
  summary: 'Orders by status',
  query: z.strictObject({
    mine: queryBoolean.optional(),
    departmentId: queryIds.optional(),
    state: z.enum(STATES).optional(),
  }),
  reply: z.object({
    byStatus: z.record(orderStatus, z.number().int()),
    mine: z.number().int(),
    open: z.number().int(),
    delayed: z.number().int(),
  }),
})

const {
  page: _page,
  cursor: _cursor,
  perPage: _perPage,
  sort: _sort,
  fields: _fields,
  ...narrowing
} = orderApi.list.query.shape

/**
 * How many orders a list would hold, under any of its filters; asked for apart from the rows, for views that are not
 * open. Like a list's total it is counted up to 10,000.
 */
export const countMatchingOrders = endpoint({
  method: 'GET',
  path: '/orders/count',
  access: ORDER_ACCESS,
  summary: 'How many orders these filters leave',
  query: z.strictObject(narrowing),
  reply: z.object({ total: z.number().int(), totalIsExact: z.boolean() }),
})

/** What a step back would take away at the stops of an order, or of one of its routes (decision 061). */
export const listTakenBack = endpoint({
  method: 'GET',
  path: '/orders/:id/status/taken-back',
  access: ORDER_ACCESS,
  summary: 'Which times a step back takes away',
  params: byId,
  query: z.strictObject({ to: orderStatus, routeId: idText.optional() }),
  reply: z.object({
    items: z.array(
      z.object({ locationId: id, field: z.enum(STOP_TIMES), at: z.string(), becomes: z.string().nullable() }),
    ),
  }),
})

/** Of up to 200 orders those that cannot go to a status, and what each is missing; the others are not in it. */
export const listObstacles = endpoint({
  method: 'GET',
  path: '/orders/obstacles',
  access: ORDER_ACCESS,
  summary: 'What keeps orders from a status',
  query: z.strictObject({ id: queryIds.min(1), to: orderStatus }),
  reply: z.object({ items: z.array(z.object({ id, needs: z.array(z.string()) })) }),
})

import type { FieldFault } from '@waybill/contract/kit/issues'
import { ldmOf, volumeOf } from '@waybill/contract/order/cargo'
import { OrderWrite, type Order } from '@waybill/contract/order/order'
import { planErrors } from '@waybill/contract/order/schedule'
import { isSame, newKey, writableOf } from '../../../kit/form/state/values.ts'

export type CargoValues = OrderWrite['cargo'][number]
export type RouteValues = OrderWrite['routes'][number]
export type AssignmentValues = NonNullable<RouteValues['assignment']>
export type CargoAction = 'PICK_UP' | 'DROP_OFF'

type Stop = OrderWrite['locations'][number]

/** What is done with a line at a stop; `isAssumed` until somebody has said so by hand. */
type Action = Stop['cargoActions'][number] & { isAssumed?: true }

/** A stop in the form: the country may still be open, and a time that could not be read stays as it was typed. */
export interface StopValues extends Omit<Stop, 'countryId' | 'position' | 'cargoActions'> {
  countryId: number | null
  terminText: string | null
  cargoActions: Action[]
}

/** An order in the form. */
export interface OrderValues extends Omit<OrderWrite, 'departmentId' | 'locations'> {
  departmentId: number | null
  locations: StopValues[]
}

/** A child that has an id, or a key before it is stored. */
export interface Child {
  id?: number | undefined
  key?: string | undefined
}

/** Names of objects that count as one field in changes and conflicts. */
export const ORDER_ATOMS = ['termin', 'adr'] as const

/** What of an order can be written, as the form holds it. */
export function orderValuesOf(view: Order): OrderValues {
  const { locations, routes, ...rest } = writableOf(OrderWrite, view)
  return {
    ...rest,
    locations: locations.map(({ position: _place, ...stop }) => ({ ...stop, terminText: null })),
    routes: routes.map((route) => ({ ...route, locationKeys: [] })),
  }
}

/** The values as the API takes them. */
export function orderBodyOf(values: OrderValues): object {
  return {
    ...values,
    locations: values.locations.map(({ terminText: _typed, ...stop }) => ({
      ...stop,
      cargoActions: stop.cargoActions.map(({ isAssumed: _assumed, ...action }) => action),
    })),
  }
}

/** A line of cargo that nobody has written in yet. */
export function emptyCargo(key: string = newKey()): CargoValues {
  return {
    key,
    customerId: null,
    title: null,
    cargoTypeId: null,
    unitTypeId: null,
    quantity: 1,
    packages: null,
    lengthCm: null,
    widthCm: null,
    heightCm: null,
    stackingFactor: 1,
    weightKg: null,
    volumeM3: null,
    isVolumeCalculated: true,
    ldm: null,
    isLdmCalculated: true,
    valueCents: null,
    specialHandlingTypeIds: [],
    instructions: null,
    temperatureFrom: null,
    temperatureTo: null,
    marks: null,
    adr: null,
  }
}

/** A stop that nobody has written in yet. */
export function emptyStop(
  kind: StopValues['kind'],
  countryId: number | null = null,
  key: string = newKey(),
): StopValues {
  return {
    key,
    kind,
    termin: null,
    terminText: null,
    timeZone: null,
    companyTitle: null,
    address: null,
    countryId,
    postal: null,
    city: null,
    latitude: null,
    longitude: null,
    contactPerson: null,
    phone: null,
    reference: null,
    comment: null,
    specialInstructions: null,
    cargoActions: [],
    customerPriceCents: null,
    carrierPriceCents: null,
    delayReason: null,
    plannedAt: null,
    arrivedAt: null,
    loadedAt: null,
    unloadedAt: null,
    canceledAt: null,
  }
}

export function emptyAssignment(): AssignmentValues {
  return {
    carrierCompanyId: null,
    ownFleet: false,
    ...NO_PEOPLE,
    ...NO_VEHICLE,
    costCents: null,
    vatBp: 0,
    paymentPeriodDays: null,
    vehicleTypeId: null,
    extraData: null,
  }
}

/** Whom the carrier sends and who is written to there: another carrier has others. */
export const NO_PEOPLE = { driverIds: [], disponentName: null, disponentPhone: null, disponentEmail: null }

/** What was typed of the truck and its driver, and who signed: of another carrier it would be wrong on every paper. */
export const NO_VEHICLE = { driverText: null, plateNumber: null, signedBy: null }

/** A new order: a pick-up, a drop-off and a line of cargo between them, all still to be written. */
export function emptyOrder({
  departmentId,
  caseWorkerId,
}: {
  departmentId: number | null
  caseWorkerId: number | null
}): OrderValues {
  const cargo = emptyCargo()
  const locations = withUsualActions([emptyStop('loading'), emptyStop('unloading')], cargo)
  return {
    customerIds: [],
    contactPersonId: null,
    billingCustomerId: null,
    customerOrderNumber: null,
    departmentId,
    caseWorkerId,
    managerIds: [],
    invoiceText: null,
    description: null,
    internalComments: null,
    originalMessage: null,
    disposition: null,
    deviations: [],
    customerPriceCents: null,
    customerVatBp: null,
    paymentPeriodDays: null,
    vehicleTypeId: null,
    isLiftRequired: false,
    isTransshipmentForbidden: false,
    state: 'active',
    cargo: [cargo],
    locations,
    routes: [],
  }
}

const BLANK_CARGO = { ...emptyCargo(''), customerId: null }
// Lines are never changed in place, and several parts of the page ask of each at every key.
const blank = new WeakMap<CargoValues, boolean>()

/** True for a line that says nothing: it is not saved. */
export function isBlankCargo(line: CargoValues): boolean {
  const isBlank = blank.get(line) ?? isSame({ ...line, id: undefined, key: '', customerId: null }, BLANK_CARGO)
  blank.set(line, isBlank)
  return isBlank && line.id === undefined
}

/** True for a stop that says nothing but its kind and country. */
export const isBlankStop = (stop: StopValues): boolean =>
  stop.id === undefined && isSame({ ...stop, key: '', cargoActions: [] }, emptyStop(stop.kind, stop.countryId, ''))

/**
 * Before a save: lines and stops that nobody wrote in go, and so does what referred to them; cargo belongs to the
 * first customer unless another is named.
 */
export function tidyOrder(values: OrderValues): OrderValues {
  const cargo = values.cargo
    .filter((line) => !isBlankCargo(line))
    .map((line) =>
      line.customerId === null && values.customerIds.length > 0
        ? { ...line, customerId: values.customerIds[0]! }
        : line,
    )
  const kept = values.locations.filter((stop) => !isBlankStop(stop))
  const locations = kept.map((stop) => ({
    ...stop,
    cargoActions: stop.cargoActions.filter((action) => cargo.some((line) => isActionOf(action, line))),
  }))
  return { ...values, cargo, locations, routes: values.routes.map((route) => withoutMissingStops(route, locations)) }
}

function withoutMissingStops(route: RouteValues, locations: readonly Child[]): RouteValues {
  return {
    ...route,
    locationIds: route.locationIds.filter((id) => locations.some((stop) => stop.id === id)),
    locationKeys: route.locationKeys.filter((key) => locations.some((stop) => stop.key === key)),
  }
}

/**
 * What the schema of a body cannot see: times that were not understood, and a plan that
 * drops cargo before it is picked up.
 */
export function checkOrder(values: OrderValues): FieldFault[] {
  const unread = values.locations.flatMap((stop, index) =>
    stop.terminText === null ? [] : [{ path: `locations.${index}.termin`, code: 'invalid_date' as const }],
  )
  const plan = planErrors(values.locations, values.cargo).map(({ path, code }) => ({ path: `locations.${path}`, code }))
  return [...unread, ...plan]
}

// Where cargo is picked up and dropped off

/** How an action names its line. */
const referTo = (line: Child): { cargoId: number } | { cargoKey: string } =>
  line.id === undefined ? { cargoKey: line.key ?? '' } : { cargoId: line.id }

const isActionOf = (action: Action, line: Child): boolean =>
  (action.cargoId !== undefined && action.cargoId === line.id) ||
  (action.cargoKey !== undefined && action.cargoKey === line.key)

/** What is done with which line, as one word: hundreds of lines are looked up at every key. */
const nameOfAction = ({ action, cargoId, cargoKey }: Pick<Action, 'action' | 'cargoId' | 'cargoKey'>): string =>
  cargoId === undefined ? `${action} key ${cargoKey}` : `${action} id ${cargoId}`

type OfLine<Found> = (line: Child, action: CargoAction) => Found

/** A look-up that remembers what it has found: lines are never changed in place, and a key is typed in one of them. */
function remembered<Found>(lookUp: OfLine<Found>): OfLine<Found> {
  const found = { PICK_UP: new WeakMap<Child, Found>(), DROP_OFF: new WeakMap<Child, Found>() }
  return (line, action) => {
    const before = found[action].get(line)
    if (before !== undefined) return before
    const now = lookUp(line, action)
    found[action].set(line, now)
    return now
  }
}

/**
 * Looks up the stop where a line is picked up or dropped off, by its place; -1 where there is none
 * yet. Made once for many lines.
 */
export function cargoPlaces(locations: readonly StopValues[]): OfLine<number> {
  const known = placesOf.get(locations)
  if (known !== undefined) return known
  const places = new Map<string, number>()
  locations.forEach(({ cargoActions }, index) => {
    for (const { action, cargoId, cargoKey } of cargoActions) {
      const name = nameOfAction({ action, cargoId, cargoKey })
      if (!places.has(name)) places.set(name, index)
    }
  })
  const placeOf = remembered(
    (line, action) =>
      (line.id === undefined ? undefined : places.get(nameOfAction({ action, cargoId: line.id }))) ??
      (line.key === undefined ? undefined : places.get(nameOfAction({ action, cargoKey: line.key }))) ??
      -1,
  )
  placesOf.set(locations, placeOf)
  return placeOf
}

// A key in a line of cargo leaves the stops as they are: several parts of the page look up two hundred lines each.
const placesOf = new WeakMap<readonly StopValues[], OfLine<number>>()
const alone = new WeakMap<StopValues, readonly StopValues[]>()
const asList = (stop: StopValues): readonly StopValues[] => {
  const list = alone.get(stop) ?? [stop]
  alone.set(stop, list)
  return list
}

/** The place of the stop where one line is picked up or dropped off; -1 where there is none yet. */
export const stopOfCargo = (locations: readonly StopValues[], line: Child, action: CargoAction): number =>
  cargoPlaces(locations)(line, action)

/** The lines picked up or dropped off at a stop. */
export function cargoAt(stop: StopValues, cargo: readonly CargoValues[], action: CargoAction): CargoValues[] {
  const placeOf = cargoPlaces(asList(stop))
  return cargo.filter((line) => placeOf(line, action) === 0)
}

/**
 * The stops with a line picked up or dropped off at another one (-1: nowhere). Stops that are not
 * touched stay the same objects.
 */
export const withAction = (
  locations: readonly StopValues[],
  line: Child,
  action: CargoAction,
  place: number,
): StopValues[] => withActionAt(locations, line, { action }, place)

function withActionAt(
  locations: readonly StopValues[],
  line: Child,
  how: Pick<Action, 'action' | 'isAssumed'>,
  place: number,
): StopValues[] {
  const isOurs = (one: Action) => one.action === how.action && isActionOf(one, line)
  return locations.map((stop, index) => {
    const here = stop.cargoActions.find(isOurs)
    const isAsWanted = index === place ? here !== undefined && here.isAssumed === how.isAssumed : here === undefined
    if (isAsWanted) return stop
    const others = stop.cargoActions.filter((one) => !isOurs(one))
    return { ...stop, cargoActions: index === place ? [...others, { ...referTo(line), ...how }] : others }
  })
}

/** The kind of stop at which something is done with cargo, as a rule. */
const KIND_OF = { PICK_UP: 'loading', DROP_OFF: 'unloading' } as const

/**
 * Looks up whether the stop of a line is a guess: the program chose it, there are others that it may be, and nobody
 * has said so yet. Made once for many lines.
 */
export function assumedActions(locations: readonly StopValues[]): OfLine<boolean> {
  const isOpen = (action: CargoAction) =>
    locations.filter(({ kind, canceledAt }) => kind === KIND_OF[action] && canceledAt === null).length > 1
  const open = { PICK_UP: isOpen('PICK_UP'), DROP_OFF: isOpen('DROP_OFF') }
  const assumed = new Set<string>()
  for (const { cargoActions } of locations)
    for (const one of cargoActions) if (one.isAssumed === true && open[one.action]) assumed.add(nameOfAction(one))
  if (assumed.size === 0) return () => false
  return remembered(
    (line, action) =>
      (line.id !== undefined && assumed.has(nameOfAction({ action, cargoId: line.id }))) ||
      (line.key !== undefined && assumed.has(nameOfAction({ action, cargoKey: line.key }))),
  )
}

/** The stops with every guess taken as right. */
export const withoutGuesses = (locations: readonly StopValues[]): StopValues[] =>
  locations.map((stop) =>
    stop.cargoActions.some(({ isAssumed }) => isAssumed === true)
      ? { ...stop, cargoActions: stop.cargoActions.map(({ isAssumed: _assumed, ...action }) => action) }
      : stop,
  )

/**
 * Where a new line goes, as far as there are stops: mails name the lines stop by stop, so it is for the first stop
 * that waits for cargo; where none waits, it is picked up first of all and dropped off last of all.
 */
export function withUsualActions(locations: readonly StopValues[], line: Child): StopValues[] {
  const isWaiting = (stop: StopValues, kind: StopValues['kind'], action: CargoAction) =>
    stop.kind === kind && stop.canceledAt === null && stop.cargoActions.every((one) => one.action !== action)
  const waitingFrom = locations.findIndex((stop) => isWaiting(stop, 'loading', 'PICK_UP'))
  const from = waitingFrom === -1 ? locations.findIndex((stop) => stop.kind === 'loading') : waitingFrom
  const waitingTo = locations.findIndex((stop, place) => place > from && isWaiting(stop, 'unloading', 'DROP_OFF'))
  const to = waitingTo === -1 ? locations.findLastIndex((stop) => stop.kind === 'unloading') : waitingTo
  return withActionAt(
    withActionAt(locations, line, { action: 'PICK_UP', isAssumed: true }, from),
    line,
    { action: 'DROP_OFF', isAssumed: true },
    to,
  )
}

/**
 * What a stop that is added below another one is likely to be: between pick-ups and drop-offs one
 * more pick-up, else a drop-off.
 */
export const usualKindAfter = (locations: readonly StopValues[], place: number): StopValues['kind'] =>
  locations[place]?.kind === 'loading' && locations.slice(place + 1).some(({ kind }) => kind === 'unloading')
    ? 'loading'
    : 'unloading'

/** The stops without what refers to a line that is gone. */
export const withoutCargo = (locations: readonly StopValues[], line: Child): StopValues[] =>
  withAction(withAction(locations, line, 'PICK_UP', -1), line, 'DROP_OFF', -1)

/** Ldm and volume follow the dimensions until somebody types over them (domain, Cargo). */
export function withMeasures(line: CargoValues, change: Partial<CargoValues>): CargoValues {
  const next = { ...line, ...change }
  // An emptied figure goes back to being calculated.
  if ('ldm' in change) next.isLdmCalculated = change.ldm === null
  if ('volumeM3' in change) next.isVolumeCalculated = change.volumeM3 === null
  if (next.isLdmCalculated) next.ldm = ldmOf(next)
  if (next.isVolumeCalculated) next.volumeM3 = volumeOf(next)
  return next
}

/** What a unit measures as a rule, in cm; null where that differs. */
export type Dimensions = Pick<CargoValues, 'lengthCm' | 'widthCm' | 'heightCm'>

export const DIMENSIONS = ['lengthCm', 'widthCm', 'heightCm'] as const satisfies (keyof Dimensions)[]

/**
 * What changes of a line with another unit: that, and the dimensions that are empty or those of the unit before, which
 * become those of the new one. `isTyped`: what somebody has typed stays.
 */
export function withUnit(
  line: CargoValues,
  unitTypeId: number | null,
  units: readonly { id: number; dimensions?: Dimensions | undefined }[],
  isTyped: (field: keyof Dimensions) => boolean = () => false,
): Partial<CargoValues> {
  const dimensionsOf = (wanted: number | null) => units.find(({ id }) => id === wanted)?.dimensions
  const [former, next] = [dimensionsOf(line.unitTypeId), dimensionsOf(unitTypeId)]
  const proposed = DIMENSIONS.filter(
    (field) => line[field] === null || (line[field] === former?.[field] && !isTyped(field)),
  )
  return { unitTypeId, ...Object.fromEntries(proposed.map((field) => [field, next?.[field] ?? null])) }
}

// Routes and their stops

/** The stops of a route, in the order in which they stand on the order. */
export const stopsOfRoute = (route: RouteValues, locations: readonly StopValues[]): number[] =>
  locations.flatMap((stop, index) =>
    (stop.id !== undefined && route.locationIds.includes(stop.id)) ||
    (stop.key !== undefined && route.locationKeys.includes(stop.key))
      ? [index]
      : [],
  )

/** The stops that no route drives yet. */
export const freeStops = (routes: readonly RouteValues[], locations: readonly StopValues[]): number[] =>
  locations.flatMap((_stop, index) =>
    routes.some((route) => stopsOfRoute(route, locations).includes(index)) ? [] : [index],
  )

/** A route over the given stops. */
export function routeOver(stops: readonly StopValues[]): RouteValues {
  return {
    key: newKey(),
    distanceKm: null,
    isDistanceEstimated: true,
    customerPriceCents: null,
    ...namesOfStops(stops),
    assignment: emptyAssignment(),
  }
}

/** How a route names its stops. */
export function namesOfStops(stops: readonly Child[]): Pick<RouteValues, 'locationIds' | 'locationKeys'> {
  return {
    locationIds: stops.flatMap((stop) => stop.id ?? []),
    locationKeys: stops.flatMap((stop) => (stop.id === undefined && stop.key !== undefined ? [stop.key] : [])),
  }
}

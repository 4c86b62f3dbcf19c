import { addDays, localOf } from '@waybill/contract/kit/local-time'
import {
  clock,
  daysBetween,
  dayWeight,
  HOUR,
  inOfficeHours,
  iso,
  MINUTE,
  priceSeason,
  workdayAfter,
  workdayBefore,
} from '../calendar.ts'
import { loadOf, type CargoLine, type LoadSize } from './cargo.ts'
import { caseWorkerOf } from '../partners/customers.ts'
import type { PlannedOrder, PlannedStop, Truck } from './order-model.ts'
import { vatBpOf } from './vat.ts'
import { roadKm, type Place, type World } from '../world.ts'

/** When an order comes in and when it is to be loaded: all of them first, so that numbers follow the days. */
export interface OrderDates {
  createdAt: number
  loadingDate: string
}

const OFFICE_ZONE = 'Europe/Berlin'
/** Orders are given up to so many days ahead. */
const AHEAD_DAYS = 14
/** A year of growth: so much more is loaded at its end than at its beginning. */
const GROWTH = 0.35
const RUSH = 1.6
/** Days before loading that an order is given. */
const LEADS = [
  [0, 6],
  [1, 30],
  [2, 22],
  [3, 15],
  [4, 7],
  [5, 6],
  [6, 4],
  [8, 3],
  [11, 2],
  [14, 1],
] as const

/** So many orders over the year before now and the two weeks after it, in the order in which they came. */
export function orderDates({ random, now }: Pick<World, 'random' | 'now'>, count: number): OrderDates[] {
  const today = localOf(iso(now), OFFICE_ZONE).date
  const first = addDays(today, -364)
  const days = Array.from({ length: 365 + AHEAD_DAYS }, (_, index) => addDays(first, index))
  // What is loaded later is not all booked yet; the last weeks before the holidays are the busiest.
  const weights = days.map(
    (day, index) =>
      [
        day,
        dayWeight(day) *
          (1 + (GROWTH * index) / 365) *
          (index > 350 ? RUSH : 1) *
          (day > today ? Math.exp(-daysBetween(today, day) / 20) : 1),
      ] as const,
  )
  const lastDesk = now - random.int(5, 20) * MINUTE
  const dates = Array.from({ length: count }, (): OrderDates => {
    const loadingDate = random.weighted(weights)
    const lead =
      loadingDate > today
        ? daysBetween(today, loadingDate) +
          random.weighted([
            [0, 3],
            [1, 4],
            [2, 3],
            [4, 2],
          ])
        : random.weighted(LEADS)
    const day = workdayBefore(addDays(loadingDate, -lead), 0)
    const earliest = day < first ? first : day > today ? workdayBefore(today, 0) : day
    const at = inOfficeHours(random, earliest, OFFICE_ZONE)
    return {
      createdAt: at <= lastDesk ? at : inOfficeHours(random, workdayBefore(addDays(today, -1), 0), OFFICE_ZONE),
      loadingDate,
    }
  })
  return dates.sort((a, b) => a.createdAt - b.createdAt)
}

type Window = readonly [from: string, to: string]
const LOADING_WINDOWS: readonly Window[] = [
  ['06:00', '14:00'],
  ['07:00', '15:00'],
  ['08:00', '12:00'],
  ['08:00', '16:00'],
  ['10:00', '15:00'],
  ['12:00', '18:00'],
]
const UNLOADING_WINDOWS: readonly Window[] = [
  ['06:00', '10:00'],
  ['07:00', '12:00'],
  ['08:00', '15:00'],
  ['08:00', '10:00'],
  ['13:00', '16:00'],
]

type Termin = NonNullable<PlannedStop['termin']>

function loadingTermin(random: World['random'], date: string): Termin {
  if (random.chance(0.22))
    return { kind: 'fix', dateFrom: date, timeFrom: clock(random.int(6, 15), random.pick([0, 0, 30])) }
  const [timeFrom, timeTo] = random.pick(LOADING_WINDOWS)
  return { kind: 'period', dateFrom: date, timeFrom, timeTo }
}

function unloadingTermin(random: World['random'], date: string, size: LoadSize): Termin {
  const kind = random.weighted([
    ['fix', 3],
    ['period', 4.5],
    ['before', size === 'groupage' ? 3.5 : 1.5],
    ['days', size === 'groupage' ? 1.5 : 0.5],
  ])
  if (kind === 'fix') return { kind, dateFrom: date, timeFrom: clock(random.int(6, 14), random.pick([0, 0, 0, 30])) }
  if (kind === 'before') return { kind, dateFrom: date, timeFrom: random.pick(['10:00', '12:00', '14:00', '16:00']) }
  if (kind === 'days') return { kind: 'period', dateFrom: date, dateTo: workdayAfter(date, 1) }
  const [timeFrom, timeTo] = random.pick(UNLOADING_WINDOWS)
  return { kind: 'period', dateFrom: date, timeFrom, timeTo }
}

/** Working days that a truck needs for a distance: the driver rests (Regulation 561/2006). */
const transitDays = (km: number, size: LoadSize): number =>
  (km <= 200 ? 0 : Math.ceil((km - 200) / 560)) + (size === 'groupage' ? 1 : 0)

/** Where trucks from the north clear for Switzerland. */
const WEIL: Place = {
  companyTitle: 'Zollservice Dreiländereck',
  address: 'Autobahnzollanlage',
  postal: '79576',
  city: 'Weil am Rhein',
  countryCode: 'DE',
  latitude: 47.598,
  longitude: 7.607,
  contactPerson: null,
  phone: '+49 7621 555 40',
}
const NOT_BY_WEIL = new Set(['IT', 'AT'])

/** Euro per km of a full truck: some lanes go full one way and empty the other. */
const RATES: Readonly<Record<string, number>> = {
  'DE-PL': 1.16,
  'PL-DE': 1.34,
  'DE-DE': 1.55,
  'PL-PL': 1.18,
  'DE-FR': 1.58,
  'FR-DE': 1.28,
  'DE-IT': 1.62,
  'IT-DE': 1.42,
  'DE-CH': 1.9,
  'CH-DE': 1.5,
  'NL-DE': 1.5,
  'DE-NL': 1.36,
  'DE-AT': 1.5,
  'DE-CZ': 1.3,
  'CZ-DE': 1.42,
  'PL-FR': 1.24,
  'PL-NL': 1.2,
  'PL-IT': 1.36,
  'DE-DK': 1.6,
  'DE-ES': 1.3,
  'DE-SE': 1.55,
}
const USUAL_RATE = 1.38
const VEHICLE_FACTOR: Readonly<Record<string, number>> = {
  Reefer: 1.17,
  'Mega trailer': 1.04,
  'Coil trailer': 1.08,
  Van: 0.62,
  'Solo truck 7.5 t': 0.78,
  'Solo truck 12 t': 0.9,
}
const LEAST_CENTS: Readonly<Record<LoadSize, number>> = { full: 38_000, part: 17_500, groupage: 7_500 }
const TRAILER = { ldm: 13.6, kg: 24_000 }

function priceOf(
  world: World,
  {
    km,
    from,
    to,
    size,
    cargo,
    vehicle,
    date,
    stops,
  }: {
    km: number
    from: Place
    to: Place
    size: LoadSize
    cargo: readonly CargoLine[]
    vehicle: string
    date: string
    stops: number
  },
): number {
  const { random } = world
  const ldm = cargo.reduce((sum, line) => sum + line.ldm, 0)
  const kg = cargo.reduce((sum, line) => sum + line.weightKg, 0)
  // A van drives for one customer alone; in a trailer there is room for others.
  const isAlone = size === 'full' || vehicle === 'Van'
  const share = isAlone
    ? 1
    : Math.min(1, (vehicle === 'Solo truck 7.5 t' ? 0.3 : 0.1) + Math.max(ldm / TRAILER.ldm, kg / TRAILER.kg) * 1.05)
  // Beside the kilometres there is what every tour costs, however short.
  const truck =
    140 + km * (RATES[`${from.countryCode}-${to.countryCode}`] ?? USUAL_RATE) * (1 + Math.max(0, (400 - km) / 900))
  const extras = 1 + (cargo.some((line) => line.adr) ? 0.1 : 0) + (stops - 2) * 0.03
  const euros =
    truck * share * (VEHICLE_FACTOR[vehicle] ?? 1) * extras * priceSeason(date) * (1 + random.normal() * 0.05)
  const step = size === 'groupage' ? 5 : 10
  return Math.max(LEAST_CENTS[size], Math.round(euros / step) * step * 100)
}

/** What the carrier gets of our price: mostly a tenth is left, sometimes nothing. */
function costShareOf({ random }: World): number {
  if (random.chance(0.04)) return random.between(1.01, 1.12)
  return 1 - Math.min(0.22, Math.max(0.03, 0.128 + random.normal() * 0.045))
}

const COMMENTS = {
  de: [
    'Kunde will Avis am Vortag bis 15 Uhr.',
    'Carrier hatte letzte Woche schon dieselbe Tour.',
    'Preis nur diese Woche, danach neu anfragen.',
    'Palettentausch geklärt.',
    'Entladung nur von der Seite.',
  ],
  pl: [
    'Klient prosi o awizację do 15:00.',
    'Przewoźnik jechał już tę trasę w zeszłym tygodniu.',
    'Stawka tylko na ten tydzień.',
    'Wymiana palet uzgodniona.',
    'Rozładunek tylko bokiem.',
  ],
} as const
const STOP_COMMENTS = [
  'Tor 2 / gate 2',
  'Rampe 4',
  'Anmeldung am Pförtner',
  'Slot gebucht',
  'Wjazd od strony zachodniej',
  'Forklift on site',
  'Warnweste tragen',
] as const

/** An order that a customer gives on that day: cargo, stops, trucks and price by what the customer is and does. */
export function planOrder(world: World, { createdAt, loadingDate }: OrderDates): PlannedOrder {
  const { random } = world
  const customer = random.weighted(world.customers.map((one) => [one, one.share] as const))
  const size = random.weighted<LoadSize>([
    ['full', customer.sizes[0]],
    ['part', customer.sizes[1]],
    ['groupage', customer.sizes[2]],
  ])
  const department =
    world.departments[
      random.chance(0.93)
        ? customer.department
        : size === 'groupage'
          ? 'Groupage'
          : random.pick(['FTL West', 'FTL East'] as const)
    ]
  const caseWorker = caseWorkerOf(world, department.name, customer.responsible)
  const creator = random.chance(0.85) ? caseWorker : caseWorkerOf(world, department.name, customer.responsible)
  const colleagues = world.users.filter(
    (user) =>
      user.job === 'dispatcher' && user.department === department.name && user !== caseWorker && user !== creator,
  )

  const isInbound = random.chance(0.22)
  const ramp = random.chance(0.75) ? customer.ramps[0]! : random.pick(customer.ramps)
  const partner = random.pick(customer.partners)
  const trucksWanted =
    size === 'full'
      ? random.weighted([
          [1, 94],
          [2, 5],
          [3, 1],
        ])
      : 1
  const isMulti = trucksWanted === 1 && size !== 'groupage'
  const drops =
    isMulti && !isInbound
      ? random.weighted([
          [1, 82],
          [2, 14],
          [3, 4],
        ])
      : 1
  const picks =
    isMulti && drops === 1
      ? random.weighted([
          [1, 88],
          [2, 12],
        ])
      : 1

  const language = department.language === 'pl' ? 'pl' : customer.language
  const cargo: CargoLine[] = []
  const stops: PlannedStop[] = []
  const trucks: Truck[] = []
  let vehicle = ''
  for (let truck = 0; truck < trucksWanted; truck += 1) {
    const load = loadOf(random, customer.industry, { size, drops: Math.max(drops, picks), language })
    vehicle ||= load.vehicle
    const lines = load.lines.map((line) => ({ ...line, key: `${line.key}-${truck + 1}` }))
    cargo.push(...lines)
    const keys = lines.map((line) => line.key)
    const froms = isInbound ? [partner] : [ramp, ...neighbours(world, ramp, picks - 1)]
    const tos = isInbound ? [ramp] : [partner, ...neighbours(world, partner, drops - 1)]
    const own = [...stopsOf(keys, froms, 'loading'), ...stopsOf(keys, tos, 'unloading')]
    const codes = own.map((stop) => stop.place.countryCode)
    if (codes.includes('CH') && codes.some((code) => code !== 'CH' && !NOT_BY_WEIL.has(code))) {
      own.splice(
        own.findIndex((stop) => stop.kind === 'unloading'),
        0,
        { place: WEIL, kind: 'customs', termin: null, loads: [], unloads: [], reference: null, comment: null },
      )
    }
    date(world, own, { loadingDate, size })
    trucks.push({
      stops: own.map((_, index) => stops.length + index),
      distanceKm: own.slice(1).reduce((sum, stop, index) => sum + roadKm(own[index]!.place, stop.place), 0),
    })
    stops.push(...own)
  }

  const first = stops[0]!.place
  const last = stops.at(-1)!.place
  const oneTruck = priceOf(world, {
    km: trucks[0]!.distanceKm,
    from: first,
    to: last,
    size,
    cargo: cargo.filter((line) => line.key.endsWith('-1')),
    vehicle,
    date: loadingDate,
    stops: trucks[0]!.stops.length,
  })
  return {
    createdAt,
    customer,
    coCustomers: [],
    contactPersonId: random.chance(0.9) ? random.pick(customer.contacts).id : null,
    billingCustomerId: customer.billedTo ?? customer.id,
    department,
    caseWorker,
    creator,
    managers: colleagues.filter(() => random.chance(0.2)),
    customerOrderNumber: customer.orderNumber(localOf(iso(createdAt), department.company.timeZone).date),
    originalMessage: null,
    description: null,
    internalComments: random.chance(0.15) ? random.pick(COMMENTS[department.language]) : null,
    invoiceText: null,
    cargo,
    stops,
    trucks,
    vehicle,
    isLiftRequired: size === 'groupage' && random.chance(0.2),
    isTransshipmentForbidden: random.chance(0.1),
    priceCents: oneTruck * trucksWanted,
    vatBp: vatBpOf(world, { customer, department, stops }),
    paymentPeriodDays: random.chance(0.05) ? random.pick([14, 30, 60]) : null,
    costShare: costShareOf(world),
  }
}

/**
 * Three transports that are late right now, each in its own way: on quiet days, too, there is something to look
 * after.
 */
export function lateOrders(world: World): PlannedOrder[] {
  const { random, now } = world
  const today = localOf(iso(now), OFFICE_ZONE).date
  return (['yard', 'road', 'dock'] as const).map((stuckAt) => {
    const loadingDate = workdayBefore(addDays(today, -1), stuckAt === 'yard' ? 0 : 3)
    const createdAt = inOfficeHours(random, workdayBefore(addDays(loadingDate, -1), 1), OFFICE_ZONE)
    for (;;) {
      const planned = planOrder(world, { createdAt, loadingDate })
      const isDue = planned.stops.at(-1)!.termin!.dateFrom < today && planned.stops.at(-1)!.termin!.dateTo === undefined
      if (planned.trucks.length === 1 && (stuckAt === 'yard' || isDue))
        return { ...planned, plan: { isPunctual: true, scheduledAt: createdAt + 90 * MINUTE, stuckAt } }
    }
  })
}

/** Other ramps not far from one: a second pick-up or drop lies on the way. */
function neighbours(world: World, place: Place, count: number): Place[] {
  const { random } = world
  const near = world.towns
    .get(place.countryCode)!
    .filter((town) => town.city !== place.city && roadKm(town, place) < 260)
  return random
    .shuffled(near)
    .slice(0, count)
    .map(({ gravity: _gravity, ...town }) => ({
      ...town,
      companyTitle: place.companyTitle.replace(place.city, town.city),
      address: `${place.address.replace(/\d+.*$/, '')}${random.int(1, 90)}`,
      contactPerson: null,
      phone: place.phone,
    }))
}

/** Stops of one kind; the lines are dealt out over them, each at one stop. */
function stopsOf(keys: readonly string[], places: readonly Place[], kind: 'loading' | 'unloading'): PlannedStop[] {
  // Fewer lines than stops: a stop without cargo would be none.
  return places.slice(0, Math.max(1, keys.length)).map((place, index, all) => {
    const own = keys.filter((_, line) => line % all.length === index)
    return {
      place,
      kind,
      termin: null,
      loads: kind === 'loading' ? own : [],
      unloads: kind === 'unloading' ? own : [],
      reference: null,
      comment: null,
    }
  })
}

/** Gives the stops of one truck their termins, a day's drive apart. */
function date(
  { random }: World,
  stops: PlannedStop[],
  { loadingDate, size }: { loadingDate: string; size: LoadSize },
): void {
  let km = 0
  let day = loadingDate
  stops.forEach((stop, index) => {
    if (index > 0) km += roadKm(stops[index - 1]!.place, stop.place)
    if (stop.kind === 'customs') return
    if (stop.kind === 'unloading') {
      const due = workdayAfter(loadingDate, transitDays(km, size))
      day = due > day ? due : day
      stop.termin = unloadingTermin(random, day, size)
      // Same day: what is loaded in the morning cannot be there at ten.
      if (day === loadingDate)
        stop.termin = { kind: 'before', dateFrom: day, timeFrom: random.pick(['18:00', '20:00', '22:00']) }
    } else
      stop.termin =
        day === loadingDate
          ? loadingTermin(random, day)
          : { kind: 'period', dateFrom: day, timeFrom: '07:00', timeTo: '15:00' }
    if (random.chance(0.25)) stop.reference = `${random.letters(2)}-${random.digits(5)}`
    if (random.chance(0.15)) stop.comment = random.pick(STOP_COMMENTS)
  })
}

/** Average speed with breaks, km/h. */
const SPEED = 62
const DRIVING = 9 * HOUR
const REST = 11 * HOUR

/** How long a truck is on its way: nine hours at the wheel, eleven at rest. */
export const drivingTime = (km: number): number => {
  const wheel = (km / SPEED) * HOUR
  return wheel + Math.floor(wheel / DRIVING) * REST
}

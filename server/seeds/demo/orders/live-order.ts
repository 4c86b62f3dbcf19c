import { leastAdvanced, type RouteStatus } from '@waybill/contract/order/status'
import { terminRange } from '@waybill/contract/order/termin/termin'
import { atDesk, HOUR, iso, MINUTE } from '../calendar.ts'
import { drivingTime } from './plan-orders.ts'
import type { Assigned, Move, OrderLife, PlannedOrder, PlannedStop } from './order-model.ts'
import { roadKm, zoneOf, type Carrier, type User, type World } from '../world.ts'

/** How long a proof of delivery lies before somebody accepts it. */
const POD_UNSEEN_HOURS = 14

/** What customers read of a truck that stands, where somebody has been told why. */
const DELAY_REASONS = {
  de: {
    yard: 'LKW wurde an der Rampe davor aufgehalten',
    road: 'Vollsperrung nach einem Unfall, es geht nur langsam weiter',
  },
  pl: {
    yard: 'Ciężarówka zatrzymana na poprzedniej rampie',
    road: 'Droga zamknięta po wypadku, ruch odbywa się powoli',
  },
  en: { yard: 'Truck was held up at the ramp before', road: 'Road closed after an accident, traffic moves slowly' },
} as const

const CANCEL_REASONS = {
  de: [
    'Kunde hat storniert: Ware nicht fertig',
    'Kunde hat selbst gefahren',
    'Doppelt erfasst',
    'Kein Fahrzeug zum Preis gefunden',
  ],
  pl: [
    'Klient odwołał: towar niegotowy',
    'Klient znalazł własny transport',
    'Wprowadzone podwójnie',
    'Brak auta w tej cenie',
  ],
} as const
const BACK_REASONS = { de: 'Carrier hat abgesagt, Fahrzeug defekt', pl: 'Przewoźnik odmówił, awaria ciągnika' } as const
const WAIVERS = {
  de: 'POD beim Carrier verloren, Empfang vom Kunden per Mail bestätigt',
  pl: 'CMR zaginął u przewoźnika, odbiór potwierdzony mailem przez klienta',
} as const

interface StopFacts {
  isLate: boolean
  arrivedAt: number
  doneAt: number
}

const rangeOf = (world: World, stop: PlannedStop): { start: number; end: number } | null => {
  if (!stop.termin) return null
  const { startAt, endAt } = terminRange(
    { timeFrom: null, dateTo: null, timeTo: null, ...stop.termin },
    zoneOf(world, stop.place.countryCode),
  )
  return { start: Date.parse(startAt), end: Date.parse(endAt) }
}

/** When a truck is at each of its stops: in its window, mostly; delays at one stop carry over to the next. */
function driveOf(world: World, stops: readonly PlannedStop[], isPunctual: boolean): StopFacts[] {
  const { random } = world
  const facts: StopFacts[] = []
  stops.forEach((stop, index) => {
    const range = rangeOf(world, stop)
    const before = facts[index - 1]
    const there = before ? before.doneAt + drivingTime(roadKm(stops[index - 1]!.place, stop.place)) : -Infinity
    const isLate = !isPunctual && random.chance(0.055)
    let arrivedAt = there
    if (range) {
      const earliest =
        stop.termin!.kind === 'before'
          ? Math.max(range.start + 7 * HOUR, range.end - 6 * HOUR)
          : range.start - random.int(0, 40) * MINUTE
      const latest = Math.max(earliest, range.end - random.int(15, 60) * MINUTE)
      const usual =
        stop.termin!.kind === 'fix'
          ? range.start - random.int(0, 25) * MINUTE
          : earliest + random.next() * Math.min(5 * HOUR, latest - earliest)
      // Planners give enough time: without a mishap the truck waits for its window and not the other way round.
      const carried = before?.isLate
        ? before.doneAt + drivingTime(roadKm(stops[index - 1]!.place, stop.place)) * 0.85
        : 0
      arrivedAt = isLate
        ? Math.max(
            there,
            range.end +
              random.weighted([
                [random.int(1, 6), 6],
                [random.int(6, 24), 2],
                [random.int(24, 50), 1],
              ]) *
                HOUR,
          )
        : Math.max(usual, carried, before ? before.doneAt + 20 * MINUTE : usual)
    } else if (!before) arrivedAt = 0
    const lines = stop.loads.length + stop.unloads.length
    facts.push({
      isLate: range !== null && arrivedAt > range.end,
      arrivedAt,
      doneAt: arrivedAt + random.int(lines > 0 ? 25 : 15, lines > 0 ? 110 : 60) * MINUTE,
    })
  })
  return facts
}

function pickCarrier(world: World, order: PlannedOrder): Carrier {
  const codes = new Set(order.stops.map((stop) => stop.place.countryCode))
  const suited = world.carriers.filter(
    (carrier) =>
      carrier.vehicleTypes.has(order.vehicle) ||
      (order.vehicle === 'Box trailer' && carrier.vehicleTypes.has('Reefer')),
  )
  const known = suited.length > 0 ? suited : world.carriers
  // A Pole drives home rather than from Lyon to Turin.
  return world.random.weighted(
    known.map((carrier) => [carrier, carrier.share * (codes.has(carrier.countryCode) ? 5 : 1)] as const),
  )
}

function assign(
  world: World,
  order: PlannedOrder,
  carrier: Carrier | null,
  truckPriceCents: number,
  costCents?: number,
): Assigned {
  const { random } = world
  const cost = costCents ?? Math.max(5_000, Math.round((truckPriceCents * order.costShare) / 500) * 500)
  if (!carrier) {
    const drivers = world.users.filter(
      (user) =>
        user.job === 'driver' && user.department === (order.department.name === 'FTL East' ? 'FTL East' : 'FTL West'),
    )
    const driver = random.pick(drivers)
    return {
      carrier: null,
      drivers: [{ id: driver.id, fullName: driver.fullName, phone: null }],
      driverText: null,
      plateNumber: driver.plateNumber,
      costCents: cost,
      vatBp: 0,
    }
  }
  const driver = random.pick(carrier.drivers)
  const home = world.countries.get(carrier.countryCode)!
  const vatBp = home.code === order.department.company.countryCode ? home.standardVatBp : 0
  return { carrier, drivers: [driver], driverText: null, plateNumber: driver.plateNumber, costCents: cost, vatBp }
}

interface Event {
  truck: number
  to: RouteStatus
  at: number
}

/** Everything that happened to an order up to now: who drove, when trucks were where, and which moves staff made. */
export function liveOrder(world: World, order: PlannedOrder): OrderLife {
  const { random, now } = world
  const { createdAt, department, caseWorker, trucks, plan = {} } = order
  const zone = department.company.timeZone
  const desk = (epoch: number) => atDesk(random, epoch, zone)
  const windows = order.stops.flatMap((stop) => (stop.kind === 'loading' ? (rangeOf(world, stop) ?? []) : []))
  // Nobody plans or cancels a transport that is being loaded.
  const firstLoading = Math.min(...windows.map(({ start }) => start)) - HOUR / 2
  const actor = (): User => (random.chance(0.85) ? caseWorker : (order.managers[0] ?? caseWorker))

  const isOwnFleet = plan.carrier === undefined && order.vehicle !== 'Van' && random.chance(0.03)
  const scheduledAt =
    plan.carrier === 'none' || order.priceCents === null
      ? Infinity
      : (plan.scheduledAt ??
        Math.max(
          createdAt + 12 * MINUTE,
          Math.min(desk(createdAt + (firstLoading - createdAt) * random.between(0.03, 0.95)), firstLoading),
        ))
  const cancelsAt =
    plan.canceledAt ??
    (plan.carrier === undefined && plan.stuckAt === undefined && random.chance(0.038)
      ? desk(createdAt + (firstLoading - createdAt) * random.between(0.1, 0.98))
      : Infinity)
  const canceledAt = cancelsAt <= createdAt + 15 * MINUTE ? createdAt + 16 * MINUTE : cancelsAt
  const isCanceled = canceledAt <= now
  const stoppedAt = Math.min(now, canceledAt)
  const isScheduled = scheduledAt <= stoppedAt

  // Trucks drive by the plan; those of an order that is not planned stand still.
  const times: OrderLife['times'] = order.stops.map(() => ({
    delayReason: null,
    plannedAt: null,
    arrivedAt: null,
    loadedAt: null,
    unloadedAt: null,
  }))
  const assigned: Assigned[] = []
  const events: Event[] = []
  let podAt: number | null = null
  if (isScheduled) {
    const carrier = isOwnFleet
      ? null
      : plan.carrier && plan.carrier !== 'none'
        ? plan.carrier
        : pickCarrier(world, order)
    const isPunctual = plan.isPunctual ?? false
    // Now and then one stands somewhere; of those that will stand for long nobody has been told why.
    const mishap =
      !isPunctual && !isCanceled && random.chance(0.35) ? random.pick(['yard', 'road', 'dock'] as const) : null
    const freeAt = now + random.int(1, 30) * HOUR
    let delay = 0
    trucks.forEach((truck, index) => {
      const own = truck.stops.map((stop) => order.stops[stop]!)
      const drive = driveOf(world, own, isPunctual)
      const hitAt = mishap === 'yard' ? drive[0]!.arrivedAt : drive.at(-1)!.arrivedAt
      // Only what is under way now: a mishap of long ago has been seen to.
      const stuckAt = plan.stuckAt ?? (hitAt < now && hitAt > now - 40 * HOUR ? mishap : null)
      if (stuckAt === 'yard' && drive[0]!.arrivedAt < now) delay = Math.max(delay, freeAt - drive[0]!.arrivedAt)
      // A carrier found at the last moment comes when it can.
      delay = Math.max(delay, scheduledAt + 50 * MINUTE - drive[0]!.arrivedAt)
      const facts = drive.map((fact, place): StopFacts => {
        const late = { ...fact, arrivedAt: fact.arrivedAt + delay, doneAt: fact.doneAt + delay }
        if (own[place]!.kind !== 'unloading') return late
        if (stuckAt === 'road')
          return { ...late, arrivedAt: Math.max(late.arrivedAt, freeAt), doneAt: Math.max(late.doneAt, freeAt + HOUR) }
        return stuckAt === 'dock' ? { ...late, doneAt: Math.max(late.doneAt, freeAt) } : late
      })
      const shownAt = (epoch: number) => (epoch <= stoppedAt ? iso(epoch) : null)
      const active = own.flatMap((stop, place) =>
        stop.canceledAt ? [] : [{ stop, fact: facts[place]!, planned: drive[place]!, index: truck.stops[place]! }],
      )
      if (stuckAt !== null && stuckAt !== 'dock' && freeAt <= now + 12 * HOUR) {
        const at = stuckAt === 'yard' ? active[0]! : active.findLast(({ stop }) => stop.kind === 'unloading')!
        times[at.index]!.delayReason = DELAY_REASONS[department.language][stuckAt]
      }
      for (const { stop, fact, planned, index: at } of active) {
        const time = times[at]!
        time.plannedAt = random.chance(0.6)
          ? iso(Math.round((planned.arrivedAt - random.int(0, 30) * MINUTE) / (15 * MINUTE)) * 15 * MINUTE)
          : null
        time.arrivedAt = shownAt(fact.arrivedAt)
        if (stop.kind === 'loading') time.loadedAt = shownAt(fact.doneAt)
        if (stop.kind === 'unloading') time.unloadedAt = shownAt(fact.doneAt)
      }
      const done = (kind: PlannedStop['kind']) =>
        Math.max(...active.filter(({ stop }) => stop.kind === kind).map(({ fact }) => fact.doneAt))
      const arrivesAt = active.findLast(({ stop }) => stop.kind === 'unloading')!.fact.arrivedAt
      const unloadedAt = done('unloading')
      events.push({ truck: index, to: 'in_transit', at: done('loading') })
      if (stuckAt === 'dock' || random.chance(0.65)) events.push({ truck: index, to: 'arrived', at: arrivesAt })
      events.push({ truck: index, to: 'delivered', at: unloadedAt })
      const comesAt = desk(
        unloadedAt +
          random.weighted([
            [random.between(2, 20), 3],
            [random.between(20, 96), 6],
            [random.between(96, 240), 3],
            [random.between(240, 600), 0.7],
          ]) *
            HOUR,
      )
      podAt = Math.max(podAt ?? 0, comesAt, unloadedAt + 30 * MINUTE)
      assigned.push(assign(world, order, carrier, order.priceCents! / trucks.length, plan.costCents))
    })
  }
  const isPodThere = podAt !== null && podAt <= stoppedAt
  const hasWaiver = isPodThere && random.chance(0.015)
  // Through the carrier's link, and nobody has looked at it yet.
  const podWaits = isPodThere && !hasWaiver && podAt! > now - POD_UNSEEN_HOURS * HOUR

  const moves: Move[] = []
  const statuses: RouteStatus[] = trucks.map(() => 'new')
  const push = (
    truck: number | null,
    to: RouteStatus,
    at: number,
    reason: string | null = null,
    lag = random.int(2, 75) * MINUTE,
  ) => {
    const last = moves.at(-1)
    // Staff hear of it later; nobody clicks before the click before, nor after now.
    const movedAt = Math.min(Math.max(at + lag, last ? Date.parse(last.movedAt) + 20_000 : 0), stoppedAt)
    const from = statuses[truck ?? 0]!
    moves.push({
      truck: trucks.length === 1 ? null : truck,
      from,
      to,
      at: iso(Math.min(at, movedAt)),
      movedAt: iso(movedAt),
      actor: actor(),
      reason,
    })
    statuses.forEach((_, index) => {
      if (truck === null || index === truck) statuses[index] = to
    })
  }

  if (isScheduled) {
    push(null, 'scheduled', scheduledAt, null, 0)
    const isReplanned =
      plan.carrier === undefined &&
      !isCanceled &&
      random.chance(0.025) &&
      scheduledAt + 3 * HOUR < Math.min(firstLoading, stoppedAt)
    if (isReplanned) {
      push(null, 'new', scheduledAt + 65 * MINUTE, BACK_REASONS[department.language], 0)
      push(null, 'scheduled', scheduledAt + 140 * MINUTE, null, 0)
    }
    const happened = events.filter((event) => event.at <= stoppedAt).sort((a, b) => a.at - b.at)
    for (const event of happened) push(trucks.length === 1 ? 0 : event.truck, event.to, event.at)
    if (isPodThere && statuses.every((status) => status === 'delivered')) {
      const lag = random.int(0, 30) * MINUTE
      if (!podWaits) push(null, 'completed', Math.max(podAt!, Date.parse(moves.at(-1)!.movedAt) + MINUTE), null, lag)
    }
  }
  if (isCanceled)
    push(null, 'canceled', canceledAt, plan.cancelReason ?? random.pick(CANCEL_REASONS[department.language]), 0)

  const status = leastAdvanced(statuses)!
  const disposition =
    plan.disposition ??
    (isOwnFleet
      ? 'OWN_FLEET'
      : status === 'new' && plan.carrier === undefined
        ? random.weighted([
            [null, 4],
            ['FOR_SALE', 4],
            [
              order.trucks[0]!.distanceKm > 0 && order.cargo.reduce((sum, line) => sum + line.ldm, 0) < 6
                ? 'WAITING_FOR_COMBINATION'
                : 'FOR_SALE',
              2,
            ],
          ] as const)
        : null)
  const level = () =>
    random.weighted([
      [1, 6],
      [2, 3],
      [3, 1],
    ] as const)
  const who = () =>
    random.weighted([
      ['CUSTOMER', 4],
      ['CARRIER', 5],
      ['DISPATCH', 2],
    ] as const)
  const isDriven = statuses.every((one) => one !== 'new' && one !== 'scheduled')
  const deviations =
    isDriven && random.chance(0.07)
      ? [...new Set(Array.from({ length: random.chance(0.15) ? 2 : 1 }, () => `${who()}_LEVEL_${level()}` as const))]
      : []
  const isRepriced =
    order.priceCents !== null && plan.carrier === undefined && random.chance(0.08) && createdAt + 3 * HOUR < stoppedAt
  return {
    times,
    assigned,
    moves,
    statuses: isScheduled || isCanceled ? statuses : trucks.map(() => 'new'),
    status,
    disposition,
    deviations,
    podAt: isPodThere && !hasWaiver ? iso(podAt!) : null,
    podWaits,
    podWaiverReason: status === 'completed' && hasWaiver ? WAIVERS[department.language] : null,
    repriced: isRepriced
      ? {
          fromCents: Math.round((order.priceCents! * random.between(0.9, 1.08)) / 1000) * 1000,
          at: iso(Math.min(createdAt + random.int(20, 170) * MINUTE, stoppedAt)),
          actor: actor(),
        }
      : null,
  }
}

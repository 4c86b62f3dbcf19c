import { sql } from 'kysely'
import { OrderWrite, type OrderInput } from '@waybill/contract/order/order'
import type { Order } from '@waybill/contract/order/order'
import { leastAdvanced, type OrderStatus, type RouteStatus } from '@waybill/contract/order/status'
import type { Db } from '../../../src/kit/database/db.ts'
import {
  derivedColumns,
  newChildren,
  refuseWrongOrder,
  settle,
  STATUS_COLUMNS,
  writeSearchKeys,
  type SaveFacts,
} from '../../../src/modules/order/index.ts'
import { insertRows, takeIds } from '../bulk.ts'
import { iso } from '../calendar.ts'
import type { Move, OrderLife, PlannedOrder } from './order-model.ts'
import type { JournalEntry, User, World } from '../world.ts'

/** An order as it is stored, for what is built upon it: files, mails, invoices. */
export interface StoredOrder {
  id: number
  number: string
  planned: PlannedOrder
  life: OrderLife
  body: OrderWrite
  /** of the trucks, in their order; empty while nothing is planned */
  routeIds: number[]
  assignmentIds: number[]
}

type Rows = Record<string, unknown>[]

interface Batch {
  orders: Rows
  customers: Rows
  managers: Rows
  cargo: Rows
  handling: Rows
  routes: Rows
  locations: Rows
  actions: Rows
  assignments: Rows
  drivers: Rows
  moves: Rows
}

/** The body that staff would have typed and saved by now. */
function bodyOf(world: World, planned: PlannedOrder, life: OrderLife): OrderWrite {
  const { customer, department, stops, trucks } = planned
  const type = (list: keyof World['types'], title: string) => world.types[list].get(title) ?? null
  const input: OrderInput = {
    customerIds: [customer, ...planned.coCustomers].map(({ id }) => id),
    contactPersonId: planned.contactPersonId,
    billingCustomerId: planned.billingCustomerId,
    customerOrderNumber: planned.customerOrderNumber,
    departmentId: department.id,
    caseWorkerId: planned.caseWorker.id,
    managerIds: planned.managers.map((user) => user.id),
    invoiceText: planned.invoiceText,
    description: planned.description,
    internalComments: planned.internalComments,
    originalMessage: planned.originalMessage,
    disposition: life.disposition,
    deviations: life.deviations,
    customerPriceCents: planned.priceCents,
    customerVatBp: planned.priceCents === null ? null : planned.vatBp,
    paymentPeriodDays: planned.paymentPeriodDays,
    vehicleTypeId: type('vehicle_type', planned.vehicle),
    isLiftRequired: planned.isLiftRequired,
    isTransshipmentForbidden: planned.isTransshipmentForbidden,
    cargo: planned.cargo.map((line) => ({
      key: line.key,
      customerId: line.customerId ?? customer.id,
      title: line.title,
      cargoTypeId: type('cargo_type', line.cargoType),
      unitTypeId: type('unit_type', line.unit),
      quantity: line.quantity,
      packages: line.packages ?? null,
      lengthCm: line.lengthCm,
      widthCm: line.widthCm,
      heightCm: line.heightCm,
      stackingFactor: line.stackingFactor,
      weightKg: line.weightKg,
      volumeM3: line.volumeM3 ?? null,
      ldm: line.typedLdm ?? null,
      valueCents: line.valueCents,
      specialHandlingTypeIds: line.handling.flatMap((title) => type('special_handling_type', title) ?? []),
      instructions: line.instructions,
      temperatureFrom: line.temperature?.[0] ?? null,
      temperatureTo: line.temperature?.[1] ?? null,
      adr: line.adr,
    })),
    locations: stops.map(({ place, ...stop }, index) => ({
      key: `stop${index}`,
      kind: stop.kind,
      termin: stop.termin,
      companyTitle: place.companyTitle,
      address: place.address,
      countryId: world.countries.get(place.countryCode)!.id,
      postal: place.postal,
      city: place.city,
      latitude: place.latitude,
      longitude: place.longitude,
      contactPerson: place.contactPerson,
      phone: place.phone,
      reference: stop.reference,
      comment: stop.comment,
      canceledAt: stop.canceledAt ?? null,
      ...life.times[index]!,
      cargoActions: [
        ...stop.loads.map((cargoKey) => ({ cargoKey, action: 'PICK_UP' as const })),
        ...stop.unloads.map((cargoKey) => ({ cargoKey, action: 'DROP_OFF' as const })),
      ],
    })),
    routes: life.assigned.map((assigned, index) => {
      const { carrier } = assigned
      const contact = carrier?.contacts[0]
      return {
        key: `truck${index}`,
        distanceKm: trucks[index]!.distanceKm,
        isDistanceEstimated: true,
        locationKeys: trucks[index]!.stops.map((stop) => `stop${stop}`),
        assignment: {
          carrierCompanyId: carrier?.id ?? null,
          ownFleet: carrier === null,
          driverIds: assigned.drivers.map((driver) => driver.id),
          driverText: assigned.driverText,
          plateNumber: assigned.plateNumber,
          disponentName: contact?.fullName ?? null,
          disponentPhone: contact?.phone ?? null,
          disponentEmail: contact?.email ?? null,
          costCents: assigned.costCents,
          vatBp: assigned.vatBp,
          vehicleTypeId: type('vehicle_type', planned.vehicle),
        },
      }
    }),
  }
  return OrderWrite.parse(input)
}

function factsOf(world: World, planned: PlannedOrder, life: OrderLife): SaveFacts {
  return {
    timeZone: planned.department.company.timeZone,
    countries: world.countriesById,
    contactCustomerId: planned.contactPersonId === null ? null : planned.customer.id,
    carrierOfDriver: new Map(
      life.assigned.flatMap(({ carrier, drivers }) =>
        carrier ? drivers.map((driver) => [driver.id, carrier.id] as const) : [],
      ),
    ),
    lastRouteN: 0,
    now: iso(world.now),
    createdAt: iso(planned.createdAt),
  }
}

interface History {
  statusDates: Record<string, string>[]
  /** when the order itself reached each status last */
  orderDates: Partial<Record<OrderStatus, string>>
  journal: JournalEntry[]
  version: number
}

/** Replays the moves: what each truck's and the order's dates come to, and what the history says of it. */
function replay(
  planned: PlannedOrder,
  life: OrderLife,
  ids: { order: number; number: string; routes: number[] },
): History {
  const createdAt = iso(planned.createdAt)
  const statuses: RouteStatus[] = planned.trucks.map(() => 'new')
  const statusDates: Record<string, string>[] = planned.trucks.map(() => ({ new: createdAt }))
  const orderDates: Partial<Record<OrderStatus, string>> = { new: createdAt }
  let status: RouteStatus = 'new'
  let version = 1
  const entry = (
    at: string,
    actor: User | null,
    action: string,
    changes: JournalEntry['changes'],
    reason: string | null = null,
  ): JournalEntry => ({
    at,
    actorId: actor?.id ?? null,
    ownerKind: 'order',
    ownerId: ids.order,
    action,
    changes,
    reason,
  })
  const journal = [entry(createdAt, planned.creator, 'created', [])]
  const happened = [
    ...life.moves.map((move) => ({ at: move.movedAt, move, repriced: null })),
    ...(life.repriced ? [{ at: life.repriced.at, move: null, repriced: life.repriced }] : []),
  ].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  for (const { move, repriced } of happened) {
    version += 1
    if (repriced)
      journal.push(
        entry(repriced.at, repriced.actor, 'updated', [
          { path: 'customerPriceCents', from: repriced.fromCents, to: planned.priceCents },
        ]),
      )
    else journal.push(moved(move))
  }
  if (life.podAt)
    journal.push(
      entry(life.podAt, life.podWaits ? null : planned.caseWorker, 'fileAdded', [
        { path: 'documentType', from: null, to: 'PROOF_OF_DELIVERY' },
        { path: 'title', from: null, to: podTitle(ids.number) },
      ]),
    )
  return { statusDates, orderDates, journal, version }

  function moved(move: Move) {
    const changes: JournalEntry['changes'] = []
    const was = status
    statuses.forEach((before, index) => {
      if (move.truck !== null && move.truck !== index) return
      statuses[index] = move.to
      const own = `routes.${ids.routes[index]}`
      if (ids.routes[index] !== undefined)
        changes.push(
          { path: `${own}.status`, from: before, to: move.to },
          { path: `${own}.statusDates.${move.to}`, from: statusDates[index]![move.to] ?? null, to: move.at },
        )
      statusDates[index]![move.to] = move.at
    })
    status = leastAdvanced(statuses)!
    if (status !== was) {
      changes.unshift(
        { path: 'status', from: was, to: status },
        { path: `statusDates.${status}`, from: orderDates[status] ?? null, to: move.at },
      )
      orderDates[status] = move.at
    }
    return entry(move.movedAt, move.actor, 'moved', changes, move.reason)
  }
}

const emptyBatch = (): Batch => ({
  orders: [],
  customers: [],
  managers: [],
  cargo: [],
  handling: [],
  routes: [],
  locations: [],
  actions: [],
  assignments: [],
  drivers: [],
  moves: [],
})

export const podTitle = (orderNumber: string): string => `POD ${orderNumber}.pdf`

const numberOf = (year: number, n: number): string =>
  `${String(year % 100).padStart(2, '0')}-${String(n).padStart(5, '0')}`

/** Numbers of the years, as the sequences would have given them. */
export interface Numbering {
  next(year: number): string
  last: ReadonlyMap<number, number>
}

export function createNumbering(): Numbering {
  const last = new Map<number, number>()
  return {
    last,
    next(year) {
      const n = (last.get(year) ?? 0) + 1
      last.set(year, n)
      return numberOf(year, n)
    },
  }
}

/**
 * Stores orders with everything that belongs to them, a batch at a time; the rules of the order module decide every
 * derived value.
 */
export async function writeOrders(
  db: Db,
  world: World,
  orders: readonly { planned: PlannedOrder; life: OrderLife; number: string }[],
): Promise<StoredOrder[]> {
  const batch = emptyBatch()
  const bodies = orders.map(({ planned, life }) => bodyOf(world, planned, life))
  const children = bodies.map((body) => newChildren(body, null))
  const total = (kind: keyof (typeof children)[number]) => children.reduce((sum, child) => sum + child[kind], 0)
  const orderIds = await takeIds(db, 'order', orders.length)
  const pools = {
    cargo: await takeIds(db, 'cargo', total('cargo')),
    location: await takeIds(db, 'location', total('location')),
    route: await takeIds(db, 'route', total('route')),
    assignment: await takeIds(db, 'assignment', total('assignment')),
  }
  const titles = new Map(world.customers.map((customer) => [customer.id, customer.title]))

  const stored = orders.map(({ planned, life, number }, index): StoredOrder => {
    const id = orderIds[index]!
    const body = bodies[index]!
    const count = children[index]!
    const take = (kind: keyof typeof pools) => pools[kind].splice(0, count[kind])
    const ids = {
      cargo: take('cargo'),
      location: take('location'),
      route: take('route'),
      assignment: take('assignment'),
    }
    const [routeIds, assignmentIds] = [[...ids.route], [...ids.assignment]]
    const facts = factsOf(world, planned, life)
    refuseWrongOrder(body, null, facts)
    const settled = settle({
      body,
      before: null,
      facts,
      ids,
      managers: [planned.caseWorker.id, planned.creator.id],
      now: iso(planned.createdAt),
    })
    const history = replay(planned, life, { order: id, number, routes: routeIds })
    const { children: its } = settled
    const picture = {
      ...settled.picture,
      routes: settled.picture.routes.map((route, place) => ({
        ...route,
        status: life.statuses[place] as Order['status'],
      })),
    }

    batch.orders.push(
      orderRow({
        id,
        number,
        planned,
        life,
        body,
        history,
        derived: derivedColumns(picture),
        lastRouteN: settled.lastRouteN,
        parties: settled.parties,
        titles,
      }),
    )
    const own = <T extends object>(rows: readonly T[]) => rows.map((row) => ({ orderId: id, ...row }))
    batch.customers.push(...own(its.customers))
    batch.managers.push(...own(its.managers))
    batch.cargo.push(...own(its.cargo))
    batch.handling.push(...its.handling)
    batch.locations.push(...own(its.locations))
    batch.actions.push(...its.actions)
    batch.routes.push(
      ...own(
        its.routes.map((route, place) => ({
          ...route,
          status: life.statuses[place],
          statusDates: history.statusDates[place],
        })),
      ),
    )
    batch.assignments.push(...its.assignments)
    batch.drivers.push(...its.drivers)
    batch.moves.push(
      ...life.moves.map(({ truck, from, to, at, movedAt, actor, reason }) => ({
        orderId: id,
        routeId: truck === null ? null : routeIds[truck]!,
        from,
        to,
        at,
        movedAt,
        actorId: actor.id,
        reason,
        before: null,
        undoneAt: null,
      })),
    )
    world.journal.push(...history.journal)
    return { id, number, planned, life, body, routeIds, assignmentIds }
  })
  await store(db, batch)
  return stored
}

interface RowParts {
  id: number
  number: string
  planned: PlannedOrder
  life: OrderLife
  body: OrderWrite
  history: History
  derived: ReturnType<typeof derivedColumns>
  lastRouteN: number
  parties: ReturnType<typeof settle>['parties']
  titles: ReadonlyMap<number, string>
}

function orderRow({ id, number, planned, life, body, history, derived, lastRouteN, parties, titles }: RowParts) {
  const { customerIds, managerIds: _managers, cargo: _cargo, locations: _locations, routes: _routes, ...columns } = body
  const dates = Object.fromEntries(
    Object.entries(STATUS_COLUMNS).map(([status, column]) => [
      column,
      history.orderDates[status as OrderStatus] ?? null,
    ]),
  )
  return {
    ...columns,
    ...derived,
    ...dates,
    ...parties,
    id,
    version: history.version,
    number,
    status: life.status,
    creatorId: planned.creator.id,
    createdAt: iso(planned.createdAt),
    customerId: customerIds[0],
    customerTitle: titles.get(customerIds[0]!)!,
    podWaiverReason: life.podWaiverReason,
    lastRouteN,
    // What they had come to was told within the demo year: nobody hears of it again.
    mailsPassed: null,
    searchKey: '',
  }
}

async function store(db: Db, batch: Batch): Promise<void> {
  await insertRows(db, 'order', batch.orders)
  await insertRows(db, 'order_customer', batch.customers)
  await insertRows(db, 'order_manager', batch.managers)
  await insertRows(db, 'cargo', batch.cargo)
  await insertRows(db, 'cargo_special_handling', batch.handling)
  await insertRows(db, 'route', batch.routes)
  await insertRows(db, 'location', batch.locations)
  await insertRows(db, 'cargo_action', batch.actions)
  await insertRows(db, 'assignment', batch.assignments)
  await insertRows(db, 'assignment_driver', batch.drivers)
  await writeSearchKeys(
    db,
    batch.orders.map(({ id }) => id as number),
  )
  const moveIds = await takeIds(db, 'status_move', batch.moves.length)
  await insertRows(
    db,
    'status_move',
    batch.moves.map((move, index) => ({ id: moveIds[index], ...move })),
  )
}

/** Writes the history down, in the order in which it happened, and begins a new page. */
export async function writeJournal(db: Db, { journal }: World): Promise<void> {
  const entries = journal.splice(0).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const ids = await takeIds(db, 'audit_entry', entries.length)
  await insertRows(
    db,
    'audit_entry',
    entries.map((entry, index) => ({ id: ids[index], ...entry, requestId: null })),
  )
}

/** The next order of each year gets the number after the last one here. */
export async function advanceSequences(db: Db, { last }: Numbering): Promise<void> {
  for (const [year, n] of last) await sql`select setval(${`order_number_${year}`}::regclass, ${n})`.execute(db)
}

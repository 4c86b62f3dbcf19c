import { sql } from 'kysely'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Db } from '../../../src/kit/database/db.ts'
import { HOUR, iso, MINUTE, workdayAfter } from '../calendar.ts'
import type { PlannedOrder } from './order-model.ts'
import { planOrder } from './plan-orders.ts'
import type { StoredOrder } from './write-orders.ts'
import { roadKm, type World } from '../world.ts'

/** Groupage orders of different customers from one morning, each with a small load of its own. */
function sourcesOf(world: World, createdAt: number, loadingDate: string, count: number): PlannedOrder[] {
  const groupage = {
    ...world,
    customers: world.customers.filter(
      (customer) => customer.department === 'Groupage' && customer.countryCode === 'DE',
    ),
  }
  const sources: PlannedOrder[] = []
  while (sources.length < count) {
    const planned = planOrder(groupage, { createdAt: createdAt + sources.length * 20 * MINUTE, loadingDate })
    const isSmall = planned.cargo.reduce((sum, line) => sum + line.ldm, 0) < 4 && planned.trucks.length === 1
    if (
      !isSmall ||
      planned.department.name !== 'Groupage' ||
      sources.some((source) => source.customer === planned.customer)
    )
      continue
    sources.push({ ...planned, plan: { carrier: 'none', disposition: 'WAITING_FOR_COMBINATION' } })
  }
  return sources
}

/** The transport that carries them all: first every pick-up, then every drop, by date. */
function transportOf(world: World, sources: readonly PlannedOrder[]): PlannedOrder {
  const first = sources[0]!
  const key = (source: number, name: string) => `s${source}-${name}`
  const stops = sources
    .flatMap(({ stops: own }, source) =>
      own.map((stop) => ({
        ...stop,
        loads: stop.loads.map((name) => key(source, name)),
        unloads: stop.unloads.map((name) => key(source, name)),
      })),
    )
    .toSorted(
      (a, b) =>
        Number(a.kind !== 'loading') - Number(b.kind !== 'loading') ||
        (a.termin?.dateFrom ?? '').localeCompare(b.termin?.dateFrom ?? ''),
    )
  const merger = world.users.find((user) => user.fullName === 'Anna Lindqvist') ?? first.caseWorker
  return {
    ...first,
    createdAt: sources.at(-1)!.createdAt + 2 * HOUR,
    coCustomers: sources.slice(1).map((source) => source.customer),
    caseWorker: merger,
    creator: merger,
    managers: [...new Set(sources.flatMap((source) => [source.caseWorker, ...source.managers]))].filter(
      (user) => user !== merger,
    ),
    customerOrderNumber: null,
    internalComments: null,
    cargo: sources.flatMap(({ cargo, customer }, source) =>
      cargo.map((line) => ({ ...line, key: key(source, line.key), customerId: customer.id })),
    ),
    stops,
    trucks: [
      {
        stops: stops.map((_, index) => index),
        distanceKm: stops.slice(1).reduce((sum, stop, index) => sum + roadKm(stops[index]!.place, stop.place), 0),
      },
    ],
    vehicle: 'Solo truck 12 t',
    priceCents: sources.reduce((sum, source) => sum + (source.priceCents ?? 0), 0),
    costShare: 0.82,
    plan: { isPunctual: true, scheduledAt: sources.at(-1)!.createdAt + 2 * HOUR + 5 * MINUTE },
    mergeOf: [...sources],
  }
}

/** Transports merged from groupage orders, spread over the year, with their sources. */
export function mergedOrders(world: World, count: number): PlannedOrder[] {
  const zone = world.departments.Groupage.company.timeZone
  return Array.from({ length: count }, (_, index) => {
    const day = workdayAfter(localOf(iso(world.now - (index * 37 + 6) * 24 * HOUR), zone).date, 0)
    const createdAt = Date.parse(`${day}T07:${String(world.random.int(10, 50))}:00Z`)
    const sources = sourcesOf(world, createdAt, workdayAfter(day, 2), world.random.int(2, 3))
    return [...sources, transportOf(world, sources)]
  }).flat()
}

/** The sources become `merged`, point to their transport and stay as they were (domain, Merge). */
export async function markMerged(db: Db, { journal }: World, stored: readonly StoredOrder[]): Promise<void> {
  const byPlan = new Map(stored.map((order) => [order.planned, order]))
  for (const result of stored.filter(({ planned }) => planned.mergeOf)) {
    const at = iso(result.planned.createdAt)
    const sources = result.planned.mergeOf!.flatMap((planned) => byPlan.get(planned) ?? [])
    await sql`update "order" set "isMergeResult" = true where id = ${result.id}`.execute(db)
    // The lines of the transport are those of its sources, one after the other.
    const lines = sources.flatMap((source) => source.planned.cargo.map(() => source.id))
    await sql`update cargo c set "sourceOrderId" = x.source from unnest(${lines}::bigint[]) with ordinality x(source,
      position) where c."orderId" = ${result.id} and c.position = x.position`.execute(db)
    for (const source of sources) {
      await sql`update "order" set status = 'merged', "mergedAt" = ${at}, "mergedIntoId" = ${result.id},
        version = version + 1 where id = ${source.id}`.execute(db)
      journal.push({
        at,
        actorId: result.planned.creator.id,
        ownerKind: 'order',
        ownerId: source.id,
        action: 'merged',
        changes: [
          { path: 'status', from: 'new', to: 'merged' },
          { path: 'mergedIntoId', from: null, to: result.id },
        ],
        reason: null,
      })
    }
  }
}

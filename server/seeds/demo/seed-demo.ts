import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../src/kit/db.ts'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Host } from '../../src/kit/routes.ts'
import { readablePassword } from '../first-start.ts'
import { DAY, iso } from './calendar.ts'
import { seedCarriers } from './carriers.ts'
import { seedCustomers } from './customers.ts'
import { liveOrder } from './live-order.ts'
import { markMerged, mergedOrders } from './merges.ts'
import { orderDates, planOrder } from './plan-orders.ts'
import { createRandom } from './random.ts'
import { realOrders } from './real-orders.ts'
import { seedPeople, seedSettings } from './settings.ts'
import type { World } from './world.ts'
import { advanceSequences, createNumbering, writeOrders, type StoredOrder } from './write-orders.ts'

interface DemoSize {
  /** transport orders in the year, beside the eight of customers' own words and some merged ones */
  orders?: number
  customers?: number
  carriers?: number
  /** the same seed on the same day gives the same year */
  seed?: number
}

const BATCH = 500

const seedError = (message: string): Error => Object.assign(new Error(message), { name: 'SeedError' })

/** Claims the installation for the demo. Errors: `SeedError` where there is anything that a demo could be mixed up with. */
async function claim(db: Db, at: string): Promise<void> {
  const { rows } = await sql<{ used: boolean }>`select exists (select 1 from customer) or exists (select 1 from carrier_company) or exists (select 1 from "order") as used`.execute(db)
  if (rows[0]!.used) throw seedError('The demo data only goes into an empty installation, and this one has customers, carriers or orders already. Start without --demo, or with another DATA_DIR.')
  const claimed = await sql`insert into installation (name, "doneAt") values ('demo', ${at}) on conflict do nothing`.execute(db)
  if (Number(claimed.numAffectedRows) === 0) throw seedError('The demo data was put into this installation before. Start without --demo.')
}

async function seedWorld(db: Db, { now, size, password }: { now: number; size: Required<DemoSize>; password: string }): Promise<{ world: World; addresses: string[] }> {
  const startedAt = now - 400 * DAY
  const settings = await seedSettings(db, iso(startedAt))
  const { users, addresses } = await seedPeople(db, settings.departments, { password, createdAt: iso(startedAt) })
  const base = { ...settings, random: createRandom(size.seed), now, users, journal: [], takenTitles: new Set<string>() }
  const customers = await seedCustomers(db, base, { startedAt, count: size.customers })
  const carriers = await seedCarriers(db, base, { startedAt, count: size.carriers })
  return { world: { ...base, customers, carriers }, addresses }
}

/** Every order of the year, numbered as they came, a batch at a time. */
async function seedOrders(db: Db, world: World, { orders }: Required<DemoSize>, say: (line: string) => void): Promise<StoredOrder[]> {
  const merged = mergedOrders(world, Math.ceil(orders / 350))
  const special = [...realOrders(world), ...merged]
  const dates = orderDates(world, Math.max(0, orders - special.length))
  const plans = [...dates.map((one) => ({ at: one.createdAt, plan: () => planOrder(world, one) })), ...special.map((planned) => ({ at: planned.createdAt, plan: () => planned }))].sort((a, b) => a.at - b.at)
  const numbering = createNumbering()
  const stored: StoredOrder[] = []
  for (let start = 0; start < plans.length; start += BATCH) {
    const batch = plans.slice(start, start + BATCH).map(({ plan }) => {
      const planned = plan()
      const year = Number(localOf(iso(planned.createdAt), planned.department.company.timeZone).date.slice(0, 4))
      return { planned, life: liveOrder(world, planned), number: numbering.next(year) }
    })
    stored.push(...(await writeOrders(db, world, batch)))
    say(`  ${stored.length} of ${plans.length} orders`)
  }
  await advanceSequences(db, numbering)
  await markMerged(db, world, stored)
  return stored
}

/**
 * Fills an empty installation with a believable year of a forwarder's work, up to today and two weeks beyond (domain, First start).
 * All or nothing. Errors: `SeedError` where it is not empty.
 */
export async function seedDemo(host: Host, say: (line: string) => void, given: DemoSize = {}): Promise<void> {
  const size = { orders: 2000, customers: 120, carriers: 60, seed: randomBytes(4).readUInt32LE(), ...given }
  const now = host.clock.now().getTime()
  const password = readablePassword()
  say(`Filling the demo year (seed ${size.seed}) …`)
  const addresses = await host.database.db.transaction().execute(async (db) => {
    await claim(db, iso(now))
    const { world, addresses: people } = await seedWorld(db, { now, size, password })
    say(`  ${world.customers.length} customers, ${world.carriers.length} carriers`)
    await seedOrders(db, world, size, say)
    return people
  })
  say(`Demo people: ${addresses.join(', ')}`)
  say(`All of them sign in with the password ${password}`)
}

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '../../src/kit/context/context.ts'
import type { Db } from '../../src/kit/database/db.ts'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Host } from '../../src/kit/http/routes.ts'
import { innerNumber, refreshSearchKeys } from '../../src/modules/invoice/index.ts'
import { noteCreated, readablePassword } from '../first-start.ts'
import { planBills, type Bill } from './bills/bills.ts'
import { planOpenExtras, seedExtras, sumExtras } from './bills/extras.ts'
import { DAY, iso } from './calendar.ts'
import { planCarrierBills, seedCarrierInvoices, type CarrierBill } from './bills/carrier-invoices.ts'
import { makeCarrierPapers, seedCarrierPapers } from './bills/carrier-papers.ts'
import { seedCarriers } from './partners/carriers.ts'
import { seedCustomerInvoices } from './bills/customer-invoices.ts'
import { seedBankStatement } from './bills/bank-statement.ts'
import { seedCreditLimits } from './bills/credit-limits.ts'
import { seedBookkeeping } from './bills/bookkeeping.ts'
import { seedPaymentRuns } from './bills/payment-runs.ts'
import { seedReminders } from './bills/reminders.ts'
import { seedSetOffs } from './bills/set-offs.ts'
import { seedCustomers } from './partners/customers.ts'
import { makePods, seedPods } from './orders/documents.ts'
import { planWeek } from './orders/board-week.ts'
import { seedLoadCarrierStatements } from './load-carriers/statements.ts'
import { seedToldExchange } from './load-carriers/told.ts'
import { seedLoadCarriers } from './load-carriers/movements.ts'
import { liveOrder } from './orders/live-order.ts'
import { seedMails } from './mails.ts'
import { markMerged, mergedOrders } from './orders/merges.ts'
import { orderMails } from './orders/order-mails.ts'
import { seedNewPapers } from './partners/new-papers.ts'
import { makePartnerPapers, seedPartnerPapers } from './partners/partner-papers.ts'
import { lateOrders, orderDates, planOrder } from './orders/plan-orders.ts'
import { seedPlannedMails, untoldOrder } from './planned-mails.ts'
import { createRandom } from './random.ts'
import { seedPriceRounds } from './orders/price-rounds.ts'
import { seedQuotes } from './sales/quotes.ts'
import { seedIntakeMails } from './sales/intake-mails.ts'
import { seedRecurringOrders } from './sales/recurring-orders.ts'
import { realOrders } from './orders/real-orders.ts'
import { seedPeople, seedSettings } from './settings.ts'
import { seedDriverLinks } from './orders/driver-links.ts'
import { seedTrackingLinks } from './orders/tracking-links.ts'
import { seedUploadLinks } from './orders/upload-links.ts'
import { seedVehicles } from './vehicles.ts'
import { seedWebhook } from './orders/webhooks.ts'
import type { World } from './world.ts'
import {
  advanceSequences,
  createNumbering,
  writeJournal,
  writeOrders,
  type StoredOrder,
} from './orders/write-orders.ts'

interface DemoSize {
  /** transport orders in the year, beside the eight of customers' own words and some merged ones */
  orders?: number
  customers?: number
  carriers?: number
  /** the same seed on the same day gives the same year */
  seed?: number
}

const BATCH = 500
/** Mails about orders are kept that far back; those of invoices for good. */
const MAILED_DAYS = 120

const contextOf = (host: Host, db: Db): Ctx => ({
  db,
  actor: null,
  clock: host.clock,
  language: 'en',
  requestId: 'demo',
  companyFilter: null,
  ports: host.ports,
  subscriptions: {},
  owners: host.owners,
  log: host.app.log,
})

const seedError = (message: string): Error => Object.assign(new Error(message), { name: 'SeedError' })

/**
 * Claims the installation for the demo. Errors: `SeedError` where there is anything that a demo could be mixed up
 * with.
 */
async function hasDemo(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from installation where name = 'demo'`.execute(db)
  return rows.length > 0
}

async function claim(db: Db, at: string): Promise<void> {
  const { rows } = await sql<{
    used: boolean
  }>`select exists (select 1 from customer) or exists (select 1 from carrier_company)
    or exists (select 1 from "order") as used`.execute(db)
  if (rows[0]!.used)
    throw seedError(
      'The demo data only goes into an empty installation, and this one has customers, carriers or orders ' +
        'already. Start without --demo, or with another DATA_DIR.',
    )
  const claimed =
    await sql`insert into installation (name, "doneAt") values ('demo', ${at}) on conflict do nothing`.execute(db)
  if (Number(claimed.numAffectedRows) === 0)
    throw seedError('The demo data was put into this installation before. Start without --demo.')
}

async function seedWorld(
  db: Db,
  { now, size, password }: { now: number; size: Required<DemoSize>; password: string },
): Promise<{ world: World; addresses: string[] }> {
  const startedAt = now - 400 * DAY
  const settings = await seedSettings(db, iso(startedAt))
  const { users, addresses } = await seedPeople(db, settings.departments, { password, createdAt: iso(startedAt) })
  const base = { ...settings, random: createRandom(size.seed), now, users, journal: [], takenTitles: new Set<string>() }
  const customers = await seedCustomers(db, base, { startedAt, count: size.customers })
  const carriers = await seedCarriers(db, base, { startedAt, count: size.carriers })
  await seedVehicles(db, base, carriers)
  await noteCreated(db, iso(startedAt))
  return { world: { ...base, customers, carriers }, addresses }
}

/** Every order of the year, numbered as they came, a batch at a time. */
async function seedOrders(
  db: Db,
  world: World,
  { orders }: Required<DemoSize>,
  say: (line: string) => void,
): Promise<StoredOrder[]> {
  const merged = mergedOrders(world, Math.ceil(orders / 350))
  const special = [...realOrders(world), ...merged, ...lateOrders(world)]
  const dates = orderDates(world, Math.max(0, orders - special.length))
  const plans = [
    ...dates.map((one) => ({ at: one.createdAt, plan: () => planOrder(world, one) })),
    ...special.map((planned) => ({ at: planned.createdAt, plan: () => planned })),
  ].sort((a, b) => a.at - b.at)
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
  await planWeek(db, world.now)
  return stored
}

/** Every invoice gets the next inner number when it comes into being, whichever side it is of (domain, Invoices). */
async function innerNumbersOf(
  db: Db,
  bills: readonly Bill[],
  carrierBills: readonly CarrierBill[],
  now: number,
): Promise<Map<object, string>> {
  const corrections = bills.flatMap(({ correction }) => (correction && correction.createdAt <= now ? correction : []))
  const born = [...bills, ...corrections, ...carrierBills].sort((a, b) => a.createdAt - b.createdAt)
  const { rows } = await sql<{
    n: number
  }>`select nextval('invoice_inner_number') as n from generate_series(1, ${born.length}::int)`.execute(db)
  return new Map(born.map((one, index) => [one, innerNumber(rows[index]!.n)]))
}

/**
 * Papers of customers and carriers, PODs, invoices of both sides, and every mail that went out about orders and
 * invoices.
 */
async function seedPapers(
  ctx: Ctx,
  world: World,
  stored: readonly StoredOrder[],
  { say, kept }: { say: (line: string) => void; kept: string[] },
): Promise<void> {
  const { db } = ctx
  // The planner knows nothing yet of the tables that were just filled.
  await sql`analyze`.execute(db)
  const bills = planBills(world, stored)
  const carrierBills = planCarrierBills(world, stored)
  const innerNumbers = await innerNumbersOf(db, bills, carrierBills, world.now)
  await seedCarrierInvoices(db, world, carrierBills, innerNumbers)
  await seedPaymentRuns(ctx, world)
  say(`  ${carrierBills.length} invoices of carriers, ${bills.length} of ours to print`)
  const drawn = async () => ({
    pods: await makePods(world, ctx.ports.files, stored, kept),
    papers: await makePartnerPapers(db, world, ctx.ports.files, kept),
    carrierPapers: await makeCarrierPapers(db, ctx.ports.files, kept),
  })
  // Our process draws PODs and papers while the other one sets the invoices.
  const [{ pods, papers, carrierPapers }, invoiceMails] = await Promise.all([
    drawn(),
    seedCustomerInvoices(ctx, world, bills, { say, kept, innerNumbers }),
  ])
  const reminders = await seedReminders(ctx, world)
  const podIds = await seedPods(db, stored, pods)
  await seedPartnerPapers(db, world, papers)
  await seedCarrierPapers(db, carrierPapers)
  await seedNewPapers(ctx, world, kept)
  await seedSetOffs(ctx, world)
  await seedExtras(db, world, planOpenExtras(world, stored))
  await sumExtras(ctx)
  await seedCreditLimits(ctx)
  await refreshSearchKeys(ctx, sql`true`)
  const recent = stored.filter(({ planned }) => planned.createdAt > world.now - MAILED_DAYS * DAY)
  const untold = untoldOrder(stored)?.id
  const mails = [
    ...recent
      .flatMap((order) => orderMails(world, order, podIds.get(order.id)))
      .filter(({ type, ownerId }) => type !== 'order_resolved' || ownerId !== untold),
    ...invoiceMails,
    ...reminders,
  ]
  await seedMails(db, world, mails)
  await writeJournal(db, world)
  await seedBankStatement(ctx, world)
  await seedBookkeeping(ctx, world)
  say(
    `  ${pods.length} PODs, ${papers.length} papers of customers and carriers, ${carrierPapers.length} of their ` +
      `invoices as they came, ${mails.length} mails, all of them sent in the past`,
  )
}

/**
 * Fills an empty installation with a believable year of a forwarder's work, up to today and two weeks beyond (domain,
 * First start). All or nothing; one that has its demo year stays as it is. Errors:
 * `SeedError` where other data is in it.
 */
export async function seedDemo(host: Host, say: (line: string) => void, given: DemoSize = {}): Promise<void> {
  const size = { orders: 2000, customers: 120, carriers: 60, seed: randomBytes(4).readUInt32LE(), ...given }
  const now = host.clock.now().getTime()
  const password = readablePassword()
  const kept: string[] = []
  const addresses = await host.database.db
    .transaction()
    .execute(async (db) => {
      if (await hasDemo(db)) return null
      await claim(db, iso(now))
      say(`Filling the demo year (seed ${size.seed}) …`)
      const { world, addresses: people } = await seedWorld(db, { now, size, password })
      say(`  ${world.customers.length} customers, ${world.carriers.length} carriers`)
      const stored = await seedOrders(db, world, size, say)
      await seedPapers(contextOf(host, db), world, stored, { say, kept })
      const unsent = await seedPlannedMails(contextOf(host, db), untoldOrder(stored))
      say(`  ${unsent} mails that are still to come, were not wanted or wait for an address`)
      await seedUploadLinks(contextOf(host, db))
      await seedTrackingLinks(contextOf(host, db))
      await seedDriverLinks(contextOf(host, db))
      await seedWebhook(contextOf(host, db), now)
      await seedPriceRounds(contextOf(host, db))
      await seedLoadCarriers(contextOf(host, db), size.seed)
      await seedToldExchange(contextOf(host, db))
      await seedLoadCarrierStatements(contextOf(host, db), say)
      await seedQuotes(contextOf(host, db), say)
      await seedRecurringOrders(contextOf(host, db))
      say(`  ${await seedIntakeMails(contextOf(host, db), kept)} mails with orders to work through`)
      return people
    })
    .catch(async (error: unknown) => {
      await Promise.all(kept.map((key) => host.ports.files.remove(key)))
      throw error
    })
  if (addresses === null) {
    say('The demo year is in this installation already.')
    return
  }
  say(`Demo people: ${addresses.join(', ')}`)
  say(`All of them sign in with the password ${password}`)
}

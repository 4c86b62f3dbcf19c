// A run of invoices whose server is killed again and again sends every invoice once, without a gap in the numbers.
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InvoiceRun } from '@waybill/contract/invoice/month-end/month-end'
import { openDatabase, type Database } from '../../src/kit/database/db.ts'
import { ADMIN } from '../app.ts'
import { GIVEN } from '../order-moves.ts'
import { newInstallation, type Installation } from './installation.ts'

const CUSTOMERS = 24
const KILLS = 4
const UNTIL = '2099-12-31'

let installation: Installation
let database: Database
let token: string
let companyId: number

async function done(method: string, path: string, body?: object): Promise<any> {
  const answer = await installation.call(method, path, { token, ...(body && { body }) })
  if (answer === null || answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer.body
}

async function addCompleted(index: number, ids: { countryId: number; departmentId: number }) {
  const { countryId, departmentId } = ids
  const customer = await done('POST', 'customers', {
    title: `Kunde ${String(index).padStart(3, '0')} GmbH`,
    countryId,
    paymentOption: 'end_of_period',
    invoiceEmail: `k${index}@kunde.example`,
  })
  const stop = (key: string, kind: string, action: string, dateFrom: string) => ({
    key,
    kind,
    termin: { kind: 'fix', dateFrom },
    countryId,
    city: 'Hamburg',
    cargoActions: [{ cargoKey: 'c', action }],
  })
  let order = await done('POST', 'orders', {
    customerIds: [customer.id],
    departmentId,
    customerPriceCents: 50_000 + index,
    cargo: [{ key: 'c', title: 'Pallets', quantity: 1 }],
    locations: [stop('from', 'loading', 'PICK_UP', '2026-11-02'), stop('to', 'unloading', 'DROP_OFF', '2026-11-03')],
    routes: [{ assignment: { ownFleet: true, costCents: 100 }, locationKeys: ['from', 'to'] }],
  })
  for (const to of ['scheduled', 'in_transit', 'arrived', 'delivered', 'completed'])
    order = await done('POST', `orders/${order.id}/status`, { ...GIVEN, to, version: order.version })
}

beforeAll(async () => {
  installation = await newInstallation()
  installation.start()
  await installation.untilReady(120_000)
  token = (await installation.call('POST', 'token', { body: ADMIN }))!.body.token
  database = openDatabase(installation.databaseUrl(), { max: 2 })
  const ask = async (query: string) => (await database.pool.query<{ id: number }>(query)).rows[0]!.id
  companyId = await ask('select id from company limit 1')
  const countryId = await ask(`select id from country where code = 'DE'`)
  const ids = { countryId, departmentId: await ask('select id from department limit 1') }
  for (let index = 1; index <= CUSTOMERS; index++) await addCompleted(index, ids)
}, 300_000)

afterAll(async () => {
  await database?.close()
  await installation?.remove()
})

const sentItems = async (): Promise<number> =>
  (
    await database.pool.query<{ count: number }>(
      `select count(*)::int as count from invoice where "entityType" = 'customer' and number is not null`,
    )
  ).rows[0]!.count

it('sends each invoice once, without a gap, however often the server is killed', async () => {
  const { items } = await done('GET', `invoices/month-end?companyId=${companyId}&until=${UNTIL}`)
  expect(items).toHaveLength(CUSTOMERS)
  const customers = items.map((one: { customer: { id: number }; orderIds: number[]; netCents: number }) => ({
    customerId: one.customer.id,
    orderIds: one.orderIds,
    netCents: one.netCents,
  }))
  const { id } = await done('POST', 'invoices/month-end/runs', { companyId, until: UNTIL, customers })
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = await sentItems()
    if (before >= CUSTOMERS) break
    while ((await sentItems()) < Math.min(before + 3, CUSTOMERS)) await wait(5)
    // At another moment of the next one each time.
    await wait(kill * 40)
    await installation.killServer()
    installation.start()
    await installation.untilReady(120_000)
  }
  let run: InvoiceRun
  do {
    await wait(500)
    run = await done('GET', `invoices/month-end/runs/${id}`)
  } while (run.status !== 'finished')
  expect(run.items.map(({ status, fault }) => [status, fault])).toEqual(run.items.map(() => ['sent', null]))
  const { rows } = await database.pool.query<Record<string, number>>(
    `select count(*)::int as invoices, count(number)::int as numbers,
      count(distinct "billingCustomerId")::int as customers,
      (select sum(last)::int from invoice_counter) as counted,
      (select count(*)::int from email where type = 'invoice') as mails
    from invoice where "entityType" = 'customer'`,
  )
  expect(rows[0]).toEqual({
    invoices: CUSTOMERS,
    numbers: CUSTOMERS,
    customers: CUSTOMERS,
    counted: CUSTOMERS,
    mails: CUSTOMERS,
  })
}, 600_000)

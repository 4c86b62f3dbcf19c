// A month's end of a company in Poland: what KSeF has not decided, and what it rejects, is seen in the run.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InvoiceRun, MonthEnd, MonthEndProposal } from '@waybill/contract/invoice/month-end/month-end'
import { monthOf } from '@waybill/contract/invoice/ksef/rate'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startFakeKsef } from '../../../../test/ksef/fake-ksef.ts'
import { enterRate, fa3Faults, polishCompany } from '../../../../test/ksef/polish-company.ts'
import { makeKeys } from '../../../../test/ksef/test-keys.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { GIVEN } from '../../../../test/order-moves.ts'
import { parseEInvoice } from '../../e-invoice/index.ts'
import { createKsef } from '../ksef/interface/ksef-interface.ts'
import { submitInvoice } from '../ksef/interface/submit-to-ksef.ts'
import { sendInvoiceRun } from './send-invoice-run.ts'

const app = useTestApp()
const keys = makeKeys({ kind: 'ec', name: 'Waybill Polska' })
const UNTIL = '2027-12-31'
let ksef: Awaited<ReturnType<typeof startFakeKsef>>
let world: OrderWorld
let clerk: Caller
let companyId: number
let customerId: number

beforeAll(async () => {
  ksef = await startFakeKsef([keys])
  app.ports.ksef = { test: createKsef({ url: ksef.url }), production: createKsef({ url: 'http://127.0.0.1:9' }) }
  world = await orderWorld(app)
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  companyId = (await polishCompany(app, { ksefMode: 'test' })).id
  await app.admin.put(`companies/${companyId}/ksef-certificates/authentication`, keys)
  const path = `departments/${world.departmentId}`
  const { version } = (await app.admin.get(path)).body
  await app.admin.patch(path, { companyId }, { version })
  customerId = await world.customer('Odlewnia Dębowiec', 'PL', {
    address: 'ul. Hutnicza 101B',
    postal: '62-300',
    city: 'Września',
    vatNumber: 'PL5260250274',
    paymentOption: 'end_of_period',
    invoiceEmail: 'faktury@debowiec.example',
  })
})
afterAll(() => ksef.close())

async function completed(): Promise<number> {
  const made = await app.admin.post<Order>(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 50_000,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    }),
  )
  let order = made.body
  for (const to of ['scheduled', 'in_transit', 'arrived', 'delivered', 'completed']) {
    const path = `orders/${order.id}/status`
    const { status, body } = await app.admin.post(path, { ...GIVEN, to }, { version: order.version })
    expect(status, JSON.stringify(body)).toBe(200)
    order = body
  }
  return order.id
}

const proposal = async (): Promise<MonthEndProposal> =>
  (await clerk.get(`invoices/month-end/customers/${customerId}?companyId=${companyId}&until=${UNTIL}`)).body
const runOf = async (id: number): Promise<InvoiceRun> => (await clerk.get(`invoices/month-end/runs/${id}`)).body

async function sent({ all = false } = {}): Promise<InvoiceRun> {
  const { items }: MonthEnd = (
    await clerk.get(`invoices/month-end?companyId=${companyId}&until=${UNTIL}${all ? '&all=1' : ''}`)
  ).body
  const { orderIds, netCents } = items.find(({ customer }) => customer.id === customerId)!
  const { status, body } = await clerk.post('invoices/month-end/runs', {
    companyId,
    until: UNTIL,
    customers: [{ customerId, orderIds, netCents }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  await sendInvoiceRun.handle(jobContext(app), { runId: body.id })
  return runOf(body.id)
}

test('a missing euro rate is said beforehand, with its day, and is the result of a run all the same', async () => {
  await completed()
  const before = await proposal()
  expect(before.format).toBe('ksef')
  expect(before.invoices).toMatchObject([{ findings: [{ record: 'invoice', path: 'exchangeRate' }] }])
  const day = before.invoices[0]!.rateMissing!
  const { items } = await sent()
  expect(items).toMatchObject([
    { status: 'failed', invoice: null, ksef: null, fault: { fields: [{ path: 'exchangeRate' }] } },
  ])
  const rate = { tableNumber: `226/A/NBP/${day.slice(0, 4)}`, rateE4: 42_662 }
  expect((await app.admin.put(`nbp-rates/${day}`, rate)).status).toBe(200)
  expect((await proposal()).invoices).toMatchObject([{ rateMissing: null, findings: [] }])
})

test('an invoice of a run waits for KSeF with its number, and its mail with it', async () => {
  const run = await sent()
  expect(run.status).toBe('finished')
  const [item] = run.items
  expect(item).toMatchObject({ status: 'sent', ksef: { state: 'undecided', reason: null } })
  const { id } = item!.invoice!
  expect((await clerk.get(`invoices/${id}`)).body).toMatchObject({ status: 'created', number: item!.invoice!.title })
  const mailOf = async () => (await clerk.get(`emails?invoiceId=${id}`)).body.items[0].status
  expect(await mailOf()).toBe('planned')
  await submitInvoice(jobContext(app), id)
  expect((await runOf(run.id)).items).toMatchObject([{ status: 'sent', ksef: null, invoice: item!.invoice! }])
  expect(await mailOf()).not.toBe('planned')
})

test('one that KSeF rejects stands in the run with its reason, is mended and sent again', async () => {
  await completed()
  ksef.willMeet('reject')
  const run = await sent()
  const invoice = run.items[0]!.invoice!
  await submitInvoice(jobContext(app), invoice.id)
  const draft = (await clerk.get(`invoices/${invoice.id}`)).body
  const rejected = (await runOf(run.id)).items
  expect(rejected).toMatchObject([
    { status: 'sent', invoice: { id: invoice.id, title: draft.innerNumber }, ksef: { state: 'rejected' } },
  ])
  expect(rejected[0]!.ksef!.reason).toContain('NIP nabywcy nie istnieje')
  // Nobody bills its orders a second time.
  expect((await proposal()).orders).toMatchObject([{ reason: 'on_draft', draft: { id: invoice.id } }])
  const mended = await clerk.patch(`invoices/${invoice.id}`, { notes: 'poprawiono' }, { version: draft.version })
  const again = await clerk.post(`invoices/${invoice.id}/send`, INVOICE_MAIL, { version: mended.body.version })
  expect([again.status, again.body.number], JSON.stringify(again.body)).toEqual([200, invoice.title])
  expect((await runOf(run.id)).items).toMatchObject([{ ksef: { state: 'undecided' }, invoice }])
  await submitInvoice(jobContext(app), invoice.id)
  expect((await runOf(run.id)).items).toMatchObject([{ ksef: null, invoice }])
})

/** A run over orders that ended on these days; how its XML says them. */
async function daysOf(unloadedOn: readonly string[], options?: { all: boolean }) {
  for (const day of unloadedOn) {
    await app.database.pool.query('update "order" set "lastUnloadingAt" = $2, "firstLoadingAt" = $2 where id = $1', [
      await completed(),
      `${day}T09:00:00Z`,
    ])
    await enterRate(app, 42_662, day)
    await enterRate(app, 42_662, monthOf(day).to)
  }
  const { id } = (await sent(options)).items[0]!.invoice!
  await submitInvoice(jobContext(app), id)
  const xml: Buffer = (await clerk.get(`invoices/${id}/e-invoice/xml`)).raw
  expect(fa3Faults(xml)).toBe('')
  const { servicePeriodTo } = (await clerk.get(`invoices/${id}`)).body
  expect(await parseEInvoice(xml)).toMatchObject({ servicePeriodTo })
  return [...xml.toString().matchAll(/<(P_6A?|P_6_Od|P_6_Do)>([^<]+)</g)].map(([, name, day]) => `${name} ${day}`)
}

test('the combined invoice of a customer that is billed by periods names the month', async () => {
  expect(await daysOf(['2026-10-14', '2026-10-16'])).toEqual(['P_6_Od 2026-10-01', 'P_6_Do 2026-10-31'])
})

test('each line of a combined invoice says its own last day, and one for all where they share it', {
  tags: 'long',
}, async () => {
  const path = `customers/${customerId}`
  const { version } = (await app.admin.get(path)).body
  await app.admin.patch(path, { paymentOption: 'per_order' }, { version })
  const all = { all: true }
  expect(await daysOf(['2026-11-16', '2026-11-18'], all)).toEqual(['P_6A 2026-11-16', 'P_6A 2026-11-18'])
  expect(await daysOf(['2026-11-19', '2026-11-19'], all)).toEqual(['P_6 2026-11-19'])
})

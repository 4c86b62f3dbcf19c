// Euro rates of NBP that are fetched, and what happens while it does not answer (decision 088).
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../../../test/app.ts'
import { jobContext } from '../../../../../test/job-context.ts'
import { newCustomer, polishCompany } from '../../../../../test/ksef/polish-company.ts'
import { INVOICE_MAIL } from '../../../../../test/mail-server.ts'
import { fetchNbpRates } from './fetch-rates.ts'
import { createNbp } from './nbp.ts'

const app = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const asked: string[] = []
let answer: { status: number; body: unknown } = { status: 404, body: 'Not Found' }
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
})
let clerk: Caller
let companyId: number
let polish: number

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  app.ports.nbp = createNbp({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/` })
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
})
afterAll(() => void server.close())
beforeEach(() => {
  asked.length = 0
})

const tableOf = (...rates: [day: string, no: string, mid: number][]) => ({
  status: 200,
  body: {
    table: 'A',
    currency: 'euro',
    code: 'EUR',
    rates: rates.map(([effectiveDate, no, mid]) => ({ no, effectiveDate, mid })),
  },
})
const work = () => fetchNbpRates.handle(jobContext(app), {})
const known = async () =>
  (await app.database.pool.query('select day, "rateE4", "enteredById" from nbp_rate order by day')).rows
const outgoing = async (id: number) => (await clerk.get(`invoices/${id}/e-invoice`)).body

async function newInvoice(servicePeriodTo: string): Promise<{ id: number; version: number }> {
  const { body, status } = await clerk.post('invoices', {
    entityType: 'customer',
    companyId,
    billingCustomerId: polish,
    servicePeriodFrom: servicePeriodTo,
    servicePeriodTo,
    lines: [{ text: 'Transport', unitPriceCents: 100_000, vatBp: 2300, vatCategory: 'S' }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const send = ({ id, version }: { id: number; version: number }) =>
  clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })

test('NBP is not asked as long as none of our companies is in Poland', async () => {
  await work()
  expect(asked).toEqual([])
})

test('the job fetches the last weeks in one question, and leaves alone what was typed', async () => {
  companyId = (await polishCompany(app)).id
  polish = await newCustomer(app, 'PL', { vatNumber: 'PL5260250274' })
  await clerk.put('nbp-rates/2026-11-19', { tableNumber: '225/A/NBP/2026', rateE4: 42_000 })
  answer = tableOf(
    ['2026-11-18', '224/A/NBP/2026', 4.2511],
    ['2026-11-19', '225/A/NBP/2026', 4.2599],
    ['2026-11-20', '226/A/NBP/2026', 4.2662],
  )
  await work()
  expect(asked).toEqual(['/api/exchangerates/rates/a/eur/2026-09-24/2026-11-20/?format=json'])
  expect(await known()).toMatchObject([
    { day: '2026-11-18', rateE4: 42_511, enteredById: null },
    { day: '2026-11-19', rateE4: 42_000 },
    { day: '2026-11-20', rateE4: 42_662 },
  ])
  const { id } = await newInvoice('2026-11-23')
  const ksef = { rates: [{ day: '2026-11-20' }], rateMissing: null }
  expect(await outgoing(id)).toMatchObject({ findings: [], ksef })
})

test('sending asks for the day that is missing', async () => {
  const draft = await newInvoice('2026-06-10')
  answer = tableOf(['2026-06-09', '110/A/NBP/2026', 4.2345])
  const { status, body } = await send(draft)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(asked).toEqual(['/api/exchangerates/rates/a/eur/2026-06-09/2026-06-09/?format=json'])
  expect((await outgoing(draft.id)).ksef.rates).toMatchObject([{ day: '2026-06-09', rateE4: 42_345 }])
})

test.each([
  ['does not answer', { status: 503, body: 'away' }],
  ['answers something else', { status: 200, body: { table: 'A', code: 'USD', rates: [] } }],
  ['has no table of that day', { status: 404, body: 'Not Found' }],
  ['gives another day', tableOf(['2026-06-10', '111/A/NBP/2026', 4.2])],
])('where NBP %s, sending says why, and goes on with the typed rate', async (_, given) => {
  answer = given
  const draft = await newInvoice('2026-06-12')
  const refused = await send(draft)
  expect(refused.body.errors).toMatchObject([
    { path: 'exchangeRate', message: /11 Jun 2026; NBP has not given it, please enter it/ as unknown },
  ])
  await clerk.put('nbp-rates/2026-06-11', { tableNumber: '112/A/NBP/2026', rateE4: 42_100 })
  expect((await send(draft)).status).toBe(200)
  await app.asOwner(`delete from nbp_rate where day = '2026-06-11'`)
})

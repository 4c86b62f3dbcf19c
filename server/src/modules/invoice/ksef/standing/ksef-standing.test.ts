// What of KSeF asks for somebody: rejected and waiting invoices, numbers that were not issued, certificates that end.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KsefStanding } from '@waybill/contract/invoice/ksef/standing'
import { useTestApp, type Caller } from '../../../../../test/app.ts'
import { jobContext } from '../../../../../test/job-context.ts'
import { startFakeKsef } from '../../../../../test/ksef/fake-ksef.ts'
import { enterRate, newCustomer, polishCompany } from '../../../../../test/ksef/polish-company.ts'
import { makeKeys } from '../../../../../test/ksef/test-keys.ts'
import { INVOICE_MAIL } from '../../../../../test/mail-server.ts'
import { createKsef } from '../interface/ksef-interface.ts'
import { submitInvoice } from '../interface/submit-to-ksef.ts'

const app = useTestApp()
const keys = makeKeys({ kind: 'ec', name: 'Waybill Polska' })
let ksef: Awaited<ReturnType<typeof startFakeKsef>>
let clerk: Caller
let companyId: number
let polish: number

beforeAll(async () => {
  ksef = await startFakeKsef([keys])
  app.ports.ksef = { test: createKsef({ url: ksef.url }), production: createKsef({ url: 'http://127.0.0.1:9' }) }
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
})
afterAll(() => ksef.close())

const standing = async (): Promise<KsefStanding> => (await clerk.get('invoices/ksef')).body
const go = (id: number) => submitInvoice(jobContext(app), id)
const get = async (id: number) => (await clerk.get(`invoices/${id}`)).body

async function numbered() {
  const { body: draft } = await clerk.post('invoices', {
    entityType: 'customer',
    companyId,
    billingCustomerId: polish,
    lines: [{ text: 'Transport', unitPriceCents: 100_000, vatBp: 2300, vatCategory: 'S' }],
  })
  const { body } = await clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, { version: draft.version })
  return body as { id: number; number: string }
}

test('it is for who processes invoices, and empty where no company of ours is in Poland', async () => {
  const other = (await app.userWith('ORDERS_MANAGEMENT')).caller
  expect((await other.get('invoices/ksef')).status).toBe(403)
  expect((await other.get('invoices/ksef/not-issued/export?format=csv')).status).toBe(403)
  expect(await standing()).toEqual({ rejected: [], waiting: [], notIssued: [], certificates: [] })
})

test('a rejected invoice stands there until it is canceled; then its number is one that was not issued', async () => {
  companyId = (await polishCompany(app, { ksefMode: 'test' })).id
  await app.admin.put(`companies/${companyId}/ksef-certificates/authentication`, keys)
  polish = await newCustomer(app, 'PL', { vatNumber: 'PL5260250274' })
  await enterRate(app)
  const { id, number } = await numbered()
  expect((await standing()).waiting).toMatchObject([
    { invoice: { id, title: number }, customer: { id: polish }, state: 'queued', submitBy: null, isLate: false },
  ])
  ksef.willMeet('reject')
  await go(id)
  const { innerNumber, version } = await get(id)
  expect(await standing()).toMatchObject({
    waiting: [],
    rejected: [{ invoice: { id, title: innerNumber }, reason: /NIP nabywcy/ as unknown, isOut: false }],
    notIssued: [],
  })
  await clerk.post(`invoices/${id}/status`, { to: 'canceled' }, { version })
  expect(await standing()).toMatchObject({
    rejected: [],
    notIssued: [{ number, company: { id: companyId }, invoice: { id }, reason: /NIP nabywcy/ as unknown }],
  })
  const table = (await clerk.get('invoices/ksef/not-issued/export?format=csv')).raw.toString()
  expect(table).toContain(number)
  expect(table).toContain('NIP nabywcy nie istnieje')
  // The next one goes on behind it.
  expect((await numbered()).number).not.toBe(number)
})

test('nothing of another company is seen by who has chosen one of ours', async () => {
  const { id: hamburg } = (await app.admin.get('companies')).body.items.find(
    ({ id }: { id: number }) => id !== companyId,
  )
  const seen = async (id: number): Promise<KsefStanding> =>
    (await app.admin.get('invoices/ksef', { headers: { 'group-filter': String(id) } })).body
  expect((await seen(companyId)).notIssued).toHaveLength(1)
  expect(await seen(hamburg)).toMatchObject({ notIssued: [], waiting: [], rejected: [] })
})

test('a certificate is told of from sixty days before its end, and after it', async () => {
  expect((await standing()).certificates).toEqual([])
  const ending = makeKeys({ kind: 'ec', name: 'Waybill Polska offline', days: 50 })
  await app.admin.put(`companies/${companyId}/ksef-certificates/offline`, ending)
  expect((await standing()).certificates).toMatchObject([
    { company: { id: companyId }, kind: 'offline', isOver: false },
  ])
  app.clock.advance(51 * 86_400_000)
  const { caller } = await app.userWith('INVOICES_PROCESSING')
  const { body } = await caller.get<KsefStanding>('invoices/ksef')
  app.clock.advance(-51 * 86_400_000)
  expect(body.certificates).toMatchObject([{ kind: 'offline', isOver: true }])
})

test('the confirmation of KSeF can be saved, and stays as it is', async () => {
  const { id } = await numbered()
  await go(id)
  const { ksef: shown } = (await clerk.get(`invoices/${id}/e-invoice`)).body
  expect(shown.upo.title).toBe(`UPO ${shown.number}.xml`)
  const { raw } = await clerk.get(`documents/${shown.upo.documentId}/file`)
  expect(raw.toString()).toContain(shown.number)
  await expect(app.asOwner(`delete from document where id = ${shown.upo.documentId}`)).rejects.toThrow()
})

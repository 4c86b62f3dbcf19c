// Invoices that are given out while KSeF is away, and handed over afterwards (decision 088).
import { createHash, verify, constants, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextPolishWorkingDay } from '@waybill/contract/invoice/ksef/rate'
import { useTestApp, type Caller } from '../../../../../test/app.ts'
import { jobContext } from '../../../../../test/job-context.ts'
import { startFakeKsef } from '../../../../../test/ksef/fake-ksef.ts'
import { enterRate, newCustomer, polishCompany, SELLER_NIP } from '../../../../../test/ksef/polish-company.ts'
import { makeKeys, type TestKeys } from '../../../../../test/ksef/test-keys.ts'
import { INVOICE_MAIL } from '../../../../../test/mail-server.ts'
import { createKsef } from './ksef-interface.ts'
import { submitInvoice } from './submit-to-ksef.ts'

const app = useTestApp()
const ours = makeKeys({ kind: 'ec', name: 'Waybill Polska' })
const offline = makeKeys({ kind: 'ec', name: 'Waybill Polska offline' })
const offlineRsa = makeKeys({ kind: 'rsa', name: 'Waybill Polska offline RSA' })
let ksef: Awaited<ReturnType<typeof startFakeKsef>>
let clerk: Caller
let companyId: number
let polish: number

beforeAll(async () => {
  ksef = await startFakeKsef([ours])
  app.ports.ksef = { test: createKsef({ url: ksef.url }), production: createKsef({ url: 'http://127.0.0.1:9' }) }
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  companyId = (await polishCompany(app, { ksefMode: 'test' })).id
  polish = await newCustomer(app, 'PL', { vatNumber: 'PL5260250274' })
  await enterRate(app)
  await keep(ours, 'authentication')
})
afterAll(() => ksef.close())
beforeEach(async () => {
  ksef.willMeet()
  await keep(offline, 'offline')
})

const keep = (keys: TestKeys, kind: string) => app.admin.put(`companies/${companyId}/ksef-certificates/${kind}`, keys)
const withoutOfflineKey = () => app.asOwner(`delete from ksef_certificate where kind = 'offline'`)
const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
/** A try of the job, so many minutes from now. */
const go = (id: number, minutes = 0) => {
  const now = () => new Date(app.clock.now().getTime() + minutes * 60_000)
  return submitInvoice({ ...jobContext(app), clock: { now } }, id)
}
const get = async (id: number) => (await clerk.get(`invoices/${id}`)).body
const outgoing = async (id: number) => (await clerk.get(`invoices/${id}/e-invoice`)).body
const mailOf = async (id: number) => (await clerk.get(`emails?invoiceId=${id}`)).body.items[0]
const issue = async (id: number) =>
  clerk.post(`invoices/${id}/ksef/offline`, undefined, { version: (await get(id)).version })

/** Numbered, and KSeF was away when it was to be handed over. */
async function waiting() {
  const { body: draft } = await clerk.post('invoices', {
    entityType: 'customer',
    companyId,
    billingCustomerId: polish,
    lines: [{ text: 'Transport', unitPriceCents: 100_000, vatBp: 2300, vatCategory: 'S' }],
  })
  const { body, status } = await clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, { version: draft.version })
  expect([status, body.status], JSON.stringify(body)).toEqual([200, 'created'])
  ksef.willMeet('away')
  await go(body.id)
  return body as { id: number; number: string; invoiceDate: string }
}
async function issued() {
  const { id } = await waiting()
  const { body, status } = await issue(id)
  expect([status, body.status, body.paper], JSON.stringify(body)).toEqual([200, 'sent', 'made'])
  return body as { id: number; version: number; number: string; invoiceDate: string }
}

/** What the PDFs that are made meanwhile say of KSeF. */
async function marksDuring(work: () => Promise<unknown>) {
  const { invoicePdf } = app.ports
  const marks: unknown[] = []
  app.ports.invoicePdf = (...given) => {
    marks.push(given[0].ksefMark)
    return invoicePdf(...given)
  }
  await work()
  app.ports.invoicePdf = invoicePdf
  return marks as { url: string; number: string | null; certificateUrl?: string }[]
}

describe('refusals', () => {
  test('without a certificate of type 2 there is no offline mode, and the invoice says so', async () => {
    await withoutOfflineKey()
    const { id } = await waiting()
    expect((await outgoing(id)).ksef).toMatchObject({ state: 'queued', canGoOffline: 'no_certificate', offline: null })
    const { status, body } = await issue(id)
    expect([status, body.code]).toEqual([409, 'ksef_no_offline_certificate'])
    await go(id, 180)
    expect((await get(id)).status).toBe('created')
  })

  test('one that is not on its way, another version, and another right', async () => {
    const { id } = await waiting()
    const other = (await app.userWith('ORDERS_MANAGEMENT')).caller
    expect((await other.post(`invoices/${id}/ksef/offline`, undefined, { version: 2 })).status).toBe(403)
    expect((await clerk.post(`invoices/${id}/ksef/offline`, undefined, { version: 1 })).body.code).toBe('stale_version')
    ksef.willMeet()
    await go(id)
    expect((await issue(id)).body.code).toBe('conflict')
    const { version } = await get(id)
    expect((await clerk.post(`invoices/${id}/ksef/again`, undefined, { version })).body.code).toBe('conflict')
  })

  test('the database lets nobody take back what was given out, nor say that something was', async () => {
    const { id } = await issued()
    for (const statement of [
      `update ksef_submission set "offlineAt" = null, "certificateUrl" = null, "submitBy" = null
        where "invoiceId" = ${id}`,
      `update ksef_submission set "submitBy" = "submitBy" + 9 where "invoiceId" = ${id}`,
      `update invoice set "frozenAt" = null, number = null, "invoiceDate" = null, "dueDate" = null where id = ${id}`,
    ])
      await expect(app.database.pool.query(statement), statement).rejects.toThrow()
    ksef.willMeet()
    await go(id)
    await expect(
      app.database.pool.query(
        `update ksef_submission set "offlineAt" = now(), "certificateUrl" = 'x', "submitBy" = now()
          where "invoiceId" = ${id}`,
      ),
    ).rejects.toThrow()
  })
})

describe('while KSeF is away', () => {
  test.each([
    ['ec', offline],
    ['rsa', offlineRsa],
  ] as const)('an invoice goes out with both codes, signed by a key of kind %s', async (kind, keys) => {
    expect((await keep(keys, 'offline')).status).toBe(200)
    const { id } = await waiting()
    expect((await outgoing(id)).ksef.canGoOffline).toBe('yes')
    expect((await mailOf(id)).status).toBe('planned')
    const [mark] = await marksDuring(() => issue(id))
    const invoice = await get(id)
    expect(invoice).toMatchObject({ status: 'sent', paper: 'made', openCents: 123_000 })
    expect((await mailOf(id)).status).not.toBe('planned')
    const shown = await outgoing(id)
    expect(shown.ksef).toMatchObject({
      state: 'queued',
      number: null,
      offline: { submitBy: nextPolishWorkingDay(invoice.invoiceDate), isLate: false },
    })
    const xml = (await clerk.get(`invoices/${id}/e-invoice/xml`)).raw
    const hash = createHash('sha256').update(xml).digest('base64url')
    expect(mark).toMatchObject({ number: null, url: shown.ksef.url })
    expect(mark!.url.endsWith(`/${hash}`)).toBe(true)
    const certificate = new X509Certificate(keys.certificate)
    const [, path, signature] = /^https:\/\/(.+)\/([\w-]+)$/.exec(mark!.certificateUrl!)!
    expect(path).toBe(
      `qr-test.ksef.mf.gov.pl/certificate/Nip/${SELLER_NIP}/${SELLER_NIP}/${certificate.serialNumber}/${hash}`,
    )
    const key =
      kind === 'ec'
        ? ({ key: certificate.publicKey, dsaEncoding: 'ieee-p1363' } as const)
        : { key: certificate.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    expect(verify('sha256', Buffer.from(path!), key, Buffer.from(signature!, 'base64url'))).toBe(true)
    expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
  })

  test('it goes out by itself after an hour, for who has the certificate', async () => {
    const { id } = await waiting()
    await go(id, 50)
    expect((await get(id)).status).toBe('created')
    await go(id, 61)
    expect(await get(id)).toMatchObject({ status: 'sent', paper: 'made' })
    expect((await outgoing(id)).ksef).toMatchObject({ state: 'queued', offline: { isLate: false } })
  })

  test('a correction waits for the number of what went out', async () => {
    const { id, version } = await issued()
    const { body: correction } = await clerk.post(`invoices/${id}/correction`, { reason: 'storno' }, { version })
    const send = () => clerk.post(`invoices/${correction.id}/send`, INVOICE_MAIL, { version: correction.version })
    expect((await send()).body.code).toBe('ksef_number_awaited')
    ksef.willMeet()
    await go(id)
    expect((await send()).status).toBe(200)
  })
})

describe('once KSeF is back', () => {
  test('the job hands it over as an offline invoice; what the customer has stays', async () => {
    const { id } = await issued()
    const [paper] = await rowsOf(`select "documentId" from invoice_paper where "invoiceId" = ${id}`)
    ksef.willMeet()
    await go(id)
    const [handed] = ksef.handed.slice(-1)
    expect(handed).toMatchObject({ offlineMode: true, corrects: null })
    expect((await outgoing(id)).ksef).toMatchObject({ state: 'accepted', number: handed!.number, offline: {} })
    expect(await get(id)).toMatchObject({ status: 'sent', paper: 'made' })
    expect(await rowsOf(`select "documentId" from invoice_paper where "invoiceId" = ${id}`)).toEqual([paper])
    const files = (await clerk.get(`documents?invoiceId=${id}`)).body.items
    expect(files.map(({ title }: { title: string }) => title)).toContain(`UPO ${handed!.number}.xml`)
    expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
  })

  test('one that is not there by the next working day is late, and says so', async () => {
    const { id } = await issued()
    const afterNineDays = async () => {
      app.clock.advance(9 * 86_400_000)
      const { caller } = await app.userWith('INVOICES_PROCESSING')
      const { body } = await caller.get(`invoices/${id}/e-invoice`)
      app.clock.advance(-9 * 86_400_000)
      return body.ksef
    }
    expect(await afterNineDays()).toMatchObject({ state: 'queued', offline: { isLate: true } })
    ksef.willMeet()
    await go(id)
    expect(await afterNineDays()).toMatchObject({ state: 'accepted', offline: { isLate: false } })
  })

  test('rejected it stays sent, and is handed over again with the same content as a technical correction', async () => {
    const { id } = await issued()
    const first = (await clerk.get(`invoices/${id}/e-invoice/xml`)).raw
    ksef.willMeet('reject')
    await go(id)
    const invoice = await get(id)
    expect(invoice).toMatchObject({ status: 'sent', paper: 'made' })
    expect(invoice.number).not.toBe(null)
    expect((await outgoing(id)).ksef).toMatchObject({ state: 'rejected', offline: {}, reservedNumber: null })
    const { version } = invoice
    const { body: correction } = await clerk.post(`invoices/${id}/correction`, { reason: 'storno' }, { version })
    const correct = () => clerk.post(`invoices/${correction.id}/send`, INVOICE_MAIL, { version: correction.version })
    expect((await correct()).body.code).toBe('ksef_number_awaited')
    app.clock.advance(2000)
    const again = await clerk.post(`invoices/${id}/ksef/again`, undefined, { version })
    expect(again.status, JSON.stringify(again.body)).toBe(200)
    await go(id)
    const [handed] = ksef.handed.slice(-1)
    expect(handed).toMatchObject({ offlineMode: true, corrects: createHash('sha256').update(first).digest('base64') })
    const content = (xml: Buffer) => xml.toString().replace(/<DataWytworzeniaFa>[^<]+/, '')
    expect(handed!.xml.equals(first)).toBe(false)
    expect(content(handed!.xml)).toBe(content(first))
    expect((await outgoing(id)).ksef).toMatchObject({ state: 'accepted', number: handed!.number })
    expect((await correct()).status).toBe(200)
    expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
  })
})

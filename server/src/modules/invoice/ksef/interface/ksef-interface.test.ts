// Invoices of a company in Poland that go through KSeF's interface (decision 085).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../../../test/app.ts'
import { jobContext } from '../../../../../test/job-context.ts'
import { startFakeKsef } from '../../../../../test/ksef/fake-ksef.ts'
import { enterRate, newCustomer, polishCompany, SELLER_NIP } from '../../../../../test/ksef/polish-company.ts'
import { makeKeys } from '../../../../../test/ksef/test-keys.ts'
import { INVOICE_MAIL } from '../../../../../test/mail-server.ts'
import { holdOutbox, releaseOutbox } from '../../../../backup/restored-outbox.ts'
import { createKsef } from './ksef-interface.ts'
import { submitInvoice, submitKsefJob, wakeKsef } from './submit-to-ksef.ts'

const app = useTestApp()
const ours = makeKeys({ kind: 'ec', name: 'Waybill Polska' })
const second = makeKeys({ kind: 'rsa', name: 'Waybill Polska RSA' })
const strange = makeKeys({ kind: 'ec', name: 'Somebody else' })
let ksef: Awaited<ReturnType<typeof startFakeKsef>>
let clerk: Caller
let company: { id: number; version: number }
let polish: number

beforeAll(async () => {
  ksef = await startFakeKsef([ours, second])
  app.ports.ksef = { test: createKsef({ url: ksef.url }), production: createKsef({ url: 'http://127.0.0.1:9' }) }
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  company = await polishCompany(app, { ksefMode: 'test' })
  polish = await newCustomer(app, 'PL', { vatNumber: 'PL5260250274' })
  await enterRate(app)
})
afterAll(() => ksef.close())
beforeEach(async () => {
  ksef.willMeet()
  await keep(ours)
})

const keep = (keys: { certificate: string; privateKey: string }, kind = 'authentication') =>
  app.admin.put(`companies/${company.id}/ksef-certificates/${kind}`, keys)
const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
const lastNumber = async () => (await rowsOf('select coalesce(sum(last), 0)::int as last from invoice_counter'))[0].last
const go = (id: number) => submitInvoice(jobContext(app), id)
const get = async (id: number) => (await clerk.get(`invoices/${id}`)).body
const outgoing = async (id: number) => (await clerk.get(`invoices/${id}/e-invoice`)).body
const mailsOf = async (id: number) => (await clerk.get(`emails?invoiceId=${id}`)).body.items

async function newInvoice(line: object = {}) {
  const { body, status } = await clerk.post('invoices', {
    entityType: 'customer',
    companyId: company.id,
    billingCustomerId: polish,
    lines: [{ text: 'Transport', unitPriceCents: 100_000, vatBp: 2300, vatCategory: 'S', ...line }],
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number }
}

/** Numbered and on its way. */
async function numbered(draft?: { id: number; version: number }) {
  const { id, version } = draft ?? (await newInvoice())
  const { body, status } = await clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
  expect([status, body.status, body.paper], JSON.stringify(body)).toEqual([200, 'created', null])
  return body as { id: number; version: number; number: string; invoiceDate: string }
}

async function accepted() {
  const { id } = await numbered()
  await go(id)
  const invoice = await get(id)
  expect([invoice.status, invoice.paper]).toEqual(['sent', 'made'])
  return invoice
}

describe('certificates', () => {
  test('are refused where they cannot be read, have ended, or have another key', async () => {
    const codeOf = async (keys: typeof ours) => (await keep(keys)).body.errors?.[0]?.code
    expect(await codeOf({ ...ours, certificate: 'x' })).toBe('invalid_certificate')
    expect(await codeOf({ ...ours, privateKey: 'x' })).toBe('invalid_private_key')
    expect(await codeOf({ ...ours, privateKey: strange.privateKey })).toBe('invalid_private_key')
    const ended = makeKeys({ kind: 'ec', name: 'Old', from: new Date('2020-01-01'), days: 10 })
    expect(await codeOf(ended)).toBe('invalid_certificate')
    expect((await keep(ours, 'other')).status).toBe(404)
    expect((await app.admin.put('companies/999999/ksef-certificates/offline', ours)).status).toBe(404)
    expect((await clerk.get(`companies/${company.id}/ksef-certificates`)).status).toBe(403)
  })

  test('are shown without their keys, which lie sealed', async () => {
    const { body } = await app.admin.get(`companies/${company.id}/ksef-certificates`)
    expect(body.items).toMatchObject([{ kind: 'authentication', subject: 'CN=Waybill Polska' }])
    expect(JSON.stringify(body)).not.toContain('PRIVATE KEY')
    const [{ key }] = await rowsOf(`select "sealedKey"::text as key from ksef_certificate`)
    expect(Buffer.from(key.slice(2), 'hex').includes('PRIVATE KEY')).toBe(false)
  })
})

// Our own rules let none of these out; the fake must refuse them all the same, or it would show nothing.
test('what the real KSeF refuses, the one of these tests refuses', async () => {
  await accepted()
  const xml = ksef.handed.at(-1)!.xml.toString()
  const client = createKsef({ url: ksef.url })
  const access = { ...ours, nip: SELLER_NIP }
  let count = 0
  const verdict = async (change: (text: string) => string) => {
    count += 1
    const changed = Buffer.from(change(xml.replace(/<P_2>[^<]+</, `<P_2>OTHER/${count}<`)))
    const reference = await client.handOver(access, changed, { isOffline: false, correctsSha256: null })
    return client.ask(access, reference, changed)
  }
  expect(await verdict((text) => text)).toMatchObject({ kind: 'accepted' })
  const rejected = (reason: RegExp) => ({ kind: 'rejected', reason: expect.stringMatching(reason) as unknown })
  expect(await verdict((text) => text.replace(`<NIP>${SELLER_NIP}<`, '<NIP>5260250274<'))).toEqual(
    rejected(/zakres uprawnień.*5260250274/),
  )
  expect(await verdict((text) => text.replace('<NIP>5260250274<', '<NIP>5260250275<'))).toEqual(
    rejected(/suma kontrolna NIP 5260250275/),
  )
  const later = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  expect(await verdict((text) => text.replace(/<P_1>[^<]+</, `<P_1>${later}<`))).toEqual(
    rejected(new RegExp(`${later} jest późniejsza`)),
  )
})

describe('what KSeF accepts', () => {
  test('has its number and is frozen before, and is sent, owed, sealed and mailed after', async () => {
    const { id, number, version } = await numbered()
    expect(await outgoing(id)).toMatchObject({ format: 'ksef', ksef: { mode: 'test', state: 'queued', number: null } })
    expect(await rowsOf(`select 1 from receivable where "invoiceId" = ${id}`)).toEqual([])
    expect(await rowsOf(`select 1 from invoice_seal where "invoiceId" = ${id}`)).toEqual([])
    const refused = await clerk.patch(`invoices/${id}`, { notes: 'x' }, { version })
    expect([refused.status, refused.body.code]).toEqual([409, 'ksef_undecided'])
    const again = await clerk.post(`invoices/${id}/send`, INVOICE_MAIL, { version })
    expect([again.status, again.body.code]).toEqual([409, 'ksef_undecided'])
    expect((await clerk.post(`invoices/${id}/status`, { to: 'canceled' }, { version })).status).toBe(409)
    expect((await clerk.delete(`invoices/${id}`, { version })).status).toBe(409)
    await expect(app.database.pool.query(`update invoice set "frozenAt" = null where id = ${id}`)).rejects.toThrow()
    await expect(
      app.database.pool.query(`update invoice set status = 'sent', "sentAt" = now() where id = ${id}`),
    ).rejects.toThrow()

    await go(id)
    const invoice = await get(id)
    expect(invoice).toMatchObject({ status: 'sent', number, paper: 'made', openCents: 123_000 })
    const shown = await outgoing(id)
    const [handed] = ksef.handed.slice(-1)
    expect(shown.ksef).toMatchObject({ state: 'accepted', number: handed!.number, vatGrosz: 98_123 })
    expect((await clerk.get(`invoices/${id}/e-invoice/xml`)).raw).toEqual(handed!.xml)
    expect((await mailsOf(id))[0].status).not.toBe('planned')
    expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
    const files = (await clerk.get(`documents?invoiceId=${id}`)).body.items
    const named = `Faktura_${number.replaceAll('/', '-')}_${invoice.buyer.title}`
    expect(files.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      `${named}.pdf`,
      `${named}.xml`,
      `UPO ${handed!.number}.xml`,
    ])
    // A job that runs once more changes nothing.
    await go(id)
    expect((await get(id)).version).toBe(invoice.version)
  })

  test('by an RSA key, too; one sign-in serves several invoices', async () => {
    await keep(second)
    const before = ksef.state.signIns
    await accepted()
    await accepted()
    expect(ksef.state.signIns).toBe(before + 1)
  })

  test('is waited for while KSeF is at it, and handed over again after a fault of its own', async () => {
    ksef.willMeet('pending')
    const { id } = await numbered()
    await go(id)
    expect((await outgoing(id)).ksef.state).toBe('submitted')
    await go(id)
    expect((await get(id)).status).toBe('sent')

    ksef.willMeet('system')
    const other = await numbered()
    const handed = ksef.handed.length
    await go(other.id)
    expect((await outgoing(other.id)).ksef.state).toBe('queued')
    await go(other.id)
    expect([(await get(other.id)).status, ksef.handed.length]).toEqual(['sent', handed + 2])
  })

  test('whose answer was lost is found again, and not issued twice', async () => {
    ksef.willMeet('lostAnswer')
    const { id } = await numbered()
    await go(id)
    expect((await outgoing(id)).ksef).toMatchObject({ state: 'queued', trouble: /\w/ as unknown })
    await go(id)
    const { number } = (await outgoing(id)).ksef
    expect(ksef.handed.filter((one) => one.number === number)).toHaveLength(1)
    expect((await get(id)).status).toBe('sent')
  })

  test('out of a backup waits for a word, and is handed over after it, also where mails were dropped', async () => {
    const { id } = await numbered()
    const moment = new Date().toISOString()
    const held = await holdOutbox(app.database.pool, { backupAt: moment, restoredAt: moment })
    expect(held.ksef_submission).toBe(1)
    const handed = ksef.handed.length
    const ctx = jobContext(app)
    const enqueued: unknown[] = []
    const jobs = { enqueue: async (_ctx: unknown, _name: string, data: unknown) => void enqueued.push(data) }
    const wake = () => wakeKsef.handle({ ...ctx, ports: { ...ctx.ports, jobs } as typeof ctx.ports }, {})
    await wake()
    await submitKsefJob.handle(ctx, { invoiceId: id })
    expect([enqueued, ksef.handed.length]).toEqual([[], handed])
    expect((await outgoing(id)).ksef.state).toBe('queued')

    expect(await releaseOutbox(app.database.pool, { isDropped: true })).toEqual(held)
    await wake()
    expect(enqueued).toContainEqual(expect.objectContaining({ invoiceId: id }))
    await submitKsefJob.handle(ctx, { invoiceId: id })
    expect([(await get(id)).status, ksef.handed.length]).toEqual(['sent', handed + 1])
  })

  test('a correction waits for it, then carries its number', async () => {
    const original = await accepted()
    const correct = async (version: number) =>
      (await clerk.post(`invoices/${original.id}/correction`, { reason: 'storno' }, { version })).body
    const correction = await numbered(await correct(original.version))
    // Until KSeF has accepted it the original stands.
    expect((await get(original.id)).status).toBe('sent')
    await go(correction.id)
    const { number } = (await outgoing(original.id)).ksef
    const xml = (await clerk.get(`invoices/${correction.id}/e-invoice/xml`)).raw.toString()
    expect(xml).toContain(`<NrKSeFFaKorygowanej>${number}</NrKSeFFaKorygowanej>`)
    expect((await get(original.id)).status).toBe('canceled')
    expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
  })
})

describe('what KSeF refuses', () => {
  test('while it is away, or our certificate is missing or unknown, the invoice waits and says why', async () => {
    const { id } = await numbered()
    const trouble = async () => {
      await go(id)
      const { state, trouble: why } = (await outgoing(id)).ksef
      expect(state).toBe('queued')
      return why
    }
    await app.asOwner('delete from ksef_certificate')
    expect(await trouble()).toBe('no_certificate')
    await keep(strange)
    expect(await trouble()).toBe('certificate')
    await keep(makeKeys({ kind: 'ec', name: 'Without rights' }))
    expect(await trouble()).toBe('certificate')
    await keep(ours)
    ksef.willMeet('away')
    expect(await trouble()).toContain('503')
    ksef.willMeet()
    await wakeKsef.handle(jobContext(app), {})
    await go(id)
    expect((await get(id)).status).toBe('sent')
  })

  test('is a draft again with its number kept, is mended, and submitted again under that number', async () => {
    ksef.willMeet('reject')
    const { id, number } = await numbered()
    await go(id)
    const draft = await get(id)
    expect(draft).toMatchObject({ status: 'created', number: null, invoiceDate: null })
    expect(await outgoing(id)).toMatchObject({
      ksef: {
        state: 'rejected',
        reason: 'Błąd weryfikacji semantyki dokumentu faktury: NIP nabywcy nie istnieje',
        reservedNumber: number,
      },
    })
    expect((await mailsOf(id))[0]).toMatchObject({ status: 'suppressed' })
    // Nobody else gets it, and it cannot be thrown away.
    const last = await lastNumber()
    expect((await accepted()).number).not.toBe(number)
    expect((await clerk.delete(`invoices/${id}`, { version: draft.version })).body.code).toBe('in_use')

    const mended = await clerk.patch(`invoices/${id}`, { notes: 'poprawiono' }, { version: draft.version })
    expect(mended.status).toBe(200)
    const second = await numbered(mended.body)
    expect([second.number, await lastNumber()]).toEqual([number, last + 1])
    await go(id)
    expect(await get(id)).toMatchObject({ status: 'sent', number, paper: 'made' })
    expect(await rowsOf('select * from invoice_seal_faults()')).toEqual([])
    const history = (await clerk.get(`audit-entries?invoiceId=${id}`)).body.items
    const actions = history.map(({ action }: { action: string }) => action)
    expect(actions.filter((one: string) => /ksef|sent/.test(one))).toEqual([
      'sent',
      'ksefQueued',
      'ksefRejected',
      'ksefQueued',
    ])
  })

  test('can be canceled, and then says which number was not issued', async () => {
    ksef.willMeet('reject')
    const { id, number } = await numbered()
    await go(id)
    const { version } = await get(id)
    const { body } = await clerk.post(`invoices/${id}/status`, { to: 'canceled' }, { version })
    expect(body).toMatchObject({ status: 'canceled', number: null })
    expect((await outgoing(id)).ksef).toMatchObject({ state: 'rejected', reservedNumber: number })
  })

  test('the database lets nobody take an invoice back that KSeF has not rejected, or another number', async () => {
    const { id } = await numbered()
    const back = `update invoice set "frozenAt" = null, number = null, "invoiceDate" = null, "dueDate" = null`
    await expect(app.database.pool.query(`${back} where id = ${id}`)).rejects.toThrow(/frozen/)
    await expect(
      app.database.pool.query(`update ksef_submission set state = 'accepted' where "invoiceId" = ${id}`),
    ).rejects.toThrow()
    await go(id)
    await expect(app.database.pool.query(`${back} where id = ${id}`)).rejects.toThrow(/frozen/)
  })
})

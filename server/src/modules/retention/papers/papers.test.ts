import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usualYears, type PaperKind } from '@waybill/contract/operations/paper-periods'
import { ADMIN, useTestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { FILES, upload } from '../../../../test/upload.ts'
import { readyCompany, readyCustomer } from '../../../../test/e-invoices/generated-invoices.ts'
import { INVOICE_MAIL, startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'
import { sealAudit } from '../../audit-entry/index.ts'
import { deletePapers } from '../index.ts'

const app = useTestApp()
const PATH = 'operations/paper-periods'
let world: OrderWorld
let server: MailServer
let customerId: number
/** of our first company */
let countryId: number

beforeAll(async () => {
  server = await startMailServer()
  app.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  countryId = (await rowsOf('select "countryId" from company order by id limit 1'))[0].countryId
})
afterAll(async () => {
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

const KEPT: Record<PaperKind, null> = { mail: null, transportPaper: null, invoicePaper: null, payment: null }
const rowsOf = async (text: string) => (await app.database.pool.query(text)).rows
const night = () => deletePapers.handle(jobContext(app), {})
const storedFiles = async () => (await app.ports.fileStore.kept()).length
async function choose(years: Partial<Record<PaperKind, number>>): Promise<void> {
  const { version } = (await app.admin.get(PATH)).body
  const countries = [{ id: countryId, years: { ...KEPT, ...years } }]
  const { status, body } = await app.admin.put(PATH, { countries }, { version })
  expect([status, body.errors]).toEqual([200, undefined])
}
const preview = async (years: Partial<Record<PaperKind, number>>) => {
  const asked = Object.entries(years).map(([kind, count]) => `&${kind}=${count}`)
  return (await app.admin.get(`${PATH}/preview?countryId=${countryId}${asked.join('')}`)).body.kinds
}

/** All orders, papers and mails become so many years older. */
const age = (years: number) =>
  app.asOwner(`update "order" set "createdAt" = "createdAt" - interval '${years} years',
      "lastUnloadingAt" = "lastUnloadingAt" - interval '${years} years';
    alter table document disable trigger user;
    update document set "createdAt" = "createdAt" - interval '${years} years';
    alter table document enable trigger user;
    update email set "createdAt" = "createdAt" - interval '${years} years',
      "sentAt" = "sentAt" - interval '${years} years', "settledAt" = "settledAt" - interval '${years} years';
    update intake_mail set "receivedAt" = "receivedAt" - interval '${years} years'`)

/** An order with a proof of delivery, and a mail that carries it to the driver. */
async function provenOrder() {
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), routes: [{ assignment: carried(world).assignment! }] }),
  )
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  const { id } = made.body
  const uploaded = await upload(app.admin, {
    fields: { orderId: id, documentType: 'PROOF_OF_DELIVERY' },
    file: { name: 'POD Jan Kowalski.pdf', bytes: FILES.pdf() },
  })
  expect(uploaded.status).toBe(201)
  const documentId: number = uploaded.body.id
  const wish = { type: 'driver_information', orderId: id }
  const { subject, page } = (await app.admin.post('emails/preview', wish)).body
  const mail = await app.admin.post('emails', {
    ...wish,
    to: ['dispo@wolski.example'],
    cc: [],
    subject: subject || 'Papers',
    blocks: page.blocks,
    seen: page.seen,
    documentIds: [documentId],
  })
  expect([mail.status, mail.body.errors]).toEqual([201, undefined])
  await deliverEmail.handle(jobContext(app), { emailId: mail.body.id })
  return { order: made.body, documentId, emailId: mail.body.id as number }
}
const end = async (id: number) => {
  const { version } = (await app.admin.get(`orders/${id}`)).body
  return app.admin.post(`orders/${id}/status`, { to: 'canceled', reason: 'Customer withdrew' }, { version })
}

describe('the periods of papers', () => {
  it('are those that are offered, of countries in which we are, and nobody’s choice is written over', async () => {
    const put = async (countries: object[], version?: number) => {
      const { status, body } = await app.admin.put(PATH, { countries }, version === undefined ? {} : { version })
      return [status, body.code]
    }
    const of = (years: object, id = countryId) => [{ id, years: { ...KEPT, ...years } }]
    expect(await put(of({ mail: 4 }), 0)).toEqual([422, 'validation'])
    expect(await put([{ id: countryId, years: { mail: 6 } }], 0)).toEqual([422, 'validation'])
    expect(await put(of({ mail: 6 }, 999_999), 0)).toEqual([422, 'validation'])
    expect(await put(of({ mail: 6 }))).toEqual([428, 'version_required'])
    expect(await put(of({ mail: 6 }), 3)).toEqual([409, 'stale_version'])
    const { caller } = await app.userWith('FULL_ACCESS')
    expect((await caller.get(PATH)).status).toBe(403)
    const { body } = await app.admin.get(PATH)
    expect(body).toMatchObject({ version: 0, lastRun: null })
    expect(body.countries).toContainEqual(expect.objectContaining({ id: countryId, code: 'DE', years: KEPT }))
    expect(await put(of({ mail: 6 }), 0)).toEqual([200, undefined])
    expect(await put(of({ mail: 8 }), 0)).toEqual([409, 'stale_version'])
    await choose({})
    expect((await app.admin.get(`${PATH}/preview?countryId=${countryId}&mail=4`)).status).toBe(422)
  })

  it('are proposed as the law of the country says', () => {
    expect([usualYears('DE'), usualYears('PL'), usualYears('FR')].map((one) => one.invoicePaper)).toEqual([8, 5, 10])
  })
})

describe('mails and papers of an order', () => {
  let proven: Awaited<ReturnType<typeof provenOrder>>

  it('stay while none is chosen, the order is open, or the calendar year counts; the preview says why', async () => {
    proven = await provenOrder()
    await age(9)
    await night()
    await choose({ mail: 6, transportPaper: 6 })
    await night()
    const [mail, paper] = await preview({ mail: 6, transportPaper: 6 })
    expect(mail).toMatchObject({ kind: 'mail', dueCount: 0, stays: [{ reason: 'open', count: expect.any(Number) }] })
    expect(paper).toMatchObject({ kind: 'transportPaper', dueCount: 0, stays: [{ reason: 'open', count: 1 }] })
    await end(proven.order.id)
    await age(12)
    const year = app.clock.now().getUTCFullYear()
    // The papers came nine years before, and count from its last unloading.
    expect((await preview({ transportPaper: 12 }))[0].stays).toEqual([{ reason: 'recent', count: 1 }])
    expect((await preview({ transportPaper: 11 }))[0]).toMatchObject({
      dueCount: 0,
      stays: [{ reason: 'carried', count: 1 }],
    })
    expect((await preview({ mail: 11 }))[0]).toMatchObject({ firstYear: year - 21 })
    expect((await app.admin.get(`documents/${proven.documentId}/file`)).status).toBe(200)
  })

  it('go whole once it is over: the mail first, then what it carried, its name and its bytes', async () => {
    await sealAudit.handle(jobContext(app), {})
    const before = await storedFiles()
    await choose({ mail: 10, transportPaper: 10 })
    await night()
    expect((await app.admin.get(`emails/${proven.emailId}`)).status).toBe(404)
    const list = (await app.admin.get(`documents?orderId=${proven.order.id}`)).body.items
    expect(list).toEqual([
      expect.objectContaining({
        id: proven.documentId,
        documentType: 'PROOF_OF_DELIVERY',
        title: '',
        deletedAt: expect.any(String),
      }),
    ])
    const file = await app.admin.get(`documents/${proven.documentId}/file`)
    expect([file.status, file.body.code]).toEqual([410, 'file_deleted'])
    expect(await storedFiles()).toBe(before - 1)
    const history = (await app.admin.get(`audit-entries?orderId=${proven.order.id}`)).body.items
    expect(history).toContainEqual(expect.objectContaining({ action: 'papersDeleted', actor: null }))
    expect(history).toContainEqual(expect.objectContaining({ action: 'mailsDeleted', actor: null }))
    const queued = history.find(({ action }: { action: string }) => action === 'mailQueued')
    expect(queued.changes).toContainEqual({ path: 'type', from: null, to: 'driver_information' })
    expect(queued.changes).toContainEqual({ path: 'to', from: null, to: { emptied: true } })
    for (const word of ['dispo@wolski.example', 'Kowalski']) expect(JSON.stringify(history)).not.toContain(word)
    await sealAudit.handle(jobContext(app), {})
    expect(await rowsOf('select position, fault from audit_seal_faults()')).toEqual([])
    expect((await app.admin.get(PATH)).body.lastRun.counts).toMatchObject({ transportPaper: 1 })
  })

  it('leave the history of those that stay as it is', async () => {
    const { order } = await provenOrder()
    await end(order.id)
    await age(21)
    app.clock.advance(60_000)
    const file = { name: 'Reklamation Meier.pdf', bytes: FILES.pdf() }
    const later = await upload(app.admin, { fields: { orderId: order.id, documentType: 'OTHER_DOCUMENTS' }, file })
    expect(later.status).toBe(201)
    await choose({ mail: 10, transportPaper: 10 })
    await night()
    const history = JSON.stringify((await app.admin.get(`audit-entries?orderId=${order.id}`)).body.items)
    expect(history).not.toContain('Kowalski')
    expect(history).toContain('Reklamation Meier.pdf')
  })

  it('are not planned anew when somebody opens the order again', async () => {
    const count = async () => (await app.admin.get(`emails?orderId=${proven.order.id}`)).body.total
    const before = await count()
    const { version } = (await app.admin.get(`orders/${proven.order.id}`)).body
    const saved = await app.admin.patch(`orders/${proven.order.id}`, { description: 'Looked at again' }, { version })
    expect(saved.status).toBe(200)
    expect(await count()).toBe(before)
  })
})

describe('order mails', () => {
  it('go with their text, once nobody has anything to do with them', async () => {
    const made = await app.admin.post('intake-mails', { text: 'From: Jan <jan@kowalski.example>\n\nAuftrag 4711' })
    expect(made.status).toBe(201)
    await age(12)
    await choose({ mail: 6 })
    await night()
    expect((await app.admin.get(`intake-mails/${made.body.id}`)).status).toBe(200)
    const { version } = (await app.admin.get(`intake-mails/${made.body.id}`)).body
    const closed = await app.admin.post(`intake-mails/${made.body.id}/close`, { reason: 'invitation' }, { version })
    expect(closed.body.state).toBe('not_order')
    await night()
    expect((await app.admin.get(`intake-mails/${made.body.id}`)).status).toBe(404)
  })

  it('of the last years go by no statement of the role that serves', async () => {
    const made = await app.admin.post('intake-mails', { text: 'Auftrag 4712' })
    await expect(rowsOf(`delete from intake_mail where id = ${made.body.id}`)).rejects.toThrow(/permission denied/)
    await rowsOf(`select delete_intake_mails('{${made.body.id}}', now())`)
    expect((await app.admin.get(`intake-mails/${made.body.id}`)).status).toBe(200)
  })
})

describe('papers of a sent invoice', () => {
  let invoice: { id: number; number: string; openCents: number; companyId: number }
  let buyerId: number
  const files = async () => (await app.admin.get(`documents?invoiceId=${invoice.id}`)).body.items
  const seals = () => rowsOf('select * from invoice_seal_faults()')
  const erase = (id: number) =>
    rowsOf(`update document set "deletedAt" = now(), "fileKey" = null, title = '' where id = ${id}`)

  beforeAll(async () => {
    await readyCompany(app)
    buyerId = await readyCustomer(app, 'xrechnungUbl', { paymentPeriodDays: 10 })
    const made = await app.admin.post(
      'orders',
      plainOrder(world, buyerId, {
        ...shipment(world),
        customerPriceCents: 100_000,
        customerVatBp: 1900,
        routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
      }),
    )
    const draft = await app.admin.post('invoices', { entityType: 'customer', orderIds: [made.body.id] })
    const sent = await app.admin.post(`invoices/${draft.body.id}/send`, INVOICE_MAIL, { version: draft.body.version })
    if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
    invoice = sent.body
    await end(made.body.id)
  }, 60_000)

  it('are frozen for years, by no statement of the role that serves either', async () => {
    const [file] = await files()
    await expect(erase(file.id)).rejects.toThrow(/frozen/)
  })

  it('stay while it is to be paid, and go with the mail that brought them; number, figures and seal stay', async () => {
    const country = (await rowsOf(`select "countryId" from company where id = ${invoice.companyId}`))[0].countryId
    expect(country).toBe(countryId)
    const before = await storedFiles()
    const [{ id: mailId }] = (await app.admin.get(`emails?invoiceId=${invoice.id}`)).body.items
    await deliverEmail.handle(jobContext(app), { emailId: mailId })
    await choose({ mail: 6, invoicePaper: 8 })
    expect((await preview({ invoicePaper: 8 }))[0].stays).toEqual([{ reason: 'recent', count: 2 }])
    // The date of an invoice that was sent cannot be made older, so time goes on; who was signed in is not any more.
    // For the database, which has a clock of its own, its files become older.
    await age(9)
    app.clock.advance(9.2 * 365.25 * 86_400_000)
    app.admin = app.withToken((await app.signIn(ADMIN.email, ADMIN.password)).body.token)
    await night()
    expect((await files()).map(({ deletedAt }: { deletedAt: string | null }) => deletedAt)).toEqual([null, null])
    expect((await preview({ invoicePaper: 8 }))[0].stays).toContainEqual({ reason: 'open', count: 2 })
    const paid = await app.admin.post('payments', {
      companyId: invoice.companyId,
      customerId: buyerId,
      valueDate: app.clock.now().toISOString().slice(0, 10),
      amountCents: invoice.openCents,
      shares: [{ invoiceId: invoice.id, amountCents: invoice.openCents }],
    })
    expect([paid.status, paid.body.errors]).toEqual([201, undefined])
    await night()

    expect(
      (await files()).map(({ title, deletedAt }: { title: string; deletedAt: string | null }) => [
        title,
        deletedAt !== null,
      ]),
    ).toEqual([
      ['', true],
      ['', true],
    ])
    expect(await storedFiles()).toBe(before - 2)
    expect((await app.admin.get(`emails?invoiceId=${invoice.id}`)).body.total).toBe(0)
    expect((await app.admin.get(`invoices/${invoice.id}`)).body).toMatchObject({
      number: invoice.number,
      status: 'paid',
      amountCents: 100_000,
    })
    expect(await seals()).toEqual([])
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MailBlock } from '@waybill/contract/mail-blocks'
import type { EmailDraft } from '@waybill/contract/email/by-hand'
import type { Email } from '@waybill/contract/email'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { INVOICE_MAIL, paragraph, startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { FILES, upload } from '../../../../test/upload.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'

const test = useTestApp()
let world: OrderWorld
let server: MailServer
let customerId: number
/** who may process invoices, and nothing else */
let clerk: Caller

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(test)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  const made = await test.admin.post('customers', {
    title: 'Hansa Holz GmbH',
    countryId: world.countries.DE,
    language: 'de',
    invoiceEmail: 'rechnung@hansa.example',
    contactPersons: [
      {
        fullName: 'Jan Petersen',
        salutationId: await test.idOf('salutation', 'title', 'Herr'),
        email: 'j.petersen@hansa.example',
      },
    ],
  })
  customerId = made.body.id
})
afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})
beforeEach(() => {
  server.inbox.length = 0
})

const ctx = () => jobContext(test)

const newOrder = async () =>
  (
    await test.admin.post(
      'orders',
      plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 100_000, customerOrderNumber: 'HH-77' }),
    )
  ).body

async function newInvoice(): Promise<Invoice> {
  const order = await newOrder()
  return (await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })).body
}

const codes = ({ status, body }: { status: number; body: { errors?: { path: string; code: string }[] } }) => [
  status,
  ...(body.errors ?? []).map(({ path, code }) => `${path} ${code}`),
]
const preview = async (invoiceId: number, more: object = {}): Promise<EmailDraft> =>
  (await clerk.post('emails/preview', { type: 'invoice', invoiceId, ...more })).body
/** As its page sends it. */
const asShown = ({ to, cc, subject, page }: EmailDraft) => ({
  to,
  cc,
  subject,
  language: page.language,
  blocks: page.blocks,
  documentIds: [] as number[],
  seen: page.seen,
})
const send = ({ id, version }: Invoice, mail: object, caller = clerk) =>
  caller.post(`invoices/${id}/send`, mail, { version })
const write = (invoiceId: number, mail: object) => clerk.post('emails', { type: 'invoice', invoiceId, ...mail })
const mailsOf = async (id: number): Promise<Email[]> => (await clerk.get(`emails?invoiceId=${id}`)).body.items
/** One job for each mail that waits, of which each takes the one whose turn it is. */
async function deliver(id: number): Promise<void> {
  const isWaiting = async () => (await mailsOf(id)).some(({ status }) => status === 'queued')
  for (let turn = 0; turn < 20 && (await isWaiting()); turn += 1) await deliverEmail.handle(ctx(), { emailId: id })
}
const words = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')
const withWords = (blocks: MailBlock[], text: string): MailBlock[] => [paragraph(text), ...blocks]

describe('refused', () => {
  it('for who processes no invoices', async () => {
    const invoice = await newInvoice()
    const orders = (await test.userWith('ORDERS_MANAGEMENT')).caller
    expect((await orders.post('emails/preview', { type: 'invoice', invoiceId: invoice.id })).status).toBe(403)
    expect((await send(invoice, INVOICE_MAIL, orders)).status).toBe(403)
    const mail = { ...INVOICE_MAIL, type: 'invoice', invoiceId: invoice.id }
    expect((await orders.post('emails', mail)).status).toBe(403)
  })

  it('is HTML of a browser, a value of another type, one that is missing, a file of another record', async () => {
    const invoice = await newInvoice()
    const variable = (key: string) => [
      {
        ...paragraph(''),
        text: [{ type: 'paragraph', content: [{ type: 'variable', attrs: { key, fallback: null } }] }],
      },
    ]
    const refused = async (more: object) => codes(await send(invoice, { ...INVOICE_MAIL, ...more }))
    expect(await refused({ html: '<p>x</p>' })).toEqual([422, 'html unknown_field'])
    expect(await refused({ blocks: variable('driver.plate') })).toEqual([
      422,
      'blocks.0.text.0.content.0.attrs.key unknown_variable',
    ])
    expect(await refused({ blocks: variable('invoice.reason') })).toEqual([422, 'blocks value_missing'])
    expect(await refused({ subject: 'Rechnung […]' })).toEqual([422, 'subject value_missing'])
    const file = (
      await upload(test.admin, {
        fields: { customerId, documentType: 'OTHER_DOCUMENTS' },
        file: { name: 'Anlage.pdf', bytes: FILES.pdf() },
      })
    ).body
    expect(await refused({ documentIds: [file.id] })).toEqual([422, 'documentIds.0 unknown_reference'])
    expect((await clerk.get(`invoices/${invoice.id}`)).body).toMatchObject({ status: 'created', number: null })
    expect(await mailsOf(invoice.id)).toEqual([])
  })

  it('is a mail that was seen before the invoice changed', async () => {
    const invoice = await newInvoice()
    const seen = asShown(await preview(invoice.id))
    const line = { ...invoice.lines[0]!, unitPriceCents: 90_000 }
    const { netCents: _net, ...written } = line
    const changed = await clerk.patch(`invoices/${invoice.id}`, { lines: [written] }, { version: invoice.version })
    expect(changed.status).toBe(200)
    expect(codes(await send(changed.body, seen))).toEqual([422, 'seen seen_before_change'])
    expect((await send(changed.body, asShown(await preview(invoice.id)))).status).toBe(200)
  })

  it('is a sending to nobody, and a mail by itself for an invoice without a number', async () => {
    const id = await world.customer('Ohne Adresse GmbH', 'DE')
    const order = await test.admin.post('orders', plainOrder(world, id, { ...shipment(world), customerPriceCents: 1 }))
    const invoice = (await clerk.post('invoices', { entityType: 'customer', orderIds: [order.body.id] })).body
    expect((await preview(invoice.id)).to).toEqual([])
    expect(codes(await send(invoice, {}))).toEqual([422, 'to recipient_missing'])
    expect((await write(invoice.id, INVOICE_MAIL)).status).toBe(409)
  })
})

describe('the mail of an invoice', () => {
  it('to a customer without an address costs no number, and leaves as soon as one is typed', async () => {
    const id = await world.customer('Ganz Ohne GmbH', 'DE')
    const order = await test.admin.post('orders', plainOrder(world, id, { ...shipment(world), customerPriceCents: 1 }))
    const invoice = (await clerk.post('invoices', { entityType: 'customer', orderIds: [order.body.id] })).body
    const used = async () =>
      (await test.database.pool.query('select coalesce(sum(last), 0)::int as last from invoice_counter')).rows[0].last
    const before = await used()
    expect(codes(await send(invoice, {}))).toEqual([422, 'to recipient_missing'])
    expect(codes(await send(invoice, asShown(await preview(invoice.id))))).toEqual([422, 'to required'])
    expect((await clerk.get(`invoices/${invoice.id}`)).body).toMatchObject({ status: 'created', number: null })
    expect([await used(), await mailsOf(invoice.id)]).toEqual([before, []])

    const typed = { ...asShown(await preview(invoice.id)), to: ['buchhaltung@ohne.example'] }
    const sent = await send(invoice, typed)
    expect([sent.status, sent.body.errors, await used()]).toEqual([200, undefined, before + 1])
    await deliver(invoice.id)
    expect(server.inbox.at(-1)).toMatchObject({
      recipients: ['buchhaltung@ohne.example'],
      mail: { attachments: [{ filename: `Rechnung_${sent.body.number}_Ganz Ohne GmbH.pdf` }] },
    })
  })

  it('is shown before sending with what it will be given, and leaves with it', async () => {
    const invoice = await newInvoice()
    const draft = await preview(invoice.id)
    expect(draft).toMatchObject({
      to: ['rechnung@hansa.example'],
      subject: `Rechnung [Nummer] zu ${invoice.orders[0]!.title}`,
      page: {
        language: 'de',
        holes: [],
        paper: { title: expect.stringContaining(invoice.innerNumber) },
        people: [
          { email: 'rechnung@hansa.example', role: 'invoiceAddress' },
          { email: 'j.petersen@hansa.example', name: 'Jan Petersen', role: 'contact' },
        ],
      },
    })
    const shown = asShown(draft)
    const sent = await send(invoice, { ...shown, blocks: withWords(shown.blocks, 'Mit Dank für <Ihren> Auftrag.') })
    expect([sent.status, sent.body.errors]).toEqual([200, undefined])
    const { number, invoiceDate, documentId } = sent.body as Invoice
    const [year, month, day] = invoiceDate!.split('-')
    const [email] = await mailsOf(invoice.id)
    expect(email).toMatchObject({
      subject: `Rechnung ${number} zu ${invoice.orders[0]!.title}`,
      attachments: [{ documentId }],
    })
    const html = words(email!.html)
    for (const said of [
      'Mit Dank für &lt;Ihren&gt; Auftrag.',
      number!,
      `${day}.${month}.${year}`,
      '1.190,00 EUR',
      'HH-77',
    ])
      expect(html).toContain(said)
    expect(html).not.toMatch(/\[Nummer\]|\[Datum\]|\[Fälligkeit\]|[\uE000\uE001]/)
    expect(html).toMatch(/Fällig am/)
    const history = (await clerk.get(`audit-entries?invoiceId=${invoice.id}`)).body.items
    expect(JSON.stringify(history)).toContain(`Rechnung ${number} zu`)
    await deliver(invoice.id)
    expect(server.inbox.at(-1)).toMatchObject({
      recipients: ['rechnung@hansa.example'],
      mail: { subject: email!.subject, attachments: [{ filename: `Rechnung_${number}_Hansa Holz GmbH.pdf` }] },
    })
  })

  it('says what the department says, where nothing was written by hand', async () => {
    const key = 'invoice.de'
    const template = (await test.admin.get(`departments/${world.departmentId}/email-templates/${key}`)).body
    const { subject, blocks, replyTo, isOn } = template
    const own = { subject, blocks: withWords(blocks, 'Ein Satz der Abteilung.'), replyTo, isOn }
    const kept = await test.admin.put(`departments/${world.departmentId}/email-templates/${key}`, own, { version: 0 })
    expect([kept.status, kept.body.errors]).toEqual([200, undefined])
    const invoice = await newInvoice()
    const sent = await send(invoice, {})
    expect([sent.status, sent.body.errors]).toEqual([200, undefined])
    const [email] = await mailsOf(invoice.id)
    expect(email).toMatchObject({ to: ['rechnung@hansa.example'], variant: 'standard' })
    expect(email!.html).toContain('Ein Satz der Abteilung.')
    expect(email!.subject).toContain(sent.body.number)
    expect((await preview(invoice.id)).html).toContain('Ein Satz der Abteilung.')
    await test.admin.delete(`departments/${world.departmentId}/email-templates/${key}`, { version: kept.body.version })
  })

  it('of a correction names the original and its reason, and asks for no payment', async () => {
    const invoice = await newInvoice()
    const sent = (await send(invoice, {})).body as Invoice
    const draft = await clerk.post(
      `invoices/${sent.id}/correction`,
      { reason: 'Preis falsch' },
      { version: sent.version },
    )
    const correction = draft.body as Invoice
    expect(codes(await clerk.post('emails/preview', { type: 'invoice', invoiceId: correction.id }))).toEqual([
      422,
      'type invalid_value',
    ])
    const shown = await preview(correction.id, { type: 'invoice_correction' })
    expect(shown.subject).toBe(`Stornorechnung [Nummer] zur Rechnung ${sent.number}`)
    const done = await send(correction, asShown(shown))
    expect([done.status, done.body.errors]).toEqual([200, undefined])
    const [email] = await mailsOf(correction.id)
    expect(email).toMatchObject({
      type: 'invoice_correction',
      subject: `Stornorechnung ${done.body.number} zur Rechnung ${sent.number}`,
    })
    expect(words(email!.html)).toContain('Preis falsch')
    expect(words(email!.html)).toContain('-1.190,00 EUR')
    expect(email!.html).not.toContain('Fällig am')
  })

  it('of a correction of a part is called so, as its paper is', async () => {
    const sent = (await send(await newInvoice(), {})).body as Invoice
    const line = {
      text: 'Fracht',
      unitPriceCents: 1,
      vatBp: 0,
      vatCategory: 'AE',
      correctsLineId: sent.lines[0]!.id,
      correctedQuantity: 1,
      correctedUnitPriceCents: 1000,
    }
    const draft = await clerk.post(
      `invoices/${sent.id}/correction`,
      { reason: 'Preis falsch', lines: [line] },
      { version: sent.version },
    )
    const shown = await preview(draft.body.id, { type: 'invoice_correction' })
    expect(shown.subject).toBe(`Rechnungskorrektur [Nummer] zur Rechnung ${sent.number}`)
    expect(words(shown.html)).toContain('anbei erhalten Sie die Rechnungskorrektur')
  })

  it('can be written in another language, with further files, which go behind the PDF', async () => {
    const invoice = await newInvoice()
    const file = (
      await upload(clerk, {
        fields: { invoiceId: invoice.id, documentType: 'OTHER_DOCUMENTS' },
        file: { name: 'Anlage.pdf', bytes: FILES.pdf() },
      })
    ).body
    const draft = await preview(invoice.id, { language: 'pl' })
    expect(draft.subject).toContain('Faktura [numer]')
    const sent = await send(invoice, { ...asShown(draft), documentIds: [file.id] })
    expect([sent.status, sent.body.errors]).toEqual([200, undefined])
    const [email] = await mailsOf(invoice.id)
    expect(email!.subject).toContain(`Faktura ${sent.body.number}`)
    expect(email!.attachments.map(({ documentId }) => documentId)).toEqual([sent.body.documentId, file.id])
  })

  it('can be written anew once it is sent, by who processes invoices alone, and sent again as it was', {
    tags: 'long',
  }, async () => {
    const invoice = await newInvoice()
    const sent = (await send(invoice, {})).body as Invoice
    const draft = await preview(invoice.id)
    expect(draft.page).toMatchObject({ paper: null, documents: [{ documentId: sent.documentId, isProposed: true }] })
    expect(draft.subject).toContain(sent.number)
    // The same words again at once would be a second press.
    test.clock.advance(31_000)
    const written = await write(invoice.id, { ...asShown(draft), documentIds: [sent.documentId] })
    expect([written.status, written.body.errors]).toEqual([201, undefined])
    expect(written.body).toMatchObject({ type: 'invoice', attachments: [{ documentId: sent.documentId }] })
    await deliver(invoice.id)
    expect((await mailsOf(invoice.id)).map(({ status }) => status)).toEqual(['sent', 'sent'])
    const again = await clerk.post(`emails/${written.body.id}/resend`, { to: ['neu@hansa.example'] })
    expect(again.status).toBe(200)
    expect((await clerk.get(`emails/${written.body.id}/rendered`)).body.html).toContain(sent.number)
    await deliver(invoice.id)
    expect(server.inbox.at(-1)).toMatchObject({ recipients: ['neu@hansa.example'], mail: { subject: draft.subject } })
  })
})

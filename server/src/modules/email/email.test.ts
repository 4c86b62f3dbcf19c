import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Email, EmailRow } from '@waybill/contract/email'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { paragraph, startMailServer, type MailServer } from '../../../test/mail-server.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { createMailer } from '../../kit/mail/mailer.ts'
import { deliverEmail, wakeEmails } from './index.ts'

const app = useTestApp()
let world: OrderWorld
let clerk: Caller
let server: MailServer
let customerId: number

beforeAll(async () => {
  world = await orderWorld(app)
  server = await startMailServer()
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  customerId = await world.customer('Hansa Bau GmbH', 'DE', {
    contactPersons: [{ fullName: 'Frau Ohne' }, { fullName: 'Herr Mit', email: 'mit@hansa.example' }],
    // The mails of the orders themselves would come in between.
    emailPreferences: { orderCreated: false },
  })
})

afterAll(async () => {
  // The workers go before the server that they talk to.
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

beforeEach(() => {
  server.inbox.length = 0
  server.answerTo = () => null
  app.ports.mailer = null
})

const open = () => {
  app.ports.mailer = createMailer({
    smtpUrl: server.smtpUrl,
    from: 'Waybill Spedition <office@waybill.example>',
    timeoutMs: 3000,
  })
}

const ctx = () => jobContext(app)
const deliver = (emailId: number) => deliverEmail.handle(ctx(), { emailId })

async function newInvoice() {
  const order = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 50_000,
      customerOrderNumber: 'SZG-„Ostsee“/26 & Co <dringend>',
    }),
  )
  return (await clerk.post('invoices', { entityType: 'customer', orderIds: [order.body.id] })).body
}

/** Sends an invoice by mail; answers the mail as the list shows it. */
async function sendInvoice(more: object = {}) {
  const invoice = await newInvoice()
  const { to, cc, subject, page } = (await clerk.post('emails/preview', { type: 'invoice', invoiceId: invoice.id }))
    .body
  const { blocks, seen } = page
  const sent = await clerk.post(
    `invoices/${invoice.id}/send`,
    { to, cc, subject, blocks, seen, ...more },
    { version: invoice.version },
  )
  expect(sent.status).toBe(200)
  const [email] = (await clerk.get(`emails?invoiceId=${invoice.id}`)).body.items
  return {
    invoice: sent.body,
    email,
    read: async () =>
      (await clerk.get(`emails?invoiceId=${invoice.id}`)).body.items.find((one: { id: number }) => one.id === email.id),
  }
}

describe('the preview', () => {
  test('goes to the address for invoices, else to the first contact person with one, else to nobody yet', async () => {
    const preview = async (id: number) => (await clerk.post('emails/preview', { type: 'invoice', invoiceId: id })).body
    const invoice = await newInvoice()
    expect(await preview(invoice.id)).toMatchObject({
      to: ['mit@hansa.example'],
      cc: [],
      attachments: [{ title: `Entwurf Rechnung_${invoice.innerNumber}_Hansa Bau GmbH.pdf` }],
    })
    const customer = (await app.admin.get(`customers/${customerId}`)).body
    await app.admin.patch(
      `customers/${customerId}`,
      { invoiceEmail: 'rechnung@hansa.example' },
      { version: customer.version },
    )
    expect((await preview(invoice.id)).to).toEqual(['rechnung@hansa.example'])
    await app.admin.patch(
      `customers/${customerId}`,
      { invoiceEmail: null, contactPersons: [] },
      { version: customer.version + 1 },
    )
    expect((await preview(invoice.id)).to).toEqual([])
    await app.admin.patch(
      `customers/${customerId}`,
      { contactPersons: [{ fullName: 'Herr Mit', email: 'mit@hansa.example' }] },
      { version: customer.version + 2 },
    )
  })

  test('speaks the customer’s language', async () => {
    const said: Record<string, string> = {}
    for (const language of ['en', 'de', 'pl']) {
      const id = await world.customer(`Customer ${language}`, 'DE', { language })
      const order = await app.admin.post(
        'orders',
        plainOrder(world, id, { ...shipment(world), customerPriceCents: 123_456 }),
      )
      const invoice = (await clerk.post('invoices', { entityType: 'customer', orderIds: [order.body.id] })).body
      const { subject, html } = (
        await clerk.post(
          'emails/preview',
          { type: 'invoice', invoiceId: invoice.id },
          { headers: { 'accept-language': 'en' } },
        )
      ).body
      said[language] = `${subject} | ${html}`.replace(/[\u00a0\u202f]/g, ' ')
    }
    expect(said.en).toMatch(/^Invoice \[number\] for .*Dear Sir or Madam,.*1,469\.13 EUR.*Due on.*\[due date\]/s)
    expect(said.de).toMatch(/^Rechnung \[Nummer\] zu .*Sehr geehrte Damen und Herren,.*1\.469,13 EUR.*\[Fälligkeit\]/s)
    expect(said.pl).toMatch(/^Faktura \[numer\] .*Szanowni Państwo,.*\[termin\].*1 469,13 EUR/s)
  })

  test('of a carrier’s invoice, or of the wrong kind, there is none', async () => {
    const invoice = await newInvoice()
    expect(
      (await clerk.post('emails/preview', { type: 'invoice_correction', invoiceId: invoice.id })).body.errors,
    ).toMatchObject([{ path: 'type', code: 'invalid_value' }])
    const carrier = (
      await clerk.post('invoices', {
        entityType: 'carrier',
        carrierCompanyId: world.carrier.id,
        number: 'C-1',
        amountCents: 1,
      })
    ).body
    expect((await clerk.post('emails/preview', { type: 'invoice', invoiceId: carrier.id })).body.errors).toMatchObject([
      { path: 'invoiceId', code: 'invalid_value' },
    ])
    expect((await clerk.post('emails/preview', { type: 'invoice', invoiceId: 999_999 })).status).toBe(404)
  })
})

describe('delivery', () => {
  test('a mail waits while there is no mail server, and goes by itself once there is one', async () => {
    const { email, invoice, read } = await sendInvoice()
    expect(email).toMatchObject({
      status: 'waiting',
      type: 'invoice',
      to: ['mit@hansa.example'],
      tries: 0,
      attempts: [],
      mimeSizeBytes: null,
      attachments: [{ documentId: invoice.documentId, title: `Rechnung_${invoice.number}_Hansa Bau GmbH.pdf` }],
    })
    await deliver(email.id)
    expect(await read()).toMatchObject({ status: 'waiting', tries: 0 })

    open()
    await app.ports.jobs.work(ctx())
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('sent')
    expect(await read()).toMatchObject({
      tries: 1,
      lastError: null,
      sentAt: expect.any(String),
      mimeSizeBytes: expect.any(Number),
      attempts: [{ isSent: true, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) }],
    })
    const mine = server.inbox.filter(({ mail }) => mail.subject?.includes(invoice.orders[0].title))
    expect(mine).toHaveLength(1)
    const [{ recipients, mail }] = mine as [(typeof mine)[number]]
    expect(recipients).toEqual(['mit@hansa.example'])
    expect(mail.subject).toContain(invoice.number)
    expect(mail.from).toMatchObject({ address: 'office@waybill.example' })
    expect(mail.html).toContain(
      'SZG-„Ostsee“/26 &#38; Co &#60;dringend&#62;'
        .replaceAll('&#38;', '&amp;')
        .replaceAll('&#60;', '&lt;')
        .replaceAll('&#62;', '&gt;'),
    )
    expect(mail.text).toContain('SZG-„Ostsee“/26 & Co <dringend>')
    expect(mail.text).toContain('Waybill Spedition GmbH')
    expect(mail.attachments).toMatchObject([
      { filename: `Rechnung_${invoice.number}_Hansa Bau GmbH.pdf`, mimeType: 'application/pdf' },
    ])
    const pdf = (await clerk.get(`invoices/${invoice.id}/document`)).raw
    expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).equals(pdf)).toBe(true)
    // What was sent can be told later: how large the mail was, and which bytes each file had.
    const sent = (await read()) as Email
    expect(sent.attachments).toMatchObject([
      { sizeBytes: pdf.length, sha256: createHash('sha256').update(pdf).digest('hex') },
    ])
    // SMTP itself adds a few dots.
    expect(sent.mimeSizeBytes! - mine[0]!.sizeBytes).toBeGreaterThanOrEqual(0)
    expect(sent.mimeSizeBytes! - mine[0]!.sizeBytes).toBeLessThan(20)
    expect(mail.html).not.toMatch(/<img|http-equiv="refresh"|<script/)
  })

  test('with a mail server it leaves at once, as on its page, with no word read as HTML', async () => {
    open()
    const { read } = await sendInvoice({
      to: ['a@x.example', 'b@x.example'],
      cc: ['c@x.example'],
      subject: 'Ihre Rechnung',
      blocks: [
        {
          ...paragraph(''),
          text: [
            {
              type: 'paragraph',
              content: [
                { type: 'text', text: '<p onclick="x()">Hallo ' },
                { type: 'text', text: 'Sie', marks: [{ type: 'bold' }] },
                { type: 'text', text: '</p><script>alert(1)</script><img src="http://spy.example/1.gif">' },
              ],
            },
          ],
        },
      ],
    })
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('sent')
    const [received] = server.inbox
    expect(received).toMatchObject({
      recipients: ['a@x.example', 'b@x.example', 'c@x.example'],
      mail: { subject: 'Ihre Rechnung', cc: [{ address: 'c@x.example' }] },
    })
    for (const html of [received!.mail.html!, (await read()).html as string]) {
      expect(html).toContain('Hallo <strong>Sie</strong>')
      expect(html).not.toMatch(/<p onclick|<script|<img/)
    }
    await app.ports.jobs.stop({ graceMs: 1000 })
  })

  test('a job that runs twice, or ten times at once, sends once', async () => {
    const { email, read } = await sendInvoice()
    open()
    await Promise.all(Array.from({ length: 10 }, () => deliver(email.id)))
    await deliver(email.id)
    expect(server.inbox).toHaveLength(1)
    expect(await read()).toMatchObject({ status: 'sent', tries: 1 })
  })

  test('a passing refusal is tried again later, under the same Message-ID, and says so meanwhile', async () => {
    const { email, read } = await sendInvoice()
    open()
    server.answerTo = () => ({ responseCode: 451, message: 'greylisted, come back' })
    await deliver(email.id)
    const held = await read()
    expect(held).toMatchObject({
      status: 'queued',
      tries: 1,
      lastError: expect.stringContaining('greylisted'),
      attempts: [{ isSent: false }],
    })
    expect(Date.parse(held.notBefore) - Date.now()).toBeGreaterThan(50_000)
    server.answerTo = () => null
    await deliver(email.id)
    expect(server.inbox).toHaveLength(0)
    await app.database.pool.query('update email set "notBefore" = now() where id = $1', [email.id])
    await deliver(email.id)
    expect(await read()).toMatchObject({
      status: 'sent',
      tries: 2,
      lastError: null,
      attempts: [{ isSent: true }, { isSent: false }],
    })
    const { rows } = await app.database.pool.query('select "messageId" from email where id = $1', [email.id])
    expect(server.inbox[0]!.mail.messageId).toBe(rows[0].messageId)
  })

  test('of two, the job of one tries the other and is refused: both still leave', { tags: 'long' }, async () => {
    const older = await sendInvoice({ to: ['later@hansa.example'], cc: [] })
    const newer = await sendInvoice({ to: ['now@hansa.example'], cc: [] })
    for (const [{ email }, minutes] of [
      [older, 2],
      [newer, 1],
    ] as const)
      await app.database.pool.query(
        `update email set status = 'queued', "notBefore" = now() - $2 * interval '1 minute' where id = $1`,
        [email.id, minutes],
      )
    open()
    server.answerTo = (address) => (address.startsWith('later') ? { responseCode: 451, message: 'come back' } : null)
    await deliver(newer.email.id)
    expect([await older.read(), await newer.read()]).toMatchObject([{ status: 'queued', tries: 1 }, { tries: 0 }])
    await deliver(older.email.id)
    expect(server.inbox.map(({ recipients }) => recipients)).toEqual([['now@hansa.example']])
    expect((await newer.read()).status).toBe('sent')
    const { rows } = await app.database.pool.query(
      `select count(*)::int as jobs from job.job where name = 'deliver_email' and state = 'created'
        and "start_after" > now() and data->>'emailId' = $1`,
      [String(older.email.id)],
    )
    expect(rows).toEqual([{ jobs: 1 }])
  })

  test('after the last try, a day and a half later, it has failed, and is counted among those of the day', {
    tags: 'long',
  }, async () => {
    const failed = async () => (await app.admin.get('operations')).body.mails.failed
    const before = await failed()
    const { email, read } = await sendInvoice()
    app.ports.mailer = createMailer({ smtpUrl: 'smtp://127.0.0.1:9', from: 'a@b.example', timeoutMs: 1000 })
    for (let tries = 1; tries <= 8; tries += 1) {
      await app.database.pool.query(
        `update email set "notBefore" = now(), "createdAt" = now() - interval '36 hours' where id = $1`,
        [email.id],
      )
      await deliver(email.id)
      expect(await read()).toMatchObject({ status: tries < 8 ? 'queued' : 'failed', tries })
      expect(await failed()).toBe(tries < 8 ? before : before + 1)
    }
  })

  test('a final refusal fails at once; the mail can be sent again to another address, with its files', async () => {
    const { email, invoice, read } = await sendInvoice()
    open()
    server.answerTo = (address) =>
      address === 'mit@hansa.example' ? { responseCode: 550, message: 'no such mailbox' } : null
    await deliver(email.id)
    expect(await read()).toMatchObject({
      status: 'failed',
      tries: 1,
      lastError: expect.stringContaining('no such mailbox'),
    })
    await deliver(email.id)
    expect((await read()).tries).toBe(1)

    const copy = await clerk.post(`emails/${email.id}/resend`, { to: ['neu@hansa.example'] })
    expect([copy.status, copy.body]).toMatchObject([
      200,
      {
        to: ['neu@hansa.example'],
        cc: [],
        subject: email.subject,
        status: 'queued',
        attachments: [{ documentId: invoice.documentId }],
      },
    ])
    await deliver(copy.body.id)
    expect(server.inbox).toMatchObject([
      {
        recipients: ['neu@hansa.example'],
        mail: { attachments: [{ filename: `Rechnung_${invoice.number}_Hansa Bau GmbH.pdf` }] },
      },
    ])
    expect((await clerk.get(`emails?invoiceId=${invoice.id}`)).body.items).toHaveLength(2)
  })

  test('accepted for one and refused for another, it is sent, and the refusal stays visible', async () => {
    const { email, read } = await sendInvoice({ to: ['gut@x.example', 'schlecht@x.example'] })
    open()
    server.answerTo = (address) => (address.startsWith('schlecht') ? { responseCode: 550, message: 'unknown' } : null)
    await deliver(email.id)
    expect(await read()).toMatchObject({ status: 'sent', lastError: expect.stringContaining('schlecht@x.example') })
    expect(server.inbox).toHaveLength(1)
  })

  test('a mail whose attachment is gone has failed, with the reason, and is not tried again', async () => {
    const { email, read, invoice } = await sendInvoice()
    open()
    const { rows } = await app.database.pool.query(
      `select "fileKey" from document join email_attachment on "documentId" = document.id where "emailId" = $1`,
      [email.id],
    )
    await app.ports.files.remove(rows[0].fileKey)
    await deliver(email.id)
    expect(await read()).toMatchObject({
      status: 'failed',
      lastError: `The attachment Rechnung_${invoice.number}_Hansa Bau GmbH.pdf is missing: please write a new mail`,
    })
    expect(server.inbox).toEqual([])
    await wakeEmails.handle(ctx(), { isStart: true })
    expect((await read()).status).toBe('failed')
  })

  test('a mail that was in hand when the server was killed gets a new job at the start, not in between', async () => {
    const { email, read } = await sendInvoice()
    open()
    const jobs = async () =>
      (
        await app.database.pool.query(
          `select state::text from job.job where name = 'deliver_email' and data->>'emailId' = $1 order by state`,
          [String(email.id)],
        )
      ).rows.map(({ state }: { state: string }) => state)
    // As a kill leaves it behind: the mail is queued, and its job counts as running.
    await app.database.pool.query(`update email set status = 'queued' where id = $1`, [email.id])
    await wakeEmails.handle(ctx(), { isStart: true })
    await app.database.pool.query(
      `update job.job set state = 'active', started_on = now() where name = 'deliver_email' and data->>'emailId' = $1`,
      [String(email.id)],
    )
    await wakeEmails.handle(ctx(), {})
    expect(await jobs()).toEqual(['active'])
    await wakeEmails.handle(ctx(), { isStart: true })
    await wakeEmails.handle(ctx(), { isStart: true })
    expect(await jobs()).toEqual(['active', 'created'])
    await deliver(email.id)
    expect((await read()).status).toBe('sent')
    expect(server.inbox).toHaveLength(1)
  })

  test('a mail whose job was lost is found again', async () => {
    const { email, read } = await sendInvoice()
    open()
    await app.database.pool.query(
      `update email set status = 'queued', "notBefore" = now() - interval '1 hour' where id = $1`,
      [email.id],
    )
    await wakeEmails.handle(ctx(), {})
    const { rows } = await app.database.pool.query(
      `select count(*)::int as jobs from job.job where name = 'deliver_email' and state = 'created'
        and data->>'emailId' = $1`,
      [String(email.id)],
    )
    expect(rows).toEqual([{ jobs: 1 }])
    await wakeEmails.handle(ctx(), {})
    const again = await app.database.pool.query(
      `select count(*)::int as jobs from job.job where name = 'deliver_email' and state = 'created'
        and data->>'emailId' = $1`,
      [String(email.id)],
    )
    expect(again.rows).toEqual([{ jobs: 1 }])
    await deliver(email.id)
    expect((await read()).status).toBe('sent')
  })
})

describe('rights', () => {
  test('a mail belongs to its record: who may not see that sees no mail and sends none again', async () => {
    const { email, invoice } = await sendInvoice()
    const dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
    const assigned = (await app.userWith('ASSIGNED_ORDERS')).caller
    expect((await app.anonymous.get(`emails?invoiceId=${invoice.id}`)).status).toBe(401)
    expect((await dispatcher.get(`emails?invoiceId=${invoice.id}`)).status).toBe(403)
    expect((await dispatcher.post(`emails/${email.id}/resend`, {})).status).toBe(403)
    expect((await clerk.post('emails/999999/resend', {})).status).toBe(404)
    const orderId = invoice.orderIds[0]
    // The order has mails of its own, and they are not those of its invoice.
    const types = (await dispatcher.get(`emails?orderId=${orderId}`)).body.items.map(({ type }: Email) => type)
    expect(types).toEqual(['order_created'])
    expect((await assigned.get(`emails?orderId=${orderId}`)).status).toBe(404)
    const ofClerk = (await clerk.get('emails')).body.items.map(({ owner }: EmailRow) => owner.kind)
    expect([...new Set(ofClerk)]).toEqual(['invoice'])
  })

  test('one that is still on its way is not sent again to the same people', async () => {
    const { email } = await sendInvoice()
    expect((await clerk.post(`emails/${email.id}/resend`, {})).body.code).toBe('conflict')
    expect((await clerk.post(`emails/${email.id}/resend`, { to: ['x'] })).body.errors).toMatchObject([
      { path: 'to.0', code: 'invalid_email' },
    ])
    expect(
      (await clerk.post(`emails/${email.id}/resend`, { to: ['a@b.example\r\nBcc: c@d.example'] })).body.errors,
    ).toMatchObject([{ path: 'to.0', code: 'invalid_email' }])
  })
})

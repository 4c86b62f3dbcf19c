// Reminders to customers without an address: held, and sent once there is one (decision 146). There is no mail server
// here: what leaves is *waiting*.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Email, OpenedEmail } from '@waybill/contract/email'
import { mayCancel, mayResend, maySendNow } from '@waybill/contract/email/may-send'
import type { DueReminder, DueReminders } from '@waybill/contract/reminder/reminder'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { textOf } from '../../../test/papers/pdf-text.ts'
import { sendHeldReminders } from '../correspondence/index.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const DAY = 86_400_000
let world: OrderWorld
let clerk: Caller
let companyId: number

beforeAll(async () => {
  world = await orderWorld(test)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  companyId = (await test.admin.get('companies')).body.items[0].id
})

const today = () => test.clock.now().toISOString().slice(0, 10)

async function afterDays(days: number): Promise<void> {
  test.clock.advance(days * DAY)
  // Who was signed in has been signed out by then.
  test.admin = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
}

/** An invoice without VAT, due ten days after today. */
async function invoiceTo(customerId: number, cents: number): Promise<{ id: number; number: string; version: number }> {
  const order = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: cents, paymentPeriodDays: 10 }),
  )
  const line = { kind: 'freight', text: 'Transport', quantity: 1, unitPriceCents: cents, vatBp: 0, vatCategory: 'Z' }
  const draft = await clerk.post('invoices', {
    entityType: 'customer',
    orderIds: [order.body.id],
    lines: [{ ...line, orderId: order.body.id }],
  })
  expect(draft.status, JSON.stringify(draft.body)).toBe(201)
  const { id, version } = draft.body
  const sent = await clerk.post(`invoices/${id}/status`, { to: 'sent' }, { version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return (await clerk.get(`invoices/${id}`)).body
}

const customer = (title: string) => world.customer(title, 'DE')
const due = async (q: string): Promise<DueReminders> =>
  (await clerk.get(`reminders/due?q=${encodeURIComponent(q)}`)).body
const bodyOf = ({ customer: { id }, company, items, totalCents }: DueReminder) => ({
  companyId: company.id,
  customerId: id,
  invoiceIds: items.map(({ invoice }) => invoice.id),
  totalCents,
})

/** Presses *Send* on what is due of a customer without an address; gives the mail that is held. */
async function held(q: string): Promise<number> {
  const { status, body } = await clerk.post('reminders', bodyOf((await due(q)).items[0]!))
  expect([status, body.id], JSON.stringify(body)).toEqual([201, null])
  return body.heldMailId
}

const work = () => sendHeldReminders.handle(jobContext(test), {})
const mail = async (id: number): Promise<OpenedEmail> => (await clerk.get(`emails/${id}`)).body
const levels = async (invoiceId: number): Promise<number[]> =>
  (await clerk.get(`invoices/${invoiceId}/reminders`)).body.items.map(({ level }: { level: number }) => level)
const remindersOf = async (invoiceId: number): Promise<Email[]> =>
  (await clerk.get(`emails?invoiceId=${invoiceId}`)).body.items.filter(({ variant }: Email) =>
    variant?.startsWith('payment_reminder'),
  )
const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
]

async function enterAddress(customerId: number, change: object): Promise<void> {
  const { version } = (await test.admin.get(`customers/${customerId}`)).body
  const entered = await test.admin.patch(`customers/${customerId}`, change, { version })
  expect(entered.status, JSON.stringify(entered.body)).toBe(200)
}

async function pay(customerId: number, invoiceId: number, amountCents: number): Promise<void> {
  const shares = [{ invoiceId, amountCents }]
  const paid = await clerk.post('payments', { companyId, customerId, valueDate: today(), amountCents, shares })
  expect(paid.status, JSON.stringify(paid.body)).toBe(201)
}

describe('a reminder to a customer without an address', () => {
  it('is proposed, held when it is sent, and counts as no level', async () => {
    const id = await customer('Adresslos GmbH')
    const invoice = await invoiceTo(id, 10_000)
    await afterDays(18)
    const [proposed] = (await due('adresslos')).items
    expect(proposed).toMatchObject({ to: null, level: 1, totalCents: 10_000 })
    const { totalCents: _seen, ...wanted } = bodyOf(proposed!)
    expect((await clerk.post('reminders/preview', wanted)).body).toMatchObject({ to: null, holes: [] })
    const mailId = await held('adresslos')
    expect(await due('adresslos')).toMatchObject({
      items: [],
      leftOut: [{ reason: 'held', mailId, openCents: 10_000, invoices: [{ id: invoice.id }] }],
    })
    expect(await levels(invoice.id)).toEqual([])
    // In the list of all mails, and in what the dashboard counts.
    const listed = (await clerk.get('emails?status[]=held')).body
    expect(listed.items.find((one: Email) => one.id === mailId)).toMatchObject({
      type: 'other_emails',
      variant: 'payment_reminder_1',
      status: 'held',
      reason: 'noAddress',
      to: [],
      isWritten: false,
      customer: { id },
      owner: { kind: 'invoice', id: invoice.id },
    })
    const shown = await mail(mailId)
    expect([mayCancel(shown), maySendNow(shown), mayResend(shown)]).toEqual([true, true, false])
    expect(shown.subject).toMatch(/^Zahlungserinnerung/)
    expect(shown.html).toContain(invoice.number)
    expect((await clerk.get(`emails/${mailId}/rendered`)).body.text).toContain(invoice.number)
    await work()
    expect(await mail(mailId)).toMatchObject({ status: 'held', attachments: [] })
  })

  it('is pressed once, however many press, and nobody without the right sends it', async () => {
    const id = await customer('Einmal GmbH')
    const invoice = await invoiceTo(id, 10_000)
    await afterDays(18)
    const body = bodyOf((await due('einmal')).items[0]!)
    const answers = await Promise.all(Array.from({ length: 5 }, () => clerk.post('reminders', body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(faults(answer)).toEqual([422, 'invoiceIds reminder_changed'])
    const [one, ...others] = await remindersOf(invoice.id)
    expect([one!.status, others]).toEqual(['held', []])
    const outsider = (await test.userWith('ORDERS_MANAGEMENT')).caller
    for (const path of ['send-now', 'cancel'])
      expect((await outsider.post(`emails/${one!.id}/${path}`, {})).status).toBe(403)
  })

  it('leaves once there is an address, with what is due then, and never twice', { tags: 'long' }, async () => {
    const id = await customer('Adresse Folgt GmbH')
    const invoice = await invoiceTo(id, 264_000)
    await afterDays(18)
    const mailId = await held('adresse folgt')
    await afterDays(30)
    // The days to pay of a reminder that nobody has read do not run.
    expect((await due('adresse folgt')).leftOut).toMatchObject([{ reason: 'held' }])
    await enterAddress(id, { contactPersons: [{ fullName: 'Jan Petersen', email: 'petersen@folgt.example' }] })
    await Promise.all([work(), work(), work()])
    await work()
    const sent = await mail(mailId)
    expect(sent).toMatchObject({ status: 'waiting', to: ['petersen@folgt.example'], isWritten: true, reason: null })
    expect(sent.createdBy).not.toBeNull()
    const [letter, copy, ...others] = sent.attachments
    expect([copy!.title, others]).toEqual([expect.stringMatching(/^Rechnung/), []])
    expect(textOf((await clerk.get(`documents/${letter!.documentId}/file`)).raw)).toContain(invoice.number)
    expect(await remindersOf(invoice.id)).toHaveLength(1)
    const { items } = (await clerk.get(`invoices/${invoice.id}/reminders`)).body
    const until = new Date(Date.parse(today()) + 7 * DAY).toISOString().slice(0, 10)
    expect(items).toMatchObject([{ level: 1, daysLate: 38, payUntil: until }])
    expect(items[0].by).not.toBeNull()
    expect(await due('adresse folgt')).toMatchObject({ items: [], leftOut: [] })
  })

  it('speaks of what is open when it leaves', { tags: 'long' }, async () => {
    const id = await customer('Teils Bezahlt GmbH')
    const [paid, open] = [await invoiceTo(id, 10_000), await invoiceTo(id, 20_000)]
    await afterDays(18)
    const mailId = await held('teils bezahlt')
    await pay(id, paid.id, 10_000)
    await pay(id, open.id, 5_000)
    await enterAddress(id, { invoiceEmail: 'post@teils.example' })
    await work()
    expect(await mail(mailId)).toMatchObject({ status: 'waiting', to: ['post@teils.example'] })
    expect([await levels(paid.id), await levels(open.id)]).toEqual([[], [1]])
    expect((await mail(mailId)).html.replaceAll('\u00a0', ' ')).toContain('150,00 EUR')
  })

  it('is let go where nothing of it is due any more, address or not', async () => {
    const id = await customer('Hat Bezahlt GmbH')
    const invoice = await invoiceTo(id, 10_000)
    await afterDays(18)
    const mailId = await held('hat bezahlt')
    await pay(id, invoice.id, 10_000)
    await work()
    expect(await mail(mailId)).toMatchObject({ status: 'suppressed', reason: 'overtaken' })
    await enterAddress(id, { invoiceEmail: 'post@bezahlt.example' })
    await work()
    expect([await levels(invoice.id), (await mail(mailId)).status]).toEqual([[], 'suppressed'])
  })

  it('can be sent from its mail to an address that somebody types, once', { tags: 'long' }, async () => {
    const id = await customer('Getippt GmbH')
    const invoice = await invoiceTo(id, 10_000)
    await afterDays(18)
    const mailId = await held('getippt')
    const send = (body: object) => clerk.post(`emails/${mailId}/send-now`, body)
    expect(faults(await send({}))).toEqual([422, 'to recipient_missing'])
    const to = ['anna@getippt.example']
    const answers = await Promise.all([send({ to }), send({ to }), send({ to }), work().then(() => null)])
    const statuses = answers.flatMap((answer) => answer?.status ?? [])
    expect(statuses.toSorted()).toEqual([200, 409, 409])
    expect(await mail(mailId)).toMatchObject({ status: 'waiting', to })
    expect(await levels(invoice.id)).toEqual([1])
    expect((await send({ to })).status).toBe(409)
  })

  it('is due again where somebody takes it back', { tags: 'long' }, async () => {
    const id = await customer('Zurück GmbH')
    const invoice = await invoiceTo(id, 10_000)
    await afterDays(18)
    const mailId = await held('zurück')
    expect((await clerk.post(`emails/${mailId}/cancel`)).body).toMatchObject({
      status: 'suppressed',
      reason: 'canceled',
    })
    expect(await due('zurück')).toMatchObject({ items: [{ items: [{ invoice: { id: invoice.id } }] }], leftOut: [] })
    const again = await held('zurück')
    expect(again).not.toBe(mailId)
    await enterAddress(id, { invoiceEmail: 'post@zurueck.example' })
    await work()
    expect([(await mail(mailId)).status, (await mail(again)).status]).toEqual(['suppressed', 'waiting'])
    expect(await levels(invoice.id)).toEqual([1])
  })

  it('is one mail of the customer, also where further invoices become due', async () => {
    const id = await customer('Mehrere GmbH')
    const first = await invoiceTo(id, 10_000)
    await afterDays(10)
    const second = await invoiceTo(id, 20_000)
    await afterDays(8)
    const mailId = await held('mehrere')
    await afterDays(10)
    expect(await due('mehrere')).toMatchObject({
      items: [{ items: [{ invoice: { id: second.id } }] }],
      leftOut: [{ invoices: [{ id: first.id }] }],
    })
    expect(await held('mehrere')).toBe(mailId)
    await enterAddress(id, { invoiceEmail: 'post@mehrere.example' })
    await work()
    const sent = await mail(mailId)
    expect(sent).toMatchObject({ status: 'waiting', to: ['post@mehrere.example'] })
    expect(sent.attachments).toHaveLength(3)
    expect([await levels(first.id), await levels(second.id)]).toEqual([[1], [1]])
  })

  it('waits on where the text of its department has a hole, and says which', async () => {
    const id = await customer('Lücke GmbH')
    const invoice = await invoiceTo(id, 10_000)
    await afterDays(18)
    const mailId = await held('lücke')
    await enterAddress(id, { invoiceEmail: 'post@luecke.example' })
    const path = `departments/${world.departmentId}/email-templates/other_emails.payment_reminder_1.de`
    const { subject, blocks, replyTo, isOn } = (await test.admin.get(path)).body
    const variable = { type: 'variable', attrs: { key: 'reminder.interest', fallback: null } }
    const text = [{ type: 'paragraph', content: [variable] }]
    const hole = { id: 'x', kind: 'paragraph', onlyIf: null, text }
    const written = await test.admin.put(path, { subject, blocks: [...blocks, hole], replyTo, isOn }, { version: 0 })
    expect(written.status, JSON.stringify(written.body)).toBe(200)
    await work()
    expect(await mail(mailId)).toMatchObject({ status: 'held', reason: 'valueMissing', missing: ['reminder.interest'] })
    expect(await levels(invoice.id)).toEqual([])
    const back = await test.admin.delete(path, { version: written.body.version })
    expect(back.status, JSON.stringify(back.body)).toBe(204)
    await work()
    expect(await mail(mailId)).toMatchObject({ status: 'waiting', to: ['post@luecke.example'] })
  })
})

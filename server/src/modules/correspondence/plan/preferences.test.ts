// Each of a customer's nine switches, by what becomes of the mail that it is for (domain, Emails and documents).
import { beforeAll, describe, expect, test } from 'vitest'
import { EMAIL_PREFERENCES, type EmailPreference } from '@waybill/contract/customer'
import type { Email } from '@waybill/contract/email'
import type { MonthEnd } from '@waybill/contract/invoice/month-end/month-end'
import type { Order } from '@waybill/contract/order/order'
import type { DueReminders } from '@waybill/contract/reminder/reminder'
import { ADMIN, useTestApp } from '../../../../test/app.ts'
import { readyCompany } from '../../../../test/e-invoices/generated-invoices.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { FILES, upload } from '../../../../test/upload.ts'
import { sendInvoiceRun } from '../../invoice/index.ts'
import { renderEmails } from './render-mails.ts'

const app = useTestApp({ beginsOn: '2026-11-28T09:00:00Z' })
const UNTIL = '2026-12-31'
let world: OrderWorld
let companyId: number

/** A customer with all switches on but this one, and its order on the way from the first mail to the last. */
interface Story {
  off: EmailPreference
  customerId: number
  order: Order
  mails: Email[]
}
const stories = new Map<EmailPreference, Story>()
/** of a customer that can be sent none */
let unreachable: Story

const mailsOf = async (owner: string): Promise<Email[]> =>
  (await app.admin.get(`emails?${owner}&perPage=100`)).body.items
async function work(orderId: number): Promise<void> {
  app.clock.advance(9000)
  await renderEmails.handle(jobContext(app), { orderId })
}
async function move(order: Order, to: string): Promise<Order> {
  const given = { to, reason: 'because', at: app.clock.now().toISOString() }
  const { status, body } = await app.admin.post(`orders/${order.id}/status`, given, { version: order.version })
  expect(status, JSON.stringify(body)).toBe(200)
  await work(order.id)
  return body
}

async function tell(off: EmailPreference, more: object = {}): Promise<Story> {
  const customerId = await world.customer(`Ohne ${off}${'invoiceEmail' in more ? ' und Adresse' : ''} GmbH`, 'DE', {
    address: 'Kai 1',
    postal: '20457',
    city: 'Hamburg',
    paymentOption: 'end_of_period',
    paymentPeriodDays: 10,
    invoiceEmail: 'rechnung@kunde.example',
    contactPersons: [{ fullName: 'Jens Petersen', email: 'petersen@kunde.example' }],
    emailPreferences: Object.fromEntries(EMAIL_PREFERENCES.map((name) => [name, name !== off])),
    ...more,
  })
  const made = await app.admin.post<Order>(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 50_000,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await work(made.body.id)
  let order = made.body
  for (const to of ['scheduled', 'in_transit', 'delivered']) order = await move(order, to)
  const proof = { documentType: 'PROOF_OF_DELIVERY', orderId: order.id, orderCarrier: order.routes[0]!.assignment!.id }
  expect((await upload(app.admin, { fields: proof, file: { name: 'CMR.pdf', bytes: FILES.pdf() } })).status).toBe(201)
  await work(order.id)
  order = await move((await app.admin.get(`orders/${order.id}`)).body, 'completed')
  return { off, customerId, order, mails: await mailsOf(`orderId=${order.id}`) }
}

/** Bills all that was completed, in one run. */
async function bill(): Promise<void> {
  const { items } = (await app.admin.get<MonthEnd>(`invoices/month-end?companyId=${companyId}&until=${UNTIL}`)).body
  const customers = items.map(({ customer, orderIds, netCents }) => ({ customerId: customer.id, orderIds, netCents }))
  const run = await app.admin.post('invoices/month-end/runs', { companyId, until: UNTIL, customers })
  expect(run.status, JSON.stringify(run.body)).toBe(201)
  await sendInvoiceRun.handle(jobContext(app), { runId: run.body.id })
}

beforeAll(async () => {
  world = await orderWorld(app)
  companyId = (await readyCompany(app)).id
  for (const off of EMAIL_PREFERENCES) stories.set(off, await tell(off))
  unreachable = await tell('invoice', { invoiceEmail: null, contactPersons: [] })
  await bill()
  app.clock.advance(30 * 86_400_000)
  app.admin = app.withToken((await app.signIn(ADMIN.email, ADMIN.password)).body.token)
}, 60_000)

/** What shows that a mail goes, or that it does not for its customer's wish. */
type Outcome = 'goes' | 'not wanted'
const outcomeOf = (mail: Email | undefined): Outcome | string =>
  mail?.reason === 'preference' ? 'not wanted' : mail?.status === 'waiting' ? 'goes' : JSON.stringify(mail ?? null)
const ofType = (type: Email['type']) => (story: Story) =>
  Promise.resolve(outcomeOf(story.mails.find((mail) => mail.type === type)))

async function billed({ customerId }: Story): Promise<{ id: number; number: string }> {
  const { status, body } = await app.admin.get(`invoices?entityType=customer&billingCustomerId[]=${customerId}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items[0]
}

/** An order of the same customer whose goods leave the Union. */
async function exported({ customerId }: Story): Promise<number> {
  const { locations = [], ...goods } = shipment(world)
  const [from, to] = locations
  const abroad = { ...to!, countryId: world.countries.CH, city: 'Basel' }
  const made = await app.admin.post('orders', plainOrder(world, customerId, { ...goods, locations: [from!, abroad] }))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.id
}

/** A certificate is sent by hand: the page says that its customer wants none. */
async function onItsPage(orderId: number, type: 'arrival_certificate' | 'export_certificate') {
  const shown = await app.admin.post('emails/preview', { orderId, type })
  expect(shown.status, JSON.stringify(shown.body)).toBe(200)
  return shown.body.page.isWanted ? 'goes' : 'not wanted'
}

const MAILS: Record<EmailPreference, (story: Story) => Promise<string>> = {
  orderCreated: ofType('order_created'),
  driverInformation: ofType('driver_information'),
  pickup: ofType('loading_confirmation'),
  delivery: ofType('unloading_confirmation'),
  pod: ofType('pods'),
  invoice: async (story) => {
    const { id } = await billed(story)
    return outcomeOf((await mailsOf(`invoiceId=${id}`))[0])
  },
  paymentReminder: async (story) => {
    const { body } = await app.admin.get<DueReminders>(
      `reminders/due?q=${encodeURIComponent(`Ohne ${story.off} GmbH`)}`,
    )
    // Another one of the test is called alike.
    if (body.items.some(({ customer }) => customer.title === `Ohne ${story.off} GmbH`)) return 'goes'
    return body.leftOut[0]?.reason === 'preference' ? 'not wanted' : JSON.stringify(body)
  },
  arrivalCertificate: ({ order }) => onItsPage(order.id, 'arrival_certificate'),
  exportCertificate: async (story) => onItsPage(await exported(story), 'export_certificate'),
}

describe('a customer’s switch for mails', () => {
  test.each(EMAIL_PREFERENCES)('%s is obeyed, and concerns no other mail', async (off) => {
    const outcomes = Object.fromEntries(
      await Promise.all(EMAIL_PREFERENCES.map(async (name) => [name, await MAILS[name](stories.get(off)!)])),
    )
    expect(outcomes).toEqual(
      Object.fromEntries(EMAIL_PREFERENCES.map((name) => [name, name === off ? 'not wanted' : 'goes'])),
    )
  })
})

describe('a mail with an invoice that its customer does not want', () => {
  test('is kept with number and files, and is sent when somebody presses', async () => {
    const { id, number } = await billed(stories.get('invoice')!)
    const [mail] = await mailsOf(`invoiceId=${id}`)
    expect(mail).toMatchObject({ status: 'suppressed', reason: 'preference', isWritten: true })
    expect(mail!.subject).toContain(number)
    expect(mail!.attachments).toHaveLength(1)
    const sent = await app.admin.post(`emails/${mail!.id}/resend`, {})
    expect([sent.status, sent.body]).toMatchObject([
      200,
      { status: 'waiting', subject: mail!.subject, to: ['rechnung@kunde.example'], attachments: mail!.attachments },
    ])
  })

  test('hinders no run for want of an address', async () => {
    const { customerId } = unreachable
    const { id, number } = await billed(unreachable)
    expect(number).toEqual(expect.any(String))
    expect(await mailsOf(`invoiceId=${id}`)).toEqual([])
    const shown = await app.admin.get(
      `invoices/month-end/customers/${customerId}?companyId=${companyId}&until=${UNTIL}`,
    )
    expect([shown.status, shown.body.isMailWanted, shown.body.receiver]).toEqual([200, false, null])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EMAIL_TYPES } from '@waybill/contract/email'
import { EMAIL_RULES, receiverOf } from '@waybill/contract/email/email-rules'
import { variablesOf } from '@waybill/contract/email/variables'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp, type Answer } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { createMailer } from '../../kit/mail/mailer.ts'
import { renderEmails } from '../correspondence/index.ts'
import { deliverEmail } from '../email/index.ts'

const app = useTestApp({ beginsOn: '2026-11-28T09:00:00Z' })
let world: OrderWorld
let server: MailServer
let nordlicht: number
let kartonwerk: number

beforeAll(async () => {
  server = await startMailServer()
  app.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(app)
  const contact = (email: string) => ({ contactPersons: [{ fullName: 'Jens Petersen', email }] })
  nordlicht = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', contact('petersen@nordlicht.example'))
  kartonwerk = await world.customer('Kartonwerk Süd GmbH', 'DE', contact('einkauf@kartonwerk.example'))
})
afterAll(async () => {
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

const ctx = () => jobContext(app)
const to = (address: string) => server.inbox.filter(({ recipients }) => recipients.includes(address))

async function newOrder(customerIds = [nordlicht]): Promise<Order> {
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerIds[0]!, {
      ...shipment(world),
      customerIds,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
const linkFor = async ({ id }: Order, customerId: number) =>
  (await app.admin.get(`orders/${id}/tracking-links`)).body.items.find(
    ({ customer }: { customer: { id: number } }) => customer.id === customerId,
  ).link
async function makeLink({ id }: Order, customerId: number) {
  const { version } = (await app.admin.get(`orders/${id}`)).body
  const made = await app.admin.post(`orders/${id}/tracking-links`, { customerId, linkId: null }, { version })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
}
const pageOf = async (order: Order, customerId: number): Promise<Answer> =>
  app.anonymous.get(`track/${(await linkFor(order, customerId)).url.split('/').at(-1)}`)

/** What the page of a mail by hand sends back as it was shown. */
async function written(order: Order, more: object = {}) {
  const wish = { orderId: order.id, type: 'other_emails', variant: 'tracking', ...more }
  const shown = await app.admin.post('emails/preview', wish)
  expect(shown.status, JSON.stringify(shown.body)).toBe(200)
  const { page, ...mail } = shown.body
  return {
    holes: page.holes as string[],
    blocks: page.blocks as { kind: string; target?: string }[],
    send: () =>
      app.admin.post('emails', {
        ...wish,
        customerId: page.customerId,
        routeId: page.routeId,
        language: page.language,
        to: mail.to,
        cc: [],
        subject: mail.subject,
        blocks: page.blocks,
        documentIds: [],
        seen: page.seen,
      }),
  }
}
const htmlOf = async (id: number): Promise<string> =>
  (await app.database.pool.query('select html from email where id = $1', [id])).rows[0].html

/** Writes all mails of an order that are due, and lets them leave. */
async function work({ id }: Order) {
  app.clock.advance(9000)
  await renderEmails.handle(ctx(), { orderId: id })
  const { rows } = await app.database.pool.query(`select id from email where status in ('queued', 'waiting')`)
  for (const { id: emailId } of rows) await deliverEmail.handle(ctx(), { emailId })
}

describe('the tracking link', () => {
  test('is a field of mails to customers about an order, and of no other text', () => {
    for (const type of EMAIL_TYPES)
      for (const variant of EMAIL_RULES[type].variants) {
        const isOfInvoice = variablesOf(type, variant).some((key) =>
          /^(invoice|reminder|renewal|priceRequest)\./.test(key),
        )
        const isForCustomer = receiverOf(type, variant) !== 'disponent' && !isOfInvoice
        expect(variablesOf(type, variant).includes('link.tracking'), `${type} ${variant}`).toBe(isForCustomer)
      }
  })

  test('cannot be written into a text for carriers', async () => {
    const text = await app.admin.get(`departments/${world.departmentId}/email-templates/order_resolved.confirmed.de`)
    const { subject, blocks, replyTo, isOn } = text.body
    const paragraph = {
      id: 'x',
      kind: 'paragraph',
      onlyIf: null,
      text: [{ type: 'paragraph', content: [{ type: 'variable', attrs: { key: 'link.tracking', fallback: null } }] }],
    }
    const saved = await app.admin.put(
      `departments/${world.departmentId}/email-templates/order_resolved.confirmed.de`,
      { subject, blocks: [...blocks, paragraph], replyTo, isOn },
      { version: 0 },
    )
    expect([saved.status, saved.body.errors?.[0]?.code]).toEqual([422, 'unknown_variable'])
  })

  test('keeps a mail back that speaks of it while there is none', { tags: 'long' }, async () => {
    const mail = await written(await newOrder())
    expect(mail.holes).toEqual(['link.tracking'])
    const sent = await mail.send()
    expect([sent.status, sent.body.errors?.[0]?.code]).toEqual([422, 'value_missing'])
  })

  test('goes to the contact of its customer, lies in no mail that waits, and staff see that it was sent', async () => {
    const order = await newOrder()
    await makeLink(order, nordlicht)
    const { id, url } = await linkFor(order, nordlicht)
    const mail = await written(order)
    expect(mail.blocks).toContainEqual(expect.objectContaining({ kind: 'button', target: 'tracking_link' }))
    const sent = await mail.send()
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    const html = await htmlOf(sent.body.id)
    expect(html).toContain(`/track/~${id}`)
    expect(html).not.toContain(url.split('/').at(-1))
    expect((await linkFor(order, nordlicht)).sentAt).toBeNull()
    server.inbox.length = 0
    await deliverEmail.handle(ctx(), { emailId: sent.body.id })
    const [received] = to('petersen@nordlicht.example')
    expect(received!.mail.html).toContain(`href="${url}"`)
    expect(received!.mail.text).toContain(url)
    expect(received!.mail.html).not.toContain('/~')
    expect((await linkFor(order, nordlicht)).sentAt).toEqual(expect.any(String))
    expect((await pageOf(order, nordlicht)).status).toBe(200)
  })

  test('works in a mail that is sent again, which answers the first one and is of the same customer', async () => {
    const order = await newOrder([nordlicht, kartonwerk])
    await makeLink(order, kartonwerk)
    const { url } = await linkFor(order, kartonwerk)
    const mail = await (await written(order, { customerId: kartonwerk })).send()
    await deliverEmail.handle(ctx(), { emailId: mail.body.id })
    const [first] = to('einkauf@kartonwerk.example')
    server.inbox.length = 0
    app.clock.advance(60_000)
    const copy = await app.admin.post(`emails/${mail.body.id}/resend`, {})
    expect(copy.status, JSON.stringify(copy.body)).toBe(200)
    expect(copy.body.customer).toEqual(mail.body.customer)
    expect(copy.body.route).toEqual(mail.body.route)
    expect(copy.body.customer.id).toBe(kartonwerk)
    expect(copy.body.route).not.toBeNull()
    await deliverEmail.handle(ctx(), { emailId: copy.body.id })
    const [again] = to('einkauf@kartonwerk.example')
    expect(again!.mail.html).toContain(`href="${url}"`)
    expect(again!.mail.html).not.toContain('/~')
    expect(again!.mail.inReplyTo).toBe(first!.mail.messageId)
  })

  test('of another order or customer is not put into a mail whose writer names its place', async () => {
    const [order, other] = [await newOrder([nordlicht, kartonwerk]), await newOrder()]
    await makeLink(order, nordlicht)
    await makeLink(order, kartonwerk)
    await makeLink(other, nordlicht)
    const foreign = [await linkFor(order, kartonwerk), await linkFor(other, nordlicht)]
    const { body } = await (await written(order, { customerId: nordlicht })).send()
    await app.database.pool.query('update email set html = html || $2 where id = $1', [
      body.id,
      foreign.map(({ id }) => `<p><a href="https://waybill.example/office/track/~${id}">here</a></p>`).join(''),
    ])
    server.inbox.length = 0
    await deliverEmail.handle(ctx(), { emailId: body.id })
    const [received] = to('petersen@nordlicht.example')
    expect(received!.mail.html).toContain((await linkFor(order, nordlicht)).url)
    for (const { url, id } of foreign) {
      expect(received!.mail.html).not.toContain(url)
      expect(received!.mail.html).toContain(`/track/~${id}`)
    }
  })

  test('is made with the mail of a department whose own text has it', async () => {
    const path = `departments/${world.departmentId}/email-templates/order_created.de`
    const { subject, blocks, replyTo, isOn } = (await app.admin.get(path)).body
    const button = { id: 'track', kind: 'button', onlyIf: null, label: 'Sendung verfolgen', target: 'tracking_link' }
    const saved = await app.admin.put(path, { subject, blocks: [...blocks, button], replyTo, isOn }, { version: 0 })
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    const order = await newOrder()
    expect(await linkFor(order, nordlicht)).toBeNull()
    server.inbox.length = 0
    await work(order)
    const link = await linkFor(order, nordlicht)
    expect(link.sentAt).toEqual(expect.any(String))
    expect(to('petersen@nordlicht.example').map(({ mail }) => mail.html)).toEqual([expect.stringContaining(link.url)])
    // Sent to another address, it is the same mail: with its link, and as one that nobody wrote.
    const { items } = (await app.admin.get(`emails?orderId=${order.id}`)).body
    const { id } = items.find(({ type }: { type: string }) => type === 'order_created')
    const copy = await app.admin.post(`emails/${id}/resend`, { to: ['leiter@nordlicht.example'] })
    await deliverEmail.handle(ctx(), { emailId: copy.body.id })
    const [again] = to('leiter@nordlicht.example')
    expect(again!.mail.html).toContain(`href="${link.url}"`)
    expect(again!.mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    await app.admin.delete(path, { version: saved.body.version })
  })
})

test('the plate stands on the page once the customer was told it, until the truck is another one', {
  tags: 'long',
}, async () => {
  const order = await newOrder()
  await makeLink(order, nordlicht)
  const plates = async () => (await pageOf(order, nordlicht)).body.plateNumbers
  expect(await plates()).toEqual([])
  const scheduled = await app.admin.post(`orders/${order.id}/status`, { to: 'scheduled' }, { version: order.version })
  expect(scheduled.status, JSON.stringify(scheduled.body)).toBe(200)
  expect(await plates()).toEqual([])
  await work(order)
  expect(await plates()).toEqual(['PO 4T112'])
  const { routes, version } = scheduled.body as Order
  const saved = await app.admin.patch(
    `orders/${order.id}`,
    {
      routes: routes.map(({ id, locationIds, assignment }) => ({
        id,
        locationIds,
        assignment: {
          carrierCompanyId: assignment!.carrierCompanyId,
          driverIds: assignment!.driverIds,
          plateNumber: 'PO 9W118',
        },
      })),
    },
    { version },
  )
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  expect(await plates()).toEqual([])
  await work(order)
  expect(await plates()).toEqual(['PO 9W118'])
})

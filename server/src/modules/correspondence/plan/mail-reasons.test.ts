// Why a mail does not go, and what one that goes says to mail programs.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Email } from '@waybill/contract/email'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'
import { renderEmails } from './render-mails.ts'

const app = useTestApp({ beginsOn: '2026-11-28T09:00:00Z' })
let world: OrderWorld
let server: MailServer
let customerId: number

beforeAll(async () => {
  server = await startMailServer()
  app.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', {
    contactPersons: [{ fullName: 'Jens Petersen', email: 'petersen@nordlicht.example' }],
  })
})
afterAll(async () => {
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})
beforeEach(() => {
  server.inbox.length = 0
})

async function newOrder(more: Partial<OrderInput> = {}): Promise<Order> {
  const made = await app.admin.post('orders', plainOrder(world, customerId, { ...shipment(world), ...more }))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
async function move(order: Order, to: string): Promise<Order> {
  const { status, body } = await app.admin.post(`orders/${order.id}/status`, { to }, { version: order.version })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
/** Writes what is due after the pause of undo, lets it leave, and gives all mails of the order. */
async function work({ id: orderId }: Order): Promise<Email[]> {
  app.clock.advance(9000)
  await renderEmails.handle(jobContext(app), { orderId })
  const { items } = (await app.admin.get(`emails?orderId=${orderId}`)).body as { items: Email[] }
  for (const { id, status } of items)
    if (status === 'queued') await deliverEmail.handle(jobContext(app), { emailId: id })
  return items
}
/** Changes the department's own text of this key while `during` runs. */
async function withText(key: string, change: object, during: () => Promise<void>): Promise<void> {
  const path = `departments/${world.departmentId}/email-templates/${key}`
  const { subject, blocks, replyTo, isOn } = (await app.admin.get(path)).body
  const saved = await app.admin.put(path, { subject, blocks, replyTo, isOn, ...change }, { version: 0 })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  await during()
  await app.admin.delete(path, { version: saved.body.version })
}

test('a type that the department has switched off is not sent, and says so', () =>
  withText('order_created.de', { isOn: false }, async () => {
    const mails = await work(await newOrder())
    expect(mails.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ['order_created', 'suppressed', 'typeOff'],
    ])
    expect(server.inbox).toEqual([])
  }))

test('own trucks get no transport order', async () => {
  const order = await newOrder({ routes: [{ assignment: { ownFleet: true }, locationKeys: ['from', 'to'] }] })
  await work(await move(order, 'scheduled'))
  const mails = await work(order)
  expect(mails.filter(({ type }) => type === 'order_resolved')).toEqual([])
})

test('a carrier without an address is not passed over: its transport order waits for somebody', async () => {
  const order = await newOrder({ routes: [{ ...carried(world), locationKeys: ['from', 'to'] }] })
  await move(order, 'scheduled')
  const mails = await work(order)
  expect(mails.find(({ type }) => type === 'order_resolved')).toMatchObject({ status: 'held', reason: 'noAddress' })
})

test('answers go to the department where its text says so', () =>
  withText('order_created.de', { replyTo: 'department' }, async () => {
    const departments = (await app.admin.get(`departments/${world.departmentId}`)).body
    const changed = await app.admin.patch(
      `departments/${world.departmentId}`,
      { email: 'ftl@waybill.example' },
      { version: departments.version },
    )
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    await work(await newOrder())
    expect(server.inbox.map(({ mail }) => mail.replyTo?.[0]?.address)).toEqual(['ftl@waybill.example'])
  }))

test('a later mail of an order names the first one as what it refers to', async () => {
  const order = await newOrder({ routes: [{ ...carried(world), locationKeys: ['from', 'to'] }] })
  await work(order)
  await move(order, 'scheduled')
  await work(order)
  const [first, second] = server.inbox.map(({ mail }) => mail)
  expect(second!.references).toBe(first!.messageId)
})

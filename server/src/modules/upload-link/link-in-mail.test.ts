import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp } from '../../../test/app.ts'
import { jobContext } from '../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { createMailer } from '../../kit/mail/mailer.ts'
import { renderEmails } from '../correspondence/index.ts'
import { deliverEmail } from '../email/index.ts'

const app = useTestApp()
let world: OrderWorld
let server: MailServer
let customerId: number

beforeAll(async () => {
  server = await startMailServer()
  app.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
})
afterAll(async () => {
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

const ctx = () => jobContext(app)
const linkOf = async (order: Order) => (await app.admin.get(`routes/${order.routes[0]!.id}/upload-link`)).body.link

/** An order on its way to a carrier, whose transport order is written and waits for delivery. */
async function told(): Promise<{ order: Order; mail: { id: number; html: string } }> {
  const route = carried(world)
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      routes: [
        {
          ...route,
          locationKeys: ['from', 'to'],
          assignment: { ...route.assignment, disponentEmail: 'dispo@trans-wlkp.example' },
        },
      ],
    }),
  )
  const moved = await app.admin.post(
    `orders/${made.body.id}/status`,
    { to: 'scheduled' },
    { version: made.body.version },
  )
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  app.clock.advance(9000)
  await renderEmails.handle(ctx(), { orderId: made.body.id })
  const { items } = (await app.admin.get(`emails?orderId=${made.body.id}&perPage=100`)).body
  const { id } = items.find((one: { type: string }) => one.type === 'order_resolved')
  const { rows } = await app.database.pool.query('select id, html from email where id = $1', [id])
  return { order: moved.body, mail: rows[0] }
}

it('goes to the carrier with the transport order, and lies in no mail that waits', async () => {
  const { order, mail } = await told()
  const link = await linkOf(order)
  const token = link.url.split('/').at(-1)
  expect(link.sentAt).toBeNull()
  expect(mail.html).toContain(`/upload-documents/~${link.id}`)
  expect(mail.html).not.toContain(token)
  await deliverEmail.handle(ctx(), { emailId: mail.id })
  const { mail: received } = server.inbox.find(({ recipients }) => recipients[0] === 'dispo@trans-wlkp.example')!
  expect(received.html).toContain(link.url)
  expect(received.text).toContain(link.url)
  expect(received.html).not.toContain('/~')
  expect(received.attachments).toHaveLength(1)
  expect((await linkOf(order)).sentAt).toEqual(expect.any(String))
  expect((await app.anonymous.get(`upload-documents/${token}`)).status).toBe(200)
})

it('of another order is not put into a mail whose writer names its place', { tags: 'long' }, async () => {
  const other = await told()
  const foreign = await linkOf(other.order)
  const { mail } = await told()
  server.inbox.length = 0
  await app.database.pool.query('update email set html = html || $2 where id = $1', [
    mail.id,
    `<p><a href="https://waybill.example/office/upload-documents/~${foreign.id}">here</a></p>`,
  ])
  // Whichever is served first.
  await deliverEmail.handle(ctx(), { emailId: mail.id })
  await deliverEmail.handle(ctx(), { emailId: mail.id })
  const sent = server.inbox.find(({ mail: { html } }) => html?.includes(`/upload-documents/~${foreign.id}`))
  expect(sent).toBeDefined()
  expect(sent!.mail.html).not.toContain(foreign.url)
})

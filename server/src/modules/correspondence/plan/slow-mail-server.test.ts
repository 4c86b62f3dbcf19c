import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Email } from '@waybill/contract/email'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { INVOICE_MAIL, startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'
import { renderEmails } from './render-mails.ts'

// What is true of a mail server that takes five seconds is true of one that takes as long as the test likes: nothing
// here is measured, only what came before what.

const test = useTestApp()
let world: OrderWorld
let server: MailServer
let customerId: number
const ctx = () => jobContext(test)
/** as many as one node has in hand at once */
const IN_HAND = deliverEmail.concurrency!

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(test)
  customerId = await world.customer('Hansa Bau GmbH', 'DE', {
    address: 'Kai 1',
    postal: '20457',
    city: 'Hamburg',
    invoiceEmail: 'billing@hansa.example',
    contactPersons: [{ fullName: 'Jan Petersen', email: 'j.petersen@hansa.example' }],
  })
})
afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

const { assignment } = { assignment: { disponentName: 'Anna Nowak', disponentEmail: 'a.nowak@carrier.example' } }
async function newOrder(): Promise<Order> {
  const made = await test.admin.post<Order>(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 118_000,
      routes: [{ assignment: { ...carried(world).assignment, ...assignment } }],
    }),
  )
  expect([made.status, made.body]).toEqual([201, expect.anything()])
  return made.body
}
const mailsOf = async (owner: string): Promise<Email[]> => (await test.admin.get(`emails?${owner}`)).body.items
const told = async ({ id }: Order) => (await mailsOf(`orderId=${id}`)).map(({ type, status }) => `${type} ${status}`)

describe('while the mail server keeps every mail waiting', () => {
  it('orders are listed, saved and moved, their mails written, and an invoice is sent', { tags: 'long' }, async () => {
    const orders = [await newOrder(), await newOrder(), await newOrder()] as const
    test.clock.advance(9000)
    for (const { id } of orders) await renderEmails.handle(ctx(), { orderId: id })
    const answer = Promise.withResolvers<void>()
    server.holdUp = answer.promise
    let isOver = false
    const [first, second, third] = await Promise.all(
      orders.map(async ({ id }) => (await mailsOf(`orderId=${id}`)).find(({ status }) => status === 'queued')!.id),
    )
    const sending = Promise.all(
      [first!, second!].slice(0, IN_HAND).map((emailId) => deliverEmail.handle(ctx(), { emailId })),
    ).then(() => {
      isOver = true
    })
    await expect.poll(() => server.held(), { timeout: 20_000 }).toBe(IN_HAND)

    const list = await test.admin.get('orders?perPage=25')
    expect([list.status, list.body.items.length]).toEqual([200, 3])
    const [{ id, version }] = orders
    const saved = await test.admin.patch<Order>(`orders/${id}`, { customerOrderNumber: 'PO 7' }, { version })
    expect(saved.status).toBe(200)
    const moved = await test.admin.post<Order>(
      `orders/${id}/status`,
      { to: 'scheduled' },
      { version: saved.body.version },
    )
    expect(moved.status).toBe(200)
    expect(await told(orders[0])).toContain('order_resolved planned')
    // Writing a mail waits for none that is being sent.
    test.clock.advance(9000)
    await renderEmails.handle(ctx(), { orderId: id })
    expect(await told(orders[0])).toContain('order_resolved queued')

    const draft = await test.admin.post('invoices', { entityType: 'customer', orderIds: [orders[1].id] })
    expect(draft.status).toBe(201)
    const sent = await test.admin.post(`invoices/${draft.body.id}/send`, INVOICE_MAIL, { version: draft.body.version })
    expect([sent.status, sent.body.status]).toEqual([200, 'sent'])
    expect((await mailsOf(`invoiceId=${draft.body.id}`)).map(({ status }) => status)).toEqual(['queued'])

    // All of that was answered while nothing had left.
    expect([server.held(), server.inbox.length, isOver]).toEqual([IN_HAND, 0, false])
    answer.resolve()
    await sending
    server.holdUp = null
    await deliverEmail.handle(ctx(), { emailId: third! })
    expect(server.inbox).toHaveLength(IN_HAND + 1)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Email } from '@waybill/contract/email'
import type { EmailDraft, MailPage } from '@waybill/contract/email/by-hand'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment } from '../../../../test/order-examples.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail, dueEmails } from '../../email/index.ts'
import { renderEmails } from './render-mails.ts'

const test = useTestApp()
let server: MailServer
let order: Order
const ROUNDS = 20
/** So many press at once: a double press in two tabs. */
const PRESSES = 4
const ctx = () => jobContext(test)

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  order = await toldOrder()
  test.clock.advance(9000)
  while ((await dueEmails(ctx(), order.id)).length > 0) await renderEmails.handle(ctx(), { orderId: order.id })
  await deliverAll()
}, 60_000)
/** One whose carrier is about to be told. */
async function toldOrder(): Promise<Order> {
  const world = await orderWorld(test)
  const { body: customer } = await test.admin.post('customers', {
    title: 'Hansa Holz GmbH',
    countryId: world.countries.DE,
    language: 'de',
    contactPersons: [{ fullName: 'Jan Petersen', email: 'j.petersen@hansa.example' }],
  })
  const { assignment } = carried(world)
  const made = await test.admin.post(
    'orders',
    plainOrder(world, customer.id, {
      contactPersonId: customer.contactPersons[0].id,
      ...shipment(world),
      routes: [{ assignment: { ...assignment!, disponentEmail: 'a@carrier.example' } }],
    }),
  )
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  const moved = await test.admin.post(
    `orders/${made.body.id}/status`,
    { to: 'scheduled' },
    { version: made.body.version },
  )
  expect(moved.status).toBe(200)
  return moved.body
}

afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

const mails = async (): Promise<Email[]> => (await test.admin.get(`emails?orderId=${order.id}&perPage=100`)).body.items
async function deliverAll() {
  for (const { id, status } of await mails()) if (status === 'queued') await deliverEmail.handle(ctx(), { emailId: id })
}
const together = async (press: () => Promise<{ status: number; body: Email }>) => {
  const pressed = await Promise.all(Array.from({ length: PRESSES }, press))
  const done = pressed.filter(({ status }) => status < 300)
  const refused = pressed.filter(({ status }) => status === 409)
  expect([done.length, refused.length]).toEqual([1, PRESSES - 1])
  return done[0]!.body
}

describe('several who press at the same moment', () => {
  it('send a carrier the change once', async () => {
    const { routes, version } = order
    const changed = await test.admin.patch<Order>(
      `orders/${order.id}`,
      { routes: [{ ...routes[0], assignment: { ...routes[0]!.assignment, plateNumber: 'PO 9X999' } }] },
      { version },
    )
    expect(changed.status).toBe(200)
    order = changed.body
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await together(() => test.admin.post(`routes/${routes[0]!.id}/send-change`, {}))
      // A changed plate is a mail to the customer too, which waits at the same time.
      const planned = (await mails()).filter(({ type, status }) => type === 'order_resolved' && status === 'planned')
      expect(planned.map((mail) => mail.id)).toEqual([id])
      expect((await test.admin.post(`emails/${id}/cancel`, {})).status).toBe(200)
    }
  }, 60_000)

  it('send a mail that waits, or was held back, once', async () => {
    const canceled = (await mails()).filter(({ reason }) => reason === 'canceled').slice(0, 2)
    for (const { id } of canceled) {
      const before = server.inbox.length
      await together(() => test.admin.post(`emails/${id}/send-now`, {}))
      await deliverAll()
      expect(server.inbox).toHaveLength(before + 1)
    }
    expect(canceled).toHaveLength(2)
  }, 60_000)

  it('send a mail by hand once, and the same words again a while later', {
    tags: 'long',
    timeout: 60_000,
  }, async () => {
    const wish = { type: 'other_emails', orderId: order.id }
    const { body: draft } = await test.admin.post<EmailDraft>('emails/preview', wish)
    const page = draft.page as MailPage
    const mail = { ...wish, to: draft.to, cc: [], blocks: page.blocks, seen: page.seen }
    for (let round = 0; round < ROUNDS; round += 1) {
      const subject = `Rückfrage ${round}`
      await together(() => test.admin.post('emails', { ...mail, subject }))
      expect((await mails()).filter((one) => one.subject === subject)).toHaveLength(1)
    }
    await deliverAll()
    const again = { ...mail, subject: 'Rückfrage 0' }
    expect((await test.admin.post('emails', again)).status).toBe(409)
    expect((await test.admin.post('emails', { ...again, to: ['other@hansa.example'] })).status).toBe(201)
    test.clock.advance(31_000)
    expect((await test.admin.post('emails', again)).status).toBe(201)
    await deliverAll()
  })

  it('resend a mail once, and once to somebody else', { tags: 'long', timeout: 60_000 }, async () => {
    test.clock.advance(31_000)
    const { id } = (await mails()).find(({ subject }) => subject === 'Rückfrage 1')!
    for (let round = 0; round < ROUNDS; round += 1) {
      await together(() => test.admin.post(`emails/${id}/resend`, {}))
      await together(() => test.admin.post(`emails/${id}/resend`, { to: ['other@hansa.example'] }))
      test.clock.advance(31_000)
    }
    expect((await mails()).filter(({ subject }) => subject === 'Rückfrage 1')).toHaveLength(1 + 2 * ROUNDS)
  })
})

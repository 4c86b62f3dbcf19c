import { execFileSync } from 'node:child_process'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Email, OpenedEmail } from '@waybill/contract/email'
import type { EmailDraft } from '@waybill/contract/email/by-hand'
import type { Order } from '@waybill/contract/order/order'
import { ADMIN, useTestApp } from '../../../../test/app.ts'
import { giveCarrierPapers } from '../../../../test/carrier-papers.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail, dueEmails } from '../../email/index.ts'
import { renderEmails } from './render-mails.ts'

const test = useTestApp({ beginsOn: '2026-11-23T10:00:00Z' })
const DISPONENT = 'e.nowak@trans.example'
const TYPED = 'dispo.night@trans.example'
let world: OrderWorld
let server: MailServer
let customerId: number

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(test)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
})
afterAll(async () => {
  await test.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})
beforeEach(() => {
  server.inbox.length = 0
  server.answerTo = () => null
})

const ctx = () => jobContext(test)
const mailsOf = async ({ id }: Order): Promise<Email[]> =>
  (await test.admin.get(`emails?orderId=${id}&perPage=100`)).body.items
const carrierMails = async (order: Order) =>
  (await mailsOf(order)).filter(({ type }) => type === 'order_resolved').toSorted((one, other) => one.id - other.id)

/** Nine seconds on, the jobs of an order do what is due, as often as it takes. */
async function work(order: Order): Promise<void> {
  test.clock.advance(9000)
  while ((await dueEmails(ctx(), order.id)).length > 0) await renderEmails.handle(ctx(), { orderId: order.id })
  await deliver(order)
}
async function deliver(order: Order): Promise<void> {
  for (const { id, status } of await mailsOf(order))
    if (status === 'queued') await deliverEmail.handle(ctx(), { emailId: id })
}

async function newOrder(disponentEmail: string | null = DISPONENT): Promise<Order> {
  const { assignment } = carried(world)
  const made = await test.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      routes: [{ assignment: { ...assignment!, disponentName: 'Ewa Nowak', disponentEmail } }],
    }),
  )
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body
}
async function move(order: Order, to: string, more: object = {}): Promise<Order> {
  const { status, body } = await test.admin.post(
    `orders/${order.id}/status`,
    { to, ...more },
    { version: order.version },
  )
  expect([status, body.errors ?? body.code]).toEqual([200, undefined])
  return body
}
const cancel = (order: Order) => move(order, 'canceled', { reason: 'Customer withdrew' })
async function patch(order: Order, change: object): Promise<Order> {
  const { status, body } = await test.admin.patch(`orders/${order.id}`, change, { version: order.version })
  expect([status, body.errors]).toEqual([200, undefined])
  return body
}
const withAssignment = (order: Order, change: object) =>
  patch(order, { routes: [{ ...order.routes[0], assignment: { ...order.routes[0]!.assignment, ...change } }] })

/** As the page of a mail by hand shows it. */
async function look(order: Order, variant: string): Promise<EmailDraft> {
  const { status, body } = await test.admin.post('emails/preview', {
    type: 'order_resolved',
    orderId: order.id,
    variant,
  })
  expect([status, body.errors]).toEqual([200, undefined])
  return body
}
async function write(order: Order, to: string, variant = 'confirmed'): Promise<Email> {
  const { subject, page } = await look(order, variant)
  const mail = { type: 'order_resolved', orderId: order.id, variant, to: [to], cc: [], subject, seen: page.seen }
  const { status, body } = await test.admin.post('emails', { ...mail, blocks: page.blocks })
  expect([status, body.errors]).toEqual([201, undefined])
  return body
}
const textOf = (pdf: Buffer) => execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' })
async function paperByHand(order: Order): Promise<string> {
  const wish = { documentType: 'ORDER_RESOLVED_DOCUMENT', language: 'de' }
  const { status, body } = await test.admin.post(`orders/${order.id}/documents`, wish, { version: order.version })
  expect([status, body.errors]).toEqual([201, undefined])
  return textOf((await test.admin.get(`documents/${body.items[0].id}/file`)).raw)
}
const linkOf = async (order: Order) =>
  (await test.admin.get(`routes/${order.routes[0]!.id}/upload-link`)).body.link as { id: number; url: string } | null
const inboxOf = (address: string) => server.inbox.filter(({ recipients }) => recipients[0] === address)
const variantsTo = async (order: Order, address: string) =>
  (await carrierMails(order)).filter(({ to }) => to.includes(address)).map(({ variant, status }) => [variant, status])

describe('a transport order that is sent now', () => {
  it('before its time brings the upload link, in the mail and on the paper', { tags: 'long' }, async () => {
    const order = await move(await newOrder(), 'scheduled')
    const [planned] = await carrierMails(order)
    // What is looked at before shows the button, and makes nothing yet.
    expect((await test.admin.get(`emails/${planned!.id}`)).body.html).toContain('/upload-documents/~')
    expect(await linkOf(order)).toBeNull()
    expect((await test.admin.post(`emails/${planned!.id}/send-now`, {})).status).toBe(200)
    await deliver(order)
    const { url } = (await linkOf(order))!
    const [{ mail }] = inboxOf(DISPONENT) as [MailServer['inbox'][number]]
    expect(mail.html).toContain(url)
    expect(textOf(Buffer.from(mail.attachments[0]!.content as ArrayBuffer))).toContain('/upload-documents/')
  })

  it('to a typed address for want of another is withdrawn, and changed, where it went', { tags: 'long' }, async () => {
    let order = await move(await newOrder(null), 'scheduled')
    await work(order)
    const [held] = await carrierMails(order)
    expect([held!.status, held!.reason]).toEqual(['held', 'noAddress'])
    expect((await test.admin.post(`emails/${held!.id}/send-now`, { to: [TYPED] })).status).toBe(200)
    await deliver(order)
    order = await withAssignment(order, { plateNumber: 'PO 9X999' })
    expect((await test.admin.post(`routes/${order.routes[0]!.id}/send-change`, {})).status).toBe(200)
    await work(order)
    await work(await cancel(order))
    expect(await variantsTo(order, TYPED)).toEqual([
      ['confirmed', 'sent'],
      ['changed', 'sent'],
      ['withdrawn', 'sent'],
    ])
  })
})

it('a transport order that bounced and is sent again elsewhere is withdrawn there', { tags: 'long' }, async () => {
  server.answerTo = (address) => (address === DISPONENT ? { responseCode: 550, message: 'No such user' } : null)
  const order = await move(await newOrder(), 'scheduled')
  await work(order)
  const [bounced] = await carrierMails(order)
  expect(bounced!.status).toBe('failed')
  expect((await test.admin.post(`emails/${bounced!.id}/resend`, { to: [TYPED] })).status).toBe(200)
  await deliver(order)
  await work(await cancel(order))
  expect(await variantsTo(order, TYPED)).toEqual([
    ['confirmed', 'sent'],
    ['withdrawn', 'sent'],
  ])
})

it('a carrier that changes while its transport order is written gets none, and the new one its own', {
  tags: 'long',
  timeout: 180_000,
}, async () => {
  const other = await test.admin.post('carrier-companies', { title: 'Weser Trans', countryId: world.countries.DE })
  await giveCarrierPapers(test.admin, other.body.id)
  // Behind each statement with which the mail is made; while the order is locked a change has to wait anyway.
  let changes = 0
  for (let nth = 1, count = nth; count >= nth; nth += 1) {
    // A session does not live through all of it.
    test.admin = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
    const order = await move(await newOrder(), 'scheduled')
    test.clock.advance(9000)
    count = 0
    let isChanged = false
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        count += 1
        if (count !== nth) return result
        const free = 'select from "order" where id = $1 for update skip locked'
        if ((await test.database.pool.query(free, [order.id])).rowCount === 0) return result
        isChanged = true
        await withAssignment(order, { carrierCompanyId: other.body.id, driverIds: [] })
        return result
      },
    }
    await renderEmails.handle({ ...ctx(), db: test.database.db.withPlugin(plugin) }, { orderId: order.id })
    await work(order)
    if (!isChanged) continue
    changes += 1
    // Where the first had left already, the new one's follows it.
    const [last] = inboxOf(DISPONENT).slice(-1)
    expect([nth, textOf(Buffer.from(last!.mail.attachments[0]!.content as ArrayBuffer))]).toEqual([
      nth,
      expect.stringContaining('Weser Trans'),
    ])
    server.inbox.length = 0
  }
  expect(changes).toBeGreaterThan(20)
})

describe('the upload link', () => {
  it('is made with a transport order by hand, and shown before without being made', async () => {
    const order = await newOrder()
    const { html, page } = await look(order, 'confirmed')
    expect(html).toContain('/upload-documents/~')
    expect(page.blocks.some((block) => block.kind === 'button' && block.target === 'upload_link')).toBe(true)
    expect(await linkOf(order)).toBeNull()
    await write(order, DISPONENT)
    await deliver(order)
    expect(inboxOf(DISPONENT)[0]!.mail.html).toContain((await linkOf(order))!.url)
  })

  it('stands on a transport order that is made before any mail', async () => {
    const order = await newOrder()
    expect((await paperByHand(order)).replace(/\s/g, '')).toContain((await linkOf(order))!.url)
  })
})

describe('a transport order by hand', () => {
  it('carries no paper that the order has left behind, and offers a new one', async () => {
    const order = await newOrder()
    const papers = async () => {
      const { page } = await look(order, 'confirmed')
      const isTheirs = ({ documentType }: { documentType: string }) => documentType === 'ORDER_RESOLVED_DOCUMENT'
      return {
        kept: page.documents.filter(isTheirs).map(({ state, isProposed }) => [state, isProposed]),
        offered: page.makeable.filter(isTheirs).length,
      }
    }
    await paperByHand(order)
    expect(await papers()).toEqual({ kept: [['current', true]], offered: 0 })
    const changed = await withAssignment(order, { plateNumber: 'PO 9X999' })
    expect(await papers()).toEqual({ kept: [['outdated', false]], offered: 1 })
    await paperByHand(changed)
    expect((await papers()).kept[0]).toEqual(['current', true])
    expect((await papers()).offered).toBe(0)
  })

  it('takes the place of the one that waits for an address, and is withdrawn where it went', async () => {
    let order = await move(await newOrder(null), 'scheduled')
    await work(order)
    const [held] = await carrierMails(order)
    const sent = await write(order, TYPED)
    expect([sent.id, sent.isAutomatic, sent.status, sent.missing]).toEqual([held!.id, false, 'queued', []])
    order = await withAssignment(order, { disponentEmail: DISPONENT })
    await work(order)
    expect(inboxOf(DISPONENT)).toEqual([])
    await work(await cancel(order))
    expect(await variantsTo(order, TYPED)).toEqual([
      ['confirmed', 'sent'],
      ['withdrawn', 'sent'],
    ])
  })

  it('goes in the place of one that is planned, and not beside it', { tags: 'long' }, async () => {
    const order = await move(await newOrder(), 'scheduled')
    await write(order, DISPONENT)
    await work(order)
    expect(await variantsTo(order, DISPONENT)).toEqual([['confirmed', 'sent']])
    // A second one by hand renews what the carrier was told.
    await write(order, TYPED, 'changed')
    await work(await cancel(order))
    expect(await variantsTo(order, TYPED)).toEqual([
      ['changed', 'sent'],
      ['withdrawn', 'sent'],
    ])
    expect(inboxOf(DISPONENT)).toHaveLength(1)
  })

  it('is what a change is a change of', async () => {
    let order = await move(await newOrder(null), 'scheduled')
    await write(order, TYPED)
    await work(order)
    order = await withAssignment(order, { plateNumber: 'PO 9X999' })
    const { items } = (await test.admin.get(`orders/${order.id}/carrier-copies`)).body
    expect(items).toMatchObject([{ differs: ['plate'], isPlanned: false }])
    expect(await paperByHand(order)).toContain('Änderung zum Transportauftrag')
  })

  it('before the route is planned stands as long as the pair does, and is not sent a second time', async () => {
    let order = await newOrder()
    await write(order, DISPONENT)
    order = await patch(order, { description: 'Early' })
    await work(order)
    order = await move(order, 'scheduled')
    await work(order)
    expect(await variantsTo(order, DISPONENT)).toEqual([['confirmed', 'sent']])
    order = await move(order, 'new', { reason: 'Postponed by the customer', tellsCarrier: false })
    await work(order)
    expect(await variantsTo(order, DISPONENT)).toEqual([
      ['confirmed', 'sent'],
      ['withdrawn', 'sent'],
    ])
  })

  it('that is written as a withdrawal ends no pair that stands, and goes in the place of the planned one', {
    tags: 'long',
  }, async () => {
    let order = await move(await newOrder(), 'scheduled')
    await work(order)
    await write(order, DISPONENT, 'withdrawn')
    order = await patch(order, { description: 'Still theirs' })
    await work(order)
    expect(await variantsTo(order, DISPONENT)).toEqual([
      ['confirmed', 'sent'],
      ['withdrawn', 'sent'],
    ])
    expect((await carrierMails(order)).filter(({ status }) => status !== 'sent')).toEqual([])
    order = await move(order, 'new', { reason: 'Postponed by the customer', tellsCarrier: false })
    await write(order, TYPED, 'withdrawn')
    await work(order)
    expect(await variantsTo(order, TYPED)).toEqual([['withdrawn', 'sent']])
    expect(await variantsTo(order, DISPONENT)).toHaveLength(2)
  })
})

describe('a route whose carrier has a transport order', () => {
  const remove = async (order: Order) => {
    const { version } = (await test.admin.get(`orders/${order.id}`)).body
    const { status, body } = await test.admin.patch(`orders/${order.id}`, { routes: [] }, { version })
    return [status, body.code]
  }

  it('is not removed before it is told that the order is withdrawn', { tags: 'long' }, async () => {
    let order = await move(await newOrder(), 'scheduled')
    await work(order)
    order = await move(order, 'new', { reason: 'Postponed by the customer', tellsCarrier: false })
    expect(await remove(order)).toEqual([409, 'withdrawal_waits'])
    await work(order)
    expect(await remove(order)).toEqual([200, undefined])
    expect(await variantsTo(order, DISPONENT)).toEqual([
      ['confirmed', 'sent'],
      ['withdrawn', 'sent'],
    ])
  })

  it('is removed where nobody was told, or somebody took the withdrawal back', async () => {
    expect(await remove(await newOrder())).toEqual([200, undefined])
    let order = await move(await newOrder(), 'scheduled')
    await work(order)
    order = await move(order, 'new', { reason: 'Postponed by the customer', tellsCarrier: false })
    const withdrawal = (await carrierMails(order)).find(({ variant }) => variant === 'withdrawn')!
    expect((await test.admin.post(`emails/${withdrawal.id}/cancel`, {})).status).toBe(200)
    expect(await remove(order)).toEqual([200, undefined])
  })

  it('that was told before the route was planned is not removed behind its back', async () => {
    const order = await newOrder()
    await write(order, DISPONENT)
    await deliver(order)
    expect(await remove(order)).toEqual([409, 'withdrawal_waits'])
  })
})

describe('a mail that was canceled', () => {
  const cancelMail = async ({ id }: Email) => {
    const { status, body } = await test.admin.post(`emails/${id}/cancel`, {})
    expect([status, body.status, body.reason]).toEqual([200, 'suppressed', 'canceled'])
  }
  const opened = async ({ id }: Email): Promise<OpenedEmail> => (await test.admin.get(`emails/${id}`)).body
  const undo = async ({ id }: Email) => {
    const { status, body } = await test.admin.post(`emails/${id}/undo-cancel`, {})
    return status === 200 ? (body as Email).status : body.code
  }
  /** Its transport order is written and about to leave. */
  async function queued(): Promise<[Order, Email]> {
    const order = await move(await newOrder(), 'scheduled')
    test.clock.advance(9000)
    await renderEmails.handle(ctx(), { orderId: order.id })
    const [mail] = await carrierMails(order)
    expect([mail!.status, mail!.isWritten, mail!.attachments.length]).toEqual(['queued', true, 1])
    return [order, mail!]
  }

  it('is taken up by nobody who may not see its order, and by nobody where it was not canceled', async () => {
    const [, mail] = await queued()
    expect((await opened(mail)).undo).toBeNull()
    expect(await undo(mail)).toBe('conflict')
    await cancelMail(mail)
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    expect((await caller.post(`emails/${mail.id}/undo-cancel`, {})).status).toBe(404)
  })

  it('as it was about to leave is planned again, and says what is so by then', { tags: 'long' }, async () => {
    let [order, mail] = await queued()
    await cancelMail(mail)
    order = await withAssignment(order, { plateNumber: 'PO 9X999' })
    await work(order)
    expect(inboxOf(DISPONENT)).toEqual([])
    const { undo: shown } = await opened(mail)
    expect(shown!.against).toBeNull()
    // After the pause in which a step can be undone, for its own time is past.
    const pause = (at: string | null) => Math.round((Date.parse(at!) - test.clock.now().getTime()) / 1000)
    expect(pause(shown!.leavesAt)).toBe(8)
    expect(await undo(mail)).toBe('planned')
    const [planned] = await carrierMails(order)
    expect([planned!.isWritten, planned!.attachments, pause(planned!.notBefore)]).toEqual([false, [], 8])
    // Once.
    expect(await undo(mail)).toBe('conflict')
    await work(order)
    const [{ mail: arrived }, ...more] = inboxOf(DISPONENT) as [MailServer['inbox'][number]]
    expect(more).toEqual([])
    expect(textOf(Buffer.from(arrived.attachments[0]!.content as ArrayBuffer))).toContain('PO 9X999')
    const { items } = (await test.admin.get(`audit-entries?orderId=${order.id}&perPage=100`)).body
    expect(items.map(({ action }: { action: string }) => action)).toContain('mailUncanceled')
  })

  it('leaves with its own words where a person wrote it', async () => {
    const order = await newOrder()
    const written = await write(order, TYPED)
    await cancelMail(written)
    expect((await opened(written)).undo).toEqual({ against: null, leavesAt: null })
    expect(await undo(written)).toBe('queued')
    await deliver(order)
    expect(inboxOf(TYPED).map(({ mail }) => mail.subject)).toEqual([written.subject])
    expect((await test.admin.get(`orders/${order.id}/carrier-copies`)).body.items).toMatchObject([{ differs: [] }])
  })

  it.each([
    ['its words are no longer so', (order: Order) => withAssignment(order, { plateNumber: 'PO 9X999' }), 'overtaken'],
    ['the order was canceled', cancel, 'orderCanceled'],
    ['another was written in its place', (order: Order) => write(order, DISPONENT), 'conflict'],
  ])('by a person stays so where %s', { tags: 'long' }, async (_why, change, against) => {
    const order = await newOrder()
    const written = await write(order, TYPED)
    await cancelMail(written)
    await change(order)
    if (against === 'conflict') {
      // It took the place of this one, which is that mail now.
      expect((await opened(written)).to).toEqual([DISPONENT])
      expect(await undo(written)).toBe('conflict')
      return
    }
    expect((await opened(written)).undo).toEqual({ against, leavesAt: null })
    expect(await undo(written)).toBe('mail_not_wanted')
    await work(order)
    expect(inboxOf(TYPED)).toEqual([])
  })

  it('stays so where the order calls for it no more', async () => {
    const [order, mail] = await queued()
    await cancelMail(mail)
    const back = await move(order, 'new', { reason: 'Postponed by the customer', tellsCarrier: false })
    expect((await opened(mail)).undo).toEqual({ against: 'overtaken', leavesAt: null })
    expect(await undo(mail)).toBe('mail_not_wanted')
    await work(back)
    expect(inboxOf(DISPONENT)).toEqual([])
  })
})

it('a withdrawal that was let go and planned anew counts as what the carrier was told last', {
  tags: 'long',
}, async () => {
  const postponed = { reason: 'Postponed by the customer', tellsCarrier: false }
  const copies = async () => (await test.admin.get(`orders/${order.id}/carrier-copies`)).body.items
  let order = await move(await newOrder(), 'scheduled')
  await work(order)
  // Planned and, within the pause, let go: a change that leaves afterwards has a higher number.
  order = await move(order, 'new', postponed)
  order = await move(order, 'scheduled')
  order = await withAssignment(order, { plateNumber: 'PO 9X999' })
  expect((await test.admin.post(`routes/${order.routes[0]!.id}/send-change`, {})).status).toBe(200)
  await work(order)
  expect(await copies()).toMatchObject([{ differs: [] }])
  order = await move(order, 'new', postponed)
  await work(order)
  const mails = await carrierMails(order)
  expect(mails.map(({ variant, status }) => [variant, status])).toEqual([
    ['confirmed', 'sent'],
    ['withdrawn', 'sent'],
    ['changed', 'sent'],
  ])
  expect(await copies()).toEqual([])
  expect(await paperByHand(order)).not.toContain('Änderung')
})

describe('a mail that cannot be written', () => {
  it('stands in the way of no other, and waits for somebody after some tries', { tags: 'long' }, async () => {
    const { pdf } = test.ports
    const order = await move(await newOrder(), 'scheduled')
    test.clock.advance(9000)
    try {
      test.ports.pdf = { ...pdf, renderPdf: () => Promise.reject(new Error('no such font')) }
      const writing = () => renderEmails.handle(ctx(), { orderId: order.id })
      await expect(writing()).rejects.toThrow('cannot be written')
      const later = (await mailsOf(order)).find(({ type }) => type === 'driver_information')
      expect([later!.status, later!.reason]).toEqual(['suppressed', 'noAddress'])
      expect(await carrierMails(order)).toMatchObject([{ status: 'planned' }])
      for (let tries = 1; tries < 10; tries += 1) await expect(writing()).rejects.toThrow('cannot be written')
      await writing()
    } finally {
      test.ports.pdf = pdf
    }
    const [held] = await carrierMails(order)
    expect([held!.status, held!.reason]).toEqual(['held', 'notWritten'])
    expect(held!.attempts.at(-1)).toMatchObject({ isSent: false, response: 'no such font' })
    // Saving the order anew gives it another try.
    await work(await patch(order, { description: 'Again' }))
    expect((await carrierMails(order)).map(({ status }) => status)).toEqual(['sent'])
  })
})

// Why a mail does not go, and what one that goes says to mail programs.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Email } from '@waybill/contract/email'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import type { Board } from '@waybill/contract/order/planning/board'
import { planRoute } from '@waybill/contract/order/planning/plan-route'
import { ADMIN, useTestApp, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../../test/upload.ts'
import { giveCarrierPapers } from '../../../../test/carrier-papers.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'
import { renderEmails } from './render-mails.ts'

const app = useTestApp({ beginsOn: '2026-11-28T09:00:00Z' })
let world: OrderWorld
let admin: Caller
let server: MailServer
let customerId: number
let others: number[]

beforeAll(async () => {
  server = await startMailServer()
  app.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(app)
  admin = app.admin
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', {
    contactPersons: [{ fullName: 'Jens Petersen', email: 'petersen@nordlicht.example' }],
  })
  const other = (title: string, email: string) =>
    world.customer(title, 'DE', { contactPersons: [{ fullName: 'Ina Kröger', email }] })
  others = [
    await other('Möbelhaus Kröger KG', 'kroeger@moebel.example'),
    await other('Wohnwelt Rhein GmbH', 'info@wohnwelt.example'),
  ]
})
afterAll(async () => {
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})
beforeEach(() => {
  server.inbox.length = 0
})

async function newOrder(more: Partial<OrderInput> = {}): Promise<Order> {
  const made = await admin.post('orders', plainOrder(world, customerId, { ...shipment(world), ...more }))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
async function move(order: Order, to: string, more: object = {}): Promise<Order> {
  const { status, body } = await admin.post(`orders/${order.id}/status`, { to, ...more }, { version: order.version })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
/** Writes what is due after the pause of undo, lets it leave, and gives all mails of the order. */
async function work({ id: orderId }: Order): Promise<Email[]> {
  app.clock.advance(9000)
  await renderEmails.handle(jobContext(app), { orderId })
  const { items } = (await admin.get(`emails?orderId=${orderId}`)).body as { items: Email[] }
  for (const { id, status } of items)
    if (status === 'queued') await deliverEmail.handle(jobContext(app), { emailId: id })
  return items
}
/** Changes the department's own text of this key while `during` runs. */
async function withText(key: string, change: object, during: () => Promise<void>): Promise<void> {
  const path = `departments/${world.departmentId}/email-templates/${key}`
  const { subject, blocks, replyTo, isOn } = (await admin.get(path)).body
  const saved = await admin.put(path, { subject, blocks, replyTo, isOn, ...change }, { version: 0 })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  try {
    await during()
  } finally {
    await admin.delete(path, { version: saved.body.version })
  }
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

test('a carrier that is planned on the board gets its transport order where its record says', {
  tags: 'long',
}, async () => {
  const { body: carrier } = await admin.post('carrier-companies', {
    title: 'Transwarta',
    countryId: world.countries.PL,
    contactPersons: [
      { fullName: 'Ewa Lis', email: 'dispo@transwarta.example', phone: '+48 61 555 0101' },
      { fullName: 'Jan Wilk', email: 'buero@transwarta.example' },
    ],
  })
  await giveCarrierPapers(admin, carrier.id)
  // Its truck has a row before anything is planned for it.
  await admin.post('vehicles', { title: 'PO 7K412', kind: 'carrier', carrierCompanyId: carrier.id })
  const board: Board = (await admin.get('planning?from=2026-11-30&days=7')).body
  const known = board.carriers.find(({ id }) => id === carrier.id)!
  const order = await newOrder()
  const act = planRoute(order, {
    routeId: null,
    target: { kind: 'carrier', carrierCompanyId: carrier.id, plate: 'PO 7K412', contact: known.contact },
  })
  const planned = await admin.patch(`orders/${order.id}`, act!, { version: order.version })
  expect(planned.status, JSON.stringify(planned.body)).toBe(200)
  expect(planned.body.routes[0].assignment).toMatchObject({
    disponentName: 'Ewa Lis',
    disponentPhone: '+48 61 555 0101',
    disponentEmail: 'dispo@transwarta.example',
  })
  await move(planned.body, 'scheduled')
  const mails = await work(order)
  expect(mails.find(({ type }) => type === 'order_resolved')).toMatchObject({
    status: 'queued',
    to: ['dispo@transwarta.example'],
  })
})

test('answers go to the department where its text says so', () =>
  withText('order_created.de', { replyTo: 'department' }, async () => {
    const departments = (await admin.get(`departments/${world.departmentId}`)).body
    const changed = await admin.patch(
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

/** An instant so many minutes from now. */
const inMinutes = (count: number) => new Date(app.clock.now().getTime() + count * 60_000).toISOString()
/** Lets time pass; a session does not live through all of it. */
async function pass(minutes: number): Promise<void> {
  app.clock.advance(minutes * 60_000)
  const { body } = await app.signIn(ADMIN.email, ADMIN.password)
  admin = app.withToken(body.token)
}

/** On its way to be scheduled: the last stop is reached in so many minutes. What it causes by then has left. */
async function scheduledFor(minutes: number, more: Partial<OrderInput> = {}): Promise<Order> {
  const { locations } = { ...shipment(world), ...more }
  const order = await newOrder({
    routes: [carried(world)],
    ...more,
    locations: [...locations!.slice(0, -1), { ...locations!.at(-1)!, plannedAt: inMinutes(minutes) }],
  })
  const scheduled = await move(order, 'scheduled')
  await work(scheduled)
  server.inbox.length = 0
  return scheduled
}
async function onTheWay(order: Order): Promise<Order> {
  const { id: locationId } = order.locations[0]!
  const loaded = { stopTimes: [{ locationId, arrivedAt: inMinutes(-2), loadedAt: inMinutes(-1) }] }
  return move(order, 'in_transit', loaded)
}
async function arrivals(order: Order) {
  const mails = (await work(order)).filter(({ type }) => type === 'before_arriving')
  return mails.map(({ status, reason }) => [status, reason])
}
const receivers = () => server.inbox.flatMap(({ recipients }) => recipients)

test('an arrival is not announced while the truck stands, and at once when it gets on its way after all', async () => {
  const order = await scheduledFor(60)
  await pass(30)
  expect(await arrivals(order)).toEqual([['suppressed', 'notOnTheWay']])
  expect(server.inbox).toEqual([])
  await onTheWay(order)
  expect(await arrivals(order)).toEqual([['queued', null]])
  expect(receivers()).toContain('petersen@nordlicht.example')
})

test('an arrival that has passed while nothing ran is announced to nobody', { tags: 'long' }, async () => {
  const order = await onTheWay(await scheduledFor(60))
  await work(order)
  server.inbox.length = 0
  await pass(61)
  expect(await arrivals(order)).toEqual([['suppressed', 'tooLate']])
  expect(server.inbox).toEqual([])
})

test('an announcement that is late still goes while the arrival lies ahead', { tags: 'long' }, async () => {
  const order = await onTheWay(await scheduledFor(60))
  await work(order)
  server.inbox.length = 0
  await pass(50)
  expect(await arrivals(order)).toEqual([['queued', null]])
  expect(receivers()).toEqual(['petersen@nordlicht.example'])
})

test('a plan that leaves less than half an hour is told at once', { tags: 'long' }, async () => {
  const order = await onTheWay(await scheduledFor(300))
  await work(order)
  server.inbox.length = 0
  expect(await arrivals(order)).toEqual([['planned', null]])
  const [from, to] = order.locations
  const locations = [from, { ...to, plannedAt: inMinutes(12) }]
  const changed = await admin.patch(`orders/${order.id}`, { locations }, { version: order.version })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  expect(await arrivals(changed.body)).toEqual([['queued', null]])
  expect(receivers()).toEqual(['petersen@nordlicht.example'])
})

test('every customer whose goods are dropped at a stop hears that they come, and no other', async () => {
  const [from, to] = shipment(world).locations!
  const moves = (action: 'PICK_UP' | 'DROP_OFF', ...keys: string[]) => keys.map((cargoKey) => ({ cargoKey, action }))
  const order = await scheduledFor(60, {
    customerIds: [customerId, ...others],
    cargo: [customerId, ...others].map((id, index) => ({
      key: `c${index}`,
      title: 'Pallets',
      quantity: 2,
      customerId: id,
    })),
    locations: [
      { ...from!, cargoActions: moves('PICK_UP', 'c0', 'c1', 'c2') },
      { ...to!, key: 'first', city: 'Kostrzyn', cargoActions: moves('DROP_OFF', 'c2') },
      { ...to!, cargoActions: moves('DROP_OFF', 'c0', 'c1') },
    ],
  })
  await work(await onTheWay(order))
  server.inbox.length = 0
  await pass(31)
  await work(order)
  expect(receivers().toSorted()).toEqual(['kroeger@moebel.example', 'petersen@nordlicht.example'])
})

test('neither a merge nor its end is told to anybody', async () => {
  const orders = [await newOrder(), await newOrder()]
  const merged = await admin.post('orders/merge', {
    orderIds: orders.map(({ id }) => id),
    carrierCompanyId: world.carrier.id,
  })
  expect(merged.status, JSON.stringify(merged.body)).toBe(201)
  expect(await work(merged.body)).toEqual([])
  const told = async () =>
    (await Promise.all(orders.map(work))).flat().map(({ type, status, reason }) => [type, status, reason])
  const silent = orders.map(() => ['order_created', 'suppressed', 'merged'])
  expect(await told()).toEqual(silent)
  const parted = await admin.post(`orders/${merged.body.id}/unmerge`, {}, { version: merged.body.version })
  expect(parted.status, JSON.stringify(parted.body)).toBe(200)
  expect(await told()).toEqual(silent)
  expect(server.inbox).toEqual([])
})

test('a carrier whose proof of delivery is refused gets the link for the next one', async () => {
  const { assignment } = carried(world)
  const order = await newOrder({
    ...shipment(world),
    routes: [
      { assignment: { ...assignment!, disponentEmail: 'nowak@transwarta.example' }, locationKeys: ['from', 'to'] },
    ],
  })
  const { body, contentType } = await encodeForm({
    fields: { documentType: 'PROOF_OF_DELIVERY', orderId: order.id, orderCarrier: order.routes[0]!.assignment!.id },
    file: { name: 'pod.pdf', bytes: FILES.pdf() },
  })
  const { body: pod } = await admin.post('upload', body, { headers: { 'content-type': contentType } })
  const refused = await admin.post(`documents/${pod.id}/refuse`, { reason: 'Stamp missing' }, { version: pod.version })
  expect(refused.status, JSON.stringify(refused.body)).toBe(200)
  await work(order)
  const sent = server.inbox.find(({ recipients }) => recipients[0] === 'nowak@transwarta.example')
  expect(sent!.mail.text).toContain('Stamp missing')
  const [link] = /https?:\S+\/upload-documents\/[\w-]+/.exec(sent!.mail.text!)!
  expect(sent!.mail.html).toContain(link)
})

test('the page of an arrival’s mail says where, when, and how the plan has moved', async () => {
  const order = await scheduledFor(300)
  const [from, to] = order.locations
  const plannedAt = inMinutes(400)
  const changed = await admin.patch(
    `orders/${order.id}`,
    { locations: [from, { ...to, plannedAt }] },
    { version: order.version },
  )
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  const { id, notBefore } = (await work(order)).find(({ type }) => type === 'before_arriving')!
  const { arrival, withoutAddress } = (await admin.get(`emails/${id}`)).body
  expect(Date.parse(plannedAt) - Date.parse(notBefore)).toBe(30 * 60_000)
  expect(arrival).toMatchObject({ place: 2, city: 'Poznań', timeZone: 'Europe/Warsaw', at: plannedAt })
  expect(arrival.moves).toMatchObject([{ from: to!.plannedAt, to: plannedAt, actor: { title: expect.any(String) } }])
  expect(withoutAddress).toBeNull()
})

test('the page of a mail without a receiver names the contact person who has no address', async () => {
  const made = await admin.get(`customers/${customerId}`)
  const [person] = made.body.contactPersons
  const { email: _email, ...silent } = person
  const change = (contactPersons: object[], version: number) =>
    admin.patch(`customers/${customerId}`, { contactPersons }, { version })
  const emptied = await change([{ ...silent, email: null }], made.body.version)
  expect(emptied.status, JSON.stringify(emptied.body)).toBe(200)
  try {
    const [mail] = await work(await newOrder({ contactPersonId: person.id }))
    expect(mail).toMatchObject({ status: 'suppressed', reason: 'noAddress' })
    const { to, withoutAddress, arrival } = (await admin.get(`emails/${mail!.id}`)).body
    expect({ to, withoutAddress, arrival }).toEqual({
      to: [],
      withoutAddress: { id: person.id, title: 'Jens Petersen' },
      arrival: null,
    })
  } finally {
    await change([person], emptied.body.version)
  }
})

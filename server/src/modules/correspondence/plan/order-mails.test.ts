import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Email } from '@waybill/contract/email'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { ADMIN, useTestApp, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../../test/upload.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail, dueEmails } from '../../email/index.ts'
import { renderEmails } from './render-mails.ts'

const test = useTestApp()
let world: OrderWorld
let server: MailServer
let admin: Caller
let adminId: number
let customer: { id: number; contactId: number }

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(test)
  admin = test.admin
  adminId = (await admin.get('profile')).body.id
  const pan = await test.idOf('salutation', 'title', 'Pan')
  const made = await test.admin.post('customers', {
    title: 'AutoKomponent Sp. z o.o.',
    countryId: world.countries.PL,
    city: 'Katowice',
    language: 'pl',
    contactPersons: [{ fullName: 'Piotr Lis', salutationId: pan, email: 'p.lis@autokomponent.example' }],
  })
  customer = { id: made.body.id, contactId: made.body.contactPersons[0].id }
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

/** Lets the jobs of an order do what is due now, as often as it takes. */
async function work(orderId: number): Promise<void> {
  while ((await dueEmails(ctx(), orderId)).length > 0) await renderEmails.handle(ctx(), { orderId })
  for (const { id, status } of await mailsOf(orderId))
    if (status === 'queued') await deliverEmail.handle(ctx(), { emailId: id })
}
const mailsOf = async (orderId: number): Promise<Email[]> =>
  (await admin.get(`emails?orderId=${orderId}&perPage=100`)).body.items
const now = () => test.clock.now().getTime()
const seconds = (count: number) => test.clock.advance(count * 1000)
/** Moves the clock on to an instant. */
async function until(instant: string): Promise<void> {
  test.clock.advance(Date.parse(instant) - now())
  // A session does not live through all of this.
  const { body } = await test.signIn(ADMIN.email, ADMIN.password)
  admin = test.withToken(body.token)
}
const sentSince = () => server.inbox.map(({ recipients, mail }) => [mail.subject, recipients] as const)

async function newOrder(more: Partial<OrderInput> = {}): Promise<Order> {
  const made = await admin.post(
    'orders',
    plainOrder(world, customer.id, { contactPersonId: customer.contactId, caseWorkerId: adminId, ...more }),
  )
  expect(made.status).toBe(201)
  return made.body
}
const read = async (id: number): Promise<Order> => (await admin.get(`orders/${id}`)).body
async function patch(order: Order, change: object): Promise<Order> {
  const { status, body } = await admin.patch(`orders/${order.id}`, change, { version: order.version })
  expect([status, body.errors]).toEqual([200, undefined])
  return body
}
async function move(order: Order, to: string, more: object = {}): Promise<Order> {
  const { status, body } = await admin.post(`orders/${order.id}/status`, { to, ...more }, { version: order.version })
  expect([status, body.errors ?? body.code]).toEqual([200, undefined])
  return body
}

describe('an urgent van, from the order to the proof of delivery', () => {
  it('tells customer and carrier everything, each once, in their language and in time', async () => {
    await until('2026-11-23T09:00:00.000Z')
    const { PL, DE } = world.countries
    let order = await newOrder({
      customerOrderNumber: 'PILNE-24/11',
      cargo: [
        { key: 'c', title: 'Części do linii', quantity: 1, lengthCm: 120, widthCm: 80, heightCm: 100, weightKg: 380 },
      ],
      locations: [
        {
          key: 'a',
          kind: 'loading',
          termin: { kind: 'fix', dateFrom: '2026-11-24', timeFrom: '06:00' },
          companyTitle: 'AutoKomponent',
          countryId: PL,
          city: 'Katowice',
          cargoActions: [{ cargoKey: 'c', action: 'PICK_UP' }],
        },
        {
          key: 'b',
          kind: 'unloading',
          termin: { kind: 'before', dateFrom: '2026-11-24', timeFrom: '17:00' },
          companyTitle: 'Donau Montagewerk',
          countryId: DE,
          postal: '85057',
          city: 'Ingolstadt',
          cargoActions: [{ cargoKey: 'c', action: 'DROP_OFF' }],
        },
      ],
    })
    await work(order.id)
    expect(server.inbox).toEqual([])
    seconds(9)
    await work(order.id)
    expect(sentSince()).toEqual([['Potwierdzenie otrzymania zlecenia PILNE-24/11', ['p.lis@autokomponent.example']]])
    expect(server.inbox[0]!.mail.text).toContain('Szanowny Panie')

    // The carrier, without driver and plate yet; then planned: the transport order leaves eight seconds later.
    order = await patch(order, {
      routes: [
        {
          assignment: {
            carrierCompanyId: world.carrier.id,
            disponentName: 'Anna Nowak',
            disponentEmail: 'a.nowak@transwarta.example',
            costCents: 60_000,
          },
        },
      ],
    })
    order = await move(order, 'scheduled')
    seconds(7)
    await work(order.id)
    expect(server.inbox).toHaveLength(1)
    seconds(2)
    await work(order.id)
    expect(server.inbox).toHaveLength(2)
    const transport = server.inbox[1]!
    expect([transport.recipients, transport.mail.attachments.map(({ filename }) => filename)]).toEqual([
      ['a.nowak@transwarta.example'],
      [expect.stringMatching(/\.pdf$/)],
    ])
    expect(transport.mail.subject).toContain(`${order.number}/1`)
    expect(transport.mail.text).not.toContain('AutoKomponent Sp.')

    // Driver and plate: to the customer.
    order = await patch(order, {
      routes: [
        {
          ...order.routes[0],
          assignment: { ...order.routes[0]!.assignment, driverIds: [world.carrier.driverId], plateNumber: 'PO 4T112' },
        },
      ],
    })
    seconds(9)
    await work(order.id)
    expect(sentSince().slice(2)).toEqual([[expect.stringContaining('PILNE-24/11'), ['p.lis@autokomponent.example']]])
    expect(server.inbox[2]!.mail.text).toContain('PO 4T112')

    // Loaded, with a plan for the arrival over the border: half an hour before it, moved twice.
    await until('2026-11-24T05:10:00.000Z')
    order = await move(order, 'in_transit', {
      stopTimes: [
        { locationId: order.locations[0]!.id, arrivedAt: '2026-11-24T04:50:00Z', loadedAt: '2026-11-24T05:05:00Z' },
      ],
    })
    seconds(9)
    await work(order.id)
    expect(sentSince().slice(3)).toEqual([[expect.stringContaining('PILNE-24/11'), ['p.lis@autokomponent.example']]])
    const planned = async (plannedAt: string) => {
      const [first, last] = order.locations
      order = await patch(order, { locations: [first, { ...last, plannedAt }] })
    }
    await planned('2026-11-24T13:00:00Z')
    await planned('2026-11-24T14:30:00Z')
    await planned('2026-11-24T13:40:00Z')
    const arriving = (await mailsOf(order.id)).filter(({ type }) => type === 'before_arriving')
    expect(arriving.map(({ status, notBefore }) => [status, notBefore])).toEqual([
      ['planned', '2026-11-24T13:10:00.000Z'],
    ])
    await until('2026-11-24T13:09:59.000Z')
    await work(order.id)
    expect(server.inbox).toHaveLength(4)
    await until('2026-11-24T13:10:00.000Z')
    await work(order.id)
    expect(server.inbox).toHaveLength(5)
    expect(server.inbox[4]!.mail.subject).toContain('14:40')

    // Unloaded, and the signed paper.
    await until('2026-11-24T14:20:00.000Z')
    order = await move(await read(order.id), 'delivered', {
      stopTimes: [
        { locationId: order.locations[1]!.id, arrivedAt: '2026-11-24T13:45:00Z', unloadedAt: '2026-11-24T14:15:00Z' },
      ],
    })
    seconds(9)
    await work(order.id)
    expect(server.inbox).toHaveLength(6)
    const { body, contentType } = await encodeForm({
      fields: { documentType: 'PROOF_OF_DELIVERY', orderId: order.id, orderCarrier: order.routes[0]!.assignment!.id },
      file: { name: 'CMR.pdf', bytes: FILES.pdf() },
    })
    expect((await admin.post('upload', body, { headers: { 'content-type': contentType } })).status).toBe(201)
    seconds(9)
    await work(order.id)
    expect(server.inbox).toHaveLength(7)
    expect(server.inbox[6]!.mail.attachments.map(({ filename }) => filename)).toEqual(['CMR.pdf'])

    // All of them hang together, say that no person wrote them, and are answered by the case worker.
    const toCustomer = server.inbox.filter(({ recipients }) => recipients[0] === 'p.lis@autokomponent.example')
    const [first, ...others] = toCustomer.map(({ mail }) => mail)
    for (const mail of others) expect(mail.inReplyTo).toBe(first!.messageId)
    for (const { mail } of server.inbox) {
      expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
      expect(mail.replyTo?.[0]?.address).toBe('admin@waybill.example')
    }
    expect((await mailsOf(order.id)).map(({ status }) => status)).toEqual(Array(7).fill('sent'))
  })

  it('says nothing after it was canceled, but to the carrier who had been told', async () => {
    await until('2026-11-25T09:00:00.000Z')
    let order = await newOrder({
      ...shipment(world),
      routes: [
        {
          assignment: {
            ...carried(world).assignment,
            disponentName: 'Anna Nowak',
            disponentEmail: 'a@carrier.example',
          },
        },
      ],
    })
    order = await move(order, 'scheduled')
    seconds(9)
    await work(order.id)
    server.inbox.length = 0
    order = await move(order, 'canceled', { reason: 'Customer withdrew' })
    seconds(9)
    await work(order.id)
    await until('2027-03-01T00:00:00.000Z')
    await work(order.id)
    expect(sentSince()).toEqual([[expect.stringContaining(`${order.number}/1`), ['a@carrier.example']]])
    const open = (await mailsOf(order.id)).filter(({ status }) => status === 'planned')
    expect(open).toEqual([])
    const dropped = (await mailsOf(order.id)).filter(({ status }) => status === 'suppressed')
    expect(dropped.map(({ type, reason }) => [type, reason])).toEqual([['before_arriving', 'orderCanceled']])
  })

  const CARRIED = () => ({
    ...carried(world).assignment,
    disponentName: 'Anna Nowak',
    disponentEmail: 'a.nowak@transwarta.example',
  })
  const REASON = 'Der Kunde hat "storniert" <sofort>'
  it.each([
    ['canceled', true],
    ['canceled', false],
    ['new', true],
    ['new', false],
  ])('a carrier that loses its order as it becomes %s reads the typed reason: %s', async (to, tellsCarrier) => {
    await until(test.clock.now().toISOString())
    let order = await newOrder({ ...shipment(world), routes: [{ assignment: CARRIED() }] })
    order = await move(order, 'scheduled')
    seconds(9)
    await work(order.id)
    server.inbox.length = 0
    await move(order, to, { reason: REASON, tellsCarrier })
    seconds(9)
    await work(order.id)
    const mail = server.inbox.find(({ recipients }) => recipients[0] === 'a.nowak@transwarta.example')
    expect(mail!.mail.text!.includes(REASON)).toBe(tellsCarrier)
    expect(mail!.mail.html!.includes('&lt;sofort&gt;')).toBe(tellsCarrier)
  })

  it('an old reason is not told where the carrier is exchanged later', async () => {
    let order = await newOrder({ ...shipment(world), routes: [{ assignment: CARRIED() }] })
    order = await move(order, 'scheduled')
    seconds(9)
    await work(order.id)
    order = await move(order, 'new', { reason: REASON, tellsCarrier: true })
    seconds(9)
    await work(order.id)
    order = await move(order, 'scheduled')
    seconds(9)
    await work(order.id)
    server.inbox.length = 0
    const [{ id, locationIds }] = order.routes as [Order['routes'][number]]
    await patch(order, { routes: [{ id, locationIds, assignment: { ownFleet: true } }] })
    seconds(9)
    await work(order.id)
    const mail = server.inbox.find(({ recipients }) => recipients[0] === 'a.nowak@transwarta.example')
    expect(mail!.mail.text).not.toContain(REASON)
  })

  it('promises the beginning of the appointment where no arrival is planned', async () => {
    await until('2027-03-30T09:00:00.000Z')
    const { locations, ...rest } = shipment(world)
    const on = (dateFrom: string, timeFrom: string) => ({ kind: 'fix' as const, dateFrom, timeFrom })
    let order = await newOrder({
      ...rest,
      locations: [
        { ...locations![0]!, termin: on('2027-04-01', '08:00') },
        { ...locations![1]!, termin: on('2027-04-02', '07:00') },
      ],
      routes: [carried(world)],
    })
    order = await move(order, 'scheduled')
    await until('2027-04-01T07:00:00.000Z')
    order = await move(order, 'in_transit', {
      stopTimes: [
        { locationId: order.locations[0]!.id, arrivedAt: '2027-04-01T05:50:00Z', loadedAt: '2027-04-01T06:40:00Z' },
      ],
    })
    seconds(9)
    await work(order.id)
    server.inbox.length = 0
    await until('2027-04-02T04:30:00.000Z')
    await work(order.id)
    expect(sentSince()).toEqual([[expect.stringContaining('07:00'), ['p.lis@autokomponent.example']]])
  })
})

describe('proofs of delivery', () => {
  let order: Order
  let stops: number[]
  /** Goods of two customers, dropped off in two places by one truck. */
  beforeEach(async () => {
    const { PL, DE } = world.countries
    const { body: second } = await admin.post('customers', {
      title: 'Fabryka Mebli Łódź S.A.',
      countryId: PL,
      language: 'en',
      contactPersons: [{ fullName: 'Ewa Mazur', email: 'e.mazur@meble.example' }],
    })
    const stop = (key: string, kind: 'loading' | 'unloading', city: string, cargo: string[]) => ({
      key,
      kind,
      countryId: DE,
      city,
      cargoActions: cargo.map((cargoKey) => ({
        cargoKey,
        action: kind === 'loading' ? ('PICK_UP' as const) : ('DROP_OFF' as const),
      })),
    })
    order = await newOrder({
      customerIds: [customer.id, second.id],
      cargo: [
        { key: 'a', title: 'Parts', quantity: 1, customerId: customer.id },
        { key: 'b', title: 'Chairs', quantity: 1, customerId: second.id },
      ],
      locations: [
        stop('from', 'loading', 'Hamburg', ['a', 'b']),
        stop('one', 'unloading', 'Ulm', ['a']),
        stop('two', 'unloading', 'Ingolstadt', ['b']),
      ],
      routes: [
        {
          locationKeys: ['from', 'one', 'two'],
          assignment: {
            ...carried(world).assignment,
            driverIds: [],
            plateNumber: null,
            disponentName: 'Anna Nowak',
            disponentEmail: 'a.nowak@transwarta.example',
          },
        },
      ],
    })
    seconds(9)
    await work(order.id)
    server.inbox.length = 0
    stops = order.locations.filter(({ kind }) => kind === 'unloading').map(({ id }) => id)
  })
  const send = async (name: string, locationIds: readonly (number | undefined)[]) => {
    const { body, contentType } = await encodeForm({
      fields: { documentType: 'PROOF_OF_DELIVERY', orderId: order.id, locationIds: locationIds.join(',') },
      file: { name, bytes: FILES.pdf() },
    })
    const sent = await admin.post('upload', body, { headers: { 'content-type': contentType } })
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    return sent.body as { id: number; version: number }
  }
  const carriedFiles = () =>
    Object.fromEntries(
      server.inbox.map(({ recipients, mail }) => [recipients[0], mail.attachments.map(({ filename }) => filename)]),
    )

  it('go to each customer whose goods they prove, several together', async () => {
    await send('ulm.pdf', [stops[0]])
    await send('ingolstadt.pdf', [stops[1]])
    await send('both.pdf', stops)
    seconds(9)
    await work(order.id)
    expect(server.inbox).toHaveLength(2)
    expect(carriedFiles()).toEqual({
      'p.lis@autokomponent.example': ['ulm.pdf', 'both.pdf'],
      'e.mazur@meble.example': ['ingolstadt.pdf', 'both.pdf'],
    })
  })

  it('that are refused go to nobody, and their carrier hears why', async () => {
    const { id, version } = await send('ulm.pdf', [stops[0]])
    const refused = await admin.post(`documents/${id}/refuse`, { reason: 'The signature is missing' }, { version })
    expect(refused.status, JSON.stringify(refused.body)).toBe(200)
    seconds(7)
    await work(order.id)
    expect(server.inbox).toEqual([])
    seconds(2)
    await work(order.id)
    expect(server.inbox.map(({ recipients }) => recipients)).toEqual([['a.nowak@transwarta.example']])
    const [{ mail }] = server.inbox as [(typeof server.inbox)[number]]
    expect(mail.subject).toContain(`${order.number}/1`)
    expect(mail.subject).toContain('ulm.pdf')
    expect(mail.text).toContain('The signature is missing')
    expect(mail.text).not.toContain('AutoKomponent')
    expect(mail.attachments).toEqual([])
    // It has left, and is not written twice.
    const { version: now } = refused.body
    const undone = await admin.post(`documents/${id}/undo`, {}, { version: now })
    expect([undone.status, undone.body.code]).toEqual([409, 'conflict'])
    await patch(await read(order.id), { description: 'changed' })
    seconds(9)
    await work(order.id)
    expect(server.inbox).toHaveLength(1)
  })

  it('that are refused by mistake tell the carrier nothing', async () => {
    const { id, version } = await send('ulm.pdf', [stops[0]])
    const { body } = await admin.post(`documents/${id}/refuse`, { reason: 'The wrong page' }, { version })
    expect((await admin.post(`documents/${id}/undo`, {}, { version: body.version })).status).toBe(200)
    seconds(20)
    await work(order.id)
    expect(carriedFiles()).toEqual({ 'p.lis@autokomponent.example': ['ulm.pdf'] })
  })
})

describe('a mail that does not go', () => {
  const created = async (id: number) => (await mailsOf(id)).find(({ type }) => type === 'order_created')!
  const withPreference = async (orderCreated: boolean, email: string | null = 'p.lis@autokomponent.example') => {
    const { body } = await admin.get(`customers/${customer.id}`)
    const [person] = body.contactPersons
    const changed = await admin.patch(
      `customers/${customer.id}`,
      { emailPreferences: { ...body.emailPreferences, orderCreated }, contactPersons: [{ ...person, email }] },
      { version: body.version },
    )
    expect(changed.status).toBe(200)
  }

  it('says that the customer wants none, and can be sent all the same', async () => {
    await until('2027-03-02T09:00:00.000Z')
    await withPreference(false)
    const { id } = await newOrder()
    seconds(9)
    await work(id)
    const mail = await created(id)
    expect([mail.status, mail.reason, mail.subject]).toEqual(['suppressed', 'preference', ''])
    const { body: shown } = await admin.get(`emails/${mail.id}`)
    expect([shown.to, shown.subject]).toEqual([
      ['p.lis@autokomponent.example'],
      expect.stringContaining('Potwierdzenie otrzymania'),
    ])
    const [one, two] = await Promise.all([1, 2].map(() => admin.post(`emails/${mail.id}/send-now`, {})))
    expect([one!.status, two!.status].toSorted()).toEqual([200, 409])
    await work(id)
    expect(sentSince().map(([, to]) => to)).toEqual([['p.lis@autokomponent.example']])
    expect((await admin.post(`emails/${mail.id}/cancel`, {})).status).toBe(409)
    await withPreference(true)
  })

  it('is asked for an address where there is none, and goes to one that is typed', async () => {
    await withPreference(true, null)
    const { id } = await newOrder()
    seconds(9)
    await work(id)
    const mail = await created(id)
    expect([mail.status, mail.reason]).toEqual(['suppressed', 'noAddress'])
    const refused = await admin.post(`emails/${mail.id}/send-now`, {})
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ path: 'to', code: 'recipient_missing' }]])
    expect((await admin.post(`emails/${mail.id}/send-now`, { to: ['dispo@autokomponent.example'] })).status).toBe(200)
    await work(id)
    expect(sentSince().map(([, to]) => to)).toEqual([['dispo@autokomponent.example']])
    await withPreference(true)
  })

  it('is held while a value is missing, and goes once it is there', async () => {
    const key = `departments/${world.departmentId}/email-templates/order_created.pl`
    const { body: standard } = await admin.get(key)
    const { subject, blocks, replyTo, isOn } = standard
    const needsDate = [{ type: 'variable', attrs: { key: 'firstLoading.date', fallback: null } }]
    await admin.put(
      key,
      { subject: [...subject, { type: 'text', text: ' ' }, ...needsDate], blocks, replyTo, isOn },
      { version: 0 },
    )
    let order = await newOrder()
    seconds(9)
    await work(order.id)
    const mail = await created(order.id)
    expect([mail.status, mail.reason, mail.missing]).toEqual(['held', 'valueMissing', ['firstLoading.date']])
    const refused = await admin.post(`emails/${mail.id}/send-now`, {})
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'value_missing'])
    order = await patch(order, shipment(world))
    seconds(9)
    await work(order.id)
    expect((await created(order.id)).status).toBe('sent')
    await admin.delete(key, { version: 1 })
  })

  it('can be taken back while it waits, and is nobody’s who may not see the order', async () => {
    const { id } = await newOrder()
    const mail = await created(id)
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    for (const call of ['cancel', 'send-now'])
      expect((await caller.post(`emails/${mail.id}/${call}`, {})).status).toBe(404)
    expect((await caller.get(`emails/${mail.id}`)).status).toBe(404)
    expect((await admin.post(`emails/${mail.id}/cancel`, {})).body).toMatchObject({
      status: 'suppressed',
      reason: 'canceled',
    })
    seconds(9)
    await work(id)
    expect(server.inbox).toEqual([])
    // Saving the order anew does not bring it back.
    await patch(await read(id), { description: 'again' })
    seconds(9)
    await work(id)
    expect(server.inbox).toEqual([])
  })

  it('does not keep an order from being deleted, once one has left it does', async () => {
    const one = await newOrder()
    expect((await admin.delete(`orders/${one.id}`, { version: one.version })).status).toBe(204)
    const other = await newOrder()
    seconds(9)
    await work(other.id)
    expect((await admin.delete(`orders/${other.id}`, { version: other.version })).status).toBe(409)
  })
})

describe('an order that is older than planned mails', () => {
  it('says nothing of what it had come to, and everything that comes after', async () => {
    const order = await newOrder({ ...shipment(world), routes: [carried(world)] })
    const planned = await move(order, 'scheduled')
    await test.database.pool.query(`delete from email where "ownerId" = $1 and "ownerKind" = 'order'`, [order.id])
    await test.database.pool.query('update "order" set "mailsPassed" = null where id = $1', [order.id])
    const saved = await patch(planned, { description: 'old' })
    expect((await mailsOf(order.id)).map(({ type }) => type)).toEqual([])
    await move(saved, 'in_transit', { at: test.clock.now().toISOString() })
    expect((await mailsOf(order.id)).map(({ type }) => type)).toEqual(['loading_confirmation'])
  })
})

describe('a transport order that the carrier has in an older version', () => {
  const copies = async (id: number) => (await admin.get(`orders/${id}/carrier-copies`)).body.items
  const withPlate = (order: Order, plateNumber: string) =>
    patch(order, { routes: [{ ...order.routes[0], assignment: { ...order.routes[0]!.assignment, plateNumber } }] })

  it('says what differs, and is sent anew by a person alone', async () => {
    await until('2027-03-03T09:00:00.000Z')
    let order = await newOrder({
      ...shipment(world),
      routes: [{ assignment: { ...carried(world).assignment, disponentEmail: 'a@carrier.example' } }],
    })
    expect(await copies(order.id)).toEqual([])
    order = await move(order, 'scheduled')
    seconds(9)
    await work(order.id)
    expect(await copies(order.id)).toMatchObject([{ differs: [], isPlanned: false }])
    const send = (caller: Caller) => caller.post(`routes/${order.routes[0]!.id}/send-change`, {})
    expect((await send(admin)).status).toBe(409)

    order = await withPlate(order, 'PO 9X999')
    expect(await copies(order.id)).toMatchObject([{ differs: ['plate'] }])
    seconds(9)
    await work(order.id)
    const toCarrier = () => sentSince().filter(([, to]) => to[0] === 'a@carrier.example')
    expect(toCarrier()).toHaveLength(1)
    expect((await send((await test.userWith('ASSIGNED_ORDERS')).caller)).status).toBe(404)
    const pressed = await Promise.all([send(admin), send(admin)])
    expect(pressed.map(({ status }) => status).toSorted()).toEqual([200, 409])
    seconds(9)
    await work(order.id)
    expect(toCarrier()).toHaveLength(2)
    const { mail } = server.inbox.findLast(({ recipients }) => recipients[0] === 'a@carrier.example')!
    expect(mail.text).toContain('numer rejestracyjny')
    expect(mail.attachments).toHaveLength(1)
    expect(await copies(order.id)).toMatchObject([{ differs: [], isPlanned: false }])
  })
})

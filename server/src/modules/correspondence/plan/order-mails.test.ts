import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Email } from '@waybill/contract/email'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { onlyLong } from '../../../../test/model-runs.ts'
import { ADMIN, useTestApp, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import {
  carried,
  exampleOrders,
  orderWorld,
  plainOrder,
  shipment,
  type OrderWorld,
} from '../../../../test/order-examples.ts'
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
/** in German, by its country */
let nordlicht: { id: number; contactId: number }

beforeAll(async () => {
  server = await startMailServer()
  test.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(test)
  admin = test.admin
  adminId = (await admin.get('profile')).body.id
  const pan = await test.idOf('salutation', 'title', 'Pan')
  const reader = async (title: string, code: 'PL' | 'DE', more: Record<string, unknown>) => {
    const id = await world.customer(title, code, more)
    return { id, contactId: (await test.admin.get(`customers/${id}`)).body.contactPersons[0].id as number }
  }
  customer = await reader('AutoKomponent Sp. z o.o.', 'PL', {
    address: 'ul. Rzemieślnicza 11',
    postal: '40-265',
    city: 'Katowice',
    language: 'pl',
    paymentPeriodDays: 14,
    contactPersons: [{ fullName: 'Piotr Lis', salutationId: pan, email: 'p.lis@autokomponent.example' }],
  })
  nordlicht = await reader('Nordlicht Maschinenbau GmbH', 'DE', {
    city: 'Hamburg',
    contactPersons: [{ fullName: 'Heike Jansen', email: 'h.jansen@nordlicht.example' }],
  })
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

const loadedAt = (order: Order, arrivedAt: string, at: string) => ({
  stopTimes: [{ locationId: order.locations[0]!.id, arrivedAt, loadedAt: at }],
})
const unloadedAt = (order: Order, arrivedAt: string, at: string) => ({
  stopTimes: [{ locationId: order.locations.at(-1)!.id, arrivedAt, unloadedAt: at }],
})
/** Plans the arrival at the last stop. */
async function planned(order: Order, plannedAt: string): Promise<Order> {
  const [first, last] = order.locations
  return patch(order, { locations: [first, { ...last, plannedAt }] })
}
async function provenBy(order: Order, name: string): Promise<void> {
  const { body, contentType } = await encodeForm({
    fields: { documentType: 'PROOF_OF_DELIVERY', orderId: order.id, orderCarrier: order.routes[0]!.assignment!.id },
    file: { name, bytes: FILES.pdf() },
  })
  expect((await admin.post('upload', body, { headers: { 'content-type': contentType } })).status).toBe(201)
}
const arrivingOf = async (id: number) =>
  (await mailsOf(id))
    .filter(({ type }) => type === 'before_arriving')
    .map(({ status, notBefore }) => [status, notBefore])
const pagesOf = (file: MailServer['inbox'][number]['mail']['attachments'][number]) =>
  execFileSync('pdftotext', ['-', '-'], { input: Buffer.from(file.content as ArrayBuffer), encoding: 'utf8' })

/** The urgent van for a German customer by a Polish carrier, to a place with a clock of its own. */
async function expectTheHalfHour({
  code,
  city,
  dates: [day, next],
  plans,
  leaves,
  said,
}: {
  code: string
  city: string
  dates: [string, string]
  plans: string[]
  leaves: string
  said: string
}): Promise<void> {
  await until(`${day}T08:00:00.000Z`)
  const { body: urgentVan } = (await exampleOrders(world))['urgent van']
  const [from, to] = urgentVan.locations!
  let order = await newOrder({
    ...urgentVan,
    customerIds: [nordlicht.id],
    contactPersonId: nordlicht.contactId,
    customerOrderNumber: 'EILIG-7',
    locations: [
      { ...from!, termin: { kind: 'fix', dateFrom: day, timeFrom: '14:00' } },
      {
        ...to!,
        termin: { kind: 'before', dateFrom: next, timeFrom: '17:00' },
        countryId: await test.idOf('country', 'code', code),
        city,
        companyTitle: 'Works 7',
      },
    ],
    routes: [
      {
        assignment: {
          ...carried(world).assignment,
          disponentName: 'Anna Nowak',
          disponentEmail: 'a.nowak@transwarta.example',
        },
      },
    ],
  })
  const told = async (): Promise<typeof server.inbox> => {
    await work(order.id)
    return server.inbox.splice(0)
  }
  const nineSecondsOn = async () => {
    seconds(9)
    return told()
  }
  const first = await nineSecondsOn()
  expect(first.map(({ mail, recipients }) => [mail.subject, recipients])).toEqual([
    ['Ihr Auftrag EILIG-7 ist bei uns eingegangen', ['h.jansen@nordlicht.example']],
  ])
  order = await move(order, 'scheduled')
  const [transport, driver, ...more] = (await nineSecondsOn()).toSorted((one, other) =>
    one.recipients[0]!.localeCompare(other.recipients[0]!),
  )
  expect(more).toEqual([])
  expect(transport!.recipients).toEqual(['a.nowak@transwarta.example'])
  expect(transport!.mail.subject).toMatch(/^Zlecenie transportowe /)
  expect(transport!.mail.text).toContain('w załączniku przesyłamy zlecenie transportowe')
  expect(transport!.mail.text).toContain('/upload-documents/')
  expect(transport!.mail.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pdf'])
  const paper = pagesOf(transport!.mail.attachments[0]!)
  for (const words of [`${order.number}/1`, city, 'Zlecenie transportowe']) expect(paper).toContain(words)
  expect(driver!.mail.subject).toBe('Kennzeichen und Fahrer zu EILIG-7: PO 4T112')

  await until(`${day}T13:20:00.000Z`)
  order = await move(order, 'in_transit', loadedAt(order, `${day}T12:50:00Z`, `${day}T13:10:00Z`))
  const subjects = (mails: typeof server.inbox) => mails.map(({ mail }) => mail.subject)
  expect(subjects(await nineSecondsOn())).toEqual(['Beladen: Ihr Auftrag EILIG-7'])
  for (const at of plans) order = await planned(order, at)
  expect(await arrivingOf(order.id)).toEqual([['planned', leaves]])
  await until(new Date(Date.parse(leaves) - 1000).toISOString())
  expect(await told()).toEqual([])
  await until(leaves)
  const [arriving, ...others] = await told()
  expect(others).toEqual([])
  expect(arriving!.mail.subject).toBe(`Ankunft gegen ${said} Uhr: Auftrag EILIG-7, ${city}`)
  expect(arriving!.recipients).toEqual(['h.jansen@nordlicht.example'])

  const arrival = plans.at(-1)!
  await until(arrival)
  order = await move(await read(order.id), 'delivered', unloadedAt(order, arrival, arrival))
  expect(subjects(await nineSecondsOn())).toEqual(['Entladen: Ihr Auftrag EILIG-7'])
  await provenBy(order, 'CMR.pdf')
  const [pod, ...rest] = await nineSecondsOn()
  expect(rest).toEqual([])
  expect([pod!.mail.subject, pod!.mail.attachments.map(({ filename }) => filename)]).toEqual([
    'Ablieferbeleg zu EILIG-7',
    ['CMR.pdf'],
  ])
  await until(`${new Date(Date.parse(arrival) + 9e8).toISOString()}`)
  expect(await told()).toEqual([])
  expect((await mailsOf(order.id)).map(({ status }) => status)).toEqual(Array(7).fill('sent'))
}

describe('an urgent van, from the order to the proof of delivery', () => {
  it('tells customer and carrier everything, each once, in their language and in time', async () => {
    await until('2026-11-23T09:00:00.000Z')
    const { body: urgentVan } = (await exampleOrders(world))['urgent van']
    let order = await newOrder({ ...urgentVan, customerOrderNumber: 'PILNE-24/11' })
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
    expect([transport.recipients, transport.mail.attachments.map(({ mimeType }) => mimeType)]).toEqual([
      ['a.nowak@transwarta.example'],
      ['application/pdf'],
    ])
    const paper = pagesOf(transport.mail.attachments[0]!)
    for (const said of [`${order.number}/1`, 'Donau Montagewerk', 'Ringlerstr. 28']) expect(paper).toContain(said)
    expect(transport.mail.text).toContain('/upload-documents/')
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
    order = await move(order, 'in_transit', loadedAt(order, '2026-11-24T04:50:00Z', '2026-11-24T05:05:00Z'))
    seconds(9)
    await work(order.id)
    expect(sentSince().slice(3)).toEqual([[expect.stringContaining('PILNE-24/11'), ['p.lis@autokomponent.example']]])
    for (const at of ['13:00', '14:30', '13:40']) order = await planned(order, `2026-11-24T${at}:00Z`)
    expect(await arrivingOf(order.id)).toEqual([['planned', '2026-11-24T13:10:00.000Z']])
    await until('2026-11-24T13:09:59.000Z')
    await work(order.id)
    expect(server.inbox).toHaveLength(4)
    await until('2026-11-24T13:10:00.000Z')
    await work(order.id)
    expect(server.inbox).toHaveLength(5)
    expect(server.inbox[4]!.mail.subject).toContain('14:40')

    // Unloaded, and the signed paper.
    await until('2026-11-24T14:20:00.000Z')
    order = await move(
      await read(order.id),
      'delivered',
      unloadedAt(order, '2026-11-24T13:45:00Z', '2026-11-24T14:15:00Z'),
    )
    seconds(9)
    await work(order.id)
    expect(server.inbox).toHaveLength(6)
    await provenBy(order, 'CMR.pdf')
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

  // The clocks of the unloading place change between the mail and the arrival that it promises.
  it('keeps to the half hour over the border into summer time in the United Kingdom', { tags: 'long' }, () =>
    expectTheHalfHour({
      code: 'GB',
      city: 'London',
      dates: ['2027-03-27', '2027-03-28'],
      // 00:30 before the change; 02:40 and 02:15 after it
      plans: ['2027-03-28T00:30:00Z', '2027-03-28T01:40:00Z', '2027-03-28T01:15:00Z'],
      leaves: '2027-03-28T00:45:00.000Z',
      said: '02:15',
    }),
  )

  it('keeps to the half hour over the border into winter time in Romania', { tags: 'long' }, () =>
    expectTheHalfHour({
      code: 'RO',
      city: 'Oradea',
      dates: ['2027-10-30', '2027-10-31'],
      // 03:10 in summer time, 03:40 and 03:15 in winter time: by the clock of Oradea it leaves at 03:45
      plans: ['2027-10-31T00:10:00Z', '2027-10-31T01:40:00Z', '2027-10-31T01:15:00Z'],
      leaves: '2027-10-31T00:45:00.000Z',
      said: '03:15',
    }),
  )

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
    ...onlyLong<[string, boolean]>(() => [
      ['canceled', false],
      ['new', true],
      ['new', false],
    ]),
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

  it('an old reason is not told where the carrier is exchanged later', { tags: 'long' }, async () => {
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

  it('promises the beginning of the appointment where no arrival is planned', { tags: 'long' }, async () => {
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

  it('go to each customer whose goods they prove, several together', { tags: 'long' }, async () => {
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

  it('that are refused by mistake tell the carrier nothing', { tags: 'long' }, async () => {
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

describe('the mail of a new order', () => {
  it.each([
    ['en', 'Ms', 'Dear Dr Öztürk,'],
    ['de', 'Frau', 'Sehr geehrte Frau Dr. Öztürk,'],
    // A Polish letter does not call the reader by name.
    ['pl', 'Pani', 'Szanowna Pani,'],
  ])('greets a doctor as letters in %s do', async (language, salutation, greeting) => {
    const made = await admin.post('customers', {
      title: `Öztürk ${language} GmbH`,
      countryId: world.countries.DE,
      language,
      contactPersons: [
        {
          fullName: 'Dr. Ayşe Öztürk',
          lastName: 'Öztürk',
          academicTitle: language === 'en' ? 'Dr' : 'Dr.',
          salutationId: await test.idOf('salutation', 'title', salutation),
          email: `${language}@oeztuerk.example`,
        },
      ],
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { id, contactPersons } = made.body
    const order = await admin.post('orders', plainOrder(world, id, { contactPersonId: contactPersons[0].id }))
    expect(order.status, JSON.stringify(order.body)).toBe(201)
    seconds(9)
    await work(order.body.id)
    expect(server.inbox.map(({ recipients }) => recipients)).toEqual([[`${language}@oeztuerk.example`]])
    const { text, html } = server.inbox[0]!.mail
    expect(text!.split('\n').map((line) => line.trim())).toContain(greeting)
    expect(html).toContain(greeting)
  })

  it.each([
    ['the Polish of the person it is for, at a German customer', 'pl', 'Potwierdzenie otrzymania zlecenia', 'PLN-1'],
    ['the German of the customer where the person has none', null, 'Ihr Auftrag', 'PLN-2'],
  ] as const)('is written in %s', async (_title, language, subject, reference) => {
    const pan = await test.idOf('salutation', 'title', 'Pan')
    const { body: made } = await admin.post('customers', {
      title: `Hanse Kontor ${reference} GmbH`,
      countryId: world.countries.DE,
      language: 'de',
      contactPersons: [
        { fullName: 'Heike Brandt', email: `brandt.${reference}@hanse.example` },
        { fullName: 'Marek Zieliński', salutationId: pan, language, email: `zielinski.${reference}@hanse.example` },
      ],
    })
    const order = await newOrder({
      customerIds: [made.id],
      contactPersonId: made.contactPersons[1].id,
      customerOrderNumber: reference,
    })
    seconds(9)
    await work(order.id)
    expect(server.inbox.map(({ recipients }) => recipients)).toEqual([[made.contactPersons[1].email]])
    const { subject: said, text, html } = server.inbox[0]!.mail
    expect(said).toContain(`${subject} ${reference}`)
    expect(html).toContain(`lang="${language ?? 'de'}"`)
    expect(text).toContain(language === 'pl' ? 'Szanowny Panie' : 'Sehr geehrter Herr')
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

  it('says what differs, and is sent anew by a person alone', { tags: 'long' }, async () => {
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

  it('is marked as a change on the paper, with what is new since the carrier was told', { tags: 'long' }, async () => {
    await until('2027-03-04T09:00:00.000Z')
    let order = await newOrder({
      ...shipment(world),
      routes: [{ assignment: { ...carried(world).assignment, disponentEmail: 'c@carrier.example' } }],
    })
    const flat = (text: string) => text.replace(/\s+/g, ' ')
    const toCarrier = () => {
      const file = server.inbox.findLast(({ recipients }) => recipients[0] === 'c@carrier.example')!.mail
        .attachments[0]!
      return { name: file.filename, says: flat(pagesOf(file)) }
    }
    const byHand = async (language: string) => {
      const wish = { documentType: 'ORDER_RESOLVED_DOCUMENT', language }
      const { status, body } = await admin.post(`orders/${order.id}/documents`, wish, { version: order.version })
      expect(status, JSON.stringify(body)).toBe(201)
      const { raw } = await admin.get(`documents/${body.items[0].id}/file`)
      return flat(execFileSync('pdftotext', ['-', '-'], { input: raw, encoding: 'utf8' }))
    }
    const states = async () =>
      (await admin.get(`orders/${order.id}/papers`)).body.items.map(({ state }: { state: string }) => state)

    expect(await byHand('de')).not.toContain('Änderung')
    order = await move(order, 'scheduled')
    seconds(9)
    await work(order.id)
    expect(toCarrier().name).toMatch(/^Zlecenie transportowe_/)
    expect(toCarrier().says).not.toContain('Zmiana')

    order = await withPlate(order, 'PO 9X999')
    order = await patch(order, {
      routes: [{ ...order.routes[0], assignment: { ...order.routes[0]!.assignment, extraData: 'Tor 7' } }],
    })
    const { number } = order.routes[0]!
    const german = await byHand('de')
    expect(german).toContain(`Änderung zum Transportauftrag ${number}`)
    expect(german).toContain('ersetzt unseren Transportauftrag vom 04.03.2027, 10:00 Uhr')
    expect(german).toContain('Seitdem geändert: Kennzeichen, Anweisungen')
    const english = await byHand('en')
    expect(english).toContain(`Change to transport order ${number}`)
    expect(english).toContain('Changed since then: plate, instructions')
    expect((await admin.post(`routes/${order.routes[0]!.id}/send-change`, {})).status).toBe(200)
    seconds(9)
    await work(order.id)
    expect(toCarrier().name).toMatch(/^Zmiana zlecenia transportowego_/)
    expect(toCarrier().says).toContain(`Zmiana zlecenia transportowego ${number}`)
    expect(toCarrier().says).toContain('Zmiany od tego czasu: numer rejestracyjny, ustalenia dodatkowe')

    // What it was a change of is kept with it: told of by now, it is no older version of itself.
    order = await patch(order, { description: 'Rückruf erbeten' })
    expect((await states())[0]).toBe('current')
    expect(await byHand('de')).not.toContain('Änderung')
  })
})

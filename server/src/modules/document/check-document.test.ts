import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '@waybill/contract/document'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { carried, orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'
import { FILES, upload } from '../../../test/upload.ts'

const test = useTestApp()
let world: OrderWorld
let customers: number[]
let dispatcher: Caller
let other: Caller
let clerk: Caller

beforeAll(async () => {
  world = await orderWorld(test)
  customers = [
    await world.customer('Nordlicht Maschinenbau GmbH', 'DE'),
    await world.customer('Fabryka Mebli Łódź S.A.', 'PL'),
  ]
  dispatcher = (await test.userWith('ORDERS_MANAGEMENT')).caller
  other = (await test.userWith('ASSIGNED_ORDERS')).caller
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
})

const dropOff = (city: string, cargoKey: string, day: string) => ({
  key: city,
  kind: 'unloading' as const,
  termin: { kind: 'fix' as const, dateFrom: day, timeFrom: '07:00' },
  countryId: world.countries.PL,
  city,
  cargoActions: [{ cargoKey, action: 'DROP_OFF' as const }],
})

/** Goods of one or two customers, loaded in Hamburg and dropped off in Poznań and Łódź, by one truck or two. */
async function newOrder({ customerCount = 1, trucks = 1 } = {}): Promise<Order> {
  const [first, second] = customers
  const made = await test.admin.post(
    'orders',
    plainOrder(world, first!, {
      customerIds: customers.slice(0, customerCount),
      cargo: [
        { key: 'a', title: 'Machines', quantity: 1, customerId: first! },
        { key: 'b', title: 'Furniture', quantity: 1, customerId: customerCount === 1 ? first! : second! },
      ],
      locations: [
        ...['a', 'b'].map((cargoKey) => ({
          key: `from-${cargoKey}`,
          kind: 'loading' as const,
          termin: { kind: 'fix' as const, dateFrom: '2026-11-30', timeFrom: '08:00' },
          countryId: world.countries.DE,
          city: 'Hamburg',
          cargoActions: [{ cargoKey, action: 'PICK_UP' as const }],
        })),
        dropOff('Poznań', 'a', '2026-12-01'),
        dropOff('Łódź', 'b', '2026-12-02'),
      ],
      routes:
        trucks === 1
          ? [{ ...carried(world), locationKeys: ['from-a', 'from-b', 'Poznań', 'Łódź'] }]
          : [
              { ...carried(world), locationKeys: ['from-a', 'Poznań'] },
              { ...carried(world), locationKeys: ['from-b', 'Łódź'] },
            ],
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

const stopsOf = (order: Order): number[] =>
  order.locations.filter(({ kind }) => kind === 'unloading').map(({ id }) => id)
const read = async (order: Order): Promise<Order> => (await test.admin.get(`orders/${order.id}`)).body
const faultsOf = ({ status, body }: Answer) => [
  status,
  (body.errors ?? []).map((fault: { path: string; code: string }) => `${fault.path} ${fault.code}`),
]

const send = (order: Order, fields: Record<string, string | number> = {}): Promise<Answer> =>
  upload(dispatcher, {
    fields: { documentType: 'PROOF_OF_DELIVERY', orderId: order.id, ...fields },
    file: { name: 'pod.pdf', bytes: FILES.pdf() },
  })

/** A proof of delivery as it comes through a carrier's link: nobody has looked at it. */
async function arrived(order: Order, fields: Record<string, string | number> = {}): Promise<Document> {
  const { body } = await send(order, { locationIds: stopsOf(order).join(','), ...fields })
  await test.database.pool.query(`update document set acceptance = 'toCheck', "acceptedAt" = null where id = $1`, [
    body.id,
  ])
  return { ...body, acceptance: 'toCheck' }
}

const accept = ({ id, version }: Document, caller = dispatcher, body: object = {}): Promise<Answer> =>
  caller.post(`documents/${id}/accept`, body, { version })
const refuse = ({ id, version }: Document, reason: string | null, caller = dispatcher): Promise<Answer> =>
  caller.post(`documents/${id}/refuse`, { reason }, { version })
const undo = ({ id, version }: Document, caller = dispatcher): Promise<Answer> =>
  caller.post(`documents/${id}/undo`, {}, { version })

async function move(path: string, order: Order, to: string, more: object = {}): Promise<Order> {
  const { version } = await read(order)
  const { status, body } = await test.admin.post(`${path}/status`, { to, ...more }, { version })
  expect([status, body.errors ?? body.code]).toEqual([200, undefined])
  return body
}
async function delivered(order: Order): Promise<Order> {
  const at = test.clock.now().toISOString()
  await move(`orders/${order.id}`, order, 'scheduled')
  await move(`orders/${order.id}`, order, 'in_transit', { at })
  return move(`orders/${order.id}`, order, 'delivered', { at })
}
const complete = async (order: Order): Promise<Answer> =>
  test.admin.post(`orders/${order.id}/status`, { to: 'completed' }, { version: (await read(order)).version })

describe('what a proof of delivery proves', () => {
  it('must be said where the order has several customers', async () => {
    const order = await newOrder({ customerCount: 2 })
    expect(faultsOf(await send(order))).toEqual([422, ['locationIds required']])
    expect(faultsOf(await send(order, { locationIds: 'all' }))).toEqual([422, ['locationIds.0 invalid_value']])
  })

  it('is chosen in the check of the carrier’s invoice, by who processes invoices alone', async () => {
    const order = await newOrder({ customerCount: 2 })
    const pod = await arrived(order)
    await test.database.pool.query('update document set "locationIds" = null where id = $1', [pod.id])
    const bill = await clerk.post('invoices', {
      entityType: 'carrier',
      carrierCompanyId: world.carrier.id,
      orderIds: [order.id],
      routeId: order.routes[0]!.id,
      number: `POD ${order.id}`,
      amountCents: 90_000,
    })
    expect(bill.status, JSON.stringify(bill.body)).toBe(201)
    const podOf = async () => (await clerk.get(`invoices/${bill.body.id}/check`)).body.pods[0]
    const [first, second] = stopsOf(order)
    expect((await podOf()).stops).toEqual([
      { id: first, position: 3, place: 'Poznań', note: order.customers[0]!.title },
      { id: second, position: 4, place: 'Łódź', note: order.customers[1]!.title },
    ])
    expect(faultsOf(await accept(pod, clerk))).toEqual([422, ['locationIds required']])
    const accepted = await accept(pod, clerk, { locationIds: [second] })
    expect([accepted.status, accepted.body.locationIds]).toEqual([200, [second]])
    expect(await podOf()).toMatchObject({ acceptance: 'accepted', stops: [] })
  })

  it('must be said where several trucks drive, and the file is about none of them', async () => {
    const order = await newOrder({ trucks: 2 })
    expect(faultsOf(await send(order))).toEqual([422, ['locationIds required']])
    const { status, body } = await send(order, { orderCarrier: order.routes[1]!.assignment!.id })
    expect([status, body.locationIds]).toEqual([201, [stopsOf(order)[1]]])
  })

  it('can be no stop of another order, no pick-up, and nothing of another file', async () => {
    const order = await newOrder()
    const [foreign] = stopsOf(await newOrder())
    expect(faultsOf(await send(order, { locationIds: foreign! }))).toEqual([422, ['locationIds unknown_reference']])
    expect(faultsOf(await send(order, { locationIds: order.locations[0]!.id }))).toEqual([
      422,
      ['locationIds unknown_reference'],
    ])
    expect(faultsOf(await send(order, { documentType: 'OTHER_DOCUMENTS', locationIds: stopsOf(order)[0]! }))).toEqual([
      422,
      ['locationIds invalid_value'],
    ])
  })

  it('is every drop-off where there is one customer and one truck, and counts at once', async () => {
    const order = await newOrder()
    const { body } = await send(order)
    expect(body).toMatchObject({
      acceptance: 'accepted',
      locationIds: stopsOf(order),
      refusalReason: null,
      checkedBy: null,
      checkedAt: null,
    })
  })

  it('can be changed, and goes where the file is no proof of delivery any more', async () => {
    const order = await newOrder({ customerCount: 2 })
    const [first, second] = stopsOf(order)
    const { body } = await send(order, { locationIds: first! })
    const patch = (version: number, change: object) => dispatcher.patch(`documents/${body.id}`, change, { version })
    expect(faultsOf(await patch(1, { locationIds: [] }))).toEqual([422, ['locationIds required']])
    expect(faultsOf(await patch(1, { documentType: 'OTHER_DOCUMENTS', locationIds: [first] }))).toEqual([
      422,
      ['locationIds invalid_value'],
    ])
    expect((await patch(1, { locationIds: [second] })).body).toMatchObject({ locationIds: [second], version: 2 })
    expect((await patch(2, { documentType: 'OTHER_DOCUMENTS' })).body).toMatchObject({
      acceptance: null,
      locationIds: null,
    })
    expect(faultsOf(await patch(3, { documentType: 'PROOF_OF_DELIVERY' }))).toEqual([422, ['locationIds required']])
  })
})

describe('accepting and refusing', () => {
  let order: Order
  let pod: Document
  beforeEach(async () => {
    order = await newOrder()
    pod = await arrived(order)
  })

  it('is refused to whom the order is not known, and to whom neither orders nor invoices are', async () => {
    const settings = (await test.userWith('SETTINGS_ACCESS')).caller
    expect((await accept(pod, test.anonymous)).status).toBe(401)
    expect((await accept(pod, settings)).status).toBe(403)
    expect((await refuse(pod, 'unreadable', settings)).status).toBe(403)
    expect((await accept(pod, other)).status).toBe(404)
    expect((await refuse(pod, 'unreadable', other)).status).toBe(404)
  })

  it('is refused upon an older version, with what became of it', async () => {
    expect((await accept(pod)).status).toBe(200)
    const { status, body } = await refuse(pod, 'unreadable')
    expect([status, body.code, body.current.acceptance]).toEqual([409, 'stale_version', 'accepted'])
  })

  it('is refused without a version, a reason, or a step to take', async () => {
    expect((await dispatcher.post(`documents/${pod.id}/accept`, {})).status).toBe(428)
    expect(faultsOf(await refuse(pod, '  '))[0]).toBe(422)
    expect(faultsOf(await refuse(pod, null))[0]).toBe(422)
    // Its carrier is written the reason: no account in full.
    const iban = 'Send it again, we pay to PL61 1090 1014 0000 0712 1981 2874'
    expect(JSON.stringify(faultsOf(await refuse(pod, iban)))).toMatch(/422.*reason.*iban_in_mail/)
    const { body } = await accept(pod)
    const again = await accept(body)
    expect([again.status, again.body.code]).toEqual([409, 'illegal_transition'])
  })

  it('is for proofs of delivery of orders alone', async () => {
    const { body } = await send(order, { documentType: 'OTHER_DOCUMENTS' })
    expect(faultsOf(await accept(body))).toEqual([422, ['documentType invalid_value']])
  })

  it('opens its file to who may accept it, and no other file of the order', async () => {
    expect((await other.get(`documents/${pod.id}/file`)).status).toBe(404)
    expect((await (await test.userWith('CUSTOMER_MANAGEMENT')).caller.get(`documents/${pod.id}/file`)).status).toBe(403)
    expect((await clerk.get(`documents/${pod.id}/file`)).status).toBe(200)
    const { body: paper } = await send(order, { documentType: 'OTHER_DOCUMENTS' })
    expect((await clerk.get(`documents/${paper.id}/file`)).status).toBe(403)
    expect((await clerk.delete(`documents/${pod.id}`, { version: pod.version })).status).toBe(403)
  })

  it('says who accepted it, when, and for which drop-offs, whoever processes invoices too', async () => {
    const [first] = stopsOf(order)
    expect(faultsOf(await accept(pod, clerk, { locationIds: [order.locations[0]!.id] }))).toEqual([
      422,
      ['locationIds unknown_reference'],
    ])
    const { status, body } = await accept(pod, clerk, { locationIds: [first] })
    expect([status, body]).toMatchObject([
      200,
      { acceptance: 'accepted', locationIds: [first], checkedBy: { id: expect.any(Number) } },
    ])
    expect(Math.abs(Date.parse(body.checkedAt) - test.clock.now().getTime())).toBeLessThan(60_000)
  })

  it('keeps a refused file with its reason, until it is accepted after all', async () => {
    const { body } = await refuse(pod, 'The signature is missing')
    expect(body).toMatchObject({ acceptance: 'refused', refusalReason: 'The signature is missing' })
    expect((await dispatcher.get(`documents/${pod.id}/file`)).status).toBe(200)
    const { body: accepted } = await accept(body)
    expect(accepted).toMatchObject({ acceptance: 'accepted', refusalReason: null })
    const { body: history } = await test.admin.get(`audit-entries?orderId=${order.id}`)
    expect(history.items.slice(0, 2)).toMatchObject([
      { action: 'fileAccepted', reason: null },
      { action: 'fileRefused', reason: 'The signature is missing' },
    ])
    expect(history.items[1].changes).toEqual(
      expect.arrayContaining([
        { path: 'title', from: null, to: 'pod.pdf' },
        { path: 'acceptance', from: 'toCheck', to: 'refused' },
      ]),
    )
  })

  it('is taken back by the same person within eight seconds, and by nobody else or later', async () => {
    const { body } = await accept(pod, dispatcher, { locationIds: [stopsOf(order)[0]] })
    expect([(await undo(body, clerk)).status, (await undo(pod)).body.code]).toEqual([409, 'stale_version'])
    const { status, body: back } = await undo(body)
    expect([status, back]).toMatchObject([200, { acceptance: 'toCheck', checkedBy: null, locationIds: stopsOf(order) }])
    expect((await undo(back)).status).toBe(409)
    const { body: refused } = await refuse(back, 'unreadable')
    test.clock.advance(8000)
    expect((await undo(refused)).status).toBe(409)
  })

  it('cannot be taken back once a mail with it has left', async () => {
    await test.admin.patch(
      `orders/${order.id}`,
      { description: 'so that its mails are planned' },
      { version: (await read(order)).version },
    )
    const { body } = await accept(pod)
    const { body: mails } = await test.admin.get(`emails?orderId=${order.id}&perPage=100`)
    const planned = mails.items.filter((mail: { type: string }) => mail.type === 'pods')
    expect(planned).toMatchObject([{ status: 'planned' }])
    await test.database.pool.query(`update email set status = 'sent', "waitsFor" = null where id = $1`, [planned[0].id])
    const answer = await undo(body)
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict'])
    expect((await test.admin.get(`documents?orderId=${order.id}`)).body.items[0].acceptance).toBe('accepted')
  })

  it('drops the mail that was planned where it is taken back', async () => {
    const { body } = await accept(pod)
    await undo(body)
    const { body: mails } = await test.admin.get(`emails?orderId=${order.id}&perPage=100`)
    expect(mails.items.filter((mail: { type: string }) => mail.type === 'pods')).toMatchObject([
      { status: 'suppressed', reason: 'overtaken' },
    ])
  })
})

describe('completing an order', () => {
  it('waits for a proof of delivery that is accepted', async () => {
    const order = await delivered(await newOrder())
    expect(faultsOf(await complete(order))).toEqual([422, ['podWaiverReason pod_missing']])
    const pod = await arrived(order)
    expect(await read(order)).toMatchObject({ hasPod: false, pods: [{ state: 'toCheck' }] })
    expect(faultsOf(await complete(order))).toEqual([422, ['podWaiverReason pod_to_check']])
    const { body } = await refuse(pod, 'unreadable')
    expect(faultsOf(await complete(order))).toEqual([422, ['podWaiverReason pod_missing']])
    await accept(body)
    expect((await complete(order)).body).toMatchObject({ status: 'completed', hasPod: true })
  })

  it('waits for one of each route that is driven', async () => {
    const order = await delivered(await newOrder({ trucks: 2 }))
    const [first, second] = stopsOf(order)
    await send(order, { locationIds: first! })
    expect(await read(order)).toMatchObject({ hasPod: false, pods: [{ state: 'accepted' }, { state: 'missing' }] })
    expect(faultsOf(await complete(order))).toEqual([422, ['podWaiverReason pod_missing']])
    await send(order, { locationIds: second! })
    expect((await complete(order)).body.status).toBe('completed')
  })

  it('waits for none of a route that was canceled', async () => {
    const order = await newOrder({ trucks: 2 })
    await move(`routes/${order.routes[1]!.id}`, order, 'canceled', { reason: 'the goods are not ready' })
    await delivered(order)
    await send(order, { locationIds: stopsOf(order)[0]! })
    expect((await complete(order)).body).toMatchObject({ status: 'completed', hasPod: true })
  })

  it('takes those of before for all that the order carried', async () => {
    const order = await delivered(await newOrder({ trucks: 2 }))
    const { body } = await send(order, { locationIds: stopsOf(order)[0]! })
    await test.database.pool.query(`update document set "locationIds" = null where id = $1`, [body.id])
    expect((await complete(order)).body.status).toBe('completed')
  })

  it('goes without one where somebody says why', async () => {
    const order = await delivered(await newOrder())
    await arrived(order)
    const { version } = await read(order)
    const { body } = await test.admin.post(
      `orders/${order.id}/status`,
      { to: 'completed', podWaiverReason: 'the consignee confirmed by mail' },
      { version },
    )
    expect(body).toMatchObject({ status: 'completed', hasPod: false })
  })
})

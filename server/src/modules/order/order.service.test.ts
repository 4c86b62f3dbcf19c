import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { cargoTotals, loadWarnings } from '@waybill/contract/order/cargo'
import { orderApi, type Order, type OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer } from '../../../test/app.ts'
import { describeResource } from '../../../test/describe-resource.ts'
import {
  carried,
  exampleOrders,
  orderWorld,
  plainOrder,
  shipment,
  type OrderWorld,
} from '../../../test/order-examples.ts'
import { writeSearchKeys } from './order.repository.ts'

const test = useTestApp()
let world: OrderWorld
let customerId: number

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
})

const create = async (more: Partial<OrderInput> = {}): Promise<Order> => {
  const { status, body } = await test.admin.post('orders', plainOrder(world, customerId, more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const patch = (order: Order, change: object): Promise<Answer> =>
  test.admin.patch(`orders/${order.id}`, change, { version: order.version })
const faultsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map((error: { path: string; code: string }) => `${error.path} ${error.code}`)

describeResource({
  api: orderApi,
  test,
  kind: 'order',
  body: async () => plainOrder(world, customerId),
  change: { description: 'Kranentladung' },
  required: 'departmentId',
})

describe('a termin', () => {
  const due = (timeFrom: string, dateFrom = '2027-03-28') => ({
    locations: [
      {
        kind: 'loading' as const,
        countryId: world.countries.PL!,
        termin: { kind: 'fix' as const, dateFrom, timeFrom },
      },
    ],
  })

  it('at a time that the clocks skip is refused, unless it stands there from before', async () => {
    const refused = await test.admin.post('orders', plainOrder(world, customerId, due('02:30')))
    expect(faultsOf(refused)).toEqual(['locations.0.termin.timeFrom no_such_time'])
    const order = await create(due('03:30'))
    expect(order.locations[0]!.termin!.timeFrom).toBe('03:30')
    await test.asOwner(`update location set "timeFrom" = '02:30' where "orderId" = ${order.id}`)
    const read = (await test.admin.get(`orders/${order.id}`)).body as Order
    expect((await patch(read, { description: 'Kran' })).status).toBe(200)
  })
})

describe('orders, before anything else', () => {
  it('are nobody’s business who is not signed in, or has another right', async () => {
    expect((await test.anonymous.get('orders')).status).toBe(401)
    const { caller } = await test.userWith('INVOICES_PROCESSING', 'CUSTOMER_MANAGEMENT')
    expect((await caller.get('orders')).status).toBe(403)
    expect((await caller.get('orders', { compact: true })).status).toBe(403)
    expect((await caller.post('orders', plainOrder(world, customerId))).status).toBe(403)
  })

  it('of others do not exist for somebody who sees assigned orders only', async () => {
    const order = await create(shipment(world))
    const planned = (await patch(order, { routes: [carried(world)] })).body as Order
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    const one = `orders/${order.id}`
    const { version } = planned
    const answers = [
      await caller.get(one),
      await caller.patch(one, { description: 'x' }, { version }),
      await caller.put(one, plainOrder(world, customerId), { version }),
      await caller.delete(one, { version }),
      await caller.post(`${one}/status`, { to: 'scheduled', version }),
      await caller.post(`${one}/status/undo`, { version }),
      await caller.post(`routes/${planned.routes[0]!.id}/status`, { to: 'scheduled', version }),
      await caller.get(`audit-entries?orderId=${order.id}`),
      await caller.get(`documents?orderId=${order.id}`),
      await caller.get(`emails?orderId=${order.id}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    for (const query of ['', '?mine=1', '?mine=0', `?q=${order.number}`, `?managerId[]=${order.creatorId!}`])
      expect((await caller.get(`orders${query}`)).body.items, query).toEqual([])
    expect((await caller.get(`orders?ids[]=${order.id}`, { compact: true })).body.items).toEqual([])
    expect((await caller.get('orders/counts')).body).toMatchObject({ open: 0, mine: 0, delayed: 0 })
    expect((await test.admin.get(one)).body).toEqual(planned)
  })

  it('become visible to their creator and to their case worker, who become managers', async () => {
    const [creator, worker] = [await test.userWith('ASSIGNED_ORDERS'), await test.userWith('ASSIGNED_ORDERS')]
    const { body: order } = await creator.caller.post(
      'orders',
      plainOrder(world, customerId, { caseWorkerId: worker.id }),
    )
    expect(order.managerIds.toSorted()).toEqual([creator.id, worker.id].toSorted())
    expect((await worker.caller.get(`orders/${order.id}`)).status).toBe(200)
    expect((await worker.caller.get('orders?mine=1')).body.items.map((row: { id: number }) => row.id)).toEqual([
      order.id,
    ])
    const left = await creator.caller.patch(`orders/${order.id}`, { managerIds: [] }, { version: order.version })
    expect(left.body.managerIds).toEqual([worker.id])
    expect((await creator.caller.get(`orders/${order.id}`)).status).toBe(404)
  })

  it('are narrowed by the company filter, for administrators alone', async () => {
    const other = await test.admin.post('companies', {
      title: 'Waybill Polska',
      code: 'WP',
      countryId: world.countries.PL,
      timeZone: 'Europe/Warsaw',
      invoiceNumberPattern: 'WP/{YYYY}/{N}',
    })
    const department = await test.admin.post('departments', {
      abbreviation: 'PL 1',
      companyId: other.body.id,
      countryId: world.countries.PL,
    })
    const order = await create({ departmentId: department.body.id })
    const narrowed = { headers: { 'group-filter': String(other.body.id) } }
    expect((await test.admin.get('orders', narrowed)).body.items.map((row: { id: number }) => row.id)).toEqual([
      order.id,
    ])
    const elsewhere = await create()
    expect((await test.admin.get(`orders/${elsewhere.id}`, narrowed)).status).toBe(404)
    expect(faultsOf(await test.admin.post('orders', plainOrder(world, customerId), narrowed))).toEqual([
      'departmentId unknown_reference',
    ])
    const { caller } = await test.userWith('ORDERS_MANAGEMENT')
    expect((await caller.get(`orders/${elsewhere.id}`, narrowed)).status).toBe(200)
  })

  it('refuse to be changed without the version read, or with an old one', async () => {
    const order = await create()
    expect((await test.admin.patch(`orders/${order.id}`, { description: 'x' })).body.code).toBe('version_required')
    expect((await patch(order, { description: 'first' })).status).toBe(200)
    expect((await patch(order, { description: 'second' })).body).toMatchObject({
      code: 'stale_version',
      current: { description: 'first', version: 2 },
    })
  })

  it.each<[string, object, string[]]>([
    ['no customer', { customerIds: [] }, ['customerIds required']],
    [
      'customers, departments and people that do not exist',
      { customerIds: [999_999], departmentId: 999_998, caseWorkerId: 999_997, managerIds: [999_996] },
      [
        'departmentId unknown_reference',
        'caseWorkerId unknown_reference',
        'customerIds.0 unknown_reference',
        'managerIds.0 unknown_reference',
      ],
    ],
    ['a number of its own', { number: '26-00001' }, ['number unknown_field']],
    ['a status of its own', { status: 'completed' }, ['status unknown_field']],
    ['a weight as text', { cargo: [{ weightKg: '12' }] }, ['cargo.0.weightKg invalid_type']],
    ['a weight below nothing', { cargo: [{ weightKg: -1 }] }, ['cargo.0.weightKg too_small']],
    ['a cargo field that does not exist', { cargo: [{ colour: 'red' }] }, ['cargo.0.colour unknown_field']],
    [
      'cargo of a customer who is not on the order',
      { cargo: [{ customerId: 1e9 }] },
      ['cargo.0.customerId unknown_reference'],
    ],
    ['a child of another order', { cargo: [{ id: 999_999 }] }, ['cargo.0.id unknown_reference']],
    ['one key for two lines', { cargo: [{ key: 'a' }, { key: 'a' }] }, ['cargo.1.key duplicate_key']],
    [
      'a temperature range upside down',
      { cargo: [{ temperatureFrom: 8, temperatureTo: 2 }] },
      ['cargo.0.temperatureTo too_small'],
    ],
    [
      'a route over a stop that is not there',
      { routes: [{ locationKeys: ['nowhere'] }] },
      ['routes.0.locationKeys.0 unknown_reference'],
    ],
    ['a payment period of a lifetime', { paymentPeriodDays: 40_000 }, ['paymentPeriodDays too_big']],
    ['NUL in a text', { description: 'a\u0000b' }, ['description invalid_text']],
    ['a lone surrogate', { internalComments: '\ud800' }, ['internalComments invalid_text']],
  ])('refuse %s', async (_, change, faults) => {
    const answer = await test.admin.post('orders', { ...plainOrder(world, customerId), ...change })
    expect(answer.status).toBe(422)
    expect(faultsOf(answer).toSorted()).toEqual(faults.toSorted())
  })

  it.each<[string, (stop: object) => object, string[]]>([
    [
      'a date that does not exist',
      (stop) => ({ ...stop, termin: { kind: 'fix', dateFrom: '2026-02-30' } }),
      ['locations.0.termin.dateFrom invalid_date'],
    ],
    [
      'a time zone that does not exist',
      (stop) => ({ ...stop, timeZone: 'Europe/Atlantis' }),
      ['locations.0.timeZone invalid_time_zone'],
    ],
    [
      'a country that does not exist',
      (stop) => ({ ...stop, countryId: 999_999 }),
      ['locations.0.countryId unknown_reference'],
    ],
    [
      'cargo that does not exist',
      (stop) => ({ ...stop, cargoActions: [{ cargoKey: 'ghost', action: 'PICK_UP' }] }),
      ['locations.0.cargoActions.0.cargoKey unknown_reference'],
    ],
    [
      'cargo of another order',
      (stop) => ({ ...stop, cargoActions: [{ cargoId: 1e9, action: 'PICK_UP' }] }),
      ['locations.0.cargoActions.0.cargoId unknown_reference'],
    ],
  ])('refuse a stop with %s', async (_, wrong, faults) => {
    const { cargo, locations } = shipment(world)
    const answer = await test.admin.post(
      'orders',
      plainOrder(world, customerId, { cargo, locations: [wrong(locations![0]!) as never] }),
    )
    expect(answer.status).toBe(422)
    expect(faultsOf(answer)).toEqual(faults)
  })

  it('refuse a plan that drops cargo off before it is picked up, or twice, on the order and its routes', async () => {
    const { cargo, locations } = shipment(world)
    const [from, to] = locations!
    const upsideDown = await test.admin.post(
      'orders',
      plainOrder(world, customerId, { cargo, locations: [to!, from!] }),
    )
    expect(faultsOf(upsideDown)).toEqual(['locations.0.cargoActions.0 drop_off_before_pick_up'])
    const twice = await test.admin.post(
      'orders',
      plainOrder(world, customerId, { cargo, locations: [from!, to!, { ...to!, key: 'again' }] }),
    )
    expect(faultsOf(twice)).toEqual(['locations.2.cargoActions.0 action_twice'])
    const onRoute = await test.admin.post(
      'orders',
      plainOrder(world, customerId, { cargo, locations: [from!, to!], routes: [{ locationKeys: ['to', 'from'] }] }),
    )
    expect(faultsOf(onRoute)).toEqual(['locations.1.cargoActions.0 drop_off_before_pick_up'])
  })

  it('refuse a carrier together with own fleet, another carrier’s driver, and one stop on two routes', async () => {
    const other = await test.admin.post('carrier-companies', {
      title: 'Fremd GmbH',
      countryId: world.countries.DE,
      drivers: [{ fullName: 'Fremder Fahrer' }],
    })
    const assignment = { carrierCompanyId: world.carrier.id, ownFleet: true, driverIds: [] }
    const plan = (routes: object[]) =>
      test.admin.post('orders', plainOrder(world, customerId, { ...shipment(world), routes: routes as never }))
    expect(faultsOf(await plan([{ assignment }]))).toEqual([
      'routes.0.assignment.carrierCompanyId carrier_or_own_fleet',
    ])
    expect(
      faultsOf(
        await plan([{ assignment: { carrierCompanyId: world.carrier.id, driverIds: [other.body.drivers[0].id] } }]),
      ),
    ).toEqual(['routes.0.assignment.driverIds.0 unknown_reference'])
    expect(faultsOf(await plan([{ locationKeys: ['from'] }, { locationKeys: ['from', 'to'] }]))).toEqual([
      'routes.1.locationKeys.0 location_in_two_routes',
    ])
  })

  it('refuse a contact person of somebody else', async () => {
    const elsewhere = await test.admin.post('customers', {
      title: 'Anderswo GmbH',
      countryId: world.countries.DE,
      contactPersons: [{ fullName: 'Ina Meier' }],
    })
    const answer = await test.admin.post(
      'orders',
      plainOrder(world, customerId, { contactPersonId: elsewhere.body.contactPersons[0].id }),
    )
    expect(faultsOf(answer)).toEqual(['contactPersonId unknown_reference'])
  })

  it('never answer nonsense with a fault of ours', async () => {
    const order = await create(shipment(world))
    const fields = Object.keys(order)
    const nonsense = fc.oneof(
      fc.anything({ withNullPrototype: false }),
      fc.constantFrom(
        '',
        '\u0000',
        -1,
        1e300,
        2 ** 53,
        [],
        {},
        [[]],
        [{}],
        [null],
        '2026-02-30',
        '\'; drop table "order"; --',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...fields), nonsense, async (field, value) => {
        const text = JSON.stringify({ [field]: value }, (_, one: unknown) =>
          typeof one === 'bigint' ? String(one) : one,
        )
        const { status } = await test.admin.patch(`orders/${order.id}`, JSON.parse(text) as object, {
          version: order.version,
        })
        // 200: a body that says nothing new.
        expect(status === 200 || (status >= 400 && status < 500), `${status} for ${text}`).toBe(true)
        if (status === 200) Object.assign(order, (await test.admin.get(`orders/${order.id}`)).body)
      }),
      { numRuns: 150 },
    )
    for (const path of ['orders/abc', 'orders/0', 'orders/9007199254740993', 'orders/-1', 'routes/x/status']) {
      expect((await test.admin.get(path)).status, path).toBe(404)
    }
  })
})

describe('an order', () => {
  it('gets a number of its year, one after the other', async () => {
    const [first, second] = [await create(), await create()]
    const year = String(test.clock.now().getFullYear()).slice(2)
    expect(first.number).toMatch(new RegExp(`^${year}-\\d{5}$`))
    expect(Number(second.number.slice(3))).toBe(Number(first.number.slice(3)) + 1)
  })

  it('is answered as it is read, belongs to its first customer, and is billed to them by default', async () => {
    const order = await create({ ...shipment(world), originalMessage: 'Sehr geehrte Damen und Herren …' })
    expect(order).toMatchObject({
      status: 'new',
      state: 'active',
      version: 1,
      billingCustomerId: customerId,
      billingCustomer: { title: 'Hafenlager Nord GmbH' },
      creator: { title: expect.any(String) },
      delay: null,
      hasPod: false,
    })
    expect(order.cargo[0]).toMatchObject({ customerId, customer: { title: 'Hafenlager Nord GmbH' } })
    expect((await test.admin.get(`orders/${order.id}`)).body).toEqual(order)
  })

  it('takes a time zone that is left out from the stop’s country', async () => {
    const [hamburg, poznan] = (await create(shipment(world))).locations
    expect([hamburg!.timeZone, poznan!.timeZone]).toEqual(['Europe/Berlin', 'Europe/Warsaw'])
  })

  it('proposes volume and loading metres until somebody types others', async () => {
    const line = { quantity: 4, lengthCm: 120, widthCm: 80, heightCm: 100 }
    const order = await create({
      cargo: [
        line,
        { ...line, ldm: 2.5 },
        { ...line, ldm: 7, isLdmCalculated: true },
        { volumeM3: 3.2 },
        { ldm: 0.1, isLdmCalculated: true },
      ],
    })
    const measures = order.cargo.map(({ ldm, isLdmCalculated, volumeM3, isVolumeCalculated }) => [
      ldm,
      isLdmCalculated,
      volumeM3,
      isVolumeCalculated,
    ])
    expect(measures).toEqual([
      [1.6, true, 3.84, true],
      [2.5, false, 3.84, true],
      [1.6, true, 3.84, true],
      [null, true, 3.2, false],
      [null, true, null, true],
    ])
    const changed = await patch(order, { cargo: order.cargo.map((one) => ({ ...one, quantity: 8 })) })
    expect(changed.body.cargo.map((one: { ldm: number }) => one.ldm)).toEqual([3.2, 2.5, 3.2, null, null])
  })

  it('shows its margin by price and carrier cost, and the carrier’s VAT and total', async () => {
    const order = await create({ ...shipment(world), customerPriceCents: 118_000, routes: [carried(world, 99_000)] })
    expect(order).toMatchObject({ carrierCostCents: 99_000, incomeCents: 19_000, marginBp: 1610 })
    expect(order.routes[0]).toMatchObject({
      number: `${order.number}/1`,
      status: 'new',
      locationIds: order.locations.map((stop) => stop.id),
    })
    expect(order.routes[0]!.assignment).toMatchObject({
      carrierCompany: { title: 'Trans-Wielkopolska Sp. j.' },
      drivers: [{ title: 'Łukasz Żak' }],
      vatCents: 22_770,
      totalCents: 121_770,
    })
    const cheaper = await patch(order, { customerPriceCents: 90_000 })
    expect(cheaper.body).toMatchObject({ incomeCents: -9000, marginBp: -1000 })
  })

  it('may be driven by a user where the fleet is our own', async () => {
    const driver = await test.userWith('ASSIGNED_ORDERS')
    const order = await create({
      ...shipment(world),
      routes: [{ assignment: { ownFleet: true, driverIds: [driver.id], costCents: 50_000 } }],
    })
    expect(order.routes[0]!.assignment).toMatchObject({
      ownFleet: true,
      carrierCompany: null,
      driverIds: [driver.id],
      drivers: [{ id: driver.id, title: expect.stringContaining('Person') }],
    })
  })

  it('is found by all its words as soon as it is made, and is written once for it', async () => {
    const driver = await test.userWith('ASSIGNED_ORDERS')
    const other = await world.customer('Ostwind Möbel AG', 'DE')
    const own = { ownFleet: true, driverIds: [driver.id], plateNumber: 'HH-WB 2044' }
    const { cargo, locations } = shipment(world)
    for (const assignment of [
      carried(world).assignment,
      own,
      { ...own, driverIds: [], driverText: 'Fahrer Öz' },
      null,
    ]) {
      const order = await create({
        customerIds: [other, customerId],
        customerOrderNumber: 'FOUND 77',
        cargo: cargo!,
        locations: locations!.map((stop) => ({
          ...stop,
          companyTitle: 'Werk Süd',
          postal: '20457',
          reference: 'Tor 3',
        })),
        routes: assignment === null ? [] : [{ assignment }],
      })
      const stored = async () =>
        (await test.database.pool.query(`select xmin, "searchKey" from "order" where id = $1`, [order.id])).rows[0]
      const made = await stored()
      for (const word of [order.number, 'FOUND 77', 'Ostwind', 'Hafenlager', 'Werk Sud', '20457', 'Poznan', 'Tor 3'])
        expect(made.searchKey).toContain(word.toLowerCase())
      await writeSearchKeys(test.database.db, [order.id])
      expect(await stored()).toEqual(made)
    }
  })

  it('leaves a history of who changed what, in the order’s own words', async () => {
    const order = await create(shipment(world))
    const line = order.cargo[0]!
    await patch(order, { description: 'Kranentladung', cargo: [{ ...line, weightKg: 1300 }] })
    const { body } = await test.admin.get(`audit-entries?orderId=${order.id}`)
    expect(body.items.map((entry: { action: string }) => entry.action)).toEqual(['updated', 'created'])
    expect(body.items[0].changes).toEqual(
      expect.arrayContaining([
        { path: 'description', from: null, to: 'Kranentladung' },
        { path: `cargo.${line.id}.weightKg`, from: 1200, to: 1300 },
      ]),
    )
    expect(body.items[0].changes).toHaveLength(2)
  })

  it('is deleted while it is new and nothing refers to it, and never afterwards', async () => {
    const order = await create({ ...shipment(world), routes: [carried(world)] })
    expect((await test.admin.delete(`orders/${order.id}`, { version: 7 })).body.code).toBe('stale_version')
    expect((await test.admin.delete(`orders/${order.id}`, { version: 1 })).status).toBe(204)
    expect((await test.admin.get(`orders/${order.id}`)).status).toBe(404)
    const planned = await create({ ...shipment(world), routes: [carried(world)] })
    await test.admin.post(`orders/${planned.id}/status`, { to: 'scheduled', version: 1 })
    expect((await test.admin.delete(`orders/${planned.id}`)).body.code).toBe('in_use')
    expect(Number(planned.number.slice(3))).toBe(Number(order.number.slice(3)) + 1)
  })

  it('is deactivated only while new, completed or canceled, and does not move before it is active again', async () => {
    const order = await create({ ...shipment(world), routes: [carried(world)] })
    const idle = (await patch(order, { state: 'inactive' })).body as Order
    expect(idle.state).toBe('inactive')
    const move = (version: number) => test.admin.post(`orders/${order.id}/status`, { to: 'scheduled', version })
    expect(faultsOf(await move(2))).toEqual(['state order_inactive'])
    await patch(idle, { state: 'active' })
    const scheduled = (await move(3)).body as Order
    expect(faultsOf(await patch(scheduled, { state: 'inactive' }))).toEqual(['state deactivation_too_early'])
  })

  it('answers one of twenty saves from one read, and tells the other nineteen', async () => {
    const order = await create(shipment(world))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        patch(order, { description: `save ${index}`, cargo: [{ ...order.cargo[0], weightKg: 1000 + index }] }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
      new Set(['stale_version']),
    )
    const winner = answers.find(({ status }) => status === 200)!.body as Order
    expect((await test.admin.get(`orders/${order.id}`)).body).toEqual(winner)
    expect(winner.description).toBe(`save ${winner.cargo[0]!.weightKg! - 1000}`)
  })

  it('is made once when the same call comes ten times at once with one key', async () => {
    const customerOrderNumber = 'once-4711'
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        test.admin.post('orders', plainOrder(world, customerId, { customerOrderNumber }), {
          headers: { 'idempotency-key': 'order-once' },
        }),
      ),
    )
    for (const { status } of answers) expect([201, 409]).toContain(status)
    expect((await test.admin.get(`orders?q=${customerOrderNumber}`)).body.total).toBe(1)
    const again = await test.admin.post('orders', plainOrder(world, customerId, { customerOrderNumber }), {
      headers: { 'idempotency-key': 'order-once' },
    })
    expect(again.status).toBe(201)
    expect((await test.admin.get(`orders?q=${customerOrderNumber}`)).body.total).toBe(1)
  })
})

describe('children of an order', () => {
  it('are a complete list: kept by id, added without, deleted when left out', async () => {
    const order = await create({ ...shipment(world), cargo: [...shipment(world).cargo!, { title: 'Extra' }] })
    const [line, extra] = order.cargo
    const { body } = await patch(order, { cargo: [{ title: 'New first' }, { ...line, title: 'Renamed' }] })
    expect(body.cargo.map((one: { id: number; title: string }) => one.title)).toEqual(['New first', 'Renamed'])
    expect(body.cargo[1].id).toBe(line!.id)
    expect(body.cargo.some((one: { id: number }) => one.id === extra!.id)).toBe(false)
    expect(body.locations).toEqual(order.locations)
  })

  it('that something else still names are not deleted', async () => {
    const order = await create({ ...shipment(world), routes: [carried(world)] })
    expect((await patch(order, { cargo: [] })).body.code).toBe('in_use')
    expect((await patch(order, { locations: order.locations.slice(0, 1) })).body.code).toBe('in_use')
    const emptied = await patch(order, { cargo: [], routes: [], locations: [] })
    expect(emptied.body).toMatchObject({ cargo: [], locations: [], routes: [], firstLoadingAt: null })
  })

  it('of another order are refused', async () => {
    const [mine, other] = [await create(shipment(world)), await create(shipment(world))]
    expect(faultsOf(await patch(mine, { cargo: [{ id: other.cargo[0]!.id }] }))).toContain(
      'cargo.0.id unknown_reference',
    )
    expect(faultsOf(await patch(mine, { routes: [{ locationIds: [other.locations[0]!.id] }] }))).toEqual([
      'routes.0.locationIds.0 unknown_reference',
    ])
    expect((await test.admin.get(`orders/${other.id}`)).body).toEqual(other)
  })

  it('sent back as they were read change nothing, and a read-only field that differs is refused', async () => {
    const order = await create({ ...shipment(world), routes: [carried(world)] })
    const { body: same } = await test.admin.put(`orders/${order.id}`, order)
    expect(same).toEqual({ ...order, version: 2 })
    expect((await test.admin.get(`audit-entries?orderId=${order.id}`)).body.total).toBe(1)
    const wrong = await patch(same, { routes: [{ ...same.routes[0], number: '26-99999/7' }] })
    expect(faultsOf(wrong)).toEqual(['routes.0.number unknown_field'])
  })

  it('are named by key where they are new in the same body', async () => {
    const order = await create(shipment(world))
    const [from, to] = order.locations
    const { body } = await patch(order, {
      cargo: [...order.cargo, { key: 'n', title: 'Second line' }],
      locations: [
        from,
        {
          key: 'via',
          kind: 'loading',
          countryId: world.countries.DE,
          city: 'Berlin',
          cargoActions: [{ cargoKey: 'n', action: 'PICK_UP' }],
        },
        { ...to, cargoActions: [...to!.cargoActions, { cargoKey: 'n', action: 'DROP_OFF' }] },
      ],
      routes: [{ ...carried(world), locationIds: [from!.id, to!.id], locationKeys: ['via'] }],
    })
    const [first, via, last] = body.locations
    expect([first.city, via.city, last.city]).toEqual(['Hamburg', 'Berlin', 'Poznań'])
    expect(via.cargoActions).toEqual([{ cargoId: body.cargo[1].id, action: 'PICK_UP' }])
    expect(body.routes[0].locationIds).toEqual([first.id, via.id, last.id])
  })

  it('move by their place in the array, or by a position that is new', async () => {
    const city = (name: string) => ({ kind: 'other' as const, countryId: world.countries.DE, city: name })
    const cities = (answer: { locations: { city: string | null }[] }) =>
      answer.locations.map((stop) => stop.city).join('')
    const order = await create({ locations: [city('A'), city('B'), city('C')] })
    const turned = (await patch(order, { locations: order.locations.toReversed() })).body as Order
    expect(cities(turned)).toBe('CBA')
    const moved = (
      await patch(turned, {
        locations: turned.locations.map((stop) => (stop.city === 'C' ? { ...stop, position: 3 } : stop)),
      })
    ).body as Order
    expect(cities(moved)).toBe('BAC')
    const inserted = (await patch(moved, { locations: [...moved.locations, { ...city('X'), position: 2 }] }))
      .body as Order
    expect(cities(inserted)).toBe('BXAC')
  })

  it('keep the numbers of routes: never given again', async () => {
    const order = await create({ ...shipment(world), routes: [{ locationKeys: ['from'] }, { locationKeys: ['to'] }] })
    const [one, two] = order.routes
    const without = (await patch(order, { routes: [one] })).body as Order
    const again = (await patch(without, { routes: [one, { locationIds: two!.locationIds }] })).body as Order
    expect(again.routes.map((route) => route.number)).toEqual([`${order.number}/1`, `${order.number}/3`])
  })

  it('follow when the only customer is replaced', async () => {
    const order = await create(shipment(world))
    const other = await world.customer('Nachfolger AG', 'DE')
    const { body } = await patch(order, { customerIds: [other] })
    expect(body.cargo[0].customerId).toBe(other)
    const both = (await patch(body, { customerIds: [other, customerId] })).body as Order
    expect(
      faultsOf(
        await patch(both, { cargo: [{ ...both.cargo[0], customerId: await world.customer('Dritter AG', 'DE') }] }),
      ),
    ).toEqual(['cargo.0.customerId not_a_customer_of_order'])
  })

  it('cost no more statements for two hundred lines than for one', async () => {
    const { query } = pg.Client.prototype
    let statements = 0
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      statements += 1
      return Reflect.apply(query, this, args)
    } as typeof query
    const counted = async (lines: number): Promise<number> => {
      const cargo = Array.from({ length: lines }, (_, index) => ({ key: `c${index}`, title: `Line ${index}` }))
      const locations = shipment(world).locations!.map((stop) => ({
        ...stop,
        cargoActions: cargo.map(({ key }) => ({ cargoKey: key, action: stop.cargoActions![0]!.action })),
      }))
      statements = 0
      const order = await create({ cargo, locations })
      expect(order.cargo).toHaveLength(lines)
      expect((await patch(order, { cargo: order.cargo.map((line) => ({ ...line, weightKg: 5 })) })).status).toBe(200)
      return statements
    }
    try {
      // A connection that is opened, or a job that looks for work, asks meanwhile as well, and not each time.
      const least = async (lines: number) => Math.min(await counted(lines), await counted(lines), await counted(lines))
      const one = await least(1)
      expect(await least(200)).toBeLessThanOrEqual(one + 4)
      expect(one).toBeLessThan(30)
    } finally {
      pg.Client.prototype.query = query
    }
  })
})

describe('orders as customers send them', () => {
  it('come to the figures of a dispatcher, in the order and in the list', async () => {
    for (const [name, { body, ldm, weightKg, volumeM3, row }] of Object.entries(await exampleOrders(world))) {
      const { status, body: order } = await test.admin.post<Order>('orders', body)
      expect(status, `${name} ${JSON.stringify(order)}`).toBe(201)
      const totals = cargoTotals(order.cargo)
      expect([totals.ldm, totals.weightKg], name).toEqual([ldm, weightKg])
      if (volumeM3 !== null) expect(totals.volumeM3, name).toBe(volumeM3)
      const listed = (await test.admin.get(`orders?q=${order.number}`)).body.items
      expect(listed, name).toHaveLength(1)
      expect(listed[0], name).toMatchObject(row)
      expect((await test.admin.get(`orders/${order.id}`)).body, name).toEqual(order)
    }
  })

  it('warn of a load that is too heavy, and are saved all the same, their reference unharmed', async () => {
    const { body } = (await exampleOrders(world))['steel beams, too heavy and without a price']
    const { body: order } = await test.admin.post<Order>('orders', body)
    expect(loadWarnings(order.cargo)).toEqual([{ code: 'weightKg', value: 25_800, limit: 24_500, line: null }])
    const found = await test.admin.get(`orders?q=${encodeURIComponent('„Ostsee“/26 & Co <dringend>')}`)
    expect(found.body.items.map((row: { customerOrderNumber: string }) => row.customerOrderNumber)).toContain(
      'SZG-„Ostsee“/26 & Co <dringend>',
    )
  })

  it('follow a plan that changes under way: a drop canceled, its goods stay on board to the next', async () => {
    const { FR, BE } = world.countries
    const vlaamse = await world.customer('Vlaamse Textielhandel NV', 'BE')
    const { body: order } = await test.admin.post<Order>(
      'orders',
      plainOrder(world, vlaamse, {
        customerOrderNumber: '2026/118',
        customerPriceCents: 123_000,
        cargo: [
          { key: 'l', quantity: 20, weightKg: 12_000 },
          { key: 'g', quantity: 2, weightKg: 500 },
        ],
        locations: [
          {
            kind: 'loading',
            termin: { kind: 'fix', dateFrom: '2026-12-07' },
            countryId: BE,
            city: 'Roeselare',
            cargoActions: [
              { cargoKey: 'l', action: 'PICK_UP' },
              { cargoKey: 'g', action: 'PICK_UP' },
            ],
          },
          {
            kind: 'unloading',
            termin: { kind: 'fix', dateFrom: '2026-12-08' },
            countryId: FR,
            city: 'Lille',
            cargoActions: [{ cargoKey: 'l', action: 'DROP_OFF' }],
          },
          {
            kind: 'unloading',
            termin: { kind: 'fix', dateFrom: '2026-12-09' },
            countryId: BE,
            city: 'Gent',
            cargoActions: [{ cargoKey: 'g', action: 'DROP_OFF' }],
          },
        ],
      }),
    )
    const [load, lille, gent] = order.locations
    const [line] = order.cargo
    const { status, body: changed } = await patch(order, {
      cargo: [{ ...line, quantity: 18, weightKg: 10_800 }, order.cargo[1]],
      locations: [
        load,
        { ...lille, canceledAt: '2026-12-07T10:00:00Z' },
        { ...gent, cargoActions: [...gent!.cargoActions, { cargoId: line!.id, action: 'DROP_OFF' }] },
      ],
    })
    expect(status, JSON.stringify(changed)).toBe(200)
    expect(changed.locations[1].cargoActions).toEqual(lille!.cargoActions)
    expect(changed.lastUnloadingAt).toBe('2026-12-09T22:59:59.999Z')
    expect((await test.admin.get(`orders?q=${order.number}`)).body.items[0]).toMatchObject({
      viaCount: 0,
      to: { city: 'Gent' },
    })
  })
})

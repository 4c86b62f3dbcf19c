import { beforeAll, describe, expect, it } from 'vitest'
import type { CarrierRelease } from '@waybill/contract/order/clearance/clearance'
import { addDays } from '@waybill/contract/kit/local-time'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { giveCarrierPapers } from '../../../../test/carrier-papers.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let customerId: number
/** order rights without those over carriers, and the other way round */
let clerk: { caller: Caller; id: number }
let buyer: { caller: Caller; id: number }

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Torhaus Möbel GmbH', 'DE')
  clerk = await test.userWith('ORDERS_MANAGEMENT')
  buyer = await test.userWith('CARRIER_MANAGEMENT')
})

const today = new Date().toISOString().slice(0, 10)
let made = 0
async function carrierWith(more: object = {}, papers?: Parameters<typeof giveCarrierPapers>[2] | null) {
  made += 1
  const { status, body } = await test.admin.post('carrier-companies', {
    title: `Adria Linee ${made}`,
    countryId: world.countries.IT,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const given = papers === null ? null : await giveCarrierPapers(test.admin, body.id, papers)
  return { id: body.id as number, version: body.version as number, given }
}
const expired = () => carrierWith({}, { until: addDays(today, -1) })

const by = (carrierCompanyId: number | null): NonNullable<OrderInput['routes']> => [
  { assignment: { carrierCompanyId, ownFleet: carrierCompanyId === null, costCents: 90_000 } },
]
async function orderBy(carrierId: number | null, more: Partial<OrderInput> = {}): Promise<Order> {
  const { status, body } = await clerk.caller.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), routes: by(carrierId), ...more }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const move = (order: Order, to: string, more: object = {}, caller = clerk.caller): Promise<Answer> =>
  caller.post(`orders/${order.id}/status`, { to, ...more }, { version: order.version })
const moved = async (order: Order, to: string, more: object = {}): Promise<Order> => {
  const { status, body } = await move(order, to, more)
  expect(status, `${to}: ${JSON.stringify(body)}`).toBe(200)
  return body
}
const read = async (id: number): Promise<Order> => (await clerk.caller.get<Order>(`orders/${id}`)).body
const faultsOf = ({ status, body }: Answer): string[] => [
  `${status}`,
  ...(body.errors ?? []).map((error: { path: string; code: string }) => `${error.path} ${error.code}`),
]
const REFUSED = ['422', 'routes.0.assignment.carrierCompanyId carrier_not_cleared']
const codesOf = (order: Order) => order.clearances.flatMap(({ reasons }) => reasons.map(({ code }) => code))

const ask = (order: Order, carrierCompanyId: number, caller = clerk.caller, reason = 'The new policy is signed') =>
  caller.post(`routes/${order.routes[0]!.id}/carrier-releases`, { carrierCompanyId, reason })
const asked = async (order: Order, carrierId: number): Promise<CarrierRelease> => {
  const { status, body } = await ask(order, carrierId)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const decide = (release: { id: number }, decision: string, caller = buyer.caller, reason = 'I have seen the policy') =>
  caller.post(`carrier-releases/${release.id}/decide`, { decision, reason })

describe('the gate', () => {
  it('asks for its rights: orders to ask, carriers to decide and to see what ends', async () => {
    const carrier = await expired()
    const order = await orderBy(carrier.id)
    const release = await asked(order, carrier.id)
    const stranger = await test.userWith('ASSIGNED_ORDERS')
    for (const [caller, status] of [
      [test.anonymous, 401],
      [buyer.caller, 403],
      [stranger.caller, 404],
    ] as const)
      expect((await ask(order, carrier.id, caller)).status).toBe(status)
    expect((await buyer.caller.get(`carrier-companies/${carrier.id}/clearance`)).status).toBe(403)
    expect((await clerk.caller.get('carrier-companies/999999/clearance')).status).toBe(404)
    const facts = `carrier-companies/${carrier.id}/clearance?routeId=${order.routes[0]!.id}`
    expect((await stranger.caller.get(facts)).status).toBe(404)
    expect((await clerk.caller.get(facts)).body).toMatchObject({
      papers: { blockedReason: null, licences: [addDays(today, -1)] },
      demandedCents: null,
      release: { id: release.id, decision: null },
    })
    expect((await ask(order, 999_999)).body.errors[0].code).toBe('unknown_reference')
    for (const path of ['carrier-releases', 'carrier-companies/ending-papers']) {
      expect((await test.anonymous.get(path)).status).toBe(401)
      expect((await clerk.caller.get(path)).status).toBe(403)
      expect((await buyer.caller.get(path)).status).toBe(200)
    }
    expect((await decide(release, 'granted', test.anonymous)).status).toBe(401)
    expect((await decide(release, 'granted', clerk.caller)).status).toBe(403)
    expect((await decide({ id: 999_999 }, 'granted')).status).toBe(404)
    expect((await decide(release, 'perhaps')).status).toBe(422)
    expect((await decide(release, 'granted', buyer.caller, ' ')).status).toBe(422)
    expect((await ask(order, carrier.id, clerk.caller, ' ')).status).toBe(422)
  })

  it('lets a new route be saved with the mark, and refuses the step to scheduled with every reason', async () => {
    const none = await carrierWith({ blockedReason: 'Unpaid damage 26-03911' }, null)
    const order = await orderBy(none.id)
    expect(order.clearances).toMatchObject([{ carrierCompanyId: none.id, isCleared: false, release: null }])
    expect(codesOf(order)).toEqual(['licence_missing', 'insurance_missing', 'blocked'])
    expect(faultsOf(await move(order, 'scheduled'))).toEqual(REFUSED)
    const { body } = await clerk.caller.get(`orders/obstacles?to=scheduled&id[]=${order.id}`)
    expect(body.items).toEqual([{ id: order.id, needs: ['carrier_not_cleared'] }])
  })

  it.each<[string, object, Parameters<typeof giveCarrierPapers>[2], string[]]>([
    [
      'a licence and an insurance that have ended',
      {},
      { until: addDays(today, -1) },
      ['licence_ends', 'insurance_ends'],
    ],
    ['an insurance for less than the CMR asks', {}, { insuredCents: 1_000_00 }, ['insurance_low']],
    ['a block', { blockedReason: 'Fraud' }, {}, ['blocked']],
    ['no need of a licence', { licenceNotNeededReason: 'Vans of 2.5 t' }, {}, []],
  ])('looks at %s', async (_, more, papers, codes) => {
    const order = await orderBy((await carrierWith(more, papers)).id)
    expect(codesOf(order)).toEqual(codes)
    expect((await move(order, 'scheduled')).status).toBe(codes.length === 0 ? 200 : 422)
  })

  it('has none for own fleet', async () => {
    const order = await orderBy(null)
    expect(order.clearances).toEqual([])
    await moved(order, 'scheduled')
  })

  it('lets one that drives once drive for one order, also where two people plan at once', async () => {
    const { id } = await carrierWith({ isOnceOnly: true })
    const orders = await Promise.all([1, 2, 3].map(() => orderBy(id)))
    const answers = await Promise.all(orders.map((order) => move(order, 'scheduled')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    const first = answers.find(({ status }) => status === 200)!.body as Order
    expect(first.clearances[0]!.isCleared).toBe(true)
    expect(codesOf(await read(orders.find((order) => order.id !== first.id)!.id))).toEqual(['once_only_used'])
  })

  it('only marks what is planned already: a paper that goes, a date that moves', async () => {
    const carrier = await carrierWith({}, { until: addDays(today, 7) })
    const order = await orderBy(carrier.id, {
      locations: shipment(world).locations!.map((stop) => ({
        ...stop,
        termin: { kind: 'fix' as const, dateFrom: today, timeFrom: '23:00' },
      })),
    })
    const planned = await moved(order, 'scheduled')
    const locations = planned.locations.map((stop) => ({
      ...stop,
      termin: { ...stop.termin!, dateFrom: '2099-12-31', dateTo: null },
    }))
    const later = await clerk.caller.patch<Order>(`orders/${order.id}`, { locations }, { version: planned.version })
    expect([later.status, later.body.status, codesOf(later.body)]).toEqual([
      200,
      'scheduled',
      ['licence_ends', 'insurance_ends'],
    ])
    await moved(later.body, 'in_transit', { at: new Date().toISOString() })
  })

  it('takes what the department demands where that is more', async () => {
    const carrier = await carrierWith({}, { insuredCents: 30_000_000 })
    const { body: department } = await test.admin.get(`departments/${world.departmentId}`)
    const demand = async (demandedInsuranceCents: number | null) => {
      const { body } = await test.admin.get(`departments/${department.id}`)
      const changed = await test.admin.patch(
        `departments/${department.id}`,
        { demandedInsuranceCents },
        { version: body.version },
      )
      expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    }
    await demand(60_000_000)
    const order = await orderBy(carrier.id)
    expect(order.clearances).toMatchObject([{ neededCents: 60_000_000, isCleared: false }])
    expect(faultsOf(await move(order, 'scheduled'))).toEqual(REFUSED)
    await demand(null)
    await moved(order, 'scheduled')
  })
})

describe('no way leads past the gate', () => {
  it('whatever endpoint one tries', async () => {
    const [bad, good] = [await expired(), await carrierWith()]
    const patch = (order: Order, body: object, caller = clerk.caller) =>
      caller.patch<Order>(`orders/${order.id}`, body, { version: order.version })
    const swapped = (order: Order, carrierCompanyId: number) => ({
      routes: order.routes.map((route) => ({
        id: route.id,
        locationIds: route.locationIds,
        assignment: { carrierCompanyId, ownFleet: false },
      })),
    })

    // The steps, of an order, of a route, and of an administrator.
    const order = await orderBy(bad.id)
    expect(faultsOf(await move(order, 'scheduled'))).toEqual(REFUSED)
    expect(faultsOf(await move(order, 'scheduled', { reason: 'because' }, test.admin))).toEqual(REFUSED)
    const route = { to: 'scheduled', reason: 'because' }
    expect(
      faultsOf(await test.admin.post(`routes/${order.routes[0]!.id}/status`, route, { version: order.version })),
    ).toEqual(REFUSED)
    for (const to of ['in_transit', 'arrived', 'delivered', 'completed'])
      expect((await move(order, to, { at: new Date().toISOString() }, test.admin)).body.code).toBe('illegal_transition')

    // A carrier that is cleared is planned, and another one put in its place, at each later step.
    let planned = await moved(await orderBy(good.id), 'scheduled')
    const now = () => ({ at: new Date().toISOString(), podWaiverReason: 'waived' })
    for (const to of ['in_transit', 'arrived', 'delivered', 'completed', null]) {
      expect(faultsOf(await patch(planned, swapped(planned, bad.id))), planned.status).toEqual(REFUSED)
      if (to !== null) planned = await moved(planned, to, now())
    }

    // Own fleet first, with a route and without one.
    const own = await moved(await orderBy(null), 'scheduled')
    expect(faultsOf(await patch(own, swapped(own, bad.id)))).toEqual(REFUSED)
    const unrouted = await moved(await orderBy(null, { routes: [], disposition: 'OWN_FLEET' }), 'scheduled')
    expect(faultsOf(await patch(unrouted, { routes: by(bad.id) }))).toEqual(REFUSED)
    const whole = await patch(unrouted, { routes: by(good.id) })
    expect([whole.status, whole.body.status]).toEqual([200, 'scheduled'])

    // Back, changed, and undone or planned again.
    const back = await moved(await moved(await orderBy(good.id), 'scheduled'), 'new', { reason: 'wrong truck' })
    const changed = (await patch(back, swapped(back, bad.id))).body
    expect((await clerk.caller.post(`orders/${changed.id}/status/undo`, {}, { version: changed.version })).status).toBe(
      409,
    )
    expect(faultsOf(await move(changed, 'scheduled'))).toEqual(REFUSED)
    const out = await moved(await moved(await orderBy(good.id), 'scheduled'), 'canceled', { reason: 'no goods' })
    const revived = (await patch(out, swapped(out, bad.id), test.admin)).body
    const again = await move(revived, 'new', { reason: 'goods are there' }, test.admin)
    expect(again.status, JSON.stringify(again.body)).toBe(200)
    expect(faultsOf(await move(again.body, 'scheduled'))).toEqual(REFUSED)

    // Merged, copied, and a second route of what is planned: they begin as new.
    const sources = [await orderBy(null, { routes: [] }), await orderBy(null, { routes: [] })]
    const merged = await clerk.caller.post<Order>('orders/merge', {
      orderIds: sources.map(({ id }) => id),
      carrierCompanyId: bad.id,
    })
    expect([merged.status, merged.body.status], JSON.stringify(merged.body)).toEqual([201, 'new'])
    expect(faultsOf(await move(merged.body, 'scheduled'))).toEqual(REFUSED)
    const second = await patch(whole.body, {
      routes: [...swapped(whole.body, good.id).routes, { assignment: { carrierCompanyId: bad.id } }],
    })
    expect([second.status, second.body.routes?.map(({ status }) => status)]).toEqual([200, ['scheduled', 'new']])

    const { rows } = await test.database.pool.query(
      `select r.status from route r join assignment a on a."routeId" = r.id where a."carrierCompanyId" = $1
        and r.status <> 'new'`,
      [bad.id],
    )
    expect(rows).toEqual([])
  })
})

describe('a release', () => {
  it('takes two people and two reasons, stays with its route, and stands in the history', async () => {
    const carrier = await expired()
    const order = await orderBy(carrier.id)
    const release = await asked(order, carrier.id)
    expect(release).toMatchObject({
      reasons: ['licence_ends', 'insurance_ends'],
      reason: 'The new policy is signed',
      askedBy: { id: clerk.id },
      decision: null,
    })
    expect((await ask(order, carrier.id)).status).toBe(409)
    expect(faultsOf(await move(order, 'scheduled'))).toEqual(REFUSED)
    const { body: open } = await buyer.caller.get('carrier-releases')
    expect(open.items.find(({ id }: { id: number }) => id === release.id)).toMatchObject({
      order: { id: order.id, title: order.number },
      routeNumber: order.routes[0]!.number,
      carrierCompany: { id: carrier.id },
    })
    const granted = await decide(release, 'granted')
    expect(granted.body).toMatchObject({ decision: 'granted', decidedBy: { id: buyer.id } })
    expect((await decide(release, 'refused')).status).toBe(409)
    expect((await buyer.caller.get('carrier-releases')).body.items).not.toContainEqual(
      expect.objectContaining({ id: release.id }),
    )
    expect((await ask(order, carrier.id)).status).toBe(409)
    const planned = await moved(order, 'scheduled')
    expect(planned.clearances).toMatchObject([
      { isCleared: true, release: { decisionReason: 'I have seen the policy' } },
    ])
    const { body: history } = await clerk.caller.get(`audit-entries?orderId=${order.id}`)
    expect(history.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'releaseAsked', reason: 'The new policy is signed' }),
        expect.objectContaining({ action: 'releaseGranted', reason: 'I have seen the policy' }),
      ]),
    )
    // Another route of the same carrier is none of its business.
    expect(faultsOf(await move(await orderBy(carrier.id), 'scheduled'))).toEqual(REFUSED)
  })

  it('lets a carrier be put on a route that is planned already', async () => {
    const [bad, good] = [await expired(), await carrierWith()]
    const planned = await moved(await orderBy(good.id), 'scheduled')
    const release = await asked(planned, bad.id)
    const routes = [{ id: planned.routes[0]!.id, assignment: { carrierCompanyId: bad.id } }]
    const put = () => clerk.caller.patch(`orders/${planned.id}`, { routes }, { version: planned.version })
    expect(faultsOf(await put())).toEqual(REFUSED)
    expect((await decide(release, 'granted')).status).toBe(200)
    expect((await put()).status).toBe(200)
  })

  it('that is refused opens nothing, and can be asked for again', async () => {
    const carrier = await expired()
    const order = await orderBy(carrier.id)
    expect((await decide(await asked(order, carrier.id), 'refused')).status).toBe(200)
    expect(faultsOf(await move(order, 'scheduled'))).toEqual(REFUSED)
    expect((await ask(order, carrier.id)).status).toBe(201)
  })

  it('holds for no later day and for no reason that came later', async () => {
    const carrier = await expired()
    const order = await orderBy(carrier.id)
    await decide(await asked(order, carrier.id), 'granted')
    const block = await test.admin.patch(
      `carrier-companies/${carrier.id}`,
      { blockedReason: 'Fraud' },
      { version: carrier.version },
    )
    expect(block.status, JSON.stringify(block.body)).toBe(200)
    expect(faultsOf(await move(order, 'scheduled'))).toEqual(REFUSED)
    expect((await ask(order, carrier.id)).status).toBe(409)
    await test.admin.patch(`carrier-companies/${carrier.id}`, { blockedReason: null }, { version: block.body.version })
    const later = await clerk.caller.patch<Order>(
      `orders/${order.id}`,
      {
        locations: order.locations.map((stop) => ({ ...stop, termin: { ...stop.termin!, dateFrom: '2099-12-31' } })),
      },
      { version: order.version },
    )
    expect(faultsOf(await move(later.body, 'scheduled'))).toEqual(REFUSED)
  })

  it('is decided by nobody who asked for it, not even an administrator, nor in the database', async () => {
    const carrier = await expired()
    const order = await orderBy(carrier.id)
    const { body: own } = await ask(order, carrier.id, test.admin)
    expect((await decide(own, 'granted', test.admin)).body.code).toBe('second_person_needed')
    // Nor by a key that an administrator makes in the name of somebody else.
    const { body: key } = await test.admin.post('api-keys', {
      title: 'Planner',
      ownerId: buyer.id,
      permissions: ['CARRIER_MANAGEMENT'],
      days: 30,
    })
    expect((await decide(own, 'granted', test.withToken(key.token))).status).toBe(403)
    const run = (statement: string) => test.database.pool.query(statement, [own.id])
    await expect(
      run(`update carrier_release set decision = 'granted', "decisionReason" = 'x', "decidedAt" = now(),
        "decidedById" = "askedById" where id = $1`),
    ).rejects.toThrow('second_person_needed')
    await expect(run(`update carrier_release set "askedById" = ${buyer.id} where id = $1`)).rejects.toThrow('stays')
    expect((await decide(own, 'refused')).status).toBe(200)
    await expect(run(`update carrier_release set decision = 'granted' where id = $1`)).rejects.toThrow('stays')
  })

  it('of what needs none is not asked for', async () => {
    const good = await carrierWith()
    expect((await ask(await orderBy(good.id), good.id)).status).toBe(409)
  })
})

describe('papers', () => {
  it('say for how much an insurance is, and nothing else does', async () => {
    const { given } = await carrierWith({}, { insuredCents: 30_000_000 })
    const change = (id: number, body: object, version = 1) => test.admin.patch(`documents/${id}`, body, { version })
    expect(faultsOf(await change(given!.licenceId, { insuredCents: 5 }))).toEqual(['422', 'insuredCents invalid_value'])
    const raised = await change(given!.insuranceId, { insuredCents: 60_000_000 })
    expect(raised.body).toMatchObject({ insuredCents: 60_000_000, documentType: 'INSURANCE_DOCUMENT' })
    const turned = await change(given!.insuranceId, { documentType: 'OTHER_DOCUMENTS' }, raised.body.version)
    expect(turned.body.insuredCents).toBe(null)
  })

  it('that end within thirty days are listed, the one that counts of each type', async () => {
    const soon = await carrierWith({}, { until: addDays(today, 14) })
    const vans = await carrierWith({ licenceNotNeededReason: 'Vans' }, { until: addDays(today, 3) })
    const renewed = await carrierWith({}, { until: addDays(today, 2) })
    await giveCarrierPapers(test.admin, renewed.id)
    await moved(
      await orderBy(soon.id, {
        locations: shipment(world).locations!.map((stop) => ({ ...stop, termin: { kind: 'fix', dateFrom: today } })),
      }),
      'scheduled',
    )
    const { items } = (await buyer.caller.get('carrier-companies/ending-papers')).body
    const of = (id: number) =>
      items
        .filter((item: { carrierCompany: { id: number } }) => item.carrierCompany.id === id)
        .map(({ documentType, endsOn, plannedRoutes }: Record<string, unknown>) => [
          documentType,
          endsOn,
          plannedRoutes,
        ])
        .toSorted()
    expect(of(soon.id)).toEqual([
      ['EU_LICENSE', addDays(today, 14), 1],
      ['INSURANCE_DOCUMENT', addDays(today, 14), 1],
    ])
    expect(of(vans.id)).toEqual([['INSURANCE_DOCUMENT', addDays(today, 3), 0]])
    expect(of(renewed.id)).toEqual([])
  })
})

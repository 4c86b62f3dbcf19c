import { beforeAll, describe, expect, it } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import type { Board } from '@waybill/contract/order/planning/board'
import { planRoute, restoredPlan, unplanRoute, type PlanAct } from '@waybill/contract/order/planning/plan-route'
import { modelRuns } from '../../../../test/model-runs.ts'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { giveCarrierPapers } from '../../../../test/carrier-papers.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-30T09:00:00Z' })
const WEEK = 'planning?from=2026-11-30&days=7'

let world: OrderWorld
let customerId: number
let truck: number
beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  const made = await test.admin.post('vehicles', { title: 'HH-WB 2041', kind: 'truck', ldm: 7.2, payloadKg: 6500 })
  truck = made.body.id
})

const board = async (caller: Caller = test.admin, query = WEEK): Promise<Board> => (await caller.get(query)).body
const newOrder = async (more: Partial<OrderInput> = {}): Promise<Order> => {
  const { body, status } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), ...more }),
  )
  expect(status).toBe(201)
  return body
}
const patch = (order: Order, body: object | null) =>
  test.admin.patch(`orders/${order.id}`, body!, { version: order.version })
const OWN = { kind: 'own', plate: 'HH-WB 2041', driverId: null } as const
const DISPONENT = { fullName: 'Ewa Lis', phone: null, email: 'dispo@transwarta.example' }

describe('the planning board', () => {
  it('is refused without order rights, and for days that do not exist', async () => {
    const { caller } = await test.userWith('SETTINGS_ACCESS')
    expect((await test.anonymous.get(WEEK)).status).toBe(401)
    expect((await caller.get(WEEK)).status).toBe(403)
    for (const query of ['planning', 'planning?from=2026-02-30', 'planning?from=2026-11-30&days=5'])
      expect((await test.admin.get(query)).status, query).toBe(422)
  })

  it('has an order without a route wait, and shows the route that it is planned onto as a bar', async () => {
    const order = await newOrder()
    const before = await board()
    expect(before).toMatchObject({
      timeZone: 'Europe/Berlin',
      startAt: '2026-11-29T23:00:00.000Z',
      endAt: '2026-12-06T23:00:00.000Z',
    })
    expect(before.vehicles).toMatchObject([
      { id: truck, plate: 'HH-WB 2041', kind: 'truck', ldm: 7.2, payloadKg: 6500 },
    ])
    const card = before.waiting.find(({ orderId }) => orderId === order.id)
    expect(card).toMatchObject({
      number: order.number,
      version: order.version,
      customer: { id: customerId },
      stops: [
        { city: 'Hamburg', isLoading: true, isUnloading: false, ldmOn: 1.6, ldmOff: 0, kgOn: 1200, plannedAt: null },
        { city: 'Poznań', isLoading: false, isUnloading: true, ldmOn: 0, ldmOff: 1.6, kgOff: 1200 },
      ],
    })
    const { body: planned, status } = await patch(
      order,
      planRoute(order, { routeId: null, target: OWN, startAt: '2026-11-30T07:00:00.000Z' }),
    )
    expect(status).toBe(200)
    const after = await board()
    expect(after.waiting.find(({ orderId }) => orderId === order.id)).toBeUndefined()
    expect(after.bars.find(({ orderId }) => orderId === order.id)).toMatchObject({
      routeId: planned.routes[0].id,
      number: `${order.number}/1`,
      isOnly: true,
      status: 'new',
      ownFleet: true,
      plateNumber: 'HH-WB 2041',
      carrierCompany: null,
      stops: [{ plannedAt: '2026-11-30T07:00:00.000Z' }, { plannedAt: '2026-12-01T06:00:00.000Z' }],
    })
  })

  it('shows carriers with what is on file of them, and the vehicles that they promised', async () => {
    const order = await newOrder({ routes: [carried(world)] })
    const { body: promised } = await test.admin.post('vehicles', {
      title: 'PO 4T112',
      kind: 'carrier',
      carrierCompanyId: world.carrier.id,
    })
    const { bars, carriers, vehicles } = await board()
    expect(bars.find(({ orderId }) => orderId === order.id)).toMatchObject({
      ownFleet: false,
      carrierCompany: { id: world.carrier.id, title: 'Trans-Wielkopolska Sp. j.' },
      driverIds: [world.carrier.driverId],
      driverNames: 'Łukasz Żak',
      clearance: { isCleared: true, reasons: [] },
    })
    const day = '2099-12-31'
    expect(carriers).toEqual([
      {
        id: world.carrier.id,
        contact: null,
        papers: {
          blockedReason: null,
          isUsedUp: false,
          licenceNotNeededReason: null,
          licences: [day],
          insurances: [{ endsOn: day, insuredCents: 1_000_000_000 }],
        },
      },
    ])
    expect(vehicles.map(({ id }) => id)).toEqual([truck, promised.id])
  })

  it('says of each route what the order says of its carrier: not cleared, why, and that it is released', async () => {
    const carrier = async (
      title: string,
      papers: Parameters<typeof giveCarrierPapers>[2] | null,
      more: object = {},
    ) => {
      const { body } = await test.admin.post('carrier-companies', { title, countryId: world.countries.PL, ...more })
      if (papers !== null) await giveCarrierPapers(test.admin, body.id, papers)
      return body.id as number
    }
    const given = {
      licence_missing: await carrier('Bez Papierów', null),
      insurance_ends: await carrier('Koniec Roku', { until: '2026-11-30' }),
      insurance_low: await carrier('Mała Polisa', { insuredCents: 100 }),
      blocked: await carrier('Zablokowany', {}, { blockedReason: 'Damage of June is not settled' }),
    }
    for (const [code, carrierCompanyId] of Object.entries(given)) {
      const order = await newOrder({ routes: [{ assignment: { carrierCompanyId } }] })
      const [said] = order.clearances
      const bar = (await board()).bars.find(({ orderId }) => orderId === order.id)!
      expect(bar.clearance, code).toEqual({ isCleared: false, reasons: said!.reasons })
      expect(bar.clearance!.reasons.map((reason) => reason.code)).toContain(code)
      // The termins alone, for carriers that are not on it yet.
      expect(bar.asks).toEqual({ lastDay: '2026-12-01', neededCents: said!.neededCents })
    }
    // Planned later than the termin, the papers must hold until then.
    const order = await newOrder()
    const late = { routeId: null, target: OWN, startAt: '2026-12-05T07:00:00.000Z' }
    const { body: planned } = await patch(order, planRoute(order, late))
    const target = { kind: 'carrier', carrierCompanyId: world.carrier.id, plate: null, contact: null } as const
    const { body: carriedLate } = await patch(planned, planRoute(planned, { routeId: planned.routes[0].id, target }))
    const bar = (await board()).bars.find(({ orderId }) => orderId === order.id)!
    expect(carriedLate.clearances[0].lastDay > bar.asks.lastDay).toBe(true)
    expect(bar.clearance).toEqual({ isCleared: true, reasons: [] })
    // A second person has let the route pass.
    const held = await newOrder({ routes: [{ assignment: { carrierCompanyId: given.licence_missing } }] })
    const way = `routes/${held.routes[0]!.id}/carrier-releases`
    const asked = await test.admin.post(way, { carrierCompanyId: given.licence_missing, reason: 'Papers come' })
    const other = await test.userWith('CARRIER_MANAGEMENT')
    const decided = await other.caller.post(`carrier-releases/${asked.body.id}/decide`, {
      decision: 'granted',
      reason: 'Seen the papers',
    })
    expect(decided.status, JSON.stringify(decided.body)).toBe(200)
    expect((await board()).bars.find(({ orderId }) => orderId === held.id)!.clearance).toMatchObject({
      isCleared: true,
      reasons: [{ code: 'licence_missing' }, { code: 'insurance_missing' }],
    })
  })

  it('names what hangs on a route and would not come back with it', async () => {
    const { body: unknown } = await test.admin.post('carrier-companies', {
      title: 'Friulana S.r.l.',
      countryId: world.countries.IT,
      contactPersons: [{ fullName: 'Elisa Furlan', email: 'dispo@friulana.example' }],
    })
    const attachedTo = async ({ id }: Order) =>
      (await board()).bars.find(({ orderId }) => orderId === id)!.attached.toSorted()
    const done = async (path: string, body: object, version?: number) => {
      const answer = await test.admin.post(path, body, version === undefined ? {} : { version })
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return answer.body
    }
    const lane = await newOrder({ routes: [{}] })
    expect(await attachedTo(lane)).toEqual([])
    const way = `routes/${lane.routes[0]!.id}`
    const deadline = '2026-11-30T15:00:00Z'
    const { id: roundId } = await done(`${way}/price-round`, { carrierCompanyIds: [unknown.id], deadline })
    expect(await attachedTo(lane)).toEqual(['openPrices', 'prices'])
    await done(`${way}/price-round/${roundId}/close`, {})
    expect(await attachedTo(lane)).toEqual(['prices'])

    const given = await newOrder({ routes: [{ assignment: { carrierCompanyId: unknown.id } }] })
    const route = `routes/${given.routes[0]!.id}`
    await done(`${route}/carrier-releases`, { carrierCompanyId: unknown.id, reason: 'Papers come tomorrow' })
    await done(`${route}/upload-link`, { linkId: null }, given.version)
    expect(await attachedTo(given)).toEqual(['release', 'uploadLink'])
    const { body: now } = await test.admin.get(`orders/${given.id}`)
    await done(`${route}/driver-link`, { linkId: null }, now.version)
    expect(await attachedTo(given)).toEqual(['driverLink', 'release', 'uploadLink'])
    // Another act makes no link come back: it is one of an assignment that is gone.
    const { body: read } = await test.admin.get(`orders/${given.id}`)
    const off = await patch(read, planRoute(read, { routeId: given.routes[0]!.id, target: { kind: 'nobody' } }))
    const back = await patch(off.body, restoredPlan(read, off.body))
    expect(back.status).toBe(200)
    expect(await attachedTo(given)).toEqual(['release'])
  })

  it('says anew what hangs on one route, to who may see it', async () => {
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    const order = await newOrder({ routes: [carried(world)] })
    const way = `planning/routes/${order.routes[0]!.id}/attached`
    expect((await caller.get(way)).status).toBe(404)
    expect((await test.admin.get('planning/routes/999999/attached')).status).toBe(404)
    expect((await test.admin.get(way)).body).toEqual({ attached: [] })
    await test.admin.post(`routes/${order.routes[0]!.id}/upload-link`, { linkId: null }, { version: order.version })
    expect((await test.admin.get(way)).body).toEqual({ attached: ['uploadLink'] })
  })

  it('still shows what should have arrived before the days that are shown, and is under way', async () => {
    const { cargo, locations } = shipment(world)
    const [from, to] = locations!
    const order = await newOrder({
      cargo,
      locations: [
        { ...from!, termin: { kind: 'fix', dateFrom: '2026-11-10', timeFrom: '08:00' } },
        { ...to!, termin: { kind: 'fix', dateFrom: '2026-11-11', timeFrom: '07:00' } },
      ],
      routes: [carried(world)],
    })
    const move = async (now: Order, body: object): Promise<Order> =>
      (await test.admin.post(`orders/${order.id}/status`, body, { version: now.version })).body
    const loadedAt = '2026-11-10T08:00:00Z'
    const scheduled = await move(order, { to: 'scheduled' })
    await move(scheduled, { to: 'in_transit', stopTimes: [{ locationId: order.locations[0]!.id, loadedAt }] })
    expect((await board()).bars.find(({ orderId }) => orderId === order.id)).toMatchObject({
      delay: { kind: 'delivery', expectedAt: '2026-11-11T06:00:00.000Z', days: 20 },
      stops: [{ doneAt: '2026-11-10T08:00:00.000Z' }, { doneAt: null }],
    })
    expect((await board(test.admin, 'planning?from=2026-12-07&days=7')).bars).toEqual([])
  })

  it('tells of a foreign order that its vehicle is busy, from when to when, and nothing else', async () => {
    const { caller, id } = await test.userWith('ASSIGNED_ORDERS')
    const foreign = await newOrder()
    await patch(foreign, planRoute(foreign, { routeId: null, target: { ...OWN, plate: 'hh wb2041' } }))
    const own = await newOrder({ managerIds: [id], routes: [carried(world)] })
    const { bars, busy, waiting } = await board(caller)
    expect(bars.map(({ orderId }) => orderId)).toEqual([own.id])
    expect(waiting).toEqual([])
    expect(busy).toContainEqual({
      vehicleId: truck,
      startAt: '2026-11-30T07:00:00.000Z',
      endAt: '2026-12-01T06:00:00.000Z',
    })
    expect(JSON.stringify(busy)).not.toContain('Nordlicht')
    expect((await board()).busy).toEqual([])
  })

  it('tells of a foreign order with two routes when each of its trucks is on the road', async () => {
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    const other = (await test.admin.post('vehicles', { title: 'HH-WB 2047', kind: 'truck' })).body.id as number
    const { locations, cargo } = shipment(world)
    const [from, to] = locations!
    const at = (dateFrom: string) => ({ kind: 'fix' as const, dateFrom, timeFrom: '08:00' })
    const { body: order, status } = await test.admin.post<Order>(
      'orders',
      plainOrder(world, customerId, {
        cargo: [...cargo!, { ...cargo![0]!, key: 'd' }],
        locations: [
          { ...from!, termin: at('2026-11-30') },
          { ...to!, termin: at('2026-12-01') },
          { ...from!, key: 'from2', termin: at('2026-12-03'), cargoActions: [{ cargoKey: 'd', action: 'PICK_UP' }] },
          { ...to!, key: 'to2', termin: at('2026-12-04'), cargoActions: [{ cargoKey: 'd', action: 'DROP_OFF' }] },
        ],
        routes: [
          { locationKeys: ['from', 'to'], assignment: { ownFleet: true, plateNumber: 'HH-WB 2047' } },
          { locationKeys: ['from2', 'to2'], assignment: { ownFleet: true, plateNumber: 'HH-WB 2047' } },
        ],
      }),
    )
    expect(status, JSON.stringify(order)).toBe(201)
    const { busy } = await board(caller)
    expect(busy.filter(({ vehicleId }) => vehicleId === other)).toEqual([
      { vehicleId: other, startAt: '2026-11-30T07:00:00.000Z', endAt: '2026-12-01T07:00:00.000Z' },
      { vehicleId: other, startAt: '2026-12-03T07:00:00.000Z', endAt: '2026-12-04T07:00:00.000Z' },
    ])
  })

  it('is narrowed to departments, in the zone of the company of the first', async () => {
    const { body: company } = await test.admin.post('companies', {
      title: 'Waybill Lisboa Lda',
      code: 'WLX',
      countryId: world.countries.PL,
      timeZone: 'Europe/Lisbon',
      invoiceNumberPattern: 'LX{YYYY}-{NNNNN}',
    })
    const { body: other } = await test.admin.post('departments', {
      abbreviation: 'LIS',
      companyId: company.id,
      countryId: world.countries.PL,
    })
    const order = await newOrder({ departmentId: other.id })
    const ofOther = await board(test.admin, `${WEEK}&departmentId[]=${other.id}`)
    expect(ofOther).toMatchObject({ timeZone: 'Europe/Lisbon', startAt: '2026-11-30T00:00:00.000Z', bars: [] })
    expect(ofOther.waiting.map(({ orderId }) => orderId)).toEqual([order.id])
  })
})

describe('acts on the board', () => {
  it('are refused as the form would be: a carrier that is not cleared, on a route that is scheduled', async () => {
    const { body: unknown } = await test.admin.post('carrier-companies', {
      title: 'Bez Papierów',
      countryId: world.countries.PL,
    })
    const order = await newOrder({ routes: [carried(world)] })
    const { body: scheduled } = await test.admin.post(`orders/${order.id}/status`, { to: 'scheduled' }, { version: 1 })
    const act = {
      routeId: order.routes[0]!.id,
      target: { kind: 'carrier', carrierCompanyId: unknown.id, plate: null, contact: null },
    } as const
    const refused = await patch(scheduled, planRoute(scheduled, act))
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ path: 'routes.0.assignment.carrierCompanyId', code: 'carrier_not_cleared' }),
    ])
    const nobody = await patch(scheduled, planRoute(scheduled, { ...act, target: { kind: 'nobody' } }))
    expect(nobody.body.errors).toEqual([expect.objectContaining({ code: 'assignment_missing' })])
  })

  it('put a carrier on a route as the form does: with its disponent, without what the one before had', async () => {
    const assignment = {
      ...carried(world).assignment,
      disponentName: 'Adam Sowa',
      disponentEmail: 'sowa@wielkopolska.example',
      signedBy: 'Adam Sowa',
      paymentPeriodDays: 21,
      vehicleTypeId: world.vehicleTypeId,
      extraData: 'Two drivers',
    }
    const order = await newOrder({ routes: [{ assignment }] })
    const { body: other } = await test.admin.post('carrier-companies', {
      title: 'Transwarta',
      countryId: world.countries.PL,
    })
    const byBoard = await patch(
      order,
      planRoute(order, {
        routeId: order.routes[0]!.id,
        target: { kind: 'carrier', carrierCompanyId: other.id, plate: null, contact: DISPONENT },
      }),
    )
    const { id: _id, ...kept } = byBoard.body.routes[0].assignment
    expect(kept).toMatchObject({
      carrierCompanyId: other.id,
      disponentName: 'Ewa Lis',
      disponentPhone: null,
      disponentEmail: 'dispo@transwarta.example',
      driverIds: [],
      driverText: null,
      plateNumber: null,
      signedBy: null,
      paymentPeriodDays: null,
      costCents: 90_000,
      vehicleTypeId: world.vehicleTypeId,
      extraData: 'Two drivers',
    })
    // Another truck of the same carrier: who is written to and what was agreed stay.
    const again = await patch(
      byBoard.body,
      planRoute(byBoard.body, {
        routeId: order.routes[0]!.id,
        target: { kind: 'carrier', carrierCompanyId: other.id, plate: 'PO 7K412', contact: null },
      }),
    )
    expect(again.body.routes[0].assignment).toMatchObject({ ...kept, plateNumber: 'PO 7K412' })
  })

  it('end that an order is for sale once all its routes have somebody, until they are taken back', async () => {
    for (const target of [
      OWN,
      { kind: 'carrier', carrierCompanyId: world.carrier.id, plate: null, contact: null } as const,
    ]) {
      const order = await newOrder({ disposition: 'FOR_SALE' })
      const given = await patch(order, planRoute(order, { routeId: null, target }))
      expect(given.body.disposition, target.kind).toBeNull()
      const back = await patch(given.body, restoredPlan(order, given.body))
      expect(back.body.disposition).toBe('FOR_SALE')
    }
    const combined = await newOrder({ disposition: 'WAITING_FOR_COMBINATION' })
    const planned = await patch(combined, planRoute(combined, { routeId: null, target: OWN }))
    expect(planned.body.disposition).toBe('WAITING_FOR_COMBINATION')
    // Of two routes one still waits for a carrier.
    const { locations, cargo } = shipment(world)
    const order = await newOrder({
      disposition: 'FOR_SALE',
      cargo: [...cargo!, { ...cargo![0]!, key: 'd' }],
      locations: [
        ...locations!,
        { ...locations![0]!, key: 'from2', cargoActions: [{ cargoKey: 'd', action: 'PICK_UP' }] },
        { ...locations![1]!, key: 'to2', cargoActions: [{ cargoKey: 'd', action: 'DROP_OFF' }] },
      ],
      routes: [{ locationKeys: ['from', 'to'] }, { locationKeys: ['from2', 'to2'] }],
    })
    const [first, second] = order.routes
    const one = await patch(order, planRoute(order, { routeId: first!.id, target: OWN }))
    expect(one.body.disposition).toBe('FOR_SALE')
    const both = await patch(one.body, planRoute(one.body, { routeId: second!.id, target: OWN }))
    expect(both.body.disposition).toBeNull()
  })

  it('are refused by the version where somebody else was faster', async () => {
    const order = await newOrder()
    expect((await patch(order, planRoute(order, { routeId: null, target: OWN }))).status).toBe(200)
    const late = await patch(order, planRoute(order, { routeId: null, target: OWN }))
    expect(late.status).toBe(409)
    expect(late.body.code).toBe('stale_version')
  })

  it('do what the form would, keep every termin, and can all be taken back', { tags: 'long' }, async () => {
    const ofCarrier = { kind: 'carrier', carrierCompanyId: world.carrier.id, contact: DISPONENT } as const
    const targets: NonNullable<PlanAct['target']>[] = [
      OWN,
      { kind: 'own', plate: null, driverId: null },
      { ...ofCarrier, plate: 'PO 4T112', vehicleTypeId: world.vehicleTypeId },
      { ...ofCarrier, plate: null },
      { kind: 'nobody' },
      { kind: 'sale' },
    ]
    const random = seeded(20_261_130)
    let order = await newOrder()
    const termins = order.locations.map(({ termin }) => termin)
    for (let round = 0; round < modelRuns(20, 60); round += 1) {
      const before = order
      const routeId = order.routes[0]?.id ?? null
      const startAt = new Date(Date.parse('2026-11-30T05:00:00Z') + random(96) * 3_600_000).toISOString()
      const body =
        routeId !== null && random(6) === 0
          ? unplanRoute(order, routeId)
          : planRoute(order, {
              routeId,
              ...(routeId !== null && random(3) === 0 ? {} : { target: targets[random(targets.length)]! }),
              ...(random(3) === 0 ? {} : { startAt }),
            })
      const saved = await patch(order, body)
      expect(saved.status, `round ${round}`).toBe(200)
      order = saved.body
      expect(order.locations.map(({ termin }) => termin)).toEqual(termins)
      // The form sends everything that it shows: the same again must change nothing.
      if (order.routes[0] !== undefined) {
        const same = await patch(order, planRoute(order, { routeId: order.routes[0].id }))
        expect(planned(same.body)).toEqual(planned(order))
        order = same.body
      }
      if (random(2) === 0) {
        const undone = await patch(order, restoredPlan(before, order))
        expect(undone.status, `round ${round}, back`).toBe(200)
        expect(planned(undone.body)).toEqual(planned(before))
        order = undone.body
      }
    }
  })
})

/** What is planned of an order, without what only numbers it. */
const planned = ({ disposition, locations, routes }: Order) => ({
  disposition,
  stops: locations.map(({ id, plannedAt }) => ({ id, plannedAt })),
  routes: routes.map(({ assignment, locationIds }) => {
    const { id: _id, ...rest } = assignment ?? { id: 0 }
    return { locationIds, assignment: assignment === null ? null : rest }
  }),
})

/** Whole numbers below a bound, always the same ones for a seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

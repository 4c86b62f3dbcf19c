import { beforeAll, describe, expect, it } from 'vitest'
import type { EmissionReport, OrderEmission } from '@waybill/contract/emission/emission-report'
import { emissionFactorApi, type EmissionFactor } from '@waybill/contract/emission/factor'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { describeResource } from '../../../test/describe-resource.ts'
import { jobContext } from '../../../test/job-context.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'
import { keepEmissions } from './keep-emissions.job.ts'

const app = useTestApp()
let world: OrderWorld
let dispatcher: Caller
let customers: number[]
let year: number

beforeAll(async () => {
  year = app.clock.now().getUTCFullYear()
  world = await orderWorld(app)
  customers = [
    await world.customer('Hansa Bau GmbH', 'DE', { address: 'Kai 1', postal: '20457', city: 'Hamburg' }),
    await world.customer('Nordlicht Maschinenbau GmbH', 'DE', { address: 'Weg 2', postal: '22113', city: 'Hamburg' }),
  ]
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
})

const keep = () => keepEmissions.handle(jobContext(app), {})

const HAMBURG = { latitude: 53.55, longitude: 10 }
const POZNAN = { latitude: 52.41, longitude: 16.93 }

interface Given {
  day?: string
  weightKg?: number | null
  km?: number | null
  isPlaced?: boolean
  vehicleTypeId?: number | null
  hasRoute?: boolean
  departmentId?: number
}

function bodyOf({
  day = `${year}-03-10`,
  weightKg = 12_000,
  km = 520,
  isPlaced = false,
  vehicleTypeId = null,
  hasRoute = true,
}: Given): Partial<OrderInput> {
  const at = (place: object) => (isPlaced ? place : {})
  return {
    cargo: [{ key: 'c', title: 'Pallets', quantity: 4, weightKg }],
    locations: [
      {
        key: 'from',
        kind: 'loading',
        termin: { kind: 'fix', dateFrom: day, timeFrom: '08:00' },
        countryId: world.countries.DE,
        postal: '20457',
        city: 'Hamburg',
        ...at(HAMBURG),
        cargoActions: [{ cargoKey: 'c', action: 'PICK_UP' }],
      },
      {
        key: 'to',
        kind: 'unloading',
        termin: { kind: 'fix', dateFrom: day, timeFrom: '23:30' },
        countryId: world.countries.PL,
        postal: '60189',
        city: 'Poznań',
        ...at(POZNAN),
        cargoActions: [{ cargoKey: 'c', action: 'DROP_OFF' }],
      },
    ],
    routes: hasRoute
      ? [
          {
            locationKeys: ['from', 'to'],
            distanceKm: km,
            isDistanceEstimated: false,
            assignment: { ownFleet: true, vehicleTypeId, vatBp: 0 },
          },
        ]
      : [],
  }
}

async function create(customerId: number, given: Given = {}): Promise<Order> {
  const { status, body } = await app.admin.post('orders', {
    ...plainOrder(world, customerId, { customerVatBp: 1900, ...bodyOf(given) }),
    ...(given.departmentId !== undefined && { departmentId: given.departmentId }),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function emission(id: number, caller: Caller = app.admin): Promise<OrderEmission> {
  const { status, body } = await caller.get(`orders/${id}/emission`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const query = (more: Record<string, string> = {}) => {
  const asked = new URLSearchParams({ by: 'customer', from: `${year}-01`, to: `${year}-12`, ...more })
  return `reports/emission?${asked.toString()}`
}

async function report(more: Record<string, string> = {}, caller = dispatcher): Promise<EmissionReport> {
  const { status, body } = await caller.get(query(more))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

let count = 0
const factor = (more: Record<string, unknown> = {}) => ({
  title: `Curtain-sider, measured ${(count += 1)}`,
  validFrom: `${year + 3}-01-01`,
  vehicleClass: 'articulated',
  fuel: 'diesel',
  wellToTank: 20,
  tankToWheel: 60.5,
  emptyBp: 1200,
  source: 'Own measurement, fuel cards of 2026',
  ...more,
})
const factors = async (): Promise<EmissionFactor[]> => (await app.admin.get('emission-factors?perPage=100')).body.items

describeResource({
  api: emissionFactorApi,
  test: app,
  kind: 'emissionFactor',
  body: async () => factor(),
  change: { source: 'Measured again' },
  required: 'source',
})

describe('factors', () => {
  it('are refused to who may not change settings, and to nobody in particular', async () => {
    expect((await dispatcher.get('emission-factors')).status).toBe(403)
    expect((await dispatcher.post('emission-factors', factor())).status).toBe(403)
    expect((await app.anonymous.get('emission-factors')).status).toBe(401)
  })

  it('are refused with a first day in a year that is reported, a negative figure and an unknown type', async () => {
    const faults = async (more: Record<string, unknown>) =>
      (await app.admin.post('emission-factors', factor(more))).body.errors.map(
        ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
      )
    expect(await faults({ validFrom: `${year - 1}-12-31` })).toEqual(['validFrom factor_too_early'])
    expect(await faults({ wellToTank: -1 })).toEqual(['wellToTank too_small'])
    expect(await faults({ vehicleTypeIds: [9_999_999] })).toEqual(['vehicleTypeIds unknown_reference'])
    expect(await faults({ fuel: 'coal' })).toHaveLength(1)
  })

  it('of the first day are there, with their source, both parts and their sum, and what they are for', async () => {
    const found = await factors()
    const articulated = found.find(({ isFallback }) => isFallback)!
    expect(articulated).toMatchObject({ wellToTank: 22, tankToWheel: 73, wellToWheel: 95, emptyBp: 1700 })
    expect(articulated.source).toContain('GLEC Framework v3.0')
    expect(articulated.vehicleTypes.map(({ title }) => title)).toContain('Curtain-sider 13.6 m')
    expect(found.find(({ vehicleClass }) => vehicleClass === 'van')!.vehicleTypes).toMatchObject([{ title: 'Van' }])
    expect(found.every(({ source }) => source.includes('until measured data replace it') || !source)).toBe(
      found.length === 9,
    )
  })

  it('that orders are counted with keep their figures and stay; better words for the source are taken', async () => {
    await create(customers[0]!)
    const used = (await factors()).find(({ isFallback }) => isFallback)!
    const change = (body: object) => app.admin.patch(`emission-factors/${used.id}`, body, { version: used.version })
    for (const [field, value] of Object.entries({
      tankToWheel: 12,
      validFrom: `${year}-02-01`,
      vehicleTypeIds: [],
      state: 'inactive',
    }))
      expect((await change({ [field]: value })).body.errors).toEqual([
        expect.objectContaining({ path: field, code: 'factor_in_use' }),
      ])
    expect((await app.admin.delete(`emission-factors/${used.id}`)).body.code).toBe('in_use')
    await keep()
    expect((await app.admin.delete(`emission-factors/${used.id}`)).body.code).toBe('in_use')
    expect((await change({ source: `${used.source} Seen again.` })).status).toBe(200)
  })
})

describe('CO₂e of an order', () => {
  it('is refused to who may not see the order', async () => {
    const order = await create(customers[0]!)
    const { caller } = await app.userWith('ASSIGNED_ORDERS')
    expect((await caller.get(`orders/${order.id}/emission`)).status).toBe(404)
    expect((await (await app.userWith('SETTINGS_ACCESS')).caller.get(`orders/${order.id}/emission`)).status).toBe(403)
    expect((await app.anonymous.get(`orders/${order.id}/emission`)).status).toBe(401)
    expect((await app.admin.get('orders/999999/emission')).status).toBe(404)
  })

  it('says tonnes, kilometres, the factor with its day and source, and both parts', async () => {
    const order = await create(customers[0]!)
    const told = await emission(order.id, dispatcher)
    expect(told).toMatchObject({
      isCounted: true,
      isComplete: true,
      day: `${year}-03-10`,
      kgKm: 6_240_000,
      wttGrams: 137_280,
      ttwGrams: 455_520,
    })
    expect(told.elements).toMatchObject([
      {
        customer: { id: customers[0] },
        routeNumber: order.routes[0]!.number,
        from: 'DE 20457 Hamburg',
        to: 'PL 60189 Poznań',
        weightKg: 12_000,
        distanceKm: 520,
        distanceBasis: 'route',
        isVehicleAssumed: true,
        factor: { validFrom: '2020-01-01', wellToTank: 22, tankToWheel: 73, emptyBp: 1700 },
      },
    ])
    expect(told.elements[0]!.factor!.source).toContain('GLEC')
  })

  it('goes by the type of the vehicle', async () => {
    const van = await app.idOf('vehicle_type', 'title', 'Van')
    const order = await create(customers[0]!, { vehicleTypeId: van, weightKg: 800 })
    expect((await emission(order.id)).elements[0]).toMatchObject({
      isVehicleAssumed: false,
      factor: { vehicleClass: 'van' },
    })
  })

  it('is estimated where no route has kilometres, and not known where the stops have no place either', async () => {
    const placed = await create(customers[0]!, { hasRoute: false, isPlaced: true })
    expect((await emission(placed.id)).elements[0]).toMatchObject({
      distanceBasis: 'greatCircle',
      isDistanceEstimated: true,
    })
    const lost = await emission((await create(customers[0]!, { km: null })).id)
    expect(lost).toMatchObject({ isComplete: false, isUnknown: true, gaps: ['distance'] })
    expect(lost.elements[0]!.figures).toBeNull()
  })

  it('without a weight is said to be incomplete, and counts as that in the report', async () => {
    const customer = await world.customer('Without weight GmbH', 'DE', { city: 'Hamburg' })
    const order = await create(customer, { weightKg: null })
    expect(await emission(order.id)).toMatchObject({ isComplete: false, isUnknown: true, gaps: ['weight'] })
    await create(customer)
    for (const kept of [false, true]) {
      if (kept) await keep()
      const { rows, sum } = await report({ customer: String(customer) })
      expect(rows).toMatchObject([{ orders: 2, complete: 1, kgKm: 6_240_000 }])
      expect(sum).toMatchObject({ orders: 2, complete: 1 })
    }
  })
})

describe('a factor from a day on', () => {
  it('changes orders that are unloaded on that day and later, and none before', async () => {
    const type = (await app.admin.post('vehicle-types', { title: 'Measured trailer' })).body.id
    const customer = await world.customer('Two halves GmbH', 'DE', { city: 'Hamburg' })
    const [june, july] = [
      await create(customer, { day: `${year}-06-30`, vehicleTypeId: type }),
      await create(customer, { day: `${year}-07-01`, vehicleTypeId: type }),
    ]
    const first = await app.admin.post(
      'emission-factors',
      factor({ validFrom: `${year}-01-01`, vehicleTypeIds: [type], wellToTank: 10, tankToWheel: 40 }),
    )
    expect(first.status, JSON.stringify(first.body)).toBe(201)
    await keep()
    const months = async () =>
      (await report({ by: 'month', customer: String(customer) })).rows.map(({ key, ttwGrams }) => [key, ttwGrams])
    expect(await months()).toEqual([
      [`${year}-06`, 249_600],
      [`${year}-07`, 249_600],
    ])
    await app.admin.post(
      'emission-factors',
      factor({ validFrom: `${year}-07-01`, vehicleTypeIds: [type], wellToTank: 10, tankToWheel: 30 }),
    )
    for (const kept of [false, true]) {
      if (kept) await keep()
      expect(await months()).toEqual([
        [`${year}-06`, 249_600],
        [`${year}-07`, 187_200],
      ])
    }
    expect([(await emission(june!.id)).ttwGrams, (await emission(july!.id)).ttwGrams]).toEqual([249_600, 187_200])
  })
})

describe('orders that were merged', () => {
  it('count once, each with its own goods; the sources say what travels with the result', async () => {
    const own = [
      await world.customer('Left Half GmbH', 'DE', { city: 'Hamburg' }),
      await world.customer('Right Half GmbH', 'DE', { city: 'Hamburg' }),
    ]
    const sources = [
      await create(own[0]!, { weightKg: 4000, hasRoute: false, isPlaced: true }),
      await create(own[1]!, { weightKg: 6000, hasRoute: false, isPlaced: true }),
    ]
    const before = await report()
    const { body: merged, status } = await app.admin.post('orders/merge', {
      orderIds: sources.map(({ id }) => id),
      carrierCompanyId: world.carrier.id,
    })
    expect(status, JSON.stringify(merged)).toBe(201)
    const result = await emission(merged.id)
    const parts = await Promise.all(sources.map(({ id }) => emission(id)))
    expect(parts.map(({ isMerged, isComplete }) => [isMerged, isComplete])).toEqual([
      [true, true],
      [true, true],
    ])
    expect(parts[0]!.kgKm + parts[1]!.kgKm).toBe(result.kgKm)
    expect(parts[0]!.elements[0]!.weightKg).toBe(4000)
    for (const kept of [false, true]) {
      if (kept) await keep()
      const rows = await Promise.all(own.map(async (id) => (await report({ customer: String(id) })).rows))
      expect(rows).toMatchObject([
        [{ orders: 1, complete: 1, kgKm: parts[0]!.kgKm }],
        [{ orders: 1, complete: 1, kgKm: parts[1]!.kgKm }],
      ])
      expect((await report()).sum.orders).toBe(before.sum.orders - 1)
    }
  })
})

describe('the report', () => {
  it('is refused to who sees only own orders or no orders, and for a period that is none', async () => {
    for (const right of ['ASSIGNED_ORDERS', 'INVOICES_PROCESSING', 'SETTINGS_ACCESS'] as const) {
      const { caller } = await app.userWith(right)
      expect((await caller.get(query())).status).toBe(403)
      expect((await caller.get(`${query()}&format=csv`.replace('emission?', 'emission/export?'))).status).toBe(403)
    }
    expect((await app.anonymous.get(query())).status).toBe(401)
    const wrong: Record<string, string>[] = [
      { from: '2026-05', to: '2026-04' },
      { from: '2020-01', to: '2026-12' },
      { from: '2026-13', to: '2026-12' },
      { by: 'everything' },
    ]
    for (const period of wrong) expect((await dispatcher.get(query({ ...period }))).status).toBe(422)
  })

  it('says how many orders wait to be worked out where they are too many to do it at once', async () => {
    await keep()
    expect((await report()).waiting).toBe(0)
    await app.database.pool.query(
      'insert into emission_due ("orderId") select 1000000 + n from generate_series(1, 501) n',
    )
    expect((await report()).waiting).toBe(501)
    await keep()
    expect((await report()).waiting).toBe(0)
  })

  it('works an order out once for all of its notes, those of other orders after them', async () => {
    await keep()
    const { pool } = app.database
    const { id } = (await pool.query<{ id: number }>('select min("orderId") as id from order_emission')).rows[0]!
    await pool.query('insert into emission_due ("orderId") select $1 from generate_series(1, 1200)', [id])
    await pool.query('insert into emission_due ("orderId") select 1000000 + n from generate_series(1, 501) n')
    await app.asOwner(`
      create table written (n int);
      grant select on written to public;
      create function note_written() returns trigger language plpgsql security definer as $$
        begin insert into written select count(*) from new_rows where "orderId" = ${id}; return null; end $$;
      create trigger written after insert on order_emission referencing new table as new_rows
        for each statement execute function note_written()
    `)
    await keep()
    expect((await pool.query('select from emission_due')).rowCount).toBe(0)
    expect((await pool.query('select sum(n)::int as times from written')).rows).toEqual([{ times: 1 }])
    await app.asOwner('drop trigger written on order_emission')
  })

  it('sums up the customers that a screen does not show, and its file shows them', async () => {
    const before = await report()
    const month = `${year - 3}-04`
    await app.database.pool.query(
      `insert into order_emission select 2000000 + n, 0, 5000000 + n, $1, $2::date, $2::date, 1000, n, 2 * n,
        true, true, '{}' from generate_series(1, 103) n`,
      [world.departmentId, `${month}-01`],
    )
    const told = await report({ from: month, to: month })
    expect(told.rows).toHaveLength(100)
    expect(told.rows[0]).toMatchObject({ key: '5000103', wttGrams: 103, ttwGrams: 206 })
    expect(told.others).toMatchObject({ count: 3, orders: 3, kgKm: 3000, wttGrams: 6, ttwGrams: 12 })
    expect(told.sum).toMatchObject({ orders: 103, complete: 103, kgKm: 103_000, wttGrams: 5356 })
    const file = query({ from: month, to: month, format: 'csv' }).replace('emission?', 'emission/export?')
    expect((await dispatcher.get(file)).raw.toString('utf8').trim().split('\r\n')).toHaveLength(104)
    expect((await report()).sum).toEqual(before.sum)
  })

  it('counts one company alone where an administrator has set it', async () => {
    const seen = async (company: number) =>
      (await app.admin.get(query(), { headers: { 'group-filter': String(company) } })).body.sum.orders
    const { companyId } = (await app.admin.get(`departments/${world.departmentId}`)).body
    expect(await seen(companyId)).toBeGreaterThan(0)
    expect(await seen(companyId + 1)).toBe(0)
  })

  it('is a file in the words of its reader', async () => {
    const answer = await dispatcher.get(`${query()}&format=csv`.replace('emission?', 'emission/export?'), {
      headers: { 'accept-language': 'de' },
    })
    expect(answer.status).toBe(200)
    const [head, ...lines] = answer.raw.toString('utf8').trim().split('\r\n')
    expect(head).toContain('kg CO₂e je Tonnenkilometer')
    expect(lines).toHaveLength((await report()).rows.length)
  })
})

describe('whatever is done, the report is the sum of what its orders say, to the gram', () => {
  // Park and Miller's: the same acts for the same seed.
  const random = (seed: number) => {
    let state = seed
    return (below: number) => {
      state = (state * 48_271) % 2_147_483_647
      return state % below
    }
  }

  it.each(Array.from({ length: 12 }, (_, index) => 31 + index * 1009))(
    'seed %i',
    { tags: 'long', timeout: 240_000 },
    async (seed) => {
      const upTo = random(seed)
      const oneOf = <Value>(values: readonly Value[]): Value => values[upTo(values.length)]!
      const types = [
        null,
        await app.idOf('vehicle_type', 'title', 'Van'),
        await app.idOf('vehicle_type', 'title', 'Reefer'),
        (await app.admin.post('vehicle-types', { title: `Of seed ${seed}` })).body.id as number,
      ]
      const given = (): Given => ({
        day: `${oneOf([year - 1, year, year])}-0${1 + upTo(9)}-${oneOf(['01', '15', '28'])}`,
        weightKg: oneOf([null, 333.333, 12_000, 1 + upTo(24_000)]),
        km: oneOf([null, 520, 1 + upTo(2000)]),
        isPlaced: upTo(3) > 0,
        vehicleTypeId: oneOf(types),
        hasRoute: upTo(3) > 0,
      })
      const mine = [
        await world.customer(`Seed ${seed} North`, 'DE', { city: 'Hamburg' }),
        await world.customer(`Seed ${seed} South`, 'DE', { city: 'Hamburg' }),
      ]
      const ids: number[] = []
      const some = async (): Promise<Order> => (await app.admin.get(`orders/${oneOf(ids)}`)).body
      const change = async (body: (order: Order) => object) => {
        const order = await some()
        const { status, body: told } = await app.admin.patch(`orders/${order.id}`, body(order), {
          version: order.version,
        })
        expect(status, JSON.stringify(told)).toBeLessThan(500)
      }
      const acts: (() => Promise<unknown>)[] = [
        async () => ids.push((await create(oneOf(mine), given())).id),
        () =>
          change((order) => ({
            cargo: order.cargo.map(({ id }) => ({ id, weightKg: oneOf([null, 1 + upTo(20_000)]) })),
          })),
        () =>
          change((order) => ({
            routes: order.routes.map(({ id }) => ({ id, distanceKm: oneOf([null, 1 + upTo(900)]) })),
          })),
        () => change(({ state }) => ({ state: state === 'active' ? 'inactive' : 'active' })),
        () => change(() => ({ customerIds: [oneOf(mine)] })),
        async () => {
          const { id, version } = await some()
          await app.admin.post(`orders/${id}/status`, { to: 'canceled', reason: 'x' }, { version })
        },
        async () => {
          const pair = [0, 1].map((index) =>
            create(mine[index]!, { ...given(), day: `${year}-05-15`, hasRoute: false, isPlaced: true }),
          )
          const made = [await pair[0]!, await pair[1]!]
          const { body, status } = await app.admin.post('orders/merge', {
            orderIds: made.map(({ id }) => id),
            carrierCompanyId: world.carrier.id,
          })
          expect(status, JSON.stringify(body)).toBe(201)
          ids.push(body.id)
          if (upTo(3) === 0) {
            await app.admin.post(`orders/${body.id}/unmerge`, { version: body.version })
            ids.push(...made.map(({ id }) => id))
          }
        },
        async () => {
          const { status, body } = await app.admin.post(
            'emission-factors',
            factor({
              validFrom: `${year}-0${1 + upTo(9)}-01`,
              vehicleTypeIds: types.filter((type) => type !== null && upTo(2) === 0),
              isFallback: upTo(4) === 0,
              wellToTank: upTo(100),
              tankToWheel: upTo(500) / 8,
            }),
          )
          expect(status, JSON.stringify(body)).toBe(201)
        },
      ]
      const compare = async () => {
        const fresh = new Map<string, number[]>()
        for (const id of new Set(ids)) {
          const told = await emission(id)
          const month = told.day?.slice(0, 7)
          if (told.isMerged || !told.isCounted || month === undefined) continue
          if ((await app.admin.get(`orders/${id}`)).body.state !== 'active') continue
          for (const { customer, figures } of told.elements) {
            const sum = fresh.get(`${customer.id} ${month}`) ?? [0, 0, 0]
            fresh.set(`${customer.id} ${month}`, [
              sum[0]! + (figures?.kgKm ?? 0),
              sum[1]! + (figures?.wttGrams ?? 0),
              sum[2]! + (figures?.ttwGrams ?? 0),
            ])
          }
        }
        const told = new Map<string, number[]>()
        for (const customer of mine)
          for (const period of [year - 1, year]) {
            const { rows } = await report({
              by: 'month',
              customer: String(customer),
              from: `${period}-01`,
              to: `${period}-12`,
            })
            for (const { key, kgKm, wttGrams, ttwGrams } of rows)
              told.set(`${customer} ${key}`, [kgKm, wttGrams, ttwGrams])
          }
        // A customer of a merge without goods of its own has a line there, of zeros.
        const sorted = (sums: Map<string, number[]>) =>
          [...sums].filter(([, sum]) => sum.some((one) => one !== 0)).toSorted(([a], [b]) => a.localeCompare(b))
        expect(sorted(told)).toEqual(sorted(fresh))
      }
      await acts[0]!()
      for (let round = 0; round < 6; round += 1) {
        for (let act = 0; act < 8; act += 1) await oneOf(acts)()
        await compare()
        if (upTo(2)) {
          await keep()
          await compare()
        }
      }
    },
  )
})

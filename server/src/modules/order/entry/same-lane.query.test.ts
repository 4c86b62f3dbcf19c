import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_LANE_ORDERS } from '@waybill/contract/order/lane'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp } from '../../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let customerId: number

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
})

const driven = async (from: string | null, to: string | null, more: Partial<OrderInput> = {}): Promise<Order> => {
  const { cargo, locations } = shipment(world)
  const { status, body } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, {
      cargo,
      locations: [
        { ...locations![0]!, postal: from },
        { ...locations![1]!, postal: to },
      ],
      customerPriceCents: 120_000,
      ...more,
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const lane = (from: string, to: string, more = '') =>
  `orders/same-lane?fromCountryId=${world.countries.DE}&fromPostal=${from}&toCountryId=${world.countries.PL}` +
  `&toPostal=${to}${more}`
const found = async (path: string, caller = test.admin): Promise<number[]> => {
  const { status, body } = await caller.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items.map(({ id }: { id: number }) => id)
}

describe('the same lane before', () => {
  it('is for those who may see orders, and shows nobody an order that is not theirs', async () => {
    const order = await driven('10115', '01-001')
    expect((await test.anonymous.get(lane('10', '01'))).status).toBe(401)
    expect((await (await test.userWith('INVOICES_PROCESSING')).caller.get(lane('10', '01'))).status).toBe(403)
    const { caller, id } = await test.userWith('ASSIGNED_ORDERS')
    expect(await found(lane('10', '01'), caller)).toEqual([])
    await test.admin.patch(`orders/${order.id}`, { managerIds: [id] }, { version: order.version })
    expect(await found(lane('10', '01'), caller)).toEqual([order.id])
  })

  it('refuses ends that are missing, unknown or not asked for', async () => {
    const wrong = async (path: string) => (await test.admin.get(path)).body.errors?.[0]
    expect(await wrong('orders/same-lane?fromPostal=10')).toMatchObject({ path: 'fromCountryId' })
    expect(await wrong(lane('10', '').replace('&toPostal=', ''))).toMatchObject({ path: 'toPostal', code: 'required' })
    expect(await wrong(lane('10', '01').replace(/toCountryId=\d+/, 'toCountryId=999999'))).toMatchObject({
      path: 'toCountryId',
      code: 'unknown_reference',
    })
    expect(await wrong(lane('10', '01', '&status=new'))).toMatchObject({ path: 'status', code: 'unknown_field' })
  })

  it('is that between the same two areas, in the same direction, the newest first, with price and margin', async () => {
    const first = await driven('22113', '60-189', { routes: [carried(world, 90_000)] })
    const second = await driven('D-22999', 'PL-60 700')
    await driven('23552', '60-189')
    await driven(null, '60-189')
    const { body } = await test.admin.get(lane('22085', '60-001'))
    expect(body.items.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id])
    expect(body.items[1]).toEqual({
      id: first.id,
      number: first.number,
      customer: { id: customerId, title: 'Hafenlager Nord GmbH' },
      customerPriceCents: 120_000,
      incomeCents: 30_000,
      marginBp: 2500,
      marginWarningBp: 800,
      createdAt: first.createdAt,
    })
    expect(
      await found(
        `orders/same-lane?fromCountryId=${world.countries.PL}&fromPostal=60&toCountryId=${world.countries.DE}` +
          '&toPostal=22',
      ),
    ).toEqual([])
    expect(await found(lane('2', '60'))).toEqual([])
    expect(await found(lane('22', '60', `&exceptId=${second.id}`))).toEqual([first.id])
  })

  it('leaves out what has no price or was canceled, and follows when a stop is moved', async () => {
    const order = await driven('70173', '00-001')
    await driven('70173', '00-001', { customerPriceCents: null })
    const canceled = await driven('70173', '00-001')
    await test.admin.post(`orders/${canceled.id}/status`, {
      to: 'canceled',
      reason: 'withdrawn',
      version: canceled.version,
    })
    expect(await found(lane('70', '00'))).toEqual([order.id])
    await test.admin.patch(
      `orders/${order.id}`,
      { locations: [{ ...order.locations[0], postal: '80331' }, order.locations[1]] },
      { version: order.version },
    )
    expect(await found(lane('70', '00'))).toEqual([])
    expect(await found(lane('80', '00'))).toEqual([order.id])
  })

  it('is short, however busy the lane', async () => {
    for (let count = 0; count < MAX_LANE_ORDERS + 2; count += 1) await driven('50667', '30-001')
    expect(await found(lane('50', '30'))).toHaveLength(MAX_LANE_ORDERS)
  })

  it('shows the margin that its company wants warned of', async () => {
    const order = await driven('99084', '40-001')
    const [company] = (await test.admin.get('companies')).body.items as { id: number; version: number }[]
    expect(
      (await test.admin.patch(`companies/${company!.id}`, { marginWarningBp: 1500 }, { version: company!.version }))
        .status,
    ).toBe(200)
    expect((await test.admin.get(lane('99', '40'))).body.items[0].marginWarningBp).toBe(1500)
    expect((await test.admin.get(`orders/${order.id}`)).body.marginWarningBp).toBe(1500)
    expect((await test.admin.get(`orders?q=${order.number}`)).body.items[0].marginWarningBp).toBe(1500)
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { PRESENCE_SECONDS } from '@waybill/contract/order/presence'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let customerId: number
let anna: { id: number; caller: Caller }
let jonas: { id: number; caller: Caller }

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Hafenlager Nord GmbH', 'DE')
  anna = await test.userWith('ORDERS_MANAGEMENT')
  jonas = await test.userWith('ORDERS_MANAGEMENT')
})

const open = async (): Promise<string> =>
  `orders/${(await test.admin.post('orders', plainOrder(world, customerId))).body.id as number}/presence`
const othersOf = async (caller: Caller, path: string, section: string | null = null) =>
  (await caller.post(path, { section })).body.others as { id: number; section: string | null }[]

describe('who has an order open', () => {
  it('is told to nobody who may not know of the order', async () => {
    const path = await open()
    expect((await test.anonymous.post(path, {})).status).toBe(401)
    expect((await (await test.userWith('CUSTOMER_MANAGEMENT')).caller.post(path, {})).status).toBe(403)
    const { caller } = await test.userWith('ASSIGNED_ORDERS')
    expect([(await caller.post(path, {})).status, (await caller.delete(path)).status]).toEqual([404, 404])
    expect((await test.admin.post('orders/999999/presence', {})).status).toBe(404)
    // Who was refused was not noted either.
    expect(await othersOf(test.admin, path)).toEqual([])
  })

  it('refuses a part of the form that does not exist', async () => {
    const { status, body } = await anna.caller.post(await open(), { section: 'cellar' })
    expect([status, body.errors[0].path]).toEqual([422, 'section'])
  })

  it('is told to each of the others, with the part they are in, and of no other order', async () => {
    const [path, elsewhere] = [await open(), await open()]
    expect(await othersOf(anna.caller, path, 'cargo')).toEqual([])
    expect(await othersOf(jonas.caller, path)).toEqual([{ id: anna.id, title: expect.any(String), section: 'cargo' }])
    expect(await othersOf(anna.caller, path, 'locations')).toEqual([
      { id: jonas.id, title: expect.any(String), section: null },
    ])
    expect((await othersOf(jonas.caller, path))[0]!.section).toBe('locations')
    expect(await othersOf(jonas.caller, elsewhere)).toEqual([])
  })

  it('ends with leaving, and by itself', async () => {
    const path = await open()
    await othersOf(anna.caller, path)
    expect(await othersOf(jonas.caller, path)).toHaveLength(1)
    expect((await anna.caller.delete(path)).status).toBe(204)
    expect(await othersOf(jonas.caller, path)).toEqual([])
    await othersOf(anna.caller, path)
    test.clock.advance((PRESENCE_SECONDS.lasts - 5) * 1000)
    expect(await othersOf(jonas.caller, path)).toHaveLength(1)
    test.clock.advance(10_000)
    expect(await othersOf(jonas.caller, path)).toEqual([])
    // A person who leaves takes along what is over.
    await jonas.caller.delete(path)
    const { rows } = await test.database.pool.query<{ n: number }>(
      'select count(*)::int as n from order_presence where "userId" = $1',
      [anna.id],
    )
    expect(rows[0]!.n).toBe(0)
  })
})

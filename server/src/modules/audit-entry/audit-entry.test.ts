import { beforeAll, expect, test } from 'vitest'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder } from '../../../test/order-examples.ts'

const app = useTestApp()
let customerId: number
let orderId: number
let seller: Caller

beforeAll(async () => {
  const world = await orderWorld(app)
  customerId = await world.customer('Hansa Bau GmbH', 'DE')
  orderId = (await app.admin.post('orders', plainOrder(world, customerId))).body.id
  seller = (await app.userWith('CUSTOMER_MANAGEMENT')).caller
})

const codes = async (caller: Caller, query: string) => {
  const { status, body } = await caller.get(`audit-entries${query}`)
  return [status, ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`)]
}

test('history belongs to its record: its right, its row rule, one record at a time', async () => {
  const assigned = (await app.userWith('ASSIGNED_ORDERS')).caller
  expect(await codes(app.anonymous, `?customerId=${customerId}`)).toEqual([401])
  expect(await codes(seller, `?orderId=${orderId}`)).toEqual([403])
  expect(await codes(assigned, `?orderId=${orderId}`)).toEqual([404])
  expect(await codes(assigned, `?customerId=${customerId}`)).toEqual([403])
  expect(await codes(seller, '?customerId=999999')).toEqual([404])
  expect(await codes(seller, '')).toEqual([422, 'orderId required'])
  expect(await codes(seller, `?customerId=${customerId}&orderId=${orderId}`)).toEqual([422, 'customerId invalid_value'])
  expect(await codes(seller, `?planetId=1`)).toEqual([422, 'planetId unknown_field'])
  expect(await codes(seller, `?userId=1`)).toEqual([403])
})

test('it says who changed what from what to what, the newest first, and pages', async () => {
  let { body } = await seller.get(`customers/${customerId}`)
  for (let n = 1; n <= 12; n += 1)
    body = (await seller.patch(`customers/${customerId}`, { alias: `Alias ${n}` }, { version: body.version })).body
  const first = await seller.get(`audit-entries?customerId=${customerId}&perPage=10`)
  expect(first.body.items[0]).toMatchObject({
    action: 'updated',
    actor: { title: expect.stringMatching(/^Person \d+$/) },
    changes: [{ path: 'alias', from: 'Alias 11', to: 'Alias 12' }],
    at: expect.stringMatching(/Z$/),
  })
  const rest = await seller.get(`audit-entries?customerId=${customerId}&perPage=10&cursor=${first.body.nextCursor}`)
  expect(rest.body.items.map((entry: { action: string }) => entry.action)).toEqual(['updated', 'updated', 'created'])
})

test('it follows children by their id: one changed, one gone, one new', async () => {
  const person = (fullName: string) => ({ fullName, phone: '+48 42 555 17 80' })
  const { body: made } = await seller.post('customers', {
    title: 'Fabryka Mebli',
    countryId: await app.idOf('country', 'code', 'PL'),
    contactPersons: [person('Ewa'), person('Jan')],
  })
  const [ewa, jan] = made.contactPersons as { id: number }[]
  await seller.patch(
    `customers/${made.id}`,
    { contactPersons: [{ ...ewa, phone: '0601 555' }, person('Ola')] },
    { version: made.version },
  )
  const [{ changes }] = (await seller.get(`audit-entries?customerId=${made.id}`)).body.items
  expect(changes).toContainEqual({ path: `contactPersons.${ewa!.id}.phone`, from: '+48 42 555 17 80', to: '0601 555' })
  expect(changes).toContainEqual(expect.objectContaining({ path: `contactPersons.${jan!.id}`, to: null }))
  expect(changes).toContainEqual(
    expect.objectContaining({ from: null, to: expect.objectContaining({ fullName: 'Ola' }) }),
  )
  expect(changes).toHaveLength(3)
})

test('nothing takes it back, not even SQL', async () => {
  for (const statement of ['delete from audit_entry', 'update audit_entry set reason = null', 'truncate audit_entry']) {
    await expect(app.asOwner(statement), statement).rejects.toThrow('append-only')
  }
})

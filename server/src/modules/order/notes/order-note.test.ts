import { beforeAll, describe, expect, it } from 'vitest'
import { NOTE_CHANGE_HOURS } from '@waybill/contract/order/note'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer } from '../../../../test/app.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'

const app = useTestApp()
let world: OrderWorld
let customerId: number
type Person = Awaited<ReturnType<typeof app.userWith>>
let anna: Person
let jonas: Person
let clerk: Person

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Kaltenbach Gemüse GmbH', 'DE')
  anna = await app.userWith('ORDERS_MANAGEMENT')
  jonas = await app.userWith('ASSIGNED_ORDERS')
  clerk = await app.userWith('INVOICES_PROCESSING')
})

async function make(more: Partial<OrderInput> = {}): Promise<Order> {
  const { status, body } = await app.admin.post<Order>('orders', plainOrder(world, customerId, more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const faults = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]
const actions = async (order: Order) =>
  (await anna.caller.get(`audit-entries?orderId=${order.id}`)).body.items.map((one: { action: string }) => one.action)

describe('notes that are refused', () => {
  it('are those of who is not signed in, has no right to orders, or may not know of this one', async () => {
    const order = await make()
    const knock = (caller: Person['caller']) => [
      caller.get(`orders/${order.id}/notes`),
      caller.get(`orders/${order.id}/readers`),
      caller.post(`orders/${order.id}/notes`, { text: 'hello' }),
      caller.post(`orders/${order.id}/notes/seen`, {}),
    ]
    for (const [caller, status] of [
      [app.anonymous, 401],
      [clerk.caller, 403],
      [jonas.caller, 404],
    ] as const)
      expect((await Promise.all(knock(caller))).map((answer) => answer.status)).toEqual([
        status,
        status,
        status,
        status,
      ])
    expect((await anna.caller.get('orders/999999/notes')).status).toBe(404)
  })

  it('are empty, too long, or name somebody who may not see the order', async () => {
    const order = await make()
    const write = (body: object) => anna.caller.post(`orders/${order.id}/notes`, body)
    expect(faults(await write({ text: '  ' }))).toEqual([422, 'text required'])
    expect(faults(await write({ text: 'x'.repeat(4001) }))).toEqual([422, 'text too_long'])
    expect(faults(await write({ text: '@x', mentionIds: [clerk.id, jonas.id, 999_999] }))).toEqual([
      422,
      'mentionIds.0 unknown_reference',
      'mentionIds.1 unknown_reference',
      'mentionIds.2 unknown_reference',
    ])
  })

  it('are another’s, and one’s own after a day', async () => {
    const order = await make({ managerIds: [jonas.id] })
    const { body: note } = await anna.caller.post(`orders/${order.id}/notes`, { text: 'Ramp 2 only' })
    const path = `orders/${order.id}/notes/${note.id}`
    const other = await make()
    expect((await jonas.caller.put(path, { text: 'mine now' }, { version: 1 })).status).toBe(409)
    expect((await jonas.caller.delete(path)).status).toBe(409)
    expect((await anna.caller.put(`orders/${other.id}/notes/${note.id}`, { text: 'x' }, { version: 1 })).status).toBe(
      404,
    )
    expect((await anna.caller.put(path, { text: 'x' }, { version: 7 })).body.code).toBe('stale_version')
    await app.database.pool.query(
      `update order_note set "createdAt" = "createdAt" - make_interval(hours => $2) where id = $1`,
      [note.id, NOTE_CHANGE_HOURS],
    )
    expect((await anna.caller.get(`orders/${order.id}/notes`)).body.items).toMatchObject([{ mayChange: false }])
    expect((await anna.caller.put(path, { text: 'later' }, { version: 1 })).status).toBe(409)
    expect((await anna.caller.delete(path)).status).toBe(409)
  })
})

describe('a note', () => {
  it('is written, changed and removed by its author; the history keeps what it said', async () => {
    const order = await make()
    const made = await anna.caller.post(`orders/${order.id}/notes`, { text: 'Kröger closes at 15:30' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      text: 'Kröger closes at 15:30',
      author: { id: anna.id },
      mentions: [],
      changedAt: null,
      mayChange: true,
    })
    const path = `orders/${order.id}/notes/${made.body.id}`
    const changed = await anna.caller.put(path, { text: 'Kröger closes at 15:00' }, { version: made.body.version })
    expect(changed.body).toMatchObject({ text: 'Kröger closes at 15:00', changedAt: expect.any(String), version: 2 })
    expect((await anna.caller.delete(path)).status).toBe(204)
    expect((await anna.caller.get(`orders/${order.id}/notes`)).body.items).toEqual([])
    expect(await actions(order)).toEqual(['noteRemoved', 'noteChanged', 'noteAdded', 'created'])
    // The order itself was not written: who has it open can still save.
    expect((await anna.caller.get(`orders/${order.id}`)).body.version).toBe(order.version)
  })

  it('stands above those before it, page by page', async () => {
    const order = await make()
    for (let count = 1; count <= 11; count += 1)
      await anna.caller.post(`orders/${order.id}/notes`, { text: `Note ${count}` })
    const first = (await anna.caller.get(`orders/${order.id}/notes?perPage=10`)).body
    expect([first.total, first.items[0].text, first.items.length]).toEqual([11, 'Note 11', 10])
    const second = (await anna.caller.get(`orders/${order.id}/notes?perPage=10&cursor=${first.nextCursor}`)).body
    expect(second.items.map(({ text }: { text: string }) => text)).toEqual(['Note 1'])
  })
})

describe('who is named', () => {
  it('is picked among those who may see the order, by the beginning of a word of the name', async () => {
    const order = await make({ managerIds: [jonas.id] })
    await app.database.pool.query(`update "user" set "fullName" = 'Jonas Härtwig' where id = $1`, [jonas.id])
    const named = async (q: string) =>
      (await anna.caller.get(`orders/${order.id}/readers?q=${encodeURIComponent(q)}`)).body.items
    expect(await named('hart')).toEqual([{ id: jonas.id, title: 'Jonas Härtwig' }])
    expect(await named('artwig')).toEqual([])
    expect(await named('%')).toEqual([])
    const ids = (await named('')).map(({ id }: { id: number }) => id)
    expect(ids).toContain(jonas.id)
    expect(ids).not.toContain(clerk.id)
    expect(ids).not.toContain(anna.id)
  })

  it('finds the note on the dashboard until the notes of the order were seen', async () => {
    const order = await make({ managerIds: [jonas.id] })
    const waiting = async () => (await jonas.caller.get('orders/mentions')).body.items
    const { body: note } = await anna.caller.post(`orders/${order.id}/notes`, {
      text: '@Jonas please call Kröger',
      mentionIds: [jonas.id, anna.id],
    })
    expect(note.mentions.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([jonas.id, anna.id]))
    expect(await waiting()).toMatchObject([
      { noteId: note.id, order: { title: order.number }, author: { id: anna.id }, text: '@Jonas please call Kröger' },
    ])
    // Who names herself is not called.
    expect((await anna.caller.get('orders/mentions')).body.items).toEqual([])
    expect((await jonas.caller.post(`orders/${order.id}/notes/seen`, {})).status).toBe(204)
    expect(await waiting()).toEqual([])
    // Written anew it calls nobody twice, but whom it names only now.
    await anna.caller.put(
      `orders/${order.id}/notes/${note.id}`,
      { text: '@Jonas, call Kröger', mentionIds: [jonas.id] },
      { version: 1 },
    )
    expect(await waiting()).toEqual([])
    await anna.caller.post(`orders/${order.id}/notes`, { text: '@Jonas again', mentionIds: [jonas.id] })
    expect(await waiting()).toHaveLength(1)
    // Of an order that one may no longer see nothing is told.
    const current = (await anna.caller.get(`orders/${order.id}`)).body
    await anna.caller.patch(`orders/${order.id}`, { managerIds: [] }, { version: current.version })
    expect(await waiting()).toEqual([])
  })
})

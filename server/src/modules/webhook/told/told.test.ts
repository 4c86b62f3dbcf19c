import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import { WEBHOOK_EVENTS } from '@waybill/contract/webhook/webhook'
import { useTestApp } from '../../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { FILES, upload } from '../../../../test/upload.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
let world: OrderWorld
let customerId: number

beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Zahler GmbH', 'DE')
  const body = { title: 'Bookkeeping', url: 'https://hooks.example/', events: WEBHOOK_EVENTS }
  await test.admin.post('webhooks', body)
})
beforeEach(() => test.asOwner('delete from webhook_delivery'))

/** What was written to be sent, the oldest first. */
async function told(about: string): Promise<{ type: string; kind: string; id: number; data: Record<string, any> }[]> {
  const { rows } = await test.database.pool.query(
    `select type, "recordKind" as kind, "recordId" as id, data from webhook_delivery
      where type like $1 order by webhook_delivery.id`,
    [`${about}.%`],
  )
  return rows
}

async function newOrder(): Promise<Order> {
  const made = await test.admin.post<Order>(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 50_000 }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

async function sentInvoice() {
  const order = await newOrder()
  const line = { kind: 'freight', text: 'Transport', quantity: 1, unitPriceCents: 50_000, vatBp: 0, vatCategory: 'Z' }
  const { body: draft } = await test.admin.post('invoices', {
    entityType: 'customer',
    orderIds: [order.id],
    lines: [{ ...line, orderId: order.id }],
  })
  const sent = await test.admin.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return sent.body
}

describe('of invoices', () => {
  it('is that one was sent, with the number that it got, and that it is paid and no longer paid', {
    tags: 'long',
  }, async () => {
    const { id, number, innerNumber, version, companyId, billingCustomerId } = await sentInvoice()
    const { body: payment } = await test.admin.post('payments', {
      companyId,
      customerId: billingCustomerId,
      valueDate: '2026-11-23',
      amountCents: 50_000,
      shares: [{ invoiceId: id, amountCents: 50_000 }],
    })
    expect((await test.admin.post(`payments/${payment.id}/reverse`, { reason: 'Rücklastschrift' })).status).toBe(201)
    const url = `https://waybill.example/office/api/invoices/${id}`
    const common = { id, side: 'customer', number, innerNumber, url }
    expect(await told('invoice')).toEqual([
      { type: 'invoice.sent', kind: 'invoice', id, data: { ...common, version, status: 'sent' } },
      {
        type: 'invoice.paid',
        kind: 'invoice',
        id,
        data: { ...common, version: version + 1, status: 'paid', from: 'sent' },
      },
      {
        type: 'invoice.unpaid',
        kind: 'invoice',
        id,
        data: { ...common, version: version + 2, status: 'sent', from: 'paid' },
      },
    ])
    // Neither the reason nor a sum.
    expect(JSON.stringify(await told('invoice'))).not.toMatch(/Rücklastschrift|50000|Zahler/)
  })

  it('is that one was corrected, and canceled by it, of the original; and that the correction was sent', async () => {
    const original = await sentInvoice()
    await test.asOwner('delete from webhook_delivery')
    const draft = await test.admin.post(
      `invoices/${original.id}/correction`,
      { reason: 'x', lines: null },
      { version: original.version },
    )
    const { id, version } = draft.body
    expect((await test.admin.post(`invoices/${id}/status`, { to: 'sent' }, { version })).status).toBe(200)
    expect((await told('invoice')).map((one) => [one.type, one.id, one.data.correctionId])).toEqual([
      ['invoice.sent', id, undefined],
      ['invoice.corrected', original.id, id],
      ['invoice.canceled', original.id, undefined],
    ])
  })
})

describe('of files', () => {
  it('is that a proof of delivery came and counts, that it does not, and that this was taken back', async () => {
    const order = await newOrder()
    const routed = await test.admin.patch<Order>(
      `orders/${order.id}`,
      { routes: [{ ...carried(world), locationIds: order.locations.map(({ id }) => id) }] },
      { version: order.version },
    )
    const { body: file, status } = await upload(test.admin, {
      fields: { documentType: 'PROOF_OF_DELIVERY', orderId: order.id },
      file: { name: 'Ablieferbeleg Kröger.pdf', bytes: FILES.pdf() },
    })
    expect(status, JSON.stringify([file, routed.body])).toBe(201)
    const act = async (action: string, body: object = {}) => {
      const { version } = (await test.admin.get(`documents?orderId=${order.id}`)).body.items[0]
      const answer = await test.admin.post(`documents/${file.id}/${action}`, body, { version })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
    await act('refuse', { reason: 'No stamp' })
    await act('undo')
    await test.database.pool.query(`update document set acceptance = 'toCheck' where id = $1`, [file.id])
    await act('refuse', { reason: 'No stamp' })
    await act('undo')
    const documents = await told('document')
    expect(documents.map(({ type, data }) => [type, data.acceptance])).toEqual([
      ['document.added', 'accepted'],
      ['document.accepted', 'accepted'],
      ['document.refused', 'refused'],
      ['document.accepted', 'accepted'],
      ['document.refused', 'refused'],
      ['document.reopened', 'toCheck'],
    ])
    expect(documents.every(({ kind, id, data }) => kind === 'order' && id === order.id && data.id === file.id)).toBe(
      true,
    )
    expect(JSON.stringify(documents)).not.toMatch(/Kröger|stamp/)
  })
})

describe('of routes', () => {
  it('is who drives one, that nobody does any more, and what of it changed, and nothing that has not', async () => {
    const order = await newOrder()
    const locationIds = order.locations.map(({ id }) => id)
    const save = async (body: object): Promise<Order> => {
      const { version } = (await test.admin.get<Order>(`orders/${order.id}`)).body
      const saved = await test.admin.patch<Order>(`orders/${order.id}`, body, { version })
      expect(saved.status, JSON.stringify(saved.body)).toBe(200)
      return saved.body
    }
    const { routes } = await save({ routes: [{ locationIds }] })
    const [{ id }] = routes as [Order['routes'][number]]
    await save({ routes: [{ id, locationIds, ...carried(world) }] })
    await save({ description: 'Nothing of the route' })
    await save({ routes: [{ id, locationIds, ...carried(world, 80_000) }] })
    const driven = carried(world).assignment
    await save({ routes: [{ id, locationIds, assignment: { ...driven, plateNumber: 'PO 1' } }] })
    await save({ routes: [{ id, locationIds, assignment: { ownFleet: true } }] })
    await save({ routes: [{ id, locationIds, assignment: null }] })
    expect((await told('route')).map(({ type, data }) => [type, data.carrierCompanyId, data.ownFleet])).toEqual([
      ['route.changed', null, false],
      ['route.assigned', world.carrier.id, false],
      ['route.changed', world.carrier.id, false],
      ['route.assigned', null, true],
      ['route.changed', null, false],
    ])
  })

  it('is that one was taken out of its order, with or without somebody who drives it', async () => {
    const order = await newOrder()
    const locationIds = order.locations.map(({ id }) => id)
    const save = async (routes: object[]): Promise<number | undefined> => {
      const { version } = (await test.admin.get<Order>(`orders/${order.id}`)).body
      const saved = await test.admin.patch<Order>(`orders/${order.id}`, { routes }, { version })
      expect(saved.status, JSON.stringify(saved.body)).toBe(200)
      return saved.body.routes[0]?.id
    }
    const driven = await save([{ locationIds, ...carried(world) }])
    await save([])
    const bare = await save([{ locationIds }])
    await save([])
    const routes = (await told('route')).map(({ type, data }) => [type, data.id, data.carrierCompanyId, data.isRemoved])
    expect(routes).toEqual([
      ['route.assigned', driven, world.carrier.id, false],
      ['route.changed', driven, null, true],
      ['route.changed', bare, null, false],
      ['route.changed', bare, null, true],
    ])
  })
})

// What transports emitted, on the invoices of customers that want to know (decision 115).
import { beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { INVOICE_MAIL } from '../../../test/mail-server.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { textOf } from '../../../test/papers/pdf-text.ts'

const app = useTestApp()
let world: OrderWorld
let clerk: Caller
let wanting: number
let silent: number

beforeAll(async () => {
  world = await orderWorld(app)
  const address = { address: 'Kai 1', postal: '20457', city: 'Hamburg', language: 'de' }
  wanting = await world.customer('Hansa Bau GmbH', 'DE', { ...address, emissionsOnInvoices: true })
  silent = await world.customer('Nordlicht Maschinenbau GmbH', 'DE', address)
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
})

/** An order of twelve tonnes over so many kilometres. */
async function order(customerId: number, km: number | null = 520): Promise<Order> {
  const { cargo, locations } = shipment(world)
  const { status, body } = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      customerPriceCents: 124_000,
      cargo: [{ ...cargo![0]!, weightKg: 12_000 }],
      locations: locations!,
      routes: [
        {
          locationKeys: ['from', 'to'],
          distanceKm: km,
          isDistanceEstimated: false,
          assignment: { ownFleet: true, vatBp: 0 },
        },
      ],
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function kilogramsOf({ id }: { id: number }): Promise<number> {
  const { wttGrams, ttwGrams } = (await app.admin.get(`orders/${id}/emission`)).body
  return Math.round((wttGrams + ttwGrams) / 1000)
}

async function sentInvoice(orders: readonly { id: number }[]) {
  const draft = await clerk.post('invoices', { entityType: 'customer', orderIds: orders.map(({ id }) => id) })
  expect(draft.status, JSON.stringify(draft.body)).toBe(201)
  const sent = await clerk.post(`invoices/${draft.body.id}/send`, INVOICE_MAIL, { version: draft.body.version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return sent.body
}
const paperOf = async ({ id }: { id: number }) =>
  textOf((await clerk.get(`invoices/${id}/document`)).raw).replace(/\s+/g, ' ')

describe('the CO₂e of transports', () => {
  it('is on no invoice of a customer that does not want it, nor where it is not known', async () => {
    expect(await paperOf(await sentInvoice([await order(silent)]))).not.toContain('ISO 14083')
    const unknown = await order(wanting, null)
    const kg = await kilogramsOf(unknown)
    expect(kg).toBe(0)
    expect(await paperOf(await sentInvoice([unknown]))).not.toContain('ISO 14083')
  })

  it('is on the invoice of one that does, and stays when the order changes', { tags: 'long' }, async () => {
    const one = await order(wanting)
    const kg = await kilogramsOf(one)
    expect(kg).toBeGreaterThan(100)
    const invoice = await sentInvoice([one])
    const sentence = `CO₂e dieses Transports, Well-to-Wheel nach ISO 14083: ${kg} kg.`
    expect(await paperOf(invoice)).toContain(sentence)
    const { body: now } = await app.admin.get(`orders/${one.id}`)
    const changed = await app.admin.patch(
      `orders/${one.id}`,
      { cargo: [{ ...now.cargo[0], weightKg: 24_000, customer: undefined }] },
      { version: now.version },
    )
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect(await kilogramsOf(one)).toBe(2 * kg)
    expect(await paperOf(invoice)).toContain(sentence)
  })

  it('of a combined invoice is that of the transports of which all is known, and says of how many', {
    tags: 'long',
  }, async () => {
    const [first, second, unknown] = [await order(wanting), await order(wanting, 260), await order(wanting, null)]
    const kg = (await kilogramsOf(first)) + (await kilogramsOf(second))
    expect(await paperOf(await sentInvoice([first, second]))).toContain(
      `CO₂e dieser 2 Transporte, Well-to-Wheel nach ISO 14083: ${kg} kg.`,
    )
    const [third, fourth] = [await order(wanting), await order(wanting, 260)]
    expect(await paperOf(await sentInvoice([third, fourth, unknown]))).toContain(
      `CO₂e, Well-to-Wheel nach ISO 14083, von 2 der 3 Transporte: ${kg} kg.`,
    )
  })

  it('is not said again by a correction', { tags: 'long' }, async () => {
    const invoice = await sentInvoice([await order(wanting)])
    const correction = await clerk.post(
      `invoices/${invoice.id}/correction`,
      { reason: 'not agreed', lines: null },
      { version: invoice.version },
    )
    const sent = await clerk.post(`invoices/${correction.body.id}/send`, INVOICE_MAIL, {
      version: correction.body.version,
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    expect(await paperOf(sent.body)).not.toContain('ISO 14083')
  })
})

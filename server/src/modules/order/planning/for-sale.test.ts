import { parse } from 'csv-parse/sync'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-30T09:00:00Z' })
const LIST = 'planning/for-sale/export?format=csv'

let world: OrderWorld
let customerId: number
beforeAll(async () => {
  world = await orderWorld(test)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
})

const make = async (more: Partial<OrderInput> = {}): Promise<Order> => {
  const { body, status } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      disposition: 'FOR_SALE',
      customerPriceCents: 118_000,
      ...more,
    }),
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const listed = async (caller: Caller = test.admin, query = LIST) => {
  const { raw, status } = await caller.get(query, { headers: { 'accept-language': 'en' } })
  expect(status).toBe(200)
  return parse(raw, { bom: true, delimiter: ',', columns: true }) as Record<string, string>[]
}
const references = async (...given: Parameters<typeof listed>) => (await listed(...given)).map((row) => row.Reference)

describe('the list of what is for sale', () => {
  it('is refused without order rights, and in a format that is none', async () => {
    const { caller } = await test.userWith('SETTINGS_ACCESS')
    expect((await test.anonymous.get(LIST)).status).toBe(401)
    expect((await caller.get(LIST)).status).toBe(403)
    expect((await test.admin.get('planning/for-sale/export?format=pdf')).status).toBe(422)
    expect((await test.admin.get('planning/for-sale/export')).status).toBe(422)
  })

  it('holds places, times in the stop’s own zone, load and vehicle, and nothing of the customer', async () => {
    const { cargo, locations } = shipment(world)
    const adr = { unNumber: '1263', adrClass: '3' }
    const order = await make({
      cargo: [{ ...cargo![0]!, adr, temperatureFrom: 2, temperatureTo: 8 }],
      locations: [
        { ...locations![0]!, postal: '22113', companyTitle: 'Secret Shipper', address: 'Secret Street 1' },
        { ...locations![1]!, postal: '60-189' },
      ],
      vehicleTypeId: await test.idOf('vehicle_type', 'title', 'Reefer'),
      isLiftRequired: true,
      customerOrderNumber: 'PO-SECRET',
    })
    const [row, other] = (await listed()).filter(({ Reference }) => Reference === order.number)
    expect(other).toBeUndefined()
    expect(row).toMatchObject({
      'From country': 'DE',
      'From postal code': '22113',
      'From city': 'Hamburg',
      'To country': 'PL',
      'To postal code': '60-189',
      'To city': 'Poznań',
      Stops: '2',
      Ldm: '1.6',
      'Weight kg': '1200',
      Vehicle: 'Reefer',
      'Tail lift': 'yes',
      ADR: 'yes',
      'Temperature from °C': '2',
      'Temperature to °C': '8',
    })
    expect(row!['Load from']).toContain('08:00')
    expect(row!['Unload until']).toContain('07:00')
    const { raw, headers } = await test.admin.get(LIST)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="for-sale-\d{4}-\d\d-\d\d\.csv"$/)
    for (const secret of ['Nordlicht', 'Secret', '1180', '118000']) expect(raw.toString()).not.toContain(secret)
  })

  it('holds routes that nobody drives, and neither given nor canceled nor others’ orders', async () => {
    const before = new Set(await references())
    const asRoute = await make({ routes: [{}] })
    const given = await make({ routes: [carried(world)] })
    const plain = await make({ disposition: null })
    const canceled = await make()
    const to = { to: 'canceled', reason: 'no longer wanted' }
    expect((await test.admin.post(`orders/${canceled.id}/status`, to, { version: canceled.version })).status).toBe(200)
    const found = (await references()).filter((one) => !before.has(one!))
    expect(found).toEqual([`${asRoute.number}/1`])
    expect([given, plain, canceled].map(({ number }) => number)).not.toContain(found[0])
    const few = (await test.userWith('ASSIGNED_ORDERS')).caller
    expect(await references(few)).toEqual([])
    expect(await references(test.admin, `${LIST}&departmentId[]=${world.departmentId}`)).toContain(found[0])
    expect(await references(test.admin, `${LIST}&departmentId[]=999999`)).toEqual([])
  })
})

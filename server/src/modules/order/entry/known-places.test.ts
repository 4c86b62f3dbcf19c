import { beforeAll, describe, expect, it } from 'vitest'
import type { OrderInput } from '@waybill/contract/order/order'
import { useTestApp } from '../../../../test/app.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let customer: number

const going = (
  places: { companyTitle: string; address?: string; contactPerson?: string }[],
  more: Partial<OrderInput> = {},
) =>
  plainOrder(world, customer, {
    ...more,
    cargo: [],
    locations: places.map((place, index) => ({
      kind: index === 0 ? 'loading' : 'unloading',
      countryId: world.countries.DE,
      city: 'Ulm',
      ...place,
    })),
  })
const add = async (body: object) => expect((await test.admin.post('orders', body)).status).toBe(201)
const titles = async (caller = test.admin) =>
  (await caller.get(`orders/places?customerId=${customer}`)).body.items.map(
    ({ companyTitle }: { companyTitle: string }) => companyTitle,
  )

beforeAll(async () => {
  world = await orderWorld(test)
  customer = await world.customer('Kartonwerk Süd GmbH', 'DE')
})

describe('the places of a customer’s orders', () => {
  it('are told nobody without an order right, and none without a customer', async () => {
    const { caller } = await test.userWith('CUSTOMER_MANAGEMENT')
    expect((await caller.get(`orders/places?customerId=${customer}`)).status).toBe(403)
    expect((await test.admin.get('orders/places')).status).toBe(422)
    expect((await test.admin.get('orders/places?customerId=999999')).body).toEqual({ items: [] })
  })

  it('stand each once as it was written last, the latest first, and another customer’s do not', async () => {
    await add(
      going([{ companyTitle: 'Kartonwerk Süd GmbH' }, { companyTitle: 'Studio Verdi', address: 'Corso Como 9' }]),
    )
    await add(going([{ companyTitle: 'Kartonwerk Süd GmbH' }, { companyTitle: 'Cartiera Olona' }]))
    await add(
      going([
        { companyTitle: 'Lager Ost' },
        { companyTitle: 'studio verdi', address: 'Corso Como 9', contactPerson: 'Sig.ra Conti' },
      ]),
    )
    await add({
      ...going([{ companyTitle: 'Fremd' }, { companyTitle: 'Fremd 2' }]),
      customerIds: [await world.customer('Anderer', 'DE')],
    })
    expect(await titles()).toEqual(['studio verdi', 'Lager Ost', 'Cartiera Olona', 'Kartonwerk Süd GmbH'])
    const { body } = await test.admin.get(`orders/places?customerId=${customer}`)
    expect(body.items[0]).toEqual({
      companyTitle: 'studio verdi',
      address: 'Corso Como 9',
      countryId: world.countries.DE,
      postal: null,
      city: 'Ulm',
      latitude: null,
      longitude: null,
      contactPerson: 'Sig.ra Conti',
      phone: null,
      comment: null,
    })
  })

  it('of orders that one does not manage do not exist', async () => {
    const { caller, id } = await test.userWith('ASSIGNED_ORDERS')
    expect(await titles(caller)).toEqual([])
    await add(going([{ companyTitle: 'Meins' }, { companyTitle: 'Auch meins' }], { managerIds: [id] }))
    expect(await titles(caller)).toEqual(['Auch meins', 'Meins'])
  })
})

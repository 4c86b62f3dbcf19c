import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import { useTestApp, type Answer } from '../../test/app.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../test/order-examples.ts'

const test = useTestApp()
let world: OrderWorld
let order: Order

// More than there are connections.
const MANY = 12

beforeAll(async () => {
  world = await orderWorld(test)
  const customerId = await world.customer('Langsam GmbH', 'DE')
  const made = await test.admin.post('orders', {
    ...plainOrder(world, customerId, shipment(world)),
    routes: [carried(world)],
  })
  order = made.body
})

/** Something that all callers wait for until it is let go; `begun` counts those who wait. */
function held() {
  const state = { begun: 0, letGo: () => undefined as void }
  const gone = new Promise<void>((resolve) => (state.letGo = resolve))
  return Object.assign(state, {
    wait: async () => {
      state.begun += 1
      await gone
    },
  })
}

let served = 0

/** Many calls that wait in the middle; meanwhile everything else answers. */
async function expectOthersServed(hold: ReturnType<typeof held>, call: () => Promise<Answer>): Promise<Answer[]> {
  const calls = Array.from({ length: MANY }, call)
  await expect.poll(() => hold.begun, { timeout: 30_000 }).toBe(MANY)
  expect((await test.admin.get('profile')).status).toBe(200)
  expect((await test.anonymous.get('health/ready')).status).toBe(200)
  expect((await test.admin.post('unit-types', { title: `Meanwhile ${(served += 1)}` })).status).toBe(201)
  hold.letGo()
  return Promise.all(calls)
}

describe('work that takes long holds no connection', () => {
  const restore: (() => void)[] = []
  afterEach(() => {
    for (const one of restore.splice(0)) one()
  })

  it('asking a register that does not answer', async () => {
    const { body: customer } = await test.admin.post('customers', {
      title: 'Registrata S.p.A.',
      countryId: await test.idOf('country', 'code', 'IT'),
      vatNumber: 'IT 01114601006',
    })
    const hold = held()
    test.ports.vies = {
      ask: async () => {
        await hold.wait()
        return { isValid: true, name: 'REGISTRATA S.P.A.', address: null }
      },
    }
    restore.push(() => (test.ports.vies = null))
    const ask = () => test.admin.post(`customers/${customer.id}/vat-check`, undefined, { version: customer.version })
    const answers = await expectOthersServed(hold, ask)
    // One answer was kept; the others had asked about a customer who has one by now.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(MANY - 1).fill(409)])
  })

  it('drawing papers, and putting them into a store that is far away', async () => {
    const { pdf, files } = test.ports
    const hold = held()
    test.ports.pdf = {
      ...pdf,
      renderPdf: async (request) => {
        await hold.wait()
        return pdf.renderPdf(request)
      },
    }
    restore.push(() => (test.ports.pdf = pdf))
    const draw = () =>
      test.admin.post(`orders/${order.id}/documents`, { documentType: 'CMR_NOTE' }, { version: order.version })
    const drawn = await expectOthersServed(hold, draw)
    expect(new Set(drawn.map(({ status }) => status))).toEqual(new Set([201]))

    const far = held()
    test.ports.pdf = pdf
    test.ports.files = {
      ...files,
      keep: async (staged) => {
        await far.wait()
        return files.keep(staged)
      },
    }
    restore.push(() => (test.ports.files = files))
    const kept = await expectOthersServed(far, draw)
    expect(new Set(kept.map(({ status }) => status))).toEqual(new Set([201]))
  }, 90_000)

  it('leaves no file behind when the order has moved on meanwhile', async () => {
    const { pdf } = test.ports
    const hold = held()
    test.ports.pdf = {
      ...pdf,
      renderPdf: async (request) => {
        await hold.wait()
        return pdf.renderPdf(request)
      },
    }
    restore.push(() => (test.ports.pdf = pdf))
    const before = await test.ports.fileStore.kept()
    const drawing = test.admin.post(
      `orders/${order.id}/documents`,
      { documentType: 'CMR_NOTE' },
      { version: order.version },
    )
    await expect.poll(() => hold.begun).toBe(1)
    const { body: changed } = await test.admin.patch(
      `orders/${order.id}`,
      { description: 'another' },
      { version: order.version },
    )
    order = changed
    hold.letGo()
    expect((await drawing).body.code).toBe('stale_version')
    expect(await test.ports.fileStore.kept()).toEqual(before)
  })
})

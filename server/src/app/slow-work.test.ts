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
function expectAllServed(hold: ReturnType<typeof held>, call: () => Promise<Answer>): Promise<Answer[]> {
  const calls = Promise.all(Array.from({ length: MANY }, call))
  return expectOthersServed(hold).then(() => calls)
}

async function expectOthersServed(hold: ReturnType<typeof held>): Promise<void> {
  await expect.poll(() => hold.begun, { timeout: 30_000 }).toBe(MANY)
  expect((await test.admin.get('profile')).status).toBe(200)
  expect((await test.anonymous.get('health/ready')).status).toBe(200)
  expect((await test.admin.post('unit-types', { title: `Meanwhile ${(served += 1)}` })).status).toBe(201)
  hold.letGo()
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
    const answers = await expectAllServed(hold, ask)
    // One answer was kept; the others had asked about a customer who has one by now.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(MANY - 1).fill(409)])
  })

  it('drawing papers, and putting them into a store that is far away', { tags: 'long', timeout: 90_000 }, async () => {
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
    const drawn = await expectAllServed(hold, draw)
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
    const kept = await expectAllServed(far, draw)
    expect(new Set(kept.map(({ status }) => status))).toEqual(new Set([201]))
  })

  it('sending invoices: proving that they can be drawn, drawing them, and keeping them', {
    tags: 'long',
    timeout: 90_000,
  }, async () => {
    const { invoicePdf, files } = test.ports
    const drafts: { id: number; version: number }[] = []
    for (let count = 0; count < MANY; count += 1) {
      const { body } = await test.admin.post('orders', {
        ...plainOrder(world, order.customerIds[0]!, { ...shipment(world), customerPriceCents: 50_000 }),
      })
      drafts.push((await test.admin.post('invoices', { entityType: 'customer', orderIds: [body.id] })).body)
    }
    const [proving, drawing, keeping] = [held(), held(), held()]
    const proved = new Set<string>()
    test.ports.invoicePdf = async (data, ...more) => {
      await (proved.has(data.innerNumber) ? drawing : proving).wait()
      proved.add(data.innerNumber)
      return invoicePdf(data, ...more)
    }
    test.ports.files = {
      ...files,
      keep: async (staged) => {
        await keeping.wait()
        return files.keep(staged)
      },
    }
    restore.push(() => Object.assign(test.ports, { invoicePdf, files }))
    const mail = { to: ['a@b.example'] }
    const sending = Promise.all(
      drafts.map(({ id, version }) => test.admin.post(`invoices/${id}/send`, mail, { version })),
    )
    for (const hold of [proving, drawing, keeping]) await expectOthersServed(hold)
    expect((await sending).map(({ body }) => body.paper)).toEqual(drafts.map(() => 'made'))
  })

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

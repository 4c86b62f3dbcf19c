// Whatever an order holds, a tracking link shows no price, no carrier, no note of ours, and nothing of other customers.
import { beforeAll, expect, test } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { createRandom, type Random } from '../../../seeds/demo/random.ts'
import { useTestApp } from '../../../test/app.ts'
import { giveCarrierPapers } from '../../../test/carrier-papers.ts'
import { modelRuns } from '../../../test/model-runs.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../test/order-examples.ts'
import { FILES, upload } from '../../../test/upload.ts'

const app = useTestApp({ beginsOn: '2026-11-28T09:00:00Z' })
let world: OrderWorld
let carrierId: number

const KINDS = ['alone', 'shared', 'merged', 'mergedResult'] as const
/** How far the order has moved. */
const STEPS = [[], ['scheduled'], ['scheduled', 'in_transit'], ['scheduled', 'in_transit', 'delivered']] as const
/** Whole turns through each kind in each state. */
const ROUNDS = KINDS.length * STEPS.length * modelRuns(1, 25)
/** In every text that is not this customer's to see; where it came from stands behind it. */
const SECRET = 'Xq9zW4'
/** In every amount. */
const CENTS = '7351'

beforeAll(async () => {
  world = await orderWorld(app)
  const carrier = await app.admin.post('carrier-companies', {
    title: `${SECRET}carrier Spedycja`,
    countryId: world.countries.PL,
    city: `${SECRET}carrierTown`,
    drivers: [{ fullName: `${SECRET}driver`, phone: '+48 600 100 200', plateNumber: 'PO 4T112' }],
  })
  if (carrier.status !== 201) throw new Error(JSON.stringify(carrier.body))
  carrierId = carrier.body.id
  await giveCarrierPapers(app.admin, carrierId)
})

let calls = 0
const from = () => ({ ip: `2001:db8:6:${((calls += 1)).toString(16)}::1` })

const cents = (random: Random) => Number(`${random.int(1, 9)}${CENTS}${random.int(0, 9)}`)
const maybe = <Value>(random: Random, value: Value): Value | null => (random.chance(0.7) ? value : null)

/** Who looks at the link. */
let mine: number
const markOf = (customerId: number) => (customerId === mine ? 'Own' : `${SECRET}other`)

/** An order of a customer, full of what is not to be told; its towns carry the mark of whose goods stop there. */
function generated(random: Random, customerIds: readonly number[]): OrderInput {
  const lines = Array.from({ length: random.int(1, 3) }, (_line, index) => ({ key: `c${index}`, owner: index }))
  const stop = (kind: 'loading' | 'unloading', index: number, day: number) => ({
    key: `${kind}${index}`,
    kind,
    countryId: world.countries[random.pick(['DE', 'PL', 'NL'] as const)],
    city: `${markOf(customerIds[index % customerIds.length]!)} ${kind} ${index}`,
    companyTitle: maybe(random, `${SECRET}company`),
    address: maybe(random, `${SECRET}street 4`),
    contactPerson: maybe(random, `${SECRET}person`),
    phone: maybe(random, '+49 40 73517351'),
    reference: maybe(random, `${SECRET}stopReference`),
    comment: maybe(random, `${SECRET}comment`),
    specialInstructions: maybe(random, `${SECRET}instructions`),
    customerPriceCents: maybe(random, cents(random)),
    carrierPriceCents: maybe(random, cents(random)),
    latitude: random.int(4700, 5400) / 100,
    longitude: random.int(600, 1900) / 100,
    termin: { kind: 'before' as const, dateFrom: `2026-12-${String(day).padStart(2, '0')}`, timeFrom: '16:00' },
    delayReason: maybe(random, `${markOf(customerIds[index % customerIds.length]!)} delay ${index}`),
    plannedAt: maybe(random, `2026-12-${String(day).padStart(2, '0')}T${random.int(10, 20)}:30:00Z`),
    cargoActions: [
      { cargoKey: `c${index}`, action: kind === 'loading' ? ('PICK_UP' as const) : ('DROP_OFF' as const) },
    ],
  })
  return plainOrder(world, customerIds[0]!, {
    customerIds: [...customerIds],
    customerOrderNumber: `${markOf(customerIds[0]!)}-${random.int(100, 999)}`,
    customerPriceCents: cents(random),
    description: `${SECRET}description`,
    internalComments: `${SECRET}internal`,
    invoiceText: `${SECRET}invoiceText`,
    originalMessage: `${SECRET}mail`,
    cargo: lines.map(({ key, owner }) => ({
      key,
      customerId: customerIds[owner % customerIds.length]!,
      title: `${SECRET}goods`,
      marks: `${SECRET}marks`,
      instructions: `${SECRET}cargoInstructions`,
      quantity: random.int(1, 30),
      valueCents: cents(random),
    })),
    locations: [
      ...lines.map((_line, index) => stop('loading', index, 2 + index)),
      ...lines.map((_line, index) => stop('unloading', index, 6 + index)),
    ],
  })
}

const ROUTE = () => ({
  customerPriceCents: null,
  assignment: {
    carrierCompanyId: carrierId,
    driverText: `${SECRET}driverText`,
    plateNumber: `${SECRET}plate`,
    disponentName: `${SECRET}disponent`,
    disponentEmail: `${SECRET.toLowerCase()}@carrier.example`,
    costCents: 1_173_511,
    signedBy: `${SECRET}signed`,
    extraData: `${SECRET}extra`,
  },
})

async function created(input: OrderInput): Promise<Order> {
  const { status, body } = await app.admin.post('orders', input)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const read = async (id: number): Promise<Order> => (await app.admin.get(`orders/${id}`)).body

/** One truck: an order of one or two customers, or two merged ones; whose link is looked at, and by which marks. */
async function scene(random: Random, kind: (typeof KINDS)[number], theirs: number) {
  if (kind === 'alone' || kind === 'shared') {
    const customers = kind === 'alone' ? [mine] : random.chance(0.5) ? [mine, theirs] : [theirs, mine]
    const order = await created({ ...generated(random, customers), routes: [ROUTE()] })
    return { of: order.id, driven: order.id }
  }
  const first = await created({ ...generated(random, [mine]), routes: [] })
  const second = await created({ ...generated(random, [theirs]), routes: [] })
  const { status, body } = await app.admin.post('orders/merge', {
    orderIds: random.chance(0.5) ? [first.id, second.id] : [second.id, first.id],
    carrierCompanyId: carrierId,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return { of: kind === 'merged' ? first.id : (body.id as number), driven: body.id as number }
}

/** Moves the order on, with notes, extras and files that are nobody's business. */
async function lived(random: Random, id: number, steps: readonly string[]): Promise<void> {
  const post = async (path: string, body: object, version?: number) => {
    const { status, body: said } = await app.admin.post(path, body, version === undefined ? {} : { version })
    expect(status, `${path} ${JSON.stringify(said)}`).toBeLessThan(300)
  }
  await post(`orders/${id}/notes`, { text: `${SECRET}note` })
  const order = await read(id)
  const sourceOrderId = order.sources[0]?.id ?? null
  const sums = { priceCents: 273_515, costCents: 173_510 }
  await post(`orders/${id}/extras`, { kind: 'tolls', unit: 'flat', quantity: 1, sourceOrderId, ...sums })
  for (const to of steps) {
    const now = app.clock.now().toISOString()
    await post(`orders/${id}/status`, { to, at: now, reason: `${SECRET}reason` }, (await read(id)).version)
  }
  const drops = order.locations.filter((stop) => stop.kind === 'unloading').map((stop) => stop.id)
  for (const documentType of ['PROOF_OF_DELIVERY', 'CMR_NOTE', 'OTHER_DOCUMENTS'] as const)
    await upload(app.admin, {
      fields: {
        orderId: id,
        documentType,
        ...(documentType === 'PROOF_OF_DELIVERY' && { locationIds: random.pick(drops) }),
      },
      file: {
        name: `${SECRET}${documentType}.pdf`,
        bytes: FILES.text(`%PDF-1.7\n% ${documentType} ${id}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`),
      },
    })
}

test('no price, carrier, note or goods of others are in the bytes, whatever the order is', {
  timeout: 300_000,
}, async () => {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  process.stdout.write(`seed of the orders: ${seed}\n`)
  const random = createRandom(seed)
  const seen = new Set<string>()
  for (let round = 0; round < ROUNDS; round += 1) {
    // A session does not live through all of this.
    if (round % 20 === 0)
      app.admin = app.withToken((await app.signIn('admin@waybill.example', 'Correct-Horse-7')).body.token)
    mine = await world.customer(`Own ${round}`, 'DE')
    const theirs = await world.customer(`${SECRET}customer ${round}`, 'PL')
    const kind = KINDS[round % KINDS.length]!
    const { of, driven } = await scene(random, kind, theirs)
    await lived(random, driven, STEPS[Math.floor(round / KINDS.length) % STEPS.length]!)
    const { version } = await read(of)
    const made = await app.admin.post(`orders/${of}/tracking-links`, { customerId: mine, linkId: null }, { version })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const { link } = made.body.items.find(({ customer }: { customer: { id: number } }) => customer.id === mine)
    const answer = await app.anonymous.get(`track/${link.url.split('/').at(-1)}`, from())
    expect(answer.status).toBe(200)
    const { 'x-request-id': _request, ...headers } = answer.headers
    const bytes = `${answer.raw.toString('utf8')} ${JSON.stringify(headers)}`
    expect(bytes, `${kind}, seed ${seed}`).not.toMatch(/Xq9zW4/i)
    expect(bytes, `${kind}, seed ${seed}`).not.toContain(CENTS)
    expect(answer.body.stops.length, `${kind}, seed ${seed}`).toBeGreaterThanOrEqual(kind === 'shared' ? 0 : 2)
    // Nor is a stop of others on the map.
    const map = await app.anonymous.get(`track/${link.url.split('/').at(-1)}/map`, from())
    expect(map.status, `${kind}, seed ${seed}`).toBe(answer.body.hasMap ? 200 : 404)
    const drawn = map.raw.toString('utf8').match(/<text /g)?.length ?? 0
    expect(drawn, `${kind}, seed ${seed}`).toBe(answer.body.hasMap ? answer.body.stops.length : 0)
    expect(`${map.raw.toString('utf8')} ${JSON.stringify(map.headers)}`).not.toMatch(/Xq9zW4/i)
    seen.add(`${kind} ${answer.body.state}`)
  }
  // Planned, on its way and delivered, each for each kind.
  expect(seen.size).toBe(KINDS.length * 3)
})

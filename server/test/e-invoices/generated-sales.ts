// Generated invoices beyond those that somebody types: of a company in Poland, of orders with extras, of a month.
import { randomFrom } from '../long/writers.ts'
import type { TestApp } from '../app.ts'
import { enterRate, ksefNumber, newCustomer, polishCompany } from '../ksef/polish-company.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../order-examples.ts'
import {
  correctionFrom,
  ELECTRONIC,
  linesFrom,
  readyCompany,
  readyCustomer,
  sendDraft,
  TITLES,
  type Generated,
  type Kind,
} from './generated-invoices.ts'

// VAT of a company in Poland is in euros, and in złoty by the rate of a day.
const POLISH_KINDS: readonly Kind[] = [
  ['Poland, 23 % with VAT in złoty', [['S', 2300]]],
  ['Poland, 8 % with VAT in złoty', [['S', 800]]],
  [
    'Poland, 23 % and 8 %',
    [
      ['S', 2300],
      ['S', 800],
    ],
  ],
  ['Poland, reverse charge', [['AE', 0]]],
  ['Poland, outside scope', [['O', 0]]],
  ['Poland, zero rate of cross-border carriage', [['Z', 0]]],
  ['Poland, exempt', [['E', 0]]],
]

/** Sends `count` invoices and corrections of a company in Poland, with the numbers that KSeF gives them. */
export async function sendPolish(test: TestApp, seed: number, count: number): Promise<Generated[]> {
  const company = await polishCompany(test)
  await enterRate(test)
  const customers = await Promise.all([
    newCustomer(test, 'PL', { title: TITLES[0], vatNumber: 'PL5260250274', language: 'de' }),
    newCustomer(test, 'DE', { title: TITLES[1], vatNumber: 'DE298712340', language: 'de' }),
  ])
  const sent: Generated[] = []
  const send = async ({ id, version }: { id: number; version: number }, at: number, kinds: string[]) => {
    const { findings } = (await test.admin.get(`invoices/${id}/e-invoice`)).body
    if (findings.length > 0) throw new Error(`seed ${at}: ${JSON.stringify(findings)}`)
    const given = await test.admin.post(`invoices/${id}/status`, { to: 'sent' }, { version })
    if (given.status !== 200) throw new Error(`seed ${at}: ${JSON.stringify(given.body)}`)
    const number = ksefNumber()
    const { body, status } = await test.admin.post(
      `invoices/${id}/ksef/number`,
      { number },
      { version: given.body.version },
    )
    if (status !== 200 || body.paper !== 'made') throw new Error(`seed ${at}: ${JSON.stringify(body)}`)
    sent.push({ seed: at, format: 'ksef', id, kinds })
    return body
  }
  for (let index = 0; sent.length < count; index += 1) {
    const at = seed + index
    const random = randomFrom(at)
    const kind = POLISH_KINDS[index % POLISH_KINDS.length]!
    const { lines, traits } = linesFrom(random, kind)
    const { body, status } = await test.admin.post('invoices', {
      entityType: 'customer',
      companyId: company.id,
      billingCustomerId: customers[random(2)],
      lines,
      // FA(3) names the provision that exempts.
      notes: 'art. 43 ust. 1 pkt 1 <ustawy> & "VAT"',
    })
    if (status !== 201) throw new Error(`seed ${at}: ${JSON.stringify(body)}`)
    const original = await send(body, at, [kind[0], ...traits])
    if (index % 3 !== 0 || sent.length >= count) continue
    const { trait, id, version } = await correctionFrom(test, random, original)
    const { status: noted, body: draft } = await test.admin.patch(
      `invoices/${id}`,
      { notes: 'art. 43 ust. 1 pkt 1' },
      { version },
    )
    if (noted !== 200) throw new Error(`seed ${at}: ${JSON.stringify(draft)}`)
    await send(draft, at, [kind[0], trait])
  }
  return sent
}

async function newOrder(test: TestApp, world: OrderWorld, customerId: number, customerPriceCents: number) {
  const { body, status } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
    }),
  )
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body as { id: number }
}

const EXTRAS = [
  { kind: 'waiting_time', quantity: 2.25, unit: 'hour', priceCents: 4333 },
  { kind: 'tolls', text: 'Maut "A7" <Süd> & Brenner', priceCents: 1 },
]

async function addExtras(test: TestApp, orderId: number): Promise<void> {
  for (const extra of EXTRAS) {
    const { body } = await test.admin.post(`orders/${orderId}/extras`, extra)
    const { status, body: said } = await test.admin.post(
      `orders/${orderId}/extras/${body.id}/state`,
      { to: 'approved' },
      { version: body.version },
    )
    if (status !== 200) throw new Error(JSON.stringify(said))
  }
}

/** How many orders a combined invoice bills. */
const COMBINED = 60

/** In each format one invoice over many orders and `single` of one order, all with extras as lines. */
export async function sendOfOrders(test: TestApp, seed: number, single: number): Promise<Generated[]> {
  await readyCompany(test)
  const world = await orderWorld(test)
  const sent: Generated[] = []
  for (const [place, format] of ELECTRONIC.entries()) {
    const customerId = await readyCustomer(test, format, { title: `Sammelkunde ${format}` })
    for (let index = 0; index <= single; index += 1) {
      const at = seed + place * (single + 1) + index
      const random = randomFrom(at)
      const isCombined = index === single
      const orders: { id: number }[] = []
      for (let count = isCombined ? COMBINED : 1; count > 0; count -= 1)
        orders.push(await newOrder(test, world, customerId, 1 + random(300_000)))
      await addExtras(test, orders[0]!.id)
      const { body, status } = await test.admin.post('invoices', {
        entityType: 'customer',
        orderIds: orders.map(({ id }) => id),
      })
      if (status !== 201) throw new Error(`seed ${at}: ${JSON.stringify(body)}`)
      if (body.lines.length !== orders.length + EXTRAS.length) throw new Error(`seed ${at}: ${body.lines.length} lines`)
      await sendDraft(test, body, at)
      const kinds = isCombined ? [`${COMBINED} orders`, 'extras'] : ['one order', 'extras']
      sent.push({ seed: at, format, id: body.id, kinds })
    }
  }
  return sent
}

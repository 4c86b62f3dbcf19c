// Which proofs of delivery of a truck with the goods of several go with whose invoice (decision 145).
import { PDFDocument } from '@cantoo/pdf-lib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { orderWorld, plainOrder, type OrderWorld } from '../../../../test/order-examples.ts'
import { textOf } from '../../../../test/papers/pdf-text.ts'
import { FILES, upload } from '../../../../test/upload.ts'
import { drawPodsJob } from './draw-pods.ts'

const app = useTestApp()
let world: OrderWorld
let clerk: Caller
let hansa: number
let weser: number

beforeAll(async () => {
  world = await orderWorld(app)
  const address = { address: 'Kai 1', postal: '20457', city: 'Hamburg', podsInPdf: true }
  hansa = await world.customer('Hansa Bau GmbH', 'DE', address)
  weser = await world.customer('Weser Stahl GmbH', 'DE', address)
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
})

type Stop = NonNullable<OrderInput['locations']>[number]

const stopAt = (city: string, kind: 'loading' | 'unloading', dateFrom: string, cargoKeys: string[]): Stop => ({
  kind,
  termin: { kind: 'fix', dateFrom },
  countryId: world.countries.DE,
  city,
  cargoActions: cargoKeys.map((cargoKey) => ({ cargoKey, action: kind === 'loading' ? 'PICK_UP' : 'DROP_OFF' })),
})

/** Goods from one town to another of their own. */
const part = (mark: string): Partial<OrderInput> => ({
  customerPriceCents: 50_000,
  cargo: [{ key: 'c', title: `Goods of ${mark}`, quantity: 4, weightKg: 800 }],
  locations: [stopAt(`Load ${mark}`, 'loading', '2026-11-30', ['c']), stopAt(mark, 'unloading', '2026-12-01', ['c'])],
})

async function newOrder(customerId: number, body: Partial<OrderInput>): Promise<Order> {
  const made = await app.admin.post<Order>('orders', plainOrder(world, customerId, body))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

async function merged(...sources: Order[]): Promise<Order> {
  const made = await app.admin.post<Order>('orders/merge', {
    orderIds: sources.map(({ id }) => id),
    carrierCompanyId: world.carrier.id,
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

/** One order of each customer on one truck. */
async function truck() {
  const [ofHansa, ofWeser] = [await newOrder(hansa, part('Bremen')), await newOrder(weser, part('Kassel'))]
  return { ofHansa, ofWeser, result: await merged(ofHansa, ofWeser) }
}

const idAt = ({ locations }: Order, city: string): number => locations.find((stop) => stop.city === city)!.id

async function pod(order: Order, cities: string[], file = { name: `${cities.join('-')}.png`, bytes: FILES.png() }) {
  const locationIds = cities.map((city) => idAt(order, city)).join(',')
  const { status, body } = await upload(app.admin, {
    fields: { orderId: order.id, documentType: 'PROOF_OF_DELIVERY', locationIds },
    file,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id as number
}

/** The truck does not go to Kassel after all; what is dropped in Bremen may be told. */
async function withoutKassel(
  { id, version, locations, routes }: Order,
  dropped?: { cargoId: number; action: 'DROP_OFF' }[],
): Promise<Order> {
  const left = locations.filter(({ city }) => city !== 'Kassel')
  const saved = await app.admin.patch<Order>(
    `orders/${id}`,
    {
      locations: left.map(({ country: _c, countryCode: _k, position: _p, routeId: _r, ...stop }) => ({
        ...stop,
        ...(stop.city === 'Bremen' && dropped && { cargoActions: dropped }),
      })),
      routes: [{ ...routes[0], locationIds: left.map((stop) => stop.id) }],
    },
    { version },
  )
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  return saved.body
}

interface Draft {
  id: number
  version: number
}

async function invoiceOf(...orders: Order[]): Promise<Draft> {
  const { status, body } = await clerk.post('invoices', {
    entityType: 'customer',
    orderIds: orders.map(({ id }) => id),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const send = ({ id, version }: Draft, documentIds: number[] = []): Promise<Answer> =>
  clerk.post(`invoices/${id}/send`, { ...INVOICE_MAIL, documentIds }, { version })
/** Of which orders proofs stand behind the pages of an invoice that is sent. */
async function shownBehind(draft: Draft): Promise<string[]> {
  const { status, body } = await send(draft)
  expect([status, body.paper], JSON.stringify(body)).toEqual([200, 'made'])
  const text = textOf((await clerk.get(`invoices/${draft.id}/document`)).raw)
  return [...text.matchAll(/Ablieferbeleg, Auftrag (\S+)/g)].map(([, number]) => number!)
}
/** The files that the mail of an invoice offers. */
const offered = async ({ id }: Draft): Promise<string[]> =>
  (await clerk.post('emails/preview', { type: 'invoice', invoiceId: id })).body.page.documents
    .map(({ title }: { title: string }) => title)
    .toSorted()

describe('a proof of delivery of a merged truck', () => {
  test('that shows the goods of another customer goes with no invoice, not even by hand', async () => {
    const { ofHansa, ofWeser, result } = await truck()
    const both = await pod(result, ['Bremen', 'Kassel'])
    const others = await pod(result, ['Kassel'])
    const draft = await invoiceOf(ofHansa)
    expect(await offered(draft)).toEqual([])
    for (const id of [both, others]) {
      const refused = await send(draft, [id])
      expect([refused.status, refused.body.errors]).toEqual([
        422,
        [expect.objectContaining({ path: 'documentIds.0', code: 'unknown_reference' })],
      ])
    }
    expect(await shownBehind(draft)).toEqual([])
    expect(await shownBehind(await invoiceOf(ofWeser))).toEqual([ofWeser.number])
  })

  test('that two customers share a drop-off of goes with neither invoice', { tags: 'long' }, async () => {
    const [ofHansa, ofWeser] = [await newOrder(hansa, part('Bremen')), await newOrder(weser, part('Kassel'))]
    const result = await merged(ofHansa, ofWeser)
    const cargoActions = result.cargo.map(({ id }) => ({ cargoId: id, action: 'DROP_OFF' as const }))
    await pod(await withoutKassel(result, cargoActions), ['Bremen'])
    for (const order of [ofHansa, ofWeser]) {
      const draft = await invoiceOf(order)
      expect([await offered(draft), await shownBehind(draft)]).toEqual([[], []])
    }
  })

  test('goes with the invoice of the customer whose deliveries alone it proves, under its order’s number', {
    tags: 'long',
  }, async () => {
    const { ofHansa, ofWeser, result } = await truck()
    const id = await pod(result, ['Bremen'])
    const [own, other] = [await invoiceOf(ofHansa), await invoiceOf(ofWeser)]
    expect([await offered(own), await offered(other)]).toEqual([['Bremen.png'], []])
    expect(await shownBehind(own)).toEqual([ofHansa.number])
    expect(await shownBehind(other)).toEqual([])
    // A further mail may carry it, the other customer's may not.
    const again = (invoice: Draft) =>
      clerk.post('emails', { type: 'invoice', invoiceId: invoice.id, ...INVOICE_MAIL, documentIds: [id] })
    expect((await again(own)).status).toBe(201)
    expect((await again(other)).body.errors).toMatchObject([{ path: 'documentIds.0', code: 'unknown_reference' }])
  })

  test('that names a stop which is gone since goes with no invoice', async () => {
    const { ofHansa, result } = await truck()
    await pod(result, ['Bremen', 'Kassel'])
    await withoutKassel(result)
    expect(await shownBehind(await invoiceOf(ofHansa))).toEqual([])
  })

  test('that was refused goes with no invoice', async () => {
    const { ofHansa, result } = await truck()
    const id = await pod(result, ['Bremen'])
    expect((await clerk.post(`documents/${id}/refuse`, { reason: 'Illegible' }, { version: 1 })).status).toBe(200)
    const draft = await invoiceOf(ofHansa)
    expect([await offered(draft), await shownBehind(draft)]).toEqual([[], []])
  })

  test('that proves two orders of one customer goes once with the invoice of both', async () => {
    const [first, second] = [await newOrder(hansa, part('Bremen')), await newOrder(hansa, part('Kassel'))]
    const alien = await newOrder(weser, part('Fulda'))
    const result = await merged(first, second, alien)
    await pod(result, ['Bremen', 'Kassel'])
    await pod(result, ['Kassel', 'Fulda'])
    const draft = await invoiceOf(first, second)
    expect(await offered(draft)).toEqual(['Bremen-Kassel.png'])
    expect(await shownBehind(draft)).toEqual([first.number])
  })

  test('that proves one of two orders of a customer alone goes with the invoice of that one', async () => {
    const [first, second] = [await newOrder(hansa, part('Bremen')), await newOrder(hansa, part('Kassel'))]
    await pod(await merged(first, second), ['Kassel'])
    expect([await offered(await invoiceOf(first)), await offered(await invoiceOf(second))]).toEqual([
      [],
      ['Kassel.png'],
    ])
  })

  test('that proves orders which different ones pay goes with no invoice', { tags: 'long' }, async () => {
    const payer = { customerPriceCents: 50_000, billingCustomerId: weser }
    const [own, paid] = [await newOrder(hansa, part('Bremen')), await newOrder(hansa, { ...part('Kassel'), ...payer })]
    await pod(await merged(own, paid), ['Bremen', 'Kassel'])
    for (const order of [own, paid]) expect(await shownBehind(await invoiceOf(order))).toEqual([])
  })

  test('that is a PDF is drawn as soon as it is there, and stays until the paper is made', {
    tags: 'long',
  }, async () => {
    const { ofHansa, result } = await truck()
    const pdf = await PDFDocument.create()
    pdf.addPage([595, 842]).drawRectangle({ x: 60, y: 600, width: 200, height: 80 })
    const id = await pod(result, ['Bremen'], { name: 'pod.pdf', bytes: Uint8Array.from(await pdf.save()) })
    const { rows: jobs } = await app.database.pool.query(
      `select 1 from job.job where name = 'draw_pods' and data ->> 'orderId' = '${result.id}'`,
    )
    expect(jobs).toHaveLength(1)
    await drawPodsJob.handle(jobContext(app), { orderId: result.id })
    const { rows } = await app.database.pool.query(`select pages from drawn_document where "documentId" = ${id}`)
    expect(rows).toEqual([{ pages: 1 }])
    const draw = app.ports.invoicePdf
    let calls = 0
    app.ports.invoicePdf = async (...given) => {
      calls++
      if (calls === 2) throw new Error('the renderer died')
      return draw(...given)
    }
    const draft = await invoiceOf(ofHansa)
    expect((await send(draft)).body).toMatchObject({ status: 'sent', paper: 'missing' })
    expect((await app.admin.delete(`documents/${id}`)).body.code).toBe('frozen')
    app.ports.invoicePdf = draw
    expect((await clerk.post(`invoices/${draft.id}/document`)).body).toMatchObject({ paper: 'made' })
    expect(textOf((await clerk.get(`invoices/${draft.id}/document`)).raw)).toContain(`Auftrag ${ofHansa.number}`)
  })
})

test('an order with several customers sends who pays what proves their own deliveries alone', async () => {
  const order = await newOrder(hansa, {
    customerIds: [hansa, weser],
    customerPriceCents: 50_000,
    cargo: [
      { key: 'own', title: 'Beams', quantity: 1, customerId: hansa },
      { key: 'other', title: 'Steel', quantity: 1, customerId: weser },
    ],
    locations: [
      stopAt('Hamburg', 'loading', '2026-11-30', ['own', 'other']),
      stopAt('Bremen', 'unloading', '2026-12-01', ['own']),
      stopAt('Kassel', 'unloading', '2026-12-02', ['other']),
    ],
  })
  await pod(order, ['Bremen'])
  await pod(order, ['Kassel'])
  await pod(order, ['Bremen', 'Kassel'])
  const draft = await invoiceOf(order)
  expect(await offered(draft)).toEqual(['Bremen.png'])
  expect(await shownBehind(draft)).toEqual([order.number])
})

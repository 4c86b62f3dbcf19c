// What a month's end bills, and the run that sends it (decision 083).
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InvoiceRun, MonthEnd, MonthEndProposal } from '@waybill/contract/invoice/month-end/month-end'
import type { Order, OrderInput } from '@waybill/contract/order/order'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { readyCompany, readyCustomer } from '../../../../test/e-invoices/generated-invoices.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { GIVEN } from '../../../../test/order-moves.ts'
import { FILES, upload } from '../../../../test/upload.ts'
import { holdOutbox, releaseOutbox } from '../../../backup/restored-outbox.ts'
import { sendInvoiceRun, wakeInvoiceRuns } from './send-invoice-run.ts'

const app = useTestApp()
let world: OrderWorld
let clerk: Caller
let companyId: number
let draw: typeof app.ports.invoicePdf
let count = 0

beforeAll(async () => {
  world = await orderWorld(app)
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  companyId = (await readyCompany(app)).id
  draw = app.ports.invoicePdf
})

beforeEach(() => {
  app.ports.invoicePdf = draw
})

// One grey dot.
const PICTURE = new Uint8Array(
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64'),
)

const UNTIL = '2027-12-31'

/** A customer that pays at the end of a period, with an address for invoices. */
async function customer(more: Record<string, unknown> = {}): Promise<number> {
  count += 1
  return world.customer(`Kunde ${String(count).padStart(3, '0')} GmbH`, 'DE', {
    address: 'Kai 1',
    postal: '20457',
    city: 'Hamburg',
    paymentOption: 'end_of_period',
    invoiceEmail: `rechnung${count}@kunde.example`,
    ...more,
  })
}

const delivered = (customerId: number, more: Partial<OrderInput> = {}) => movedTo(customerId, 'delivered', more)
const completed = (customerId: number, more: Partial<OrderInput> = {}) => movedTo(customerId, 'completed', more)

async function movedTo(customerId: number, last: string, more: Partial<OrderInput>): Promise<Order> {
  const made = await app.admin.post<Order>(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 50_000,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
      ...more,
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  let order = made.body
  for (const to of ['scheduled', 'in_transit', 'arrived', 'delivered', 'completed']) {
    const { status, body } = await app.admin.post(
      `orders/${order.id}/status`,
      { ...GIVEN, to },
      { version: order.version },
    )
    expect(status, JSON.stringify(body)).toBe(200)
    order = body
    if (to === last) break
  }
  return order
}

const shown = async (more = ''): Promise<MonthEnd> =>
  (await clerk.get(`invoices/month-end?companyId=${companyId}&until=${UNTIL}${more}`)).body
const ofCustomer = (id: number, more = '') =>
  clerk.get<MonthEndProposal>(`invoices/month-end/customers/${id}?companyId=${companyId}&until=${UNTIL}${more}`)
const lineOf = async (customerId: number, more = '') =>
  (await shown(more)).items.find((item) => item.customer.id === customerId)

type Chosen = { customerId: number; orderIds: number[]; netCents: number }
/** What the page sends of these customers, as it shows them now. */
async function chosen(...customerIds: number[]): Promise<Chosen[]> {
  const { items } = await shown('&all=1')
  return customerIds.map((customerId) => {
    const { orderIds, netCents } = items.find((item) => item.customer.id === customerId)!
    return { customerId, orderIds, netCents }
  })
}
const start = (customers: Chosen[], headers: Record<string, string> = {}): Promise<Answer<InvoiceRun>> =>
  clerk.post('invoices/month-end/runs', { companyId, until: UNTIL, customers }, { headers })
const work = (runId: number, more: { takesOver?: boolean } = {}) =>
  sendInvoiceRun.handle(jobContext(app), { runId, ...more })
const runOf = async (id: number): Promise<InvoiceRun> => (await clerk.get(`invoices/month-end/runs/${id}`)).body
async function sent(customers: Chosen[]): Promise<InvoiceRun> {
  const { status, body } = await start(customers)
  expect(status, JSON.stringify(body)).toBe(201)
  await work(body.id)
  return runOf(body.id)
}
const rowsOf = async (statement: string) => (await app.database.pool.query(statement)).rows
const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

async function textOf(pdf: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-pdf-'))
  await writeFile(join(folder, 'a.pdf'), pdf)
  const { stdout } = await promisify(execFile)('pdftotext', ['-raw', join(folder, 'a.pdf'), '-'])
  await rm(folder, { recursive: true })
  return stdout.replace(/\s+/g, ' ')
}

describe('refusals', () => {
  test('nobody without the right to invoices sees or starts a run', async () => {
    const { caller } = await app.userWith('ORDERS_MANAGEMENT')
    const customers = [{ customerId: 1, orderIds: [1], netCents: 1 }]
    for (const [who, status] of [
      [app.anonymous, 401],
      [caller, 403],
    ] as const) {
      expect((await who.get(`invoices/month-end?companyId=${companyId}&until=${UNTIL}`)).status).toBe(status)
      expect(
        (await who.get(`invoices/month-end/customers/1/document?companyId=${companyId}&until=${UNTIL}`)).status,
      ).toBe(status)
      expect((await who.post('invoices/month-end/runs', { companyId, until: UNTIL, customers })).status).toBe(status)
      expect((await who.get('invoices/month-end/runs/1')).status).toBe(status)
      expect((await who.post('invoices/month-end/runs/1/stop')).status).toBe(status)
    }
  })

  test('what is not there, twice the same customer, a customer that is not among them', async () => {
    expect((await ofCustomer(999_999)).status).toBe(404)
    expect((await clerk.get('invoices/month-end/runs/999999')).status).toBe(404)
    const customerId = await customer()
    await completed(customerId)
    const own = await chosen(customerId)
    expect(codes(await start([...own, ...own]))).toEqual([422, 'customers.1.customerId duplicate_key'])
    expect(codes(await start([{ customerId: 999_999, orderIds: [1], netCents: 1 }]))).toEqual([
      422,
      'customers.0.customerId unknown_reference',
    ])
    expect(codes(await start([]))).toEqual([422, 'customers required'])
  })

  test('the company filter of an administrator hides the runs and customers of another', async () => {
    const customerId = await customer()
    await completed(customerId)
    const run = await sent(await chosen(customerId))
    const other = await app.admin.post('companies', {
      title: 'Andere GmbH',
      code: 'AN',
      countryId: world.countries.DE,
      timeZone: 'Europe/Berlin',
      invoiceNumberPattern: 'A{YY}/{N}',
    })
    const headers = { 'group-filter': String(other.body.id) }
    expect((await app.admin.get(`invoices/month-end/runs/${run.id}`, { headers })).status).toBe(404)
    expect((await app.admin.get(`invoices/month-end?companyId=${companyId}&until=${UNTIL}`, { headers })).status).toBe(
      404,
    )
  })

  test('a second run of a company while the first is not over', async () => {
    const [first, second] = [await customer(), await customer()]
    await completed(first)
    await completed(second)
    const runs = await Promise.all([start(await chosen(first)), start(await chosen(second))])
    expect(runs.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(codes(runs.find(({ status }) => status === 409)!)).toEqual([409, 'companyId run_in_hand'])
    const { body } = runs.find(({ status }) => status === 201)!
    await work(body.id)
    expect((await runOf(body.id)).status).toBe('finished')
  })
})

describe('what is proposed', () => {
  test('completed, priced and not billed orders until a day, of those that pay at the end of a period', async () => {
    const [monthly, other] = [await customer(), await customer({ paymentOption: 'per_order' })]
    const orders = [await completed(monthly), await completed(monthly, { customerPriceCents: 12_345 })]
    await completed(other)
    expect(await lineOf(monthly)).toEqual({
      customer: { id: monthly, title: expect.stringMatching(/^Kunde/) },
      readyCount: 2,
      blockedCount: 0,
      netCents: 62_345,
      orderIds: orders.map(({ id }) => id),
    })
    expect(await lineOf(other)).toBeUndefined()
    expect(await lineOf(other, '&all=1')).toMatchObject({ readyCount: 1 })
    const before = await clerk.get(`invoices/month-end?companyId=${companyId}&until=2020-01-01`)
    expect(before.body.items).toEqual([])
    await clerk.post('invoices', { entityType: 'customer', orderIds: [orders[0]!.id] })
    expect(await lineOf(monthly)).toMatchObject({ readyCount: 1, blockedCount: 1, netCents: 12_345 })
  })

  test('approved extras count, also of an order whose freight is billed', async () => {
    const customerId = await customer()
    const order = await completed(customerId)
    const extra = async (priceCents: number) => {
      const made = await app.admin.post(`orders/${order.id}/extras`, { kind: 'waiting_time', priceCents })
      return app.admin.post(`orders/${order.id}/extras/${made.body.id}/state`, { to: 'approved' }, { version: 1 })
    }
    await extra(4000)
    expect(await lineOf(customerId)).toMatchObject({ readyCount: 1, netCents: 54_000 })
    await sent(await chosen(customerId))
    expect(await lineOf(customerId)).toBeUndefined()
    await extra(700)
    expect((await ofCustomer(customerId)).body).toMatchObject({
      orders: [{ isExtrasOnly: true, extraCount: 1, netCents: 700, reason: null }],
      invoices: [{ amountCents: 700 }],
    })
  })

  test('what is blocked stays in sight, each with its reason', async () => {
    const customerId = await customer({ needsOrderNumber: true })
    const number = { customerOrderNumber: 'PO 7' }
    const ready = await completed(customerId, number)
    const noPrice = await completed(customerId, { ...number, customerPriceCents: null })
    const noNumber = await completed(customerId)
    const noPod = await delivered(customerId, number)
    const withPod = await delivered(customerId, number)
    await upload(app.admin, {
      fields: { orderId: withPod.id, documentType: 'PROOF_OF_DELIVERY' },
      file: { name: 'pod.pdf', bytes: FILES.pdf() },
    })
    const onDraft = await completed(customerId, number)
    const draft = (await clerk.post('invoices', { entityType: 'customer', orderIds: [onDraft.id] })).body
    const { body } = await ofCustomer(customerId)
    expect(Object.fromEntries(body.orders.map(({ order, reason }) => [order.id, reason]))).toEqual({
      [ready.id]: null,
      [noPrice.id]: 'no_price',
      [noNumber.id]: 'order_number_missing',
      [noPod.id]: 'pod_missing',
      [withPod.id]: 'not_completed',
      [onDraft.id]: 'on_draft',
    })
    expect(body.orders.find(({ order }) => order.id === onDraft.id)!.draft).toEqual({
      id: draft.id,
      title: draft.innerNumber,
    })
    expect(body.invoices).toMatchObject([{ orderIds: [ready.id], amountCents: 50_000, vatCents: 9500, findings: [] }])
  })

  test('says of many customers at once which would not be sent their invoices', async () => {
    const [fits, finding, silent, nothing] = [
      await customer(),
      await customer({ eInvoiceFormat: 'xrechnungCii' }),
      await customer({ invoiceEmail: null }),
      await customer({ invoiceEmail: null }),
    ]
    for (const id of [fits, finding, silent]) await completed(id)
    const of = (...ids: number[]) => {
      const asked = ids.map((id) => `&customerId[]=${id}`).join('')
      return clerk.get(`invoices/month-end/hindered?companyId=${companyId}&until=${UNTIL}${asked}`)
    }
    expect((await of(fits, finding, silent, nothing)).body).toEqual({ customerIds: [finding, silent] })
    expect((await of(fits, 999_999)).status).toBe(404)
    expect((await of()).status).toBe(422)
    expect((await of(...Array.from({ length: 26 }, (_, index) => index + 1))).status).toBe(422)
  })

  test('names what hinders the electronic invoice, and shows the paper without writing anything', async () => {
    const customerId = await customer({ eInvoiceFormat: 'xrechnungCii' })
    const orders = [await completed(customerId, { customerOrderNumber: 'SB 1' }), await completed(customerId)]
    const { body } = await ofCustomer(customerId)
    expect(body.format).toBe('xrechnungCii')
    expect(body.invoices[0]!.findings.map(({ record, path }) => `${record} ${path}`)).toContain(
      'customer buyerReference',
    )
    const before = await rowsOf('select count(*) from invoice')
    const paper = await clerk.get(
      `invoices/month-end/customers/${customerId}/document?companyId=${companyId}&until=${UNTIL}`,
    )
    const text = await textOf(paper.raw)
    expect(text).toContain('Sammelrechnung – Entwurf')
    expect(text).toContain(`Unser Auftrag ${orders[0]!.number} · Ihre Nr. SB 1`)
    expect(text).toContain('1.000,00')
    expect(await rowsOf('select count(*) from invoice')).toEqual(before)
    const less = await ofCustomer(customerId, `&without[]=${orders[0]!.id}`)
    expect(less.body.invoices).toMatchObject([{ orderIds: [orders[1]!.id], amountCents: 50_000 }])
  })
})

describe('a run', () => {
  test('sends one combined invoice for each customer, and an ordinary one where there is one order', async () => {
    const [several, single] = [await customer(), await customer()]
    const orders = [await completed(several), await completed(several)]
    await completed(single)
    const run = await sent(await chosen(several, single))
    expect(run).toMatchObject({ status: 'finished', items: [{ status: 'sent', orderCount: 2 }, { status: 'sent' }] })
    const [combined, plain] = run.items.map(({ invoice }) => invoice!)
    const view = (await clerk.get(`invoices/${combined!.id}`)).body
    expect(view).toMatchObject({ status: 'sent', paper: 'made', amountCents: 100_000, number: combined!.title })
    expect(view.orderIds).toEqual(orders.map(({ id }) => id))
    const text = await textOf((await clerk.get(`invoices/${combined!.id}/document`)).raw)
    expect(text).toContain(`Sammelrechnung ${combined!.title}`)
    expect(text).toMatch(/Hamburg \(DE\) – Poznań \(PL\)/)
    expect(await textOf((await clerk.get(`invoices/${plain!.id}/document`)).raw)).toContain(`Rechnung ${plain!.title}`)
    const mails = (await clerk.get(`emails?invoiceId=${combined!.id}`)).body.items
    expect(mails).toMatchObject([{ type: 'invoice', to: [expect.stringMatching(/^rechnung/)] }])
    const history = (await clerk.get(`audit-entries?invoiceId=${combined!.id}`)).body.items
    expect(history.every((entry: { actor: unknown }) => entry.actor !== null)).toBe(true)
  })

  test('sets proofs of delivery that are pictures behind the pages, and sends the others as files', {
    tags: 'long',
  }, async () => {
    const customerId = await customer({ podsInPdf: true })
    const order = await delivered(customerId)
    await completed(customerId)
    const pod = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      const { status, body } = await upload(app.admin, {
        fields: { orderId: order.id, documentType: 'PROOF_OF_DELIVERY' },
        file: { name, bytes },
      })
      expect(status, JSON.stringify(body)).toBe(201)
    }
    await pod('quittung.png', PICTURE)
    await pod('cmr.pdf', FILES.pdf())
    const { version } = (await app.admin.get(`orders/${order.id}`)).body
    const done = await app.admin.post(`orders/${order.id}/status`, { ...GIVEN, to: 'completed' }, { version })
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    expect((await ofCustomer(customerId)).body.invoices).toMatchObject([{ podPages: 1, podFiles: 1 }])
    const run = await sent(await chosen(customerId))
    expect(run.items[0], JSON.stringify(run.items)).toMatchObject({ status: 'sent' })
    const { id } = run.items[0]!.invoice!
    const paper = (await clerk.get(`invoices/${id}/document`)).raw
    expect(await textOf(paper)).toContain(`Ablieferbeleg, Auftrag ${order.number}`)
    expect(paper.toString('latin1')).toMatch(/pdfaid:part>3</)
    const [mail] = (await clerk.get(`emails?invoiceId=${id}`)).body.items
    const files = (await clerk.get(`emails/${mail.id}`)).body.attachments.map(({ title }: { title: string }) => title)
    expect(files).toEqual([expect.stringMatching(/^Sammelrechnung|^Rechnung/), 'cmr.pdf'])
  })

  test('is drawn without a proof of delivery that is no picture, which then is no reason to stop', async () => {
    const customerId = await customer({ podsInPdf: true })
    const order = await completed(customerId)
    await upload(app.admin, {
      fields: { orderId: order.id, documentType: 'PROOF_OF_DELIVERY' },
      file: { name: 'kaputt.png', bytes: PICTURE.slice(0, 40) },
    })
    const run = await sent(await chosen(customerId))
    expect(run.items[0], JSON.stringify(run.items)).toMatchObject({ status: 'sent' })
    const paper = (await clerk.get(`invoices/${run.items[0]!.invoice!.id}/document`)).raw
    expect(await textOf(paper)).not.toContain('Ablieferbeleg')
  })

  test('one failure stops nobody, uses no number and leaves its orders ready', { tags: 'long' }, async () => {
    const [first, broken, last] = [
      await customer(),
      await customer({ eInvoiceFormat: 'xrechnungUbl' }),
      await customer(),
    ]
    for (const id of [first, broken, last]) await completed(id)
    const counter = 'select coalesce(sum(last), 0)::int as last from invoice_counter'
    const before = (await rowsOf(counter))[0].last
    const run = await sent(await chosen(first, broken, last))
    expect(run.items.map(({ status }) => status)).toEqual(['sent', 'failed', 'sent'])
    expect(run.items[1]!.fault!.fields.map(({ path }) => path)).toContain('customer.buyerReference')
    expect((await rowsOf(counter))[0].last).toBe(before + 2)
    expect(await lineOf(broken)).toMatchObject({ readyCount: 1, blockedCount: 0 })
    expect(await rowsOf(`select id from invoice where "billingCustomerId" = ${broken}`)).toEqual([])
  })

  test('sends none where a company waits for a word about its numbers, and leaves the orders', {
    tags: 'long',
  }, async () => {
    const id = await customer()
    await completed(id)
    await app.asOwner(`insert into number_hold values (${companyId}, now(), now())`)
    const held = await sent(await chosen(id))
    await app.asOwner('delete from number_hold')
    expect(held.items.map(({ status, fault }) => [status, fault?.message])).toEqual([
      ['failed', expect.stringMatching(/^The database was restored: .* which invoice number was last\.$/)],
    ])
    expect(await rowsOf(`select id from invoice where "billingCustomerId" = ${id}`)).toEqual([])
    expect((await sent(await chosen(id))).items.map(({ status }) => status)).toEqual(['sent'])
  })

  test('neither a customer without an address is sent, nor one whose orders or prices have changed', async () => {
    const [noAddress, later, early] = [await customer({ invoiceEmail: null }), await customer(), await customer()]
    await completed(noAddress)
    const order = await completed(later)
    await completed(early)
    const customers = await chosen(noAddress, later, early)
    const { body } = await start(customers.map((one, index) => (index === 2 ? { ...one, netCents: 1 } : one)))
    await app.admin.patch(`orders/${order.id}`, { customerPriceCents: 60_000 }, { version: order.version })
    await work(body.id)
    const run = await runOf(body.id)
    expect(run.items.map(({ status, fault }) => [status, fault?.fields[0]?.path])).toEqual([
      ['failed', 'to'],
      ['failed', 'orderIds'],
      ['failed', 'orderIds'],
    ])
    expect(await lineOf(later)).toMatchObject({ readyCount: 1, netCents: 60_000 })
  })

  test('bills who had no address once there is one, and costs no number before', async () => {
    const id = await customer({ invoiceEmail: null })
    await completed(id)
    const counter = 'select coalesce(sum(last), 0)::int as last from invoice_counter'
    const before = (await rowsOf(counter))[0].last
    const refused = await sent(await chosen(id))
    expect(refused.items.map(({ status, fault }) => [status, fault?.fields.map(({ path }) => path)])).toEqual([
      ['failed', ['to']],
    ])
    expect((await rowsOf(counter))[0].last).toBe(before)
    const { version } = (await app.admin.get(`customers/${id}`)).body
    const entered = await app.admin.patch(`customers/${id}`, { invoiceEmail: 'neu@kunde.example' }, { version })
    expect(entered.status).toBe(200)
    const run = await sent(await chosen(id))
    expect(run.items.map(({ status }) => status)).toEqual(['sent'])
    const [mail] = (await clerk.get(`emails?invoiceId=${run.items[0]!.invoice!.id}`)).body.items
    expect(mail.to).toEqual(['neu@kunde.example'])
  })

  test('pressed twice is one run, and worked on twice at once it sends once', async () => {
    const customers = [await customer(), await customer(), await customer()]
    for (const id of customers) await completed(id)
    const what = await chosen(...customers)
    const key = { 'idempotency-key': 'month-end-1' }
    const [first, again] = [await start(what, key), await start(what, key)]
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
    const { id } = first.body
    await Promise.all([work(id), work(id, { takesOver: true }), work(id)])
    await work(id, { takesOver: true })
    const run = await runOf(id)
    expect(run.status).toBe('finished')
    expect(run.items.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent'])
    for (const customerId of customers)
      expect(await rowsOf(`select id from invoice where "billingCustomerId" = ${customerId}`)).toHaveLength(1)
  })

  test('goes on where it was ended, before and after the draft was written', { tags: 'long' }, async () => {
    const customers = [await customer(), await customer()]
    for (const id of customers) await completed(id)
    const { id } = (await start(await chosen(...customers))).body
    const ended = new Error('the server was ended')
    let drawings = 0
    app.ports.invoicePdf = (...given) => {
      drawings += 1
      // The first is proved and sent; the second is in hand when everything ends.
      return drawings === 3 ? new Promise(() => undefined) : draw(...given)
    }
    const lost = work(id).catch(() => ended)
    await expect.poll(() => drawings, { timeout: 60_000 }).toBe(3)
    app.ports.invoicePdf = draw
    expect((await runOf(id)).items.map(({ status }) => status)).toEqual(['sent', 'sending'])
    const enqueued: unknown[] = []
    const ctx = jobContext(app)
    const jobs = { enqueue: async (_ctx: unknown, name: string, data: unknown) => void enqueued.push([name, data]) }
    await wakeInvoiceRuns.handle({ ...ctx, ports: { ...ctx.ports, jobs } as typeof ctx.ports }, { isStart: true })
    expect(enqueued).toContainEqual(['send_invoice_run', { runId: id, takesOver: true }])
    await work(id, { takesOver: true })
    void lost
    expect(await runOf(id)).toMatchObject({ status: 'finished', items: [{ status: 'sent' }, { status: 'sent' }] })
    for (const customerId of customers)
      expect(await rowsOf(`select id from invoice where "billingCustomerId" = ${customerId}`)).toHaveLength(1)
  })

  test('that came out of a backup waits for a word, and then goes on or is over', { tags: 'long' }, async () => {
    const moment = new Date().toISOString()
    const hold = () => holdOutbox(app.database.pool, { backupAt: moment, restoredAt: moment })
    const held = async () => {
      const customers = [await customer(), await customer()]
      for (const id of customers) await completed(id)
      const { id } = (await start(await chosen(...customers))).body
      expect((await hold()).invoice_run).toBe(1)
      await work(id, { takesOver: true })
      const run = await runOf(id)
      expect(run.items.map(({ status }) => status)).toEqual(['waiting', 'waiting'])
      return id as number
    }
    const released = await held()
    await releaseOutbox(app.database.pool, { isDropped: false })
    await work(released, { takesOver: true })
    expect(await runOf(released)).toMatchObject({ status: 'finished', items: [{ status: 'sent' }, { status: 'sent' }] })

    const dropped = await held()
    await releaseOutbox(app.database.pool, { isDropped: true })
    await work(dropped, { takesOver: true })
    expect(await runOf(dropped)).toMatchObject({
      status: 'finished',
      items: [{ status: 'stopped' }, { status: 'stopped' }],
    })
  })

  test('ends after the one in hand once somebody stops it', async () => {
    const customers = [await customer(), await customer()]
    for (const id of customers) await completed(id)
    const { id } = (await start(await chosen(...customers))).body
    app.ports.invoicePdf = async (...given) => {
      await clerk.post(`invoices/month-end/runs/${id}/stop`)
      return draw(...given)
    }
    await work(id)
    expect(await runOf(id)).toMatchObject({ status: 'finished', items: [{ status: 'sent' }, { status: 'stopped' }] })
    expect(await lineOf(customers[1]!)).toMatchObject({ readyCount: 1 })
    expect((await clerk.post(`invoices/month-end/runs/${id}/stop`)).status).toBe(200)
  })

  test('splits what is outside the scope of VAT from what is not', { tags: 'long' }, async () => {
    const customerId = await world.customer('Alpenfaden Probe AG', 'CH', {
      address: 'Bahnhofstr. 1',
      postal: '8001',
      city: 'Zürich',
      paymentOption: 'end_of_period',
      invoiceEmail: 'rechnung@alpenfaden.example',
    })
    await completed(customerId)
    await completed(customerId)
    await completed(customerId, { customerVatBp: 1900 })
    const { body } = await ofCustomer(customerId)
    expect(body.invoices.map(({ orderIds, vatCents }) => [orderIds.length, vatCents])).toEqual([
      [2, 0],
      [1, 9500],
    ])
    const run = await sent(await chosen(customerId))
    expect(run.items.map(({ status, orderCount }) => [status, orderCount])).toEqual([
      ['sent', 2],
      ['sent', 1],
    ])
  })

  test('an electronic combined invoice names our order at each line', async () => {
    const references = {
      xrechnungUbl: (number: string) =>
        `<cac:DocumentReference><cbc:ID>${number}</cbc:ID><cbc:DocumentTypeCode>130</cbc:DocumentTypeCode>`,
      xrechnungCii: (number: string) =>
        `<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>${number}</ram:IssuerAssignedID><ram:TypeCode>130<`,
    }
    for (const format of ['xrechnungUbl', 'xrechnungCii'] as const) {
      const customerId = await readyCustomer(app, format, { title: `Amt ${format}` })
      const orders = [await completed(customerId), await completed(customerId)]
      const run = await sent(await chosen(customerId))
      expect(run.items, JSON.stringify(run.items)).toMatchObject([{ status: 'sent', orderCount: 2 }])
      const xml = (await clerk.get(`invoices/${run.items[0]!.invoice!.id}/e-invoice/xml`)).raw.toString()
      for (const { number } of orders) expect(xml).toContain(references[format](number))
    }
  })
})

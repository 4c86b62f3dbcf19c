import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrderInput } from '@waybill/contract/order/order'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { raced } from '../../../test/database/locks.ts'
import { INVOICE_MAIL } from '../../../test/mail-server.ts'
import {
  carried,
  exampleOrders,
  orderWorld,
  plainOrder,
  shipment,
  type OrderWorld,
} from '../../../test/order-examples.ts'

const app = useTestApp()
let world: OrderWorld
let clerk: Caller
let dispatcher: Caller
let examples: Awaited<ReturnType<typeof exampleOrders>>
let customerId: number

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer('Hansa Bau GmbH', 'DE', {
    address: 'Kai 1',
    postal: '20457',
    city: 'Hamburg',
    contactPersons: [{ fullName: 'Frau Ohne' }, { fullName: 'Herr Mit', email: 'mit@hansa.example' }],
  })
  await world.customer('Fabryka Mebli Łódź S.A.', 'PL', {
    language: 'pl',
    paymentPeriodDays: 60,
    vatNumber: 'PL7259012340',
    address: 'ul. Pabianicka 119',
    postal: '93-490',
    city: 'Łódź',
  })
  examples = await exampleOrders(world)
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
})

const today = () => localOf(app.clock.now(), 'Europe/Berlin').date

async function newOrder(more: Partial<OrderInput> = {}) {
  const answer = await app.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 50_000, ...more }),
  )
  expect(answer.status).toBe(201)
  return answer.body
}

async function newInvoice(more: Partial<OrderInput> = {}) {
  const order = await newOrder(more)
  const answer = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
  expect(answer.status).toBe(201)
  return { order, invoice: answer.body }
}

const send = (invoice: { id: number; version: number }, caller = clerk, mail: object = INVOICE_MAIL) =>
  caller.post(`invoices/${invoice.id}/send`, mail, { version: invoice.version })
const move = (invoice: { id: number; version: number }, to: string, more: object = {}) =>
  clerk.post(`invoices/${invoice.id}/status`, { to, ...more }, { version: invoice.version })
const codes = (answer: Answer) => [
  answer.status,
  ...(answer.body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

async function textOf(pdf: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-pdf-'))
  await writeFile(join(folder, 'a.pdf'), pdf)
  const { stdout } = await promisify(execFile)('pdftotext', ['-raw', join(folder, 'a.pdf'), '-'])
  await rm(folder, { recursive: true })
  return stdout.replace(/\s+/g, ' ')
}

const pdfOf = async (id: number) => textOf((await clerk.get(`invoices/${id}/document`)).raw)

describe('refusals', () => {
  test('one that is removed in the moment in which it is moved or sent is not found', { tags: 'long' }, async () => {
    for (const act of [
      (invoice: { id: number; version: number }) => move(invoice, 'canceled', { reason: 'x' }),
      (invoice: { id: number; version: number }) => send(invoice),
    ]) {
      const { invoice } = await newInvoice()
      const answer = await raced(
        app,
        (client) => client.query('delete from invoice where id = $1', [invoice.id]),
        () => act(invoice),
      )
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    }
  })

  test('nobody, and nobody without the right to invoices, sees or writes one', async () => {
    const { invoice } = await newInvoice()
    for (const [caller, status] of [
      [app.anonymous, 401],
      [dispatcher, 403],
    ] as const) {
      expect((await caller.get('invoices')).status).toBe(status)
      expect((await caller.get(`invoices/${invoice.id}`)).status).toBe(status)
      expect((await caller.get(`invoices/${invoice.id}/document`)).status).toBe(status)
      expect((await caller.post('invoices', { entityType: 'customer', orderIds: [1] })).status).toBe(status)
      expect((await send(invoice, caller)).status).toBe(status)
      expect((await caller.post('emails/preview', { type: 'invoice', invoiceId: invoice.id })).status).toBe(status)
      expect((await caller.get(`documents?invoiceId=${invoice.id}`)).status).toBe(status)
      expect((await caller.get(`emails?invoiceId=${invoice.id}`)).status).toBe(status)
      expect((await caller.get(`audit-entries?invoiceId=${invoice.id}`)).status).toBe(status)
    }
  })

  test('what does not exist is not found, and the company filter of an administrator hides the others', async () => {
    expect((await clerk.get('invoices/999999')).status).toBe(404)
    expect((await clerk.post('invoices/999999/send', INVOICE_MAIL, { version: 1 })).status).toBe(404)
    const { invoice } = await newInvoice()
    const germany = world.countries.DE
    const other = await app.admin.post('companies', {
      title: 'Andere GmbH',
      code: 'AN',
      countryId: germany,
      timeZone: 'Europe/Berlin',
      invoiceNumberPattern: 'A{YY}/{N}',
    })
    const headers = { 'group-filter': String(other.body.id) }
    expect((await app.admin.get(`invoices/${invoice.id}`, { headers })).status).toBe(404)
    expect((await app.admin.get('invoices', { headers })).body.total).toBe(0)
    expect((await app.admin.get(`documents?invoiceId=${invoice.id}`, { headers })).status).toBe(404)
    expect((await clerk.get(`invoices/${invoice.id}`, { headers })).status).toBe(200)
  })

  test('an order without a price, a canceled one, one that is not there, two customers on one invoice', async () => {
    const create = (orderIds: number[]) => clerk.post('invoices', { entityType: 'customer', orderIds })
    const free = await newOrder({ customerPriceCents: null })
    expect(codes(await create([free.id]))).toEqual([422, 'orderIds.0 not_invoiceable'])
    const gone = await newOrder()
    await app.admin.post(`orders/${gone.id}/status`, { to: 'canceled', reason: 'no truck' }, { version: gone.version })
    expect(codes(await create([gone.id]))).toEqual([422, 'orderIds.0 order_canceled'])
    expect(codes(await create([999_999]))).toEqual([422, 'orderIds.0 unknown_reference'])
    const mine = await newOrder()
    expect(codes(await create([mine.id, mine.id]))).toEqual([422, 'orderIds.1 duplicate_key'])
    const otherCustomer = await world.customer('Zweite GmbH', 'DE')
    const theirs = await newOrder({ customerIds: [otherCustomer] })
    expect(codes(await create([mine.id, theirs.id]))).toEqual([422, 'orderIds different_billing_customers'])
    expect(codes(await create([]))).toEqual([422, 'companyId required'])
    expect(
      codes(await clerk.post('invoices', { entityType: 'customer', orderIds: [mine.id], amountCents: 1 })),
    ).toEqual([422, 'amountCents read_only'])
    expect(codes(await clerk.post('invoices', { entityType: 'customer', orderIds: [mine.id], number: 'X-1' }))).toEqual(
      [422, 'number read_only'],
    )
    const line = { text: 'Freight', unitPriceCents: 100, vatBp: 1900, vatCategory: 'S' }
    expect(
      codes(
        await clerk.post('invoices', {
          entityType: 'customer',
          orderIds: [mine.id],
          lines: [
            { ...line, orderId: theirs.id },
            { ...line, kind: 'freight' },
          ],
        }),
      ),
    ).toEqual([422, 'lines.0.orderId not_of_invoice', 'lines.1.orderId required'])
  })

  test('a mail with a line break in its subject, no or a wrong recipient; a sending without the version', async () => {
    const { invoice } = await newInvoice()
    expect(codes(await send(invoice, clerk, { ...INVOICE_MAIL, subject: 'a\r\nBcc: x@y.example' }))).toEqual([
      422,
      'subject invalid_text',
    ])
    expect(codes(await send(invoice, clerk, { ...INVOICE_MAIL, to: [] }))).toEqual([422, 'to required'])
    expect(codes(await send(invoice, clerk, { to: ['a@b.example'], html: '<p>x</p>' }))).toEqual([
      422,
      'html unknown_field',
    ])
    expect(codes(await send(invoice, clerk, { ...INVOICE_MAIL, to: ['a@b.example\nBcc: x@y.example'] }))).toEqual([
      422,
      'to.0 invalid_email',
    ])
    expect((await clerk.post(`invoices/${invoice.id}/send`, INVOICE_MAIL)).status).toBe(428)
    expect((await send({ ...invoice, version: 7 })).body.code).toBe('stale_version')
    expect((await clerk.get(`invoices/${invoice.id}`)).body).toMatchObject({
      status: 'created',
      number: null,
      version: 1,
    })
  })
})

describe('what is proposed from an order', () => {
  test('loaded after the day it was to be unloaded: the day of loading, in the period and in the text', async () => {
    const [from, to] = shipment(world).locations!
    const due = (days: number) => ({ kind: 'fix', dateFrom: addDays(today(), days), timeFrom: '08:00' }) as const
    const loadedOn = addDays(today(), -1)
    const { order, invoice } = await newInvoice({
      locations: [
        { ...from!, termin: due(-5), loadedAt: `${loadedOn}T08:00:00Z` },
        { ...to!, termin: due(-3) },
      ],
    })
    expect(invoice).toMatchObject({ servicePeriodFrom: loadedOn, servicePeriodTo: loadedOn })
    const german = loadedOn.split('-').reverse().join('.')
    expect(invoice.lines[0].text).toBe(`Transport ${order.number}, Hamburg (DE) – Poznań (PL), ${german}`)
  })

  test('a German customer: 19 %, the billing customer’s name, the order’s 45 days', async () => {
    const order = await app.admin.post('orders', examples['full truck of machine parts'].body)
    const { status, body, headers } = await clerk.post('invoices', {
      entityType: 'customer',
      orderIds: [order.body.id],
    })
    expect(status).toBe(201)
    expect(headers.location).toBe(`/api/invoices/${body.id}`)
    expect(body).toMatchObject({
      status: 'created',
      number: null,
      billingCustomer: { title: 'Nordlicht Holding AG' },
      orders: [{ title: order.body.number }],
      amountCents: 118_000,
      vatBp: 1900,
      vatCents: 22_420,
      totalCents: 140_420,
      paymentPeriodDays: 45,
      language: 'de',
      servicePeriodFrom: '2026-11-30',
      servicePeriodTo: '2026-12-01',
      warnings: [],
      vatGroups: [{ vatBp: 1900, vatCategory: 'S', netCents: 118_000, vatCents: 22_420, note: null }],
      buyer: { title: 'Nordlicht Holding AG', countryCode: 'DE', vatNumber: 'DE136695976' },
      lines: [
        {
          kind: 'freight',
          text: `Transport ${order.body.number}, Hamburg (DE) – Poznań (PL), 30.11.2026 – 01.12.2026`,
          quantity: 1,
          unitPriceCents: 118_000,
          vatBp: 1900,
          vatCategory: 'S',
        },
      ],
    })
    const draft = await pdfOf(body.id)
    for (const text of ['Entwurf', 'Nordlicht Holding AG', '4500129877', '1.180,00', '224,20', '1.404,20'])
      expect(draft).toContain(text)

    const sent = await send(body)
    expect(sent.body).toMatchObject({
      status: 'sent',
      number: expect.stringMatching(/^WB-\d{4}-\d{5}$/),
      invoiceDate: today(),
      dueDate: addDays(today(), 45),
      documentId: expect.any(Number),
      isOverdue: false,
    })
    const frozen = await pdfOf(body.id)
    const german = (date: string) => date.split('-').reverse().join('.')
    for (const text of [
      sent.body.number,
      german(today()),
      german(addDays(today(), 45)),
      '1.404,20',
      '4500129877',
      'Nordlicht Holding AG',
    ])
      expect(frozen).toContain(text)
    expect(frozen).not.toContain('Entwurf')
  })

  test('a Polish customer with a VAT number: reverse charge, in Polish', async () => {
    const order = await app.admin.post('orders', examples['furniture for two drops'].body)
    const { body } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.body.id] })
    expect(body).toMatchObject({
      amountCents: 145_000,
      vatCents: 0,
      totalCents: 145_000,
      language: 'pl',
      paymentPeriodDays: 60,
      warnings: [],
      vatGroups: [{ vatCategory: 'AE', note: 'odwrotne obciążenie' }],
    })
    const pdf = await pdfOf(body.id)
    for (const text of ['odwrotne obciążenie', '1 450,00', 'Fabryka Mebli Łódź S.A.', 'ZT/11/0341'])
      expect(pdf).toContain(text)
  })

  test('a Swiss customer: outside the scope of VAT', async () => {
    const order = await app.admin.post('orders', {
      ...examples['part load to Basel over the customs'].body,
      customerVatBp: null,
    })
    const { body } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.body.id] })
    expect(body).toMatchObject({
      totalCents: 69_000,
      vatCents: 0,
      language: 'en',
      vatGroups: [{ vatCategory: 'O', vatBp: 0 }],
    })
    expect(await pdfOf(body.id)).toContain('Outside the scope of VAT')
  })

  test('a customer in Austria: in German, the language of the country', async () => {
    const austrian = await world.customer('Alpenholz GmbH', 'AT')
    const order = await newOrder({ customerIds: [austrian] })
    const { body } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
    expect(body.language).toBe('de')
  })

  test('a customer abroad without a VAT number: our rate and a warning', async () => {
    const french = await world.customer('Sans Numéro SARL', 'FR')
    const order = await newOrder({ customerIds: [french] })
    const { body } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
    expect(body).toMatchObject({ vatBp: 1900, warnings: ['no_vat_number'] })
    const proposal = await dispatcher.get(`vat-proposal?billingCustomerId=${french}&departmentId=${world.departmentId}`)
    expect(proposal.body).toEqual({ vatBp: 1900, vatCategory: 'S', note: null, warning: 'no_vat_number' })
  })

  describe('at home with a stop outside the EU', () => {
    const stops = () => `stopCountryId[]=${world.countries.DE}&stopCountryId[]=${world.countries.CH}`
    const proposalFor = (customer: number) =>
      dispatcher.get(`vat-proposal?billingCustomerId=${customer}&departmentId=${world.departmentId}&${stops()}`)
    const toBasel = async (customer: number, customerVatBp: number | null) =>
      (
        await app.admin.post('orders', {
          ...examples['part load to Basel over the customs'].body,
          customerIds: [customer],
          billingCustomerId: customer,
          customerVatBp,
        })
      ).body
    const draftOf = async (order: { id: number }) =>
      (await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })).body

    test('is billed with VAT until somebody says that the customer is sender or recipient of the goods', async () => {
      expect((await proposalFor(customerId)).body).toEqual({
        vatBp: 1900,
        vatCategory: 'S',
        note: null,
        warning: 'recipient_only',
      })
      expect(await draftOf(await toBasel(customerId, null))).toMatchObject({
        vatGroups: [{ vatBp: 1900, vatCategory: 'S' }],
        warnings: ['recipient_only'],
      })
    })

    test('is exempt with its sentence where the order says 0 %', async () => {
      expect(await draftOf(await toBasel(customerId, 0))).toMatchObject({
        vatGroups: [{ vatBp: 0, vatCategory: 'E', note: expect.stringContaining('§ 4 Nr. 3 UStG') }],
        warnings: [],
      })
    })

    test('is never asked about for a forwarder', async () => {
      const forwarder = await world.customer('Kollege Spedition GmbH', 'DE', { isForwarder: true })
      expect((await proposalFor(forwarder)).body).toMatchObject({ vatCategory: 'S', warning: null })
      expect((await draftOf(await toBasel(forwarder, null))).warnings).toEqual([])
    })

    test('says which customer is not known', async () => {
      expect(codes(await proposalFor(999_999))).toEqual([422, 'billingCustomerId unknown_reference'])
    })
  })

  test('the order’s own text, a billing address, and a reference full of signs survive to the PDF', async () => {
    const id = await world.customer('Flachstahl AG', 'DE', {
      address: 'Hauptsitz 1',
      city: 'Salzgitter',
      billingAddress: {
        title: 'Flachstahl Rechnungsstelle',
        address: 'Postfach 9',
        postal: '38001',
        city: 'Braunschweig',
        countryId: world.countries.DE,
      },
    })
    const reference = 'SZG-„Ostsee“/26 & Co <dringend>'
    const { invoice } = await newInvoice({
      customerIds: [id],
      invoiceText: 'Stahlträger #1 *fett* $x$',
      customerOrderNumber: reference,
    })
    expect(invoice.lines[0].text).toBe('Stahlträger #1 *fett* $x$')
    expect(invoice.buyer).toMatchObject({
      title: 'Flachstahl Rechnungsstelle',
      address: 'Postfach 9',
      city: 'Braunschweig',
    })
    const pdf = await pdfOf(invoice.id)
    for (const text of [reference, 'Stahlträger #1 *fett* $x$', 'Flachstahl Rechnungsstelle'])
      expect(pdf).toContain(text)
    const preview = await clerk.post('emails/preview', { type: 'invoice', invoiceId: invoice.id })
    expect(preview.body.page.values['invoice.customerOrderNumbers']).toBe(reference)
    expect(preview.body.html).toContain('&lt;dringend&gt;')
  })
})

describe('drafts', () => {
  test('the freight of an order is billed once, also for two requests at once; extras follow at will', async () => {
    const order = await newOrder()
    const create = () => clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
    const answers = await Promise.all([create(), create(), create(), create()])
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409])
    expect(answers.find((answer) => answer.status === 409)!.body.code).toBe('already_invoiced')
    const extra = {
      entityType: 'customer',
      orderIds: [order.id],
      lines: [
        { text: 'Standzeit', quantity: 2.5, unitPriceCents: 4_500, vatBp: 1900, vatCategory: 'S', orderId: order.id },
      ],
    }
    for (let n = 0; n < 2; n += 1)
      expect((await clerk.post('invoices', extra)).body).toMatchObject({
        amountCents: 11_250,
        vatCents: 2_138,
        totalCents: 13_388,
      })

    const first = answers.find((answer) => answer.status === 201)!.body
    expect((await move(first, 'canceled')).body).toMatchObject({ status: 'canceled', number: null })
    const again = await create()
    expect(again.status).toBe(201)
    expect((await clerk.delete(`invoices/${again.body.id}`, { version: again.body.version })).status).toBe(204)
    expect((await create()).status).toBe(201)
  })

  test('several orders on one invoice, VAT on the sum of each rate', async () => {
    const [one, two] = [
      await newOrder({ customerPriceCents: 10_001 }),
      await newOrder({ customerPriceCents: 10_002, customerVatBp: 700 }),
    ]
    const { body } = await clerk.post('invoices', { entityType: 'customer', orderIds: [one.id, two.id] })
    expect(body).toMatchObject({
      orderIds: [one.id, two.id],
      vatBp: null,
      amountCents: 20_003,
      vatCents: 1_900 + 700,
      totalCents: 22_603,
    })
  })

  test('a save replaces lines, keeps those with an id, derives the sums; what was read may be sent back', async () => {
    const { invoice } = await newInvoice()
    const [freight] = invoice.lines
    const changed = await clerk.put(
      `invoices/${invoice.id}`,
      {
        ...invoice,
        lines: [
          { ...freight, unitPriceCents: 60_000, netCents: undefined },
          { text: 'Maut', unitPriceCents: 1_000, vatBp: 1900, vatCategory: 'S' },
        ],
      },
      { version: invoice.version },
    )
    expect(changed.body).toMatchObject({
      version: 2,
      amountCents: 61_000,
      totalCents: 72_590,
      lines: [{ id: freight.id, netCents: 60_000 }, { text: 'Maut' }],
    })
    const noted = await clerk.patch(`invoices/${invoice.id}`, { notes: 'Danke' }, { version: 2 })
    expect(noted.body).toMatchObject({
      version: 3,
      notes: 'Danke',
      amountCents: 61_000,
      lines: [{ id: freight.id }, {}],
    })
    expect((await clerk.patch(`invoices/${invoice.id}`, { notes: 'x' }, { version: 2 })).body).toMatchObject({
      code: 'stale_version',
      current: { version: 3 },
    })
    expect(codes(await clerk.patch(`invoices/${invoice.id}`, { entityType: 'carrier' }, { version: 3 }))).toEqual([
      422,
      'entityType read_only',
    ])
    expect(codes(await clerk.patch(`invoices/${invoice.id}`, { totalCents: 5 }, { version: 3 }))).toEqual([
      422,
      'totalCents read_only',
    ])
    const proposedAgain = await clerk.patch(`invoices/${invoice.id}`, { lines: null }, { version: 3 })
    expect(proposedAgain.body).toMatchObject({ amountCents: 50_000, lines: [{ kind: 'freight' }] })
    const stranger = await newInvoice()
    expect(
      codes(
        await clerk.patch(
          `invoices/${invoice.id}`,
          { lines: [{ ...stranger.invoice.lines[0], orderId: null, kind: 'extra', netCents: undefined }] },
          { version: 4 },
        ),
      ),
    ).toEqual([422, 'lines.0.id unknown_reference'])
    const history = await clerk.get(`audit-entries?invoiceId=${invoice.id}`)
    expect(history.body.items.map((entry: { action: string }) => entry.action)).toEqual([
      'updated',
      'updated',
      'updated',
      'created',
    ])
  })

  test('an inactive draft cannot be sent', async () => {
    const { invoice } = await newInvoice()
    const inactive = await clerk.patch(`invoices/${invoice.id}`, { state: 'inactive' }, { version: 1 })
    expect(inactive.body.state).toBe('inactive')
    expect((await send(inactive.body)).body.code).toBe('conflict')
    expect((await clerk.get(`invoices?state=active&q=${invoice.innerNumber}`)).body.total).toBe(0)
  })
})

describe('sending', () => {
  test('names the first bank account that a second person confirmed, and shows the logo of the company', async () => {
    const { rows } = await app.database.pool.query('select id from company where code = $1', ['WB'])
    const { body: company } = await app.admin.get(`companies/${rows[0].id}`)
    const [old] = company.bankAccounts
    const { body: both } = await app.admin.patch(
      `companies/${company.id}`,
      {
        bankAccounts: [
          { iban: 'PL61109010140000071219812874' },
          { id: old.id, iban: old.iban, bic: old.bic, bankName: old.bankName },
        ],
      },
      { version: company.version },
    )
    const { body: confirmed } = await app.admin.post(`bank-accounts/${old.id}/confirm`, {}, { version: both.version })
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const { body: pictured } = await app.admin.put(
      `companies/${company.id}/logo`,
      { png },
      { version: confirmed.version },
    )
    const { invoicePdf } = app.ports
    const logos: unknown[] = []
    app.ports.invoicePdf = (data, language) => {
      logos.push(data.seller.logo)
      return invoicePdf(data, language)
    }
    const { invoice } = await newInvoice()
    const sent = await send(invoice)
    app.ports.invoicePdf = invoicePdf
    expect(sent.body.iban).toBe(old.iban)
    // Once to prove that it can be drawn, once with the number.
    expect(logos).toEqual([Buffer.from(png, 'base64'), Buffer.from(png, 'base64')])
    const { body: plain } = await app.admin.put(
      `companies/${company.id}/logo`,
      { png: null },
      { version: pictured.version },
    )
    await app.admin.patch(
      `companies/${company.id}`,
      { bankAccounts: [{ id: old.id, iban: old.iban, bic: old.bic, bankName: old.bankName }] },
      { version: plain.version },
    )
  })

  test('fifty at once, a fifth of which fail: no number twice, no number left out', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const drafts = await Promise.all(Array.from({ length: 50 }, () => newInvoice()))
    const { invoicePdf } = app.ports
    const doomed = new Set(
      drafts.filter((_draft, index) => index % 5 === 0).map(({ invoice }) => invoice.innerNumber as string),
    )
    const before = await lastNumber()
    app.ports.invoicePdf = (data, language) =>
      doomed.has(data.innerNumber) ? Promise.reject(new Error('the renderer failed')) : invoicePdf(data, language)
    // On a busy machine the last ones wait too long for a connection: they are told so, and send again.
    const sendUntilHeard = async (draft: Parameters<typeof send>[0]): ReturnType<typeof send> => {
      const answer = await send(draft)
      return answer.status === 503 ? sendUntilHeard(draft) : answer
    }
    const answers = await Promise.all(drafts.map(({ invoice }) => sendUntilHeard(invoice)))
    app.ports.invoicePdf = invoicePdf
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(40)
    expect(answers.filter((answer) => answer.status === 500)).toHaveLength(10)
    const numbers = answers
      .filter((answer) => answer.status === 200)
      .map((answer) => Number(answer.body.number.split('-')[2]))
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_unused, index) => before + 1 + index))
    for (const { invoice } of drafts.filter((draft) => doomed.has(draft.invoice.innerNumber))) {
      expect((await clerk.get(`invoices/${invoice.id}`)).body).toMatchObject({
        status: 'created',
        number: null,
        documentId: null,
      })
      expect((await clerk.get(`emails?invoiceId=${invoice.id}`)).body.total).toBe(0)
      expect((await clerk.get(`documents?invoiceId=${invoice.id}`)).body.total).toBe(0)
    }
    // What failed can be sent after all, and goes on where the others stopped.
    const late = await send(drafts[0]!.invoice)
    expect(Number(late.body.number.split('-')[2])).toBe(before + 41)
  })

  const lastNumber = async () =>
    (await app.database.pool.query('select coalesce(max(last), 0)::int as last from invoice_counter')).rows[0]
      .last as number

  test('twenty sendings of one draft: one wins, one number is given, one mail is queued', {
    tags: 'long',
  }, async () => {
    const { invoice } = await newInvoice()
    const before = await lastNumber()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(invoice)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(19)
    expect(await lastNumber()).toBe(before + 1)
    expect((await clerk.get(`emails?invoiceId=${invoice.id}`)).body.total).toBe(1)
  })

  test('from then on it is frozen: for the API, and for anybody who writes SQL', async () => {
    const { invoice } = await newInvoice()
    const sent = (await send(invoice)).body
    expect((await clerk.patch(`invoices/${sent.id}`, { notes: 'x' }, { version: sent.version })).body.code).toBe(
      'frozen',
    )
    expect((await clerk.delete(`invoices/${sent.id}`, { version: sent.version })).body.code).toBe('frozen')
    expect((await clerk.delete(`documents/${sent.documentId}`)).body.code).toBe('frozen')
    for (const statement of [
      `update invoice set "totalCents" = 1, "amountCents" = 1, "vatCents" = 0 where id = ${sent.id}`,
      `update invoice set buyer = '{}' where id = ${sent.id}`,
      `update invoice set number = 'X' where id = ${sent.id}`,
      `delete from invoice where id = ${sent.id}`,
      `update invoice_line set text = 'x' where "invoiceId" = ${sent.id}`,
      `delete from invoice_line where "invoiceId" = ${sent.id}`,
      `insert into invoice_line ("invoiceId", position, kind, text, quantity, "unitPriceCents", "netCents", "vatBp",
        "vatCategory") values (${sent.id}, 9, 'extra', 'x', 1, 1, 1, 0, 'S')`,
      `update document set "fileKey" = 'x' where id = ${sent.documentId}`,
      `delete from document where id = ${sent.documentId}`,
    ]) {
      await expect(app.database.pool.query(statement), statement).rejects.toMatchObject({ constraint: 'frozen' })
    }
    expect((await send(sent)).body).toMatchObject({
      code: 'illegal_transition',
      from: 'sent',
      to: 'sent',
      allowed: ['paid'],
    })
  })

  test('without a mail it is numbered and frozen all the same', async () => {
    const { invoice } = await newInvoice()
    const { body } = await move(invoice, 'sent')
    expect(body).toMatchObject({ status: 'sent', number: expect.any(String), documentId: expect.any(Number) })
    expect((await clerk.get(`emails?invoiceId=${invoice.id}`)).body.total).toBe(0)
    const { body: files } = await clerk.get(`documents?invoiceId=${invoice.id}`)
    expect(files.items).toMatchObject([
      {
        documentType: 'CUSTOMER_INVOICE',
        title: `Rechnung_${body.number}_${body.buyer.title}.pdf`,
        contentType: 'application/pdf',
      },
    ])
  })

  test('a pattern of its own counts for itself, by the year of the company’s own day', async () => {
    const countryId = await app.idOf('country', 'code', 'PT')
    const other = await app.admin.post('companies', {
      title: 'Waybill Portugal Lda.',
      code: 'PTW',
      countryId,
      timeZone: 'Europe/Lisbon',
      invoiceNumberPattern: 'FV/{NNN}/{YY}',
    })
    const department = await app.admin.post('departments', {
      abbreviation: 'LIS',
      companyId: other.body.id,
      countryId,
    })
    const { invoice } = await newInvoice({ departmentId: department.body.id })
    expect(invoice).toMatchObject({ vatBp: 2300, vatCents: 11_500, warnings: ['no_vat_number'] })
    const { body } = await send(invoice)
    expect(body.number).toBe(`FV/001/${today().slice(2, 4)}`)
    const files = await clerk.get(`documents?invoiceId=${invoice.id}`)
    expect(files.body.items[0].title).toBe(`Rechnung_FV-001-${today().slice(2, 4)}_${body.buyer.title}.pdf`)
    const mixed = await newOrder()
    expect(
      codes(
        await clerk.post('invoices', {
          entityType: 'customer',
          orderIds: [mixed.id, (await newOrder({ departmentId: department.body.id })).id],
        }),
      ),
    ).toEqual([422, 'orderIds different_companies'])
  })

  test('an address put right after the draft is the one on the invoice', async () => {
    const id = await world.customer('Umzug GmbH', 'DE', { address: 'Alte Gasse 1', city: 'Kiel' })
    const { invoice } = await newInvoice({ customerIds: [id] })
    const customer = (await app.admin.get(`customers/${id}`)).body
    await app.admin.patch(
      `customers/${id}`,
      { address: 'Neue Allee 2', title: 'Umzug Nord GmbH' },
      { version: customer.version },
    )
    expect((await clerk.get('invoices?q=umzug nord')).body.items.map((row: { id: number }) => row.id)).toEqual([
      invoice.id,
    ])
    const sent = await send(invoice)
    expect(sent.body.buyer).toMatchObject({ title: 'Umzug Nord GmbH', address: 'Neue Allee 2' })
    await app.admin.patch(`customers/${id}`, { address: 'Dritter Weg 3' }, { version: customer.version + 1 })
    expect((await clerk.get(`invoices/${invoice.id}`)).body.buyer.address).toBe('Neue Allee 2')
  })

  test('an invoice without lines is not sent', async () => {
    const order = await newOrder()
    const { body } = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id], lines: [] })
    expect(codes(await send(body))).toEqual([422, 'lines too_few'])
  })
})

describe('status', () => {
  test('a customer’s invoice goes by the table: paid, back with a reason, overdue in between', async () => {
    const { invoice } = await newInvoice()
    expect((await move(invoice, 'paid')).body).toMatchObject({
      code: 'illegal_transition',
      allowed: ['sent', 'canceled'],
    })
    const sent = (await send(invoice)).body
    expect((await move(sent, 'canceled')).body.code).toBe('illegal_transition')
    expect((await move({ ...sent, version: 1 }, 'paid')).body.code).toBe('stale_version')
    expect(codes(await move(sent, 'paid', { at: '2099-01-01T00:00:00Z' }))).toEqual([422, 'at invalid_value'])
    const overdue = async () =>
      (await clerk.get(`invoices?overdue=1&perPage=100`)).body.items.some((row: { id: number }) => row.id === sent.id)
    expect(await overdue()).toBe(false)
    const paid = (await move(sent, 'paid', { at: '2026-11-20T10:00:00Z' })).body
    expect(paid).toMatchObject({ status: 'paid', statusDate: '2026-11-20T10:00:00.000Z', version: sent.version + 1 })
    expect((await move(paid, 'paid')).body).toMatchObject({ status: 'paid', version: paid.version })
    expect(codes(await move(paid, 'sent'))).toEqual([422, 'reason reason_missing'])
    const back = (await move(paid, 'sent', { reason: 'bounced' })).body
    expect(back).toMatchObject({ status: 'sent', number: sent.number })
    // The payment that marking it as paid has booked is reversed with it.
    const [reversed, latest] = (await clerk.get(`audit-entries?invoiceId=${sent.id}`)).body.items
    expect(reversed).toMatchObject({ action: 'paymentReversed', reason: 'bounced' })
    expect(latest).toMatchObject({
      action: 'moved',
      reason: 'bounced',
      changes: [{ path: 'status', from: 'paid', to: 'sent' }],
    })
    const day = '2026-11-20'
    expect(
      (await clerk.get(`invoices?statusDate.paid[from]=${day}&statusDate.paid[to]=${day}`)).body.items.map(
        (row: { id: number }) => row.id,
      ),
    ).toContain(sent.id)
  })

  test('a carrier’s invoice goes by its own', async () => {
    const carrier = await carrierInvoice({ number: 'C-1' })
    expect((await move(carrier, 'sent')).body).toMatchObject({
      code: 'illegal_transition',
      from: 'received',
      allowed: ['approved', 'in_progress', 'canceled'],
    })
    expect((await send(carrier)).body.code).toBe('illegal_transition')
    expect(codes(await move(carrier, 'in_progress'))).toEqual([422, 'reason reason_missing'])
    let now = (await move(carrier, 'in_progress', { reason: 'POD missing' })).body
    const steps = [
      ['received', null],
      ['approved', 'the customer has confirmed the delivery'],
      ['paid', null],
      ['approved', 'the bank has sent it back'],
    ] as const
    for (const [to, reason] of steps) {
      if (reason !== null) expect(codes(await move(now, to))).toEqual([422, 'reason reason_missing'])
      now = (await move(now, to, { reason })).body
      expect(now.status).toBe(to)
    }
    expect((await clerk.patch(`invoices/${now.id}`, { amountCents: 1 }, { version: now.version })).body.code).toBe(
      'conflict',
    )
    expect((await clerk.get(`invoices/${now.id}/document`)).status).toBe(404)
  })
})

async function carrierInvoice(more: object = {}) {
  const order = await newOrder({ routes: [{ ...carried(world, 80_000), locationKeys: ['from', 'to'] }] })
  const { status, body } = await clerk.post('invoices', {
    entityType: 'carrier',
    carrierCompanyId: world.carrier.id,
    orderIds: [order.id],
    number: `C-${order.number}`,
    amountCents: 80_000,
    vatBp: 0,
    totalCents: 80_000,
    ...more,
  })
  expect([status, body.errors]).toEqual([201, undefined])
  return body
}

describe('a carrier’s invoice', () => {
  test('needs its header values, and takes no lines', async () => {
    expect(codes(await clerk.post('invoices', { entityType: 'carrier' }))).toEqual([
      422,
      'carrierCompanyId required',
      'number required',
      'amountCents required',
    ])
    const given = { entityType: 'carrier', carrierCompanyId: world.carrier.id, number: 'L-1', amountCents: 100 }
    expect(
      codes(
        await clerk.post('invoices', {
          ...given,
          lines: [{ text: 'x', unitPriceCents: 1, vatBp: 0, vatCategory: 'S' }],
        }),
      ),
    ).toEqual([422, 'lines invalid_value'])
    expect(codes(await clerk.post('invoices', { ...given, totalCents: 99 }))).toEqual([422, 'totalCents too_small'])
    const credit = { ...given, amountCents: -100 }
    expect(codes(await clerk.post('invoices', { ...credit, totalCents: -99 }))).toEqual([422, 'totalCents too_big'])
    expect(codes(await clerk.post('invoices', { ...given, carrierCompanyId: 999_999 }))).toEqual([
      422,
      'carrierCompanyId unknown_reference',
    ])
    expect(codes(await clerk.post('invoices', { ...given, iban: 'DE00 1234' }))).toEqual([422, 'iban invalid_iban'])
    expect(
      codes(await clerk.post('invoices', { ...given, documentCreationDate: '2026-11-20', dueDate: '2026-11-19' })),
    ).toEqual([422, 'dueDate ends_before_start'])
  })

  test('has a number of its own at the carrier, however it is written, unless the other one was canceled', async () => {
    const first = await carrierInvoice({ number: 'RE 2026/77' })
    const again = { entityType: 'carrier', carrierCompanyId: world.carrier.id, number: 're-2026-77', amountCents: 1 }
    const refused = await clerk.post('invoices', again, { headers: { 'accept-language': 'de' } })
    expect(refused.body.errors).toEqual([
      { path: 'number', code: 'number_taken', message: 'Die Nummer muss eindeutig sein' },
    ])
    await move(first, 'canceled')
    expect((await clerk.post('invoices', again)).status).toBe(201)
  })

  test('keeps numbers apart whose groups differ, and those of other scripts', async () => {
    const write = (number: string) =>
      clerk.post('invoices', { entityType: 'carrier', carrierCompanyId: world.carrier.id, number, amountCents: 1 })
    const statuses = async (numbers: string[]) => {
      const found: number[] = []
      for (const number of numbers) found.push((await write(number)).status)
      return found
    }
    expect(await statuses(['1/11/2026', '11/1/2026', '111/2026', '1-11-2026', '1 / 11 \u2013 2026'])).toEqual([
      201, 201, 201, 422, 422,
    ])
    expect(await statuses(['ФК-12', 'АБ-12', '12', 'Nr. ФК 12', 'ФК12'])).toEqual([201, 201, 201, 201, 422])
    expect(await statuses(['FV2026/7', 'fv 2026 / 7', '№ FV.2026.7', 'FV20267'])).toEqual([201, 422, 422, 201])
    // Neither letters nor digits: no number that could be told from another.
    expect(await statuses(['---', '***'])).toEqual([201, 201])
  })

  test('warns of another amount, a rate that does not fit, and an account that the carrier does not have', async () => {
    expect((await carrierInvoice()).warnings).toEqual([])
    const wrong = await carrierInvoice({
      number: 'W-1',
      amountCents: 81_000,
      vatBp: 1900,
      totalCents: 96_390,
      iban: 'DE89 3704 0044 0532 0130 00',
    })
    expect(wrong).toMatchObject({
      iban: 'DE89370400440532013000',
      vatCents: 15_390,
      warnings: ['amount_differs', 'vat_does_not_fit', 'unknown_iban'],
    })
    const carrier = (await app.admin.get(`carrier-companies/${world.carrier.id}`)).body
    await app.admin.patch(
      `carrier-companies/${carrier.id}`,
      { bankAccounts: [{ iban: 'DE89370400440532013000' }] },
      { version: carrier.version },
    )
    expect((await clerk.get(`invoices/${wrong.id}`)).body.warnings).toEqual(['amount_differs', 'vat_does_not_fit'])
  })
})

describe('corrections', () => {
  test('a full one mirrors to the cent, cancels the original when it is sent, and frees the freight', async () => {
    const { order, invoice } = await newInvoice({ customerPriceCents: 33_333 })
    expect(
      (await clerk.post(`invoices/${invoice.id}/correction`, { reason: 'too early' }, { version: 1 })).body.code,
    ).toBe('conflict')
    const sent = (await send(invoice)).body
    const draft = await clerk.post(
      `invoices/${sent.id}/correction`,
      { reason: 'wrong customer' },
      { version: sent.version },
    )
    expect(draft.status).toBe(201)
    expect(draft.headers.location).toBe(`/api/invoices/${draft.body.id}`)
    expect(draft.body).toMatchObject({
      status: 'created',
      correctionOfId: sent.id,
      correctionReason: 'wrong customer',
      amountCents: -sent.amountCents,
      vatCents: -sent.vatCents,
      totalCents: -sent.totalCents,
    })
    // Still billed until the correction has left.
    expect((await clerk.get(`invoices/${sent.id}`)).body).toMatchObject({
      status: 'sent',
      corrections: [{ id: draft.body.id }],
    })
    const noted = await clerk.patch(`invoices/${draft.body.id}`, { notes: 'Sorry' }, { version: 1 })
    expect(noted.body).toMatchObject({ notes: 'Sorry', totalCents: -sent.totalCents })
    expect(codes(await clerk.patch(`invoices/${draft.body.id}`, { orderIds: [] }, { version: 2 }))).toEqual([
      422,
      'orderIds read_only',
    ])
    const correction = (await send(noted.body, clerk, INVOICE_MAIL)).body
    expect(Number(correction.number.split('-')[2])).toBe(Number(sent.number.split('-')[2]) + 1)
    const pdf = await pdfOf(correction.id)
    for (const text of ['Stornorechnung', `Korrektur zur Rechnung ${sent.number}`, 'wrong customer', '-333,33'])
      expect(pdf.replace('−', '-')).toContain(text)
    expect((await clerk.get(`invoices/${sent.id}`)).body).toMatchObject({
      status: 'canceled',
      totalCents: sent.totalCents,
    })
    expect((await clerk.get(`emails?invoiceId=${correction.id}`)).body.items[0].type).toBe('invoice_correction')
    expect((await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })).status).toBe(201)
  })

  test('a partial one leaves the original as it is; what is left can still be taken back, once', async () => {
    const { invoice } = await newInvoice()
    const sent = (await send(invoice)).body
    const line = { text: 'Nachlass', quantity: -1, unitPriceCents: 5_000, vatBp: 1900, vatCategory: 'S' }
    const partial = (
      await clerk.post(
        `invoices/${sent.id}/correction`,
        { reason: 'discount', lines: [line] },
        { version: sent.version },
      )
    ).body
    expect(partial).toMatchObject({ amountCents: -5_000, totalCents: -5_950 })
    const sentPartial = (await send(partial)).body
    expect((await clerk.get(`invoices/${sent.id}`)).body.status).toBe('sent')
    expect(
      (await clerk.post(`invoices/${sentPartial.id}/correction`, { reason: 'again' }, { version: sentPartial.version }))
        .body.code,
    ).toBe('conflict')

    const rest = async () =>
      (await clerk.post(`invoices/${sent.id}/correction`, { reason: 'all of it' }, { version: sent.version })).body
    const [one, two] = [await rest(), await rest()]
    expect(one.amountCents).toBe(-45_000)
    expect((await send(one)).status).toBe(200)
    expect((await clerk.get(`invoices/${sent.id}`)).body.status).toBe('canceled')
    expect((await send(two)).body.code).toBe('conflict')
  })

  test('none takes back more than was invoiced: by itself, at another rate, with those before it', async () => {
    const { invoice } = await newInvoice()
    const sent = (await send(invoice)).body
    const line = { text: 'Nachlass', quantity: -1, unitPriceCents: 50_000, vatBp: 1900, vatCategory: 'S' }
    const correct = (lines: object[]) =>
      clerk.post(`invoices/${sent.id}/correction`, { reason: 'discount', lines }, { version: sent.version })
    for (const lines of [
      [{ ...line, quantity: -50 }],
      [line, { ...line, unitPriceCents: 1 }],
      [{ ...line, unitPriceCents: 100, vatBp: 700 }],
      [line, { ...line, vatBp: 0, vatCategory: 'AE', unitPriceCents: 1 }],
    ])
      expect(codes(await correct(lines))).toEqual([422, 'lines exceeds_original'])

    // Another rate for the same freight, and a surcharge, take nothing back that was not billed.
    expect((await correct([line, { ...line, quantity: 1, vatBp: 0, vatCategory: 'AE' }])).status).toBe(201)
    expect((await correct([{ ...line, quantity: 1 }])).status).toBe(201)

    const most = [{ ...line, unitPriceCents: 30_000 }]
    const [one, two] = [(await correct(most)).body, (await correct(most)).body]
    expect(
      codes(await clerk.patch(`invoices/${one.id}`, { lines: [{ ...line, quantity: -2 }] }, { version: 1 })),
    ).toEqual([422, 'lines exceeds_original'])
    const answers = await Promise.all([send(one), send(two)])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 422])
    expect(codes(answers.find(({ status }) => status === 422)!)).toEqual([422, 'lines exceeds_original'])
    expect(codes(await correct(most))).toEqual([422, 'lines exceeds_original'])
    const rest = await clerk.post(`invoices/${sent.id}/correction`, { reason: 'rest' }, { version: sent.version })
    expect(rest.body.amountCents).toBe(-20_000)
  })
})

describe('the list', () => {
  test('finds by number, customer and order, filters, sorts and pages, in compact form too', async () => {
    const lonely = await world.customer('Żółw Logistyka', 'DE')
    const { order, invoice } = await newInvoice({ customerIds: [lonely], customerOrderNumber: 'KD-99/ä' })
    const sent = (await send(invoice)).body
    const ids = async (query: string) =>
      (await clerk.get(`invoices?${query}`)).body.items?.map((row: { id: number }) => row.id)
    for (const q of [sent.number, sent.innerNumber, 'zolw log', order.number, 'kd-99/a'])
      expect([q, await ids(`q=${encodeURIComponent(q)}`)]).toEqual([q, [sent.id]])
    expect(await ids('q=WB&perPage=100')).toContain(sent.id)
    expect(await ids(`orderId[]=${order.id}`)).toEqual([sent.id])
    expect(await ids(`billingCustomerId[]=${lonely}&status[]=sent&status[]=paid`)).toEqual([sent.id])
    expect(await ids(`billingCustomerId[]=${lonely}&entityType=carrier`)).toEqual([])
    expect(await ids(`billingCustomerId[]=${lonely}&createdAt[from]=${today()}&createdAt[to]=${today()}`)).toEqual([
      sent.id,
    ])
    expect(await ids(`billingCustomerId[]=${lonely}&dueDate[to]=${addDays(sent.dueDate, -1)}`)).toEqual([])
    expect(await ids(`billingCustomerId[]=${lonely}&dueDate[from]=${sent.dueDate}`)).toEqual([sent.id])
    expect((await clerk.get('invoices?colour=red')).status).toBe(422)
    for (const sort of ['number', 'dueDate', 'totalCents', 'status', 'createdAt'].flatMap((field) => [
      field,
      `-${field}`,
    ])) {
      const first = await clerk.get(`invoices?sort=${sort}&perPage=10`)
      const second = await clerk.get(`invoices?sort=${sort}&perPage=10&cursor=${first.body.nextCursor}`)
      const byPage = await clerk.get(`invoices?sort=${sort}&perPage=10&page=2`)
      expect([sort, second.body.items]).toEqual([sort, byPage.body.items])
    }
    const compact = await clerk.get(`invoices?q=${sent.number}`, { compact: true })
    expect(compact.body.items).toEqual([{ id: sent.id, title: sent.number }])
  })
})

test('bad input is refused, never a fault of ours', async () => {
  const { invoice } = await newInvoice()
  const line = { text: 'x', unitPriceCents: 1, vatBp: 0, vatCategory: 'S' }
  const bodies: unknown[] = [
    null,
    [],
    'x',
    1,
    {},
    { entityType: 'both' },
    { entityType: 'customer', orderIds: 'x' },
    { entityType: 'customer', orderIds: [0] },
    { entityType: 'customer', orderIds: [2 ** 53] },
    { entityType: 'customer', secret: 1 },
    { entityType: 'customer', lines: [{ ...line, quantity: 1e300 }] },
    { entityType: 'customer', lines: [{ ...line, text: 'a\u0000b' }] },
    { entityType: 'customer', lines: [{ ...line, text: '\ud800' }] },
    { entityType: 'customer', lines: [{ ...line, unitPriceCents: 1.5 }] },
    { entityType: 'customer', lines: [{ ...line, quantity: 1.2345 }] },
    { entityType: 'customer', servicePeriodFrom: '2026-02-30' },
    {
      entityType: 'customer',
      companyId: 1,
      billingCustomerId: customerId,
      lines: Array.from({ length: 1000 }, () => ({ ...line, quantity: 1_000_000, unitPriceCents: 1_000_000_000_000 })),
    },
  ]
  for (const body of bodies) {
    for (const answer of [
      await clerk.post('invoices', body),
      await clerk.put(`invoices/${invoice.id}`, body, { version: 1 }),
    ]) {
      expect([JSON.stringify(body)?.slice(0, 100), answer.status < 500 && answer.status >= 400]).toEqual([
        JSON.stringify(body)?.slice(0, 100),
        true,
      ])
    }
  }
})

// The last test: the clock moves past every sign-in.
test('overdue is derived from the company’s own day', async () => {
  const { invoice } = await newInvoice({ paymentPeriodDays: 0 })
  const sent = (await send(invoice)).body
  const find = async (caller: Caller, wanted: 0 | 1) =>
    (await caller.get(`invoices?overdue=${wanted}&q=${sent.number}`)).body.items
  expect([await find(clerk, 0), await find(clerk, 1)]).toMatchObject([[{ isOverdue: false }], []])
  app.clock.advance(24 * 3_600_000)
  const tomorrow = app.withToken((await app.signIn(ADMIN.email, ADMIN.password)).body.token)
  expect([await find(tomorrow, 0), await find(tomorrow, 1)]).toMatchObject([[], [{ isOverdue: true }]])
})

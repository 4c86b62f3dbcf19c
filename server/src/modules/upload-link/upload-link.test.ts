import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@waybill/contract/order/order'
import type { UploadPage } from '@waybill/contract/public/upload-link'
import { createVault, oneKey } from '../../kit/context/vault.ts'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { exampleInvoice, ublOf } from '../../../test/e-invoice-examples.ts'
import { jobContext } from '../../../test/job-context.ts'
import { carried, caseWorker, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { encodeForm, FILES } from '../../../test/upload.ts'
import { sweepUploads } from './index.ts'

const app = useTestApp()
let world: OrderWorld
let customerId: number
let dispatcher: Caller
let clerk: Caller

const IBAN = 'PL61109010140000071219812874'
const CUSTOMER = 'Nordlicht Maschinenbau GmbH'
const DAY_MS = 86_400_000

beforeAll(async () => {
  world = await orderWorld(app)
  customerId = await world.customer(CUSTOMER, 'DE')
  dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
  clerk = (await app.userWith('ORDERS_MANAGEMENT', 'INVOICES_PROCESSING')).caller
  const carrier = (await app.admin.get(`carrier-companies/${world.carrier.id}`)).body
  const saved = await app.admin.patch(
    `carrier-companies/${world.carrier.id}`,
    { bankAccounts: [{ bankName: 'Bank', iban: IBAN }] },
    { version: carrier.version },
  )
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
})

async function newOrder(more: object = {}): Promise<Order> {
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 123_456,
      routes: [{ ...carried(world), locationKeys: ['from', 'to'] }],
      ...more,
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

const routeOf = (order: Order) => order.routes[0]!
const readOrder = async (id: number): Promise<Order> => (await app.admin.get(`orders/${id}`)).body
const orderDocuments = async (id: number) =>
  (await clerk.get(`documents?orderId=${id}`)).body.items as {
    id: number
    title: string
    documentType: string
    acceptance: string
    locationIds: number[]
    version: number
  }[]

/** Makes the link of an order's only route; answers its token. */
async function linkOf(order: Order, seen: number | null = null): Promise<string> {
  const { version } = await readOrder(order.id)
  const made = await dispatcher.post(`routes/${routeOf(order).id}/upload-link`, { linkId: seen }, { version })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return made.body.link.url.split('/').at(-1)
}

let calls = 0
/** The way of a carrier: each call from a line of its own, unless one is named. */
const from = (ip?: string) => ({ ip: ip ?? `2001:db8:9:${((calls += 1)).toString(16)}::1` })
const page = (token: string): Promise<Answer<UploadPage>> =>
  app.anonymous.get(`upload-documents/${token}`, from()) as Promise<Answer<UploadPage>>

type File = { name: string; bytes: Uint8Array<ArrayBuffer> }
async function send(token: string, kind: string, file?: File, headers: Record<string, string> = {}): Promise<Answer> {
  const { body, contentType } = await encodeForm({ fields: { kind }, ...(file && { file }) })
  return app.anonymous.post(`upload-documents/${token}/files`, body, {
    ...from(),
    headers: { 'content-type': contentType, ...headers },
  })
}
const pdf = (name = 'CMR signed.pdf', mark = name): File => ({
  name,
  bytes: FILES.text(`%PDF-1.7\n% ${mark}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`),
})

let numbers = 0
const typed = (more: object = {}) => ({
  invoiceNumber: `FV/2026/12/${(numbers += 1)}`,
  documentCreationDate: '2026-12-07',
  amountCents: 90_000,
  vatBp: 0,
  totalCents: 90_000,
  iban: 'PL61 1090 1014 0000 0712 1981 2874',
  ...more,
})
const submit = (token: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  app.anonymous.post(`upload-documents/${token}`, body, { ...from(), headers })

const faultsOf = ({ status, body }: Answer) => [
  status,
  (body.errors ?? []).map((fault: { path: string; code: string }) => `${fault.path} ${fault.code}`),
]
async function storedFiles(): Promise<number> {
  const { kept, staged } = app.ports.fileStore
  return (await kept()).length + (await staged())
}
const invoicesOf = async (order: Order) =>
  (await clerk.get(`invoices?orderId[]=${order.id}&entityType=carrier`)).body.items as { id: number; number: string }[]

describe('a link that opens nothing', () => {
  const anonymousCalls = (token: string) => [
    () => app.anonymous.get(`upload-documents/${token}`, from()),
    () => app.anonymous.post(`upload-documents/${token}/opened`, {}, from()),
    () => send(token, 'pod', pdf()),
    () => app.anonymous.delete(`upload-documents/${token}/files/1`, from()),
    () => submit(token, typed()),
    () => app.anonymous.post(`upload-documents/${token}/proofs`, {}, from()),
  ]
  const withoutRequest = ({ status, body }: Answer) => ({ status, ...body, requestId: '' })

  test('unknown, changed in one bit, malformed, revoked and foreign links are one answer in every call', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const bytes = Buffer.from(token, 'base64url')
    bytes[5]! ^= 1
    const revoked = token
    expect((await page(revoked)).status).toBe(200)
    const { id } = (await dispatcher.get(`routes/${routeOf(order).id}/upload-link`)).body.link
    const current = await linkOf(order, id)
    const foreignOrder = await newOrder()
    const foreign = await linkOf(foreignOrder)
    const { vault } = app.ports
    const before = await storedFiles()
    app.ports.vault = createVault(oneKey('the key of quite another installation, long enough'))
    const answers = await Promise.all(anonymousCalls(foreign).map((call) => call()))
    app.ports.vault = vault
    expect((await page(foreign)).status).toBe(200)
    for (const dead of ['x', '%20', 'a'.repeat(43), bytes.toString('base64url'), `${current}A`, revoked])
      for (const call of anonymousCalls(dead)) answers.push(await call())
    const expected = withoutRequest(answers[0]!)
    expect(expected).toMatchObject({ status: 404, code: 'not_found' })
    for (const answer of answers) expect(withoutRequest(answer)).toEqual(expected)
    expect(await storedFiles()).toBe(before)
    expect((await page(current)).status).toBe(200)
  })

  test('an expired one, too, and each of them asks the database and the key the same', async () => {
    const order = await newOrder()
    const [known, expired] = [await linkOf(order), await linkOf(await newOrder())]
    const revokedOrder = await newOrder()
    const revoked = await linkOf(revokedOrder)
    const path = `routes/${routeOf(revokedOrder).id}/upload-link`
    expect((await dispatcher.delete(path, { version: revokedOrder.version })).status).toBe(204)
    await app.asOwner(`alter table upload_link disable trigger all;
      update upload_link set "createdAt" = '2020-01-01', "expiresAt" = '2020-12-31' where id = (
        select id from upload_link where "tokenHash" = sha256('${expired}'));
      alter table upload_link enable trigger all`)
    const changed = Buffer.from(known, 'base64url')
    changed[5]! ^= 1
    const { vault } = app.ports
    const foreign = createVault(oneKey('the key of quite another installation, long enough'))
    const original = pg.Client.prototype.query
    const stepsOf = async (token: string, key = vault) => {
      const steps: string[] = []
      app.ports.vault = {
        ...key,
        sign: (...given: Parameters<typeof key.sign>) => {
          steps.push('key')
          return key.sign(...given)
        },
      }
      pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
        const [config] = args as [string | { text: string }]
        steps.push(typeof config === 'string' ? config : config.text)
        return (original as (...given: unknown[]) => unknown).apply(this, args)
      } as typeof original
      const answer = await page(token).finally(() => {
        pg.Client.prototype.query = original
        app.ports.vault = vault
      })
      return { answer: { ...withoutRequest(answer) }, steps }
    }
    const wanted = await stepsOf('x')
    expect(wanted.answer).toMatchObject({ status: 404, code: 'not_found' })
    expect(wanted.steps.filter((step) => step === 'key')).toHaveLength(1)
    for (const [name, dead, key] of [
      ['unknown', 'a'.repeat(43)],
      ['one bit changed', changed.toString('base64url')],
      ['one letter more', `${known}A`],
      ['revoked', revoked],
      ['expired', expired],
      ['of another installation', known, foreign],
    ] as const)
      expect(await stepsOf(dead, key), name).toEqual(wanted)
    expect((await page(known)).status).toBe(200)
  })

  test('leaves our main company to call, the same for everybody, and no other', async () => {
    const main = (await app.admin.get('companies')).body.items[0]
    const second = await app.admin.post('companies', {
      title: 'Waybill Polska Sp. z o.o.',
      code: 'WP',
      timeZone: 'Europe/Warsaw',
      invoiceNumberPattern: 'WP-{YYYY}-{NNNNN}',
      countryId: world.countries.PL,
      phone: '+48 61 555 00 00',
    })
    expect(second.status, JSON.stringify(second.body)).toBe(201)
    const wrong = await app.anonymous.get('upload-documents/x', from())
    expect(wrong.raw.toString('utf8')).not.toContain('Waybill')
    const { status, body } = await app.anonymous.get('our-office', from())
    expect([status, body.title, Object.keys(body).toSorted()]).toEqual([
      200,
      main.title,
      ['address', 'city', 'countryCode', 'email', 'phone', 'postal', 'title'],
    ])
  })

  test('is over after twelve months, and where another carrier drives the route', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const other = await app.admin.post('carrier-companies', {
      title: 'Elbtal Cargo GmbH',
      countryId: world.countries.DE,
    })
    const current = await readOrder(order.id)
    const { id, locationIds } = routeOf(current)
    const saved = await app.admin.patch(
      `orders/${order.id}`,
      { routes: [{ id, locationIds, assignment: { carrierCompanyId: other.body.id } }] },
      { version: current.version },
    )
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    expect((await page(token)).status).toBe(404)
    const next = await linkOf(order)
    expect((await page(next)).body.carrier).toBe('Elbtal Cargo GmbH')
    const { link } = (await dispatcher.get(`routes/${id}/upload-link`)).body
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBeGreaterThan(364 * DAY_MS)
    await app.asOwner(`alter table upload_link disable trigger all; update upload_link set "createdAt" = '2020-01-01',
      "expiresAt" = now() - interval '1 second' where id = ${link.id}; alter table upload_link enable trigger all`)
    expect((await page(next)).status).toBe(404)
    expect((await dispatcher.get(`routes/${id}/upload-link`)).body.link).toBeNull()
  })

  test('is slowed after thirty wrong tries of an address, and learns nothing then', async () => {
    const token = await linkOf(await newOrder())
    const ip = '203.0.113.7'
    // The minute must not change on the way.
    app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
    const statuses: number[] = []
    for (let guess = 0; guess < 40; guess += 1)
      statuses.push((await app.anonymous.get(`upload-documents/${'b'.repeat(40)}${guess}`, from(ip))).status)
    expect(statuses).toEqual([...Array<number>(30).fill(404), ...Array<number>(10).fill(429)])
    const slowed = await app.anonymous.get(`upload-documents/${token}`, from(ip))
    expect(slowed.status).toBe(429)
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
    expect((await page(token)).status).toBe(200)
    app.clock.advance(60_000)
    expect((await app.anonymous.get(`upload-documents/${token}`, from(ip))).status).toBe(200)
  })

  test('takes thirty calls in a minute, from wherever they come', async () => {
    const token = await linkOf(await newOrder())
    app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
    const statuses: number[] = []
    for (let call = 0; call < 32; call += 1) statuses.push((await page(token)).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual([429, 429])
  })
})

describe('what a link shows', () => {
  test('names and rings its case worker until that person leaves', async () => {
    const worker = await caseWorker(app)
    const token = await linkOf(await newOrder({ caseWorkerId: worker.id }))
    const contact = async () => (await page(token)).body.contact
    expect(await contact()).toEqual(worker.contact)
    await worker.leave()
    const { name, phone } = await contact()
    expect(name).toBeNull()
    expect(phone).not.toBe(worker.contact.phone)
  })

  test('is its own transport, and nothing that the carrier may not know', async () => {
    const order = await newOrder({ internalComments: 'Customer pays late', customerOrderNumber: 'PO-777' })
    const { status, body, raw } = await page(await linkOf(order))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'open',
      language: 'pl',
      carrier: 'Trans-Wielkopolska Sp. j.',
      customer: CUSTOMER,
      route: {
        number: routeOf(order).number,
        plateNumber: 'PO 4T112',
        stops: [
          { kind: 'loading', countryCode: 'DE', city: 'Hamburg', day: '2026-11-30', isDone: false },
          { kind: 'unloading', countryCode: 'PL', city: 'Poznań', day: '2026-12-01', isDone: false },
        ],
      },
      company: { title: 'Waybill Spedition GmbH', countryCode: 'DE' },
      contact: { name: null, phone: expect.anything() },
      agreed: {
        freightCents: 90_000,
        extras: [],
        invoicedCents: 0,
        netCents: 90_000,
        vatBp: 2300,
        vatCents: 20_700,
        totalCents: 110_700,
      },
      paymentPeriodDays: 30,
      needs: ['pod', 'invoice'],
      knownAccounts: ['2874'],
      files: [],
      invoice: null,
    })
    const text = raw.toString('utf8')
    for (const secret of ['123456', IBAN, 'pays late', 'PO-777', 'Żak']) expect(text).not.toContain(secret)
  })

  test('names the approved extras that its carrier is paid, in the agreed sum', async () => {
    const order = await newOrder()
    const extra = async (body: object, to: string) => {
      const { body: entered } = await app.admin.post(`orders/${order.id}/extras`, {
        unit: 'hour',
        quantity: 1,
        ...body,
      })
      const decided = await app.admin.post(
        `orders/${order.id}/extras/${entered.id}/state`,
        { to },
        { version: entered.version },
      )
      expect(decided.status, JSON.stringify(decided.body)).toBe(200)
    }
    await extra({ kind: 'waiting_time', quantity: 2, costCents: 4_500, priceCents: 6_000 }, 'approved')
    await extra({ kind: 'tolls', costCents: 3_000 }, 'refused')
    await extra({ kind: 'customs', priceCents: 8_000 }, 'approved')
    expect((await page(await linkOf(order))).body.agreed).toEqual({
      freightCents: 90_000,
      extras: [{ kind: 'waiting_time', netCents: 9_000 }],
      invoicedCents: 0,
      netCents: 99_000,
      vatBp: 2300,
      vatCents: 22_770,
      totalCents: 121_770,
    })
  })

  test('takes off the agreed sum what its carrier has invoiced for the route, and nothing else', async () => {
    const other = await app.admin.post('carrier-companies', { title: 'Warta Trans', countryId: world.countries.PL })
    const [order, second] = [
      await newOrder({
        routes: [{ ...carried(world), locationKeys: ['from', 'to'], assignment: { carrierCompanyId: other.body.id } }],
      }),
      await newOrder(),
    ]
    const { id: routeId, locationIds } = routeOf(order)
    const given = await app.admin.patch(
      `orders/${order.id}`,
      { routes: [{ id: routeId, locationIds, assignment: carried(world).assignment }] },
      { version: order.version },
    )
    expect(given.status, JSON.stringify(given.body)).toBe(200)
    const token = await linkOf(order)
    const bill = async (carrierCompanyId: number, amountCents: number, more: object = {}) => {
      const body = { entityType: 'carrier', carrierCompanyId, amountCents, number: `HAND ${(numbers += 1)}`, routeId }
      const made = await clerk.post('invoices', { ...body, ...more })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      return made.body
    }
    const mine = world.carrier.id
    await bill(other.body.id, 7_000)
    await bill(mine, 1_000, { currency: 'PLN' })
    expect((await page(token)).body.agreed).toMatchObject({ invoicedCents: 0, netCents: 90_000 })
    const part = await bill(mine, 65_000, {
      routeId: null,
      allocations: [
        { routeId, netCents: 40_000 },
        { routeId: routeOf(second).id, netCents: 25_000 },
      ],
    })
    const { body, raw } = await page(token)
    expect(body.agreed).toEqual({
      freightCents: 90_000,
      extras: [],
      invoicedCents: 40_000,
      netCents: 50_000,
      vatBp: 2300,
      vatCents: 11_500,
      totalCents: 61_500,
    })
    for (const secret of [part.number, '65000', '25000', 'Warta', second.number])
      expect(raw.toString('utf8')).not.toContain(secret)
    await send(token, 'invoice', pdf('rest.pdf'))
    expect(faultsOf(await submit(token, typed()))).toEqual([422, ['differenceReason difference_reason_missing']])
    const rest = await submit(token, typed({ amountCents: 50_000, totalCents: 50_000 }))
    expect([rest.status, rest.body.hints], JSON.stringify(rest.body)).toEqual([200, []])
    // What comes after the invoice of the link is no part of what it is compared with, as in the check.
    await bill(mine, 3_000)
    expect((await page(token)).body.agreed).toMatchObject({ invoicedCents: 40_000, netCents: 50_000 })
    const [sent] = await invoicesOf(order).then((all) => all.filter(({ number }) => number.startsWith('FV')))
    const { checks } = (await clerk.get(`invoices/${sent!.id}/check`)).body
    expect(checks.find(({ key }: { key: string }) => key === 'amount')).toMatchObject({
      level: 'ok',
      expected: { says: 'amountAgreed', values: { agreedCents: 50_000 } },
    })
  })

  test('takes no more off than was agreed, and adds nothing for a credit note', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const bill = (amountCents: number) =>
      clerk.post('invoices', {
        entityType: 'carrier',
        carrierCompanyId: world.carrier.id,
        routeId: routeOf(order).id,
        number: `HAND ${(numbers += 1)}`,
        amountCents,
      })
    const agreed = async () => (await page(token)).body.agreed
    expect((await bill(-5_000)).status).toBe(201)
    expect(await agreed()).toMatchObject({ invoicedCents: 0, netCents: 90_000 })
    expect((await bill(97_000)).status).toBe(201)
    expect(await agreed()).toMatchObject({ invoicedCents: 92_000, netCents: 0, vatCents: 0, totalCents: 0 })
  })

  test('is no customer’s name where the department does not say for whom it drives', async () => {
    const department = (await app.admin.get(`departments/${world.departmentId}`)).body
    const neutral = await app.admin.patch(
      `departments/${world.departmentId}`,
      { isNeutral: true },
      { version: department.version },
    )
    expect(neutral.status).toBe(200)
    const { body, raw } = await page(await linkOf(await newOrder()))
    expect(body.customer).toBeNull()
    expect(raw.toString('utf8')).not.toContain('Nordlicht')
    await app.admin.patch(`departments/${world.departmentId}`, { isNeutral: false }, { version: neutral.body.version })
  })

  test('is changed by no reading; a person’s opening is counted, and told once in the history', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const shown = async () => (await dispatcher.get(`routes/${routeOf(order).id}/upload-link`)).body.link
    await page(token)
    expect(await shown()).toMatchObject({ openedCount: 0, openedFirstAt: null })
    for (let time = 0; time < 3; time += 1)
      expect((await app.anonymous.post(`upload-documents/${token}/opened`, {}, from())).status).toBe(204)
    expect(await shown()).toMatchObject({ openedCount: 3, openedFirstAt: expect.any(String) })
    const { items } = (await dispatcher.get(`audit-entries?orderId=${order.id}`)).body
    expect(items.filter(({ action }: { action: string }) => action === 'uploadLinkOpened')).toHaveLength(1)
  })

  test('is that its invoice was set aside or canceled, but no suspicion that was not written', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    await send(token, 'pod', pdf())
    await send(token, 'invoice', pdf('FV.pdf'))
    expect((await submit(token, typed({ dueDate: '2027-01-20' }))).body.page.invoice).toMatchObject({
      dueDate: '2027-01-20',
      problem: null,
    })
    const [{ id } = { id: 0 }] = await invoicesOf(order)
    const { version } = (await clerk.get(`invoices/${id}`)).body
    const suspicion = { kind: 'iban', text: 'The account is not theirs' }
    const held = await clerk.post(`invoices/${id}/problem`, suspicion, { version })
    expect(held.status, JSON.stringify(held.body)).toBe(200)
    const { body, raw } = await page(token)
    expect(body).toMatchObject({ state: 'open', needs: [], invoice: { isChecked: false, problem: { kind: null } } })
    expect(raw.toString('utf8')).not.toContain(suspicion.text)
    const canceled = await clerk.post(`invoices/${id}/status`, { to: 'canceled' }, { version: held.body.version })
    expect(canceled.status, JSON.stringify(canceled.body)).toBe(200)
    expect((await page(token)).body).toMatchObject({ state: 'open', needs: ['invoice'], invoice: null })
  })

  test('files of another link are out of reach in every call', async () => {
    const [mine, theirs] = [await linkOf(await newOrder()), await linkOf(await newOrder())]
    const sent = await send(theirs, 'pod', pdf())
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    for (let id = sent.body.id - 2; id <= sent.body.id + 2; id += 1)
      expect((await app.anonymous.delete(`upload-documents/${mine}/files/${id}`, from())).status).toBe(404)
    expect((await app.anonymous.post(`upload-documents/${mine}/proofs`, {}, from())).body.errors[0]).toMatchObject({
      path: 'files',
      code: 'required',
    })
    expect((await page(theirs)).body.files.map(({ id }) => id)).toEqual([sent.body.id])
    expect((await page(mine)).body.files).toEqual([])
  })
})

describe('sending', () => {
  test('an electronic invoice in złoty makes an invoice in złoty, whatever is typed', { tags: 'long' }, async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const xml = { name: 'FV.xml', bytes: FILES.text(ublOf(exampleInvoice({ currency: 'PLN' }))) }
    expect((await send(token, 'invoice', xml)).status).toBe(201)
    expect((await submit(token, typed())).status).toBe(200)
    const [invoice] = await invoicesOf(order)
    expect((await clerk.get(`invoices/${invoice!.id}`)).body.currency).toBe('PLN')
    // A better one in euros takes its place.
    const euros = { name: 'FV 2.xml', bytes: FILES.text(ublOf(exampleInvoice())) }
    expect((await send(token, 'invoice', euros)).status).toBe(201)
    expect((await submit(token, typed())).status).toBe(200)
    expect((await clerk.get(`invoices/${invoice!.id}`)).body.currency).toBe('EUR')
  })

  test('an electronic invoice of which part was paid before stops at the check', { tags: 'long' }, async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const prepaid = ublOf(exampleInvoice()).replace('>1469.13</cbc:PayableAmount', '>469.13</cbc:PayableAmount')
    expect((await send(token, 'invoice', { name: 'FV.xml', bytes: FILES.text(prepaid) })).status).toBe(201)
    expect((await submit(token, typed())).status).toBe(200)
    const [invoice] = await invoicesOf(order)
    const { body } = await clerk.get(`invoices/${invoice!.id}/check`)
    expect(body.checks.find(({ key }: { key: string }) => key === 'due')).toMatchObject({
      level: 'stop',
      expected: { says: 'duePrepaid', values: { leftToPayCents: 46_913, totalCents: 90_000 } },
    })
  })

  test('a plain PDF in euros takes the place of an electronic invoice in złoty, details alone do not', {
    tags: 'long',
  }, async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const xml = { name: 'FV.xml', bytes: FILES.text(ublOf(exampleInvoice({ currency: 'PLN' }))) }
    await send(token, 'invoice', xml)
    // Its picture beside it says nothing of a currency.
    await send(token, 'invoice', pdf('FV.pdf'))
    expect((await submit(token, typed())).status).toBe(200)
    const [invoice] = await invoicesOf(order)
    const currency = async () => (await clerk.get(`invoices/${invoice!.id}`)).body.currency
    expect(await currency()).toBe('PLN')
    expect((await submit(token, typed({ dueDate: '2027-02-05' }))).status).toBe(200)
    expect(await currency()).toBe('PLN')
    await send(token, 'invoice', pdf('FV in euros.pdf'))
    expect((await submit(token, typed())).status).toBe(200)
    expect(await currency()).toBe('EUR')
    const { body } = await clerk.get(`invoices/${invoice!.id}/check`)
    expect(body.checks.find(({ key }: { key: string }) => key === 'currency')).toMatchObject({
      level: 'ok',
      found: 'EUR',
    })
  })

  test('a credit note for the route leaves the link open, and the invoice still to be sent', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const credit = await clerk.post('invoices', {
      entityType: 'carrier',
      carrierCompanyId: world.carrier.id,
      routeId: routeOf(order).id,
      orderIds: [order.id],
      number: `KOR ${order.id}`,
      amountCents: -5000,
    })
    expect(credit.status, JSON.stringify(credit.body)).toBe(201)
    expect((await page(token)).body).toMatchObject({ state: 'open', needs: ['pod', 'invoice'] })
    const { version } = credit.body
    const moved = await clerk.post(`invoices/${credit.body.id}/status`, { to: 'approved', reason: 'seen' }, { version })
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    expect((await page(token)).body).toMatchObject({ state: 'open', needs: ['pod', 'invoice'] })
    expect((await send(token, 'pod', pdf())).status).toBe(201)
    expect((await send(token, 'invoice', pdf('FV.pdf'))).status).toBe(201)
    expect((await submit(token, typed())).status).toBe(200)
  })

  test('an invoice with its papers becomes a received one, and the proof waits to be checked', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    expect((await send(token, 'pod', pdf())).status).toBe(201)
    expect((await send(token, 'invoice', pdf('FV.pdf'))).status).toBe(201)
    expect(await orderDocuments(order.id)).toEqual([])
    const body = typed({ iban: 'DE89 3704 0044 0532 0130 00' })
    const sent = await submit(token, body)
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    expect(sent.body.hints).toEqual(['iban_unknown'])
    expect(sent.body.page).toMatchObject({
      state: 'open',
      needs: [],
      invoice: { number: body.invoiceNumber, totalCents: 90_000, isChecked: false, paidAt: null },
    })
    const [pod] = await orderDocuments(order.id)
    const drop = order.locations.find(({ kind }) => kind === 'unloading')!.id
    expect(pod).toMatchObject({
      documentType: 'PROOF_OF_DELIVERY',
      acceptance: 'toCheck',
      orderCarrier: routeOf(order).assignment!.id,
      locationIds: [drop],
      user: null,
    })
    const [invoice] = await invoicesOf(order)
    const view = (await clerk.get(`invoices/${invoice!.id}`)).body
    expect(view).toMatchObject({
      status: 'received',
      routeId: routeOf(order).id,
      orderIds: [order.id],
      carrierCompanyId: world.carrier.id,
      amountCents: 90_000,
      vatBp: 0,
      iban: 'DE89370400440532013000',
    })
    expect(view.warnings).toContain('unknown_iban')
    const papers = (await clerk.get(`documents?invoiceId=${invoice!.id}`)).body.items
    expect(papers).toMatchObject([{ documentType: 'CARRIER_INVOICE', title: 'FV.pdf' }])
    expect((await clerk.get(`documents/${papers[0].id}/file`)).raw.toString('latin1')).toContain('% FV.pdf')
    const { items } = (await dispatcher.get(`audit-entries?orderId=${order.id}`)).body
    expect(items.map(({ action }: { action: string }) => action)).toContain('uploadArrivedWithInvoice')
    expect(JSON.stringify(items)).not.toContain(body.invoiceNumber)
    const { link } = (await dispatcher.get(`routes/${routeOf(order).id}/upload-link`)).body
    expect(link).toMatchObject({
      podArrivedAt: expect.any(String),
      invoiceArrivedAt: expect.any(String),
      state: 'open',
    })
  })

  test('a number used before is refused at its field, and nothing of it stays', async () => {
    const first = await linkOf(await newOrder())
    await send(first, 'invoice', pdf('first.pdf'))
    const body = typed()
    expect((await submit(first, body)).status).toBe(200)
    const order = await newOrder()
    const second = await linkOf(order)
    await send(second, 'invoice', pdf('second.pdf'))
    const again = await submit(second, { ...body, invoiceNumber: body.invoiceNumber.toLowerCase() })
    expect(faultsOf(again)).toEqual([422, ['invoiceNumber number_taken']])
    expect(await invoicesOf(order)).toEqual([])
    expect((await page(second)).body.files).toMatchObject([{ isDraft: true }])
    expect((await submit(second, typed())).status).toBe(200)
  })

  test('a wrong IBAN, a missing file, another amount without a reason and an unknown field are refused', async () => {
    const token = await linkOf(await newOrder())
    expect(faultsOf(await submit(token, typed({ iban: 'PL61109010140000071219812875' })))).toEqual([
      422,
      ['iban invalid_iban'],
    ])
    expect(faultsOf(await submit(token, typed()))).toEqual([422, ['files required']])
    await send(token, 'invoice', pdf())
    expect(faultsOf(await submit(token, typed({ amountCents: 95_000, totalCents: 95_000 })))).toEqual([
      422,
      ['differenceReason difference_reason_missing'],
    ])
    expect(faultsOf(await submit(token, typed({ routeId: 1 })))).toEqual([422, ['routeId unknown_field']])
    expect(faultsOf(await submit(token, typed({ documentCreationDate: '2026-02-30' })))[0]).toBe(422)
    const sent = await submit(
      token,
      typed({ amountCents: 95_000, totalCents: 116_850, vatBp: 2300, differenceReason: 'Two hours waiting' }),
    )
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    expect(sent.body.hints).toEqual(['amount_differs', 'vat_unusual'])
  })

  test('a repeat gets the first answer; another text corrects the invoice, until it is approved', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    await send(token, 'invoice', pdf())
    const body = typed()
    const headers = { 'idempotency-key': 'one' }
    const first = await submit(token, body, headers)
    expect((await submit(token, body, headers)).body).toEqual(first.body)
    expect(faultsOf(await submit(token, typed(), headers))[0]).toBe(422)
    const corrected = typed({ dueDate: '2027-02-05' })
    expect((await submit(token, corrected)).status).toBe(200)
    const invoices = await invoicesOf(order)
    expect(invoices.map(({ number }) => number)).toEqual([corrected.invoiceNumber])
    const { version } = (await clerk.get(`invoices/${invoices[0]!.id}`)).body
    const moved = await clerk.post(
      `invoices/${invoices[0]!.id}/status`,
      { to: 'approved', reason: 'seen' },
      { version },
    )
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    expect((await page(token)).body).toMatchObject({ state: 'approved', invoice: { isChecked: true } })
    for (const answer of [await submit(token, typed()), await send(token, 'pod', pdf('late.pdf'))])
      expect([answer.status, answer.body.code, answer.body.errors[0].code]).toEqual([409, 'conflict', 'upload_closed'])
  })

  test('an invoice that staff have shared out to several routes stays so when it is sent again', async () => {
    const stop = (key: string, kind: 'loading' | 'unloading', dateFrom: string) => ({
      key,
      kind,
      termin: { kind: 'fix' as const, dateFrom },
      countryId: world.countries.DE,
      city: key,
      cargoActions: [{ cargoKey: key.slice(-1), action: kind === 'loading' ? 'PICK_UP' : 'DROP_OFF' }],
    })
    const order = await newOrder({
      cargo: ['0', '1'].map((key) => ({ key, title: 'Pallets', quantity: 1 })),
      locations: ['0', '1'].flatMap((leg) => [
        stop(`from${leg}`, 'loading', '2026-11-30'),
        stop(`to${leg}`, 'unloading', '2026-12-01'),
      ]),
      routes: ['0', '1'].map((leg) => ({ ...carried(world), locationKeys: [`from${leg}`, `to${leg}`] })),
    })
    const [first, second] = order.routes.map(({ id }) => id)
    const token = await linkOf(order)
    await send(token, 'invoice', pdf('Faktura dwie trasy.pdf'))
    const body = typed({ amountCents: 180_000, totalCents: 180_000, differenceReason: 'dwie trasy' })
    expect((await submit(token, body)).status).toBe(200)
    const { id } = (await invoicesOf(order))[0]!
    const read = async () => (await clerk.get(`invoices/${id}`)).body
    const shared = await clerk.patch(
      `invoices/${id}`,
      {
        allocations: [
          { routeId: first, netCents: 90_000 },
          { routeId: second, netCents: 90_000 },
        ],
      },
      { version: (await read()).version },
    )
    expect(shared.status, JSON.stringify(shared.body)).toBe(200)
    const sharesAfter = async (amountCents: number) => {
      const again = await submit(token, { ...body, amountCents, totalCents: amountCents })
      expect(again.status, JSON.stringify(again.body)).toBe(200)
      return (await read()).allocations.map(({ netCents }: { netCents: number }) => netCents)
    }
    // The route of the link takes the difference; what it cannot give comes from the other.
    expect(await sharesAfter(180_000)).toEqual([90_000, 90_000])
    expect(await sharesAfter(175_000)).toEqual([85_000, 90_000])
    expect(await sharesAfter(200_000)).toEqual([110_000, 90_000])
    expect(await sharesAfter(60_000)).toEqual([0, 60_000])
    expect(await invoicesOf(order)).toHaveLength(1)
  })

  test('an invoice that was set off says against which credit note, and no more once that is taken back', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    await send(token, 'invoice', pdf())
    const body = typed()
    expect((await submit(token, body)).status).toBe(200)
    const [invoice] = await invoicesOf(order)
    const credit = await clerk.post('invoices', {
      entityType: 'carrier',
      carrierCompanyId: world.carrier.id,
      number: 'KOR 9',
      documentCreationDate: '2026-12-07',
      amountCents: -body.amountCents,
      vatBp: 0,
      totalCents: -body.totalCents,
      allocations: [{ routeId: routeOf(order).id, netCents: -body.amountCents }],
    })
    expect([credit.status, credit.body.errors]).toEqual([201, undefined])
    const ids = [invoice!.id, credit.body.id as number]
    const move = async (id: number, to: string) => {
      const { version } = (await clerk.get(`invoices/${id}`)).body
      const moved = await clerk.post(`invoices/${id}/status`, { to, reason: 'seen' }, { version })
      expect([moved.status, moved.body.errors]).toEqual([200, undefined])
    }
    for (const id of ids) await move(id, 'approved')
    const standing = async () => {
      const { state, invoice: shown } = (await page(token)).body
      return [state, shown!.setOffAgainst]
    }
    expect(await standing()).toEqual(['approved', null])
    const done = await clerk.post('payment-files/set-off', { invoiceIds: ids })
    expect([done.status, done.body.errors]).toEqual([200, undefined])
    expect(await standing()).toEqual(['paid', ['KOR 9']])
    await move(ids[1]!, 'approved')
    expect(await standing()).toEqual(['approved', null])
    await move(ids[0]!, 'paid')
    expect(await standing()).toEqual(['paid', null])
  })

  test('proofs go alone, more than once, and staff accept them', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    const proofs = () => app.anonymous.post(`upload-documents/${token}/proofs`, {}, from())
    expect(faultsOf(await proofs())).toEqual([422, ['files required']])
    await send(token, 'pod', pdf('page 1.pdf'))
    await send(token, 'invoice', pdf('not yet.pdf'))
    expect((await proofs()).body.page.needs).toEqual(['invoice'])
    await send(token, 'pod', pdf('page 2.pdf'))
    expect((await proofs()).status).toBe(200)
    const papers = await orderDocuments(order.id)
    expect(papers.map(({ title }) => title).sort()).toEqual(['page 1.pdf', 'page 2.pdf'])
    expect((await page(token)).body.files.filter(({ isDraft }) => isDraft)).toMatchObject([{ kind: 'invoice' }])
    const accepted = await dispatcher.post(`documents/${papers[0]!.id}/accept`, {}, { version: papers[0]!.version })
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
    expect((await readOrder(order.id)).hasPod).toBe(true)
  })

  test('the same content twice is one file, also at once, and a draft can be taken away', async () => {
    const token = await linkOf(await newOrder())
    const before = await storedFiles()
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(token, 'pod', pdf())))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await storedFiles()).toBe(before + 1)
    expect((await app.anonymous.delete(`upload-documents/${token}/files/${answers[0]!.body.id}`, from())).status).toBe(
      204,
    )
    expect(await storedFiles()).toBe(before)
    expect((await page(token)).body.files).toEqual([])
  })

  test('the database keeps what was sent', async () => {
    const order = await newOrder()
    const token = await linkOf(order)
    await send(token, 'pod', pdf())
    await app.anonymous.post(`upload-documents/${token}/proofs`, {}, from())
    const refused = (statement: string) => expect(app.database.pool.query(statement)).rejects.toThrow()
    await refused(`delete from upload_file where state = 'submitted'`)
    await refused(`update upload_file set title = 'other.pdf' where state = 'submitted'`)
    await refused(`update upload_link set nonce = '\\x00112233445566778899aabbccddeeff'`)
    await refused(`delete from upload_link`)
  })
})

describe('for staff', () => {
  test('an order of others, a stale version and another’s link in between are refused', async () => {
    const order = await newOrder()
    const path = `routes/${routeOf(order).id}/upload-link`
    const stranger = (await app.userWith('ASSIGNED_ORDERS')).caller
    expect((await stranger.get(path)).status).toBe(404)
    expect((await stranger.post(path, { linkId: null }, { version: order.version })).status).toBe(404)
    expect((await stranger.delete(path, { version: order.version })).status).toBe(404)
    expect((await dispatcher.post(path, { linkId: null })).status).toBe(428)
    expect((await dispatcher.post(path, { linkId: null }, { version: order.version + 1 })).body.code).toBe(
      'stale_version',
    )
    expect((await dispatcher.delete(path, { version: order.version })).status).toBe(404)
    const make = () => dispatcher.post(path, { linkId: null }, { version: order.version })
    const many = await Promise.all([1, 2, 3, 4, 5, 6].map(make))
    expect(many.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await make()).body.code).toBe('conflict')
  })

  test('a link is shown again, and no longer works once it is revoked', async () => {
    const order = await newOrder()
    const path = `routes/${routeOf(order).id}/upload-link`
    expect((await dispatcher.get(path)).body).toEqual({ link: null, carrier: 'Trans-Wielkopolska Sp. j.' })
    const token = await linkOf(order)
    expect((await dispatcher.get(path)).body.link.url).toBe(`https://waybill.example/office/upload-documents/${token}`)
    const { rows } = await app.database.pool.query('select * from upload_link')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect((await dispatcher.delete(path, { version: order.version })).status).toBe(204)
    expect((await page(token)).status).toBe(404)
    expect((await dispatcher.get(path)).body.link).toBeNull()
  })

  test('a route without a carrier has no link', async () => {
    const order = await newOrder({ routes: [{ locationKeys: ['from', 'to'] }] })
    const answer = await dispatcher.post(
      `routes/${routeOf(order).id}/upload-link`,
      { linkId: null },
      { version: order.version },
    )
    expect(faultsOf(answer)).toEqual([422, ['linkId carrier_missing']])
  })
})

describe('what is swept', () => {
  test('is what was not sent for a week, with its bytes', async () => {
    const token = await linkOf(await newOrder())
    await send(token, 'pod', pdf())
    const drafts = async () => {
      const { rows } = await app.database.pool.query("select id from upload_file where state = 'draft'")
      return rows.length
    }
    const [before, stored] = [await drafts(), await storedFiles()]
    expect(before).toBeGreaterThan(0)
    await sweepUploads.handle(jobContext(app), {})
    expect(await drafts()).toBe(before)
    app.clock.advance(7 * DAY_MS + 1000)
    await sweepUploads.handle(jobContext(app), {})
    expect(await drafts()).toBe(0)
    expect(await storedFiles()).toBe(stored - before)
    expect((await page(token)).body.files).toEqual([])
  })
})

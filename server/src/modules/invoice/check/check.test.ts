import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InvoiceCheck } from '@waybill/contract/invoice/checking'
import type { Order } from '@waybill/contract/order/order'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { useTestApp, type Answer, type Caller } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { raced } from '../../../../test/database/locks.ts'
import { startMailServer, type MailServer } from '../../../../test/mail-server.ts'
import { carried, orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { exampleInvoice, ublOf } from '../../../../test/e-invoice-examples.ts'
import { encodeForm, FILES } from '../../../../test/upload.ts'
import { createMailer } from '../../../kit/mail/mailer.ts'
import { deliverEmail } from '../../email/index.ts'

const app = useTestApp()
let world: OrderWorld
let customerId: number
let clerk: Caller
let other: Caller
let server: MailServer

const IBAN = 'PL61109010140000071219812874'
const COST = 90_000

beforeAll(async () => {
  server = await startMailServer()
  app.ports.mailer = createMailer({ smtpUrl: server.smtpUrl, from: 'Waybill <office@waybill.example>' })
  world = await orderWorld(app)
  // Whose papers are on file is what these tests are about.
  await app.asOwner(`delete from document where "ownerKind" = 'carrierCompany'`)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  other = (await app.userWith('INVOICES_PROCESSING')).caller
  const carrier = (await app.admin.get(`carrier-companies/${world.carrier.id}`)).body
  const saved = await app.admin.patch(
    `carrier-companies/${world.carrier.id}`,
    { bankAccounts: [{ bankName: 'Bank', iban: IBAN }], vatNumber: 'PL7792401132' },
    { version: carrier.version },
  )
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
  // Who confirms an account, and how, is tested where that is done.
  await app.asOwner(`update carrier_bank_account
    set "confirmedById" = (select max(id) from "user"), "confirmedAt" = now() - interval '60 days'`)
})
afterAll(async () => {
  await app.ports.jobs.stop({ graceMs: 1000 })
  await server.close()
})

const today = () => localOf(app.clock.now(), 'Europe/Berlin').date

async function newOrder(): Promise<Order> {
  const route = carried(world, COST)
  const made = await app.admin.post(
    'orders',
    plainOrder(world, customerId, {
      ...shipment(world),
      customerPriceCents: 120_000,
      routes: [
        {
          ...route,
          locationKeys: ['from', 'to'],
          assignment: { ...route.assignment, disponentEmail: 'dispo@trans-wlkp.example' },
        },
      ],
    }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

let files = 0
const pdf = (name: string) => ({
  name,
  bytes: FILES.text(`%PDF-1.7\n% ${(files += 1)}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`),
})

async function addFile(fields: Record<string, string>, name: string): Promise<{ id: number; version: number }> {
  const { body, contentType } = await encodeForm({ fields, file: pdf(name) })
  const added = await app.admin.post('upload', body, { headers: { 'content-type': contentType } })
  expect(added.status, JSON.stringify(added.body)).toBe(201)
  return added.body
}
const addPod = (order: Order) =>
  addFile({ documentType: 'PROOF_OF_DELIVERY', orderId: String(order.id) }, `CMR ${order.number}.pdf`)

let numbers = 0
async function newInvoice(order: Order, more: object = {}) {
  const made = await clerk.post('invoices', {
    entityType: 'carrier',
    carrierCompanyId: world.carrier.id,
    orderIds: [order.id],
    routeId: order.routes[0]!.id,
    number: `FV/${(numbers += 1)}`,
    amountCents: COST,
    vatBp: 0,
    totalCents: COST,
    iban: IBAN,
    documentCreationDate: today(),
    dueDate: addDays(today(), 30),
    ...more,
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body as { id: number; version: number }
}

/** An invoice that fits, with its proof of delivery. */
async function fitting(more: object = {}) {
  const order = await newOrder()
  const pod = await addPod(order)
  return { order, pod, invoice: await newInvoice(order, more) }
}

const checkOf = async (id: number): Promise<InvoiceCheck> => {
  const { status, body } = await clerk.get(`invoices/${id}/check`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const approve = (check: InvoiceCheck, more: object = {}, caller: Caller = clerk): Promise<Answer> =>
  caller.post(`invoices/${check.id}/approve`, { seen: check.seen, ...more }, { version: check.version })
const undo = ({ id, version }: { id: number; version: number }, caller: Caller = clerk): Promise<Answer> =>
  caller.post(`invoices/${id}/approve/undo`, {}, { version })
const hold = (check: InvoiceCheck, more: object = {}): Promise<Answer> =>
  clerk.post(`invoices/${check.id}/problem`, { kind: 'amount', text: 'Too much', ...more }, { version: check.version })
const lineOf = ({ checks }: InvoiceCheck, key: string) => checks.find((check) => check.key === key)!
const faultsOf = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((fault: { path: string; code: string }) => `${fault.path} ${fault.code}`),
]
const historyOf = async (id: number) =>
  (await clerk.get(`audit-entries?invoiceId=${id}`)).body.items as {
    action: string
    reason: string | null
    changes: { path: string; from: unknown; to: unknown }[]
  }[]

describe('checking is refused', () => {
  test('to who does not process invoices, of a customer’s invoice, and of one that is not there', async () => {
    const { order, invoice } = await fitting()
    const dispatcher = (await app.userWith('ORDERS_MANAGEMENT')).caller
    expect((await dispatcher.get(`invoices/${invoice.id}/check`)).status).toBe(403)
    expect((await dispatcher.get('invoices/to-check')).status).toBe(403)
    const customers = await clerk.post('invoices', { entityType: 'customer', orderIds: [order.id] })
    expect(customers.status, JSON.stringify(customers.body)).toBe(201)
    expect((await clerk.get(`invoices/${customers.body.id}/check`)).status).toBe(404)
    const { id, version } = customers.body
    expect((await clerk.post(`invoices/${id}/approve`, { seen: 'x' }, { version })).status).toBe(404)
    expect((await clerk.post(`invoices/${id}/problem`, { kind: 'vat', text: 'x' }, { version })).status).toBe(404)
    expect((await clerk.get('invoices/999999999/check')).status).toBe(404)
  })
})

describe('the checks of an invoice', () => {
  test('all fit where everything is as agreed', async () => {
    const { order, invoice } = await fitting()
    const check = await checkOf(invoice.id)
    expect(check.checks.filter(({ level }) => level !== 'ok').map(({ key, level }) => [key, level])).toEqual([
      ['papers', 'open'],
    ])
    expect(check).toMatchObject({
      verdict: { level: 'ok', keys: [] },
      status: 'received',
      routes: [{ id: order.routes[0]!.id, title: `${order.number}/1`, costCents: COST }],
      orders: [{ id: order.id, title: order.number, priceCents: 120_000 }],
      margin: {
        before: { incomeCents: 30_000, marginBp: 2500 },
        after: { incomeCents: 30_000, marginBp: 2500 },
      },
      pods: [{ acceptance: 'accepted' }],
      isFromLink: false,
      problem: null,
    })
  })

  test('say what does not fit, and what it does to the margin', async () => {
    const order = await newOrder()
    const invoice = await newInvoice(order, {
      amountCents: 98_500,
      vatBp: 2300,
      totalCents: 121_155,
      iban: 'DE89370400440532013000',
      documentCreationDate: addDays(today(), 1),
      dueDate: addDays(today(), 3),
    })
    await addFile({ documentType: 'CARRIER_INVOICE', invoiceId: String(invoice.id) }, 'FV.pdf')
    await addFile(
      {
        documentType: 'INSURANCE_DOCUMENT',
        carrierCompanyId: String(world.carrier.id),
        expiredAt: '2026-11-01',
      },
      'Insurance.pdf',
    )
    const check = await checkOf(invoice.id)
    const levels = Object.fromEntries(check.checks.map(({ key, level, expected }) => [key, [level, expected.says]]))
    expect(levels).toEqual({
      number: ['ok', 'numberNew'],
      pod: ['stop', 'podMissing'],
      papers: ['look', 'papersExpired'],
      amount: ['look', 'amountDiffers'],
      vat: ['stop', 'vatCharged'],
      currency: ['ok', 'currencyEuro'],
      date: ['stop', 'dateFuture'],
      due: ['look', 'dueEarly'],
      iban: ['stop', 'ibanUnknown'],
    })
    expect(check.verdict).toEqual({ level: 'stop', keys: ['pod', 'vat', 'date', 'iban', 'papers', 'amount', 'due'] })
    expect(check.margin!.after).toEqual({ incomeCents: 21_500, marginBp: 1792 })
    expect(check.papers).toHaveLength(1)
    await app.asOwner(`delete from document where "documentType" = 'INSURANCE_DOCUMENT'`)
  })

  test('one of two papers that a carrier must have is not enough, unless it needs no licence', async () => {
    const { invoice } = await fitting()
    const carrierCompanyId = String(world.carrier.id)
    const paper = (documentType: string) =>
      addFile({ documentType, carrierCompanyId, expiredAt: addDays(today(), 100) }, `${documentType}.pdf`)
    const papers = async () => lineOf(await checkOf(invoice.id), 'papers')
    await paper('INSURANCE_DOCUMENT')
    expect(await papers()).toMatchObject({
      level: 'open',
      expected: { says: 'papersMissing', values: { documentType: 'EU_LICENSE' } },
    })
    await app.asOwner(`update carrier_company set "licenceNotNeededReason" = 'Vans of 2.5 t'`)
    expect(await papers()).toMatchObject({ level: 'ok', expected: { says: 'papersInsured' } })
    await app.asOwner(`update carrier_company set "licenceNotNeededReason" = null`)
    await paper('EU_LICENSE')
    expect(await papers()).toMatchObject({ level: 'ok', expected: { says: 'papersValid' } })
    await app.asOwner(`delete from document where "ownerKind" = 'carrierCompany'`)
  })

  test('an unknown IBAN goes onto the carrier’s record, for another person to confirm', async () => {
    const iban = 'LT121000011101001000'
    const { invoice } = await fitting({ iban })
    const path = `carrier-companies/${world.carrier.id}`
    const carriers = (await app.userWith('INVOICES_PROCESSING', 'CARRIER_MANAGEMENT')).caller
    const body = { bankName: null, bic: null, iban, invoiceId: invoice.id }
    const version = async () => (await carriers.get(path)).body.version
    expect((await clerk.post(`${path}/bank-accounts`, body, { version: await version() })).status).toBe(403)
    const taken = await carriers.post(`${path}/bank-accounts`, body, { version: await version() })
    expect(taken.status, JSON.stringify(taken.body)).toBe(201)
    expect(lineOf(await checkOf(invoice.id), 'iban')).toMatchObject({
      level: 'stop',
      expected: { says: 'ibanUnconfirmed' },
    })
    const account = taken.body.bankAccounts.find((one: { iban: string }) => one.iban === iban)
    const own = await carriers.post(`${path}/bank-accounts/${account.id}/confirm`, {}, { version: await version() })
    expect([own.status, own.body.code]).toEqual([409, 'second_person_needed'])
    const again = await carriers.post(`${path}/bank-accounts`, body, { version: await version() })
    expect(faultsOf(again)).toEqual([422, 'iban taken'])
  })

  test('the newest transport order of each route lies beside the invoice, for who checks it alone', async () => {
    const { order, invoice } = await fitting()
    expect((await checkOf(invoice.id)).transportOrders).toEqual([])
    const generate = async () => {
      const { version } = (await app.admin.get(`orders/${order.id}`)).body
      const made = await app.admin.post(
        `orders/${order.id}/documents`,
        { documentType: 'ORDER_RESOLVED_DOCUMENT', routeId: order.routes[0]!.id, language: 'en' },
        { version },
      )
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      const { items } = (await app.admin.get(`documents?orderId=${order.id}`)).body
      return Math.max(...items.map(({ id }: { id: number }) => id))
    }
    const first = await generate()
    const newest = await generate()
    const { transportOrders } = await checkOf(invoice.id)
    expect(transportOrders).toMatchObject([{ documentId: newest, contentType: 'application/pdf' }])
    expect((await clerk.get(`documents/${newest}/file`)).status).toBe(200)
    expect((await clerk.get(`documents/${first}/file`)).status).toBe(200)
    const carriers = (await app.userWith('CARRIER_MANAGEMENT')).caller
    expect((await carriers.get(`documents/${newest}/file`)).status).toBe(403)
    expect((await clerk.delete(`documents/${newest}`)).status).toBe(403)
  })

  test('accept the difference that the company accepts', async () => {
    const { invoice } = await fitting({ amountCents: COST + 500, totalCents: COST + 500 })
    expect(lineOf(await checkOf(invoice.id), 'amount').level).toBe('look')
    await app.asOwner('update company set "amountToleranceCents" = 500')
    expect(lineOf(await checkOf(invoice.id), 'amount')).toMatchObject({
      level: 'ok',
      expected: { says: 'amountWithin' },
    })
    await app.asOwner('update company set "amountToleranceCents" = 0')
  })

  test('read the currency of an electronic invoice', async () => {
    const { invoice } = await fitting()
    const { body, contentType } = await encodeForm({
      fields: { documentType: 'CARRIER_INVOICE', invoiceId: String(invoice.id) },
      file: { name: 'faktura.xml', bytes: FILES.text(ublOf(exampleInvoice({ currency: 'PLN' }))) },
    })
    const added = await app.admin.post('upload', body, { headers: { 'content-type': contentType } })
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    const check = await checkOf(invoice.id)
    expect(lineOf(check, 'currency')).toMatchObject({ level: 'stop', found: 'PLN', answer: 'reason' })
    expect(faultsOf(await approve(check))).toEqual([422, 'reason reason_missing'])
    // What it says in złoty is no difference to what was agreed in euros, and no cost of the order.
    expect(lineOf(check, 'amount')).toMatchObject({ level: 'look', expected: { says: 'amountCurrency' } })
    expect([lineOf(check, 'amount').answer, check.margin, check.currency]).toEqual([undefined, null, 'PLN'])
    const owed = async () => (await clerk.get('open-items/payables')).body.total.openCents
    const before = await owed()
    expect((await approve(check, { reason: 'Paid by hand' })).status).toBe(200)
    const view = (await clerk.get(`invoices/${invoice.id}`)).body
    expect([view.status, view.currency]).toEqual(['approved', 'PLN'])
    expect(await owed()).toBe(before)
  })

  test('keep the currency of an electronic invoice that came before it was kept on the record', {
    tags: 'long',
  }, async () => {
    const { invoice } = await fitting()
    const { body, contentType } = await encodeForm({
      fields: { documentType: 'CARRIER_INVOICE', invoiceId: String(invoice.id) },
      file: { name: 'faktura.xml', bytes: FILES.text(ublOf(exampleInvoice({ currency: 'CZK' }))) },
    })
    expect((await app.admin.post('upload', body, { headers: { 'content-type': contentType } })).status).toBe(201)
    await app.asOwner(`update invoice set currency = 'EUR' where id = ${invoice.id}`)
    // Reading has a limit of time, which a busy machine may pass; once it was read it is known.
    const currency = async () => lineOf(await checkOf(invoice.id), 'currency').found
    await expect.poll(currency, { timeout: 20_000 }).toBe('CZK')
    const { version } = (await clerk.get(`invoices/${invoice.id}`)).body
    const moved = await clerk.post(`invoices/${invoice.id}/status`, { to: 'approved', reason: 'By hand' }, { version })
    expect([moved.status, moved.body.currency], JSON.stringify(moved.body)).toEqual([200, 'CZK'])
  })

  test('stop an invoice of which part was paid before, also behind a plain PDF, until one without comes', {
    tags: 'long',
  }, async () => {
    const { invoice } = await fitting()
    const add = async (name: string, bytes: Uint8Array<ArrayBuffer>) => {
      const { body, contentType } = await encodeForm({
        fields: { documentType: 'CARRIER_INVOICE', invoiceId: String(invoice.id) },
        file: { name, bytes },
      })
      const added = await app.admin.post('upload', body, { headers: { 'content-type': contentType } })
      expect(added.status, JSON.stringify(added.body)).toBe(201)
    }
    const lines = [{ text: 'Fracht', netCents: COST, vatBp: 0, category: 'AE' as const }]
    const whole = ublOf(exampleInvoice({ lines }))
    const prepaid = whole.replace(/(<cbc:PayableAmount[^>]*>)900\.00/, '$1300.00')
    expect(prepaid).not.toBe(whole)
    await add('FV.xml', FILES.text(prepaid))
    await add('FV.pdf', pdf('FV.pdf').bytes)
    const check = await checkOf(invoice.id)
    expect(lineOf(check, 'due')).toMatchObject({
      level: 'stop',
      answer: 'reason',
      expected: { says: 'duePrepaid', values: { leftToPayCents: 30_000, totalCents: COST } },
    })
    expect(faultsOf(await approve(check))).toEqual([422, 'reason reason_missing'])
    await add('FV 2.xml', FILES.text(whole))
    expect(lineOf(await checkOf(invoice.id), 'due').expected.says).toBe('dueFits')
    expect((await approve(await checkOf(invoice.id))).status).toBe(200)
  })

  test('refuse a currency that is none, and any but euros on a bill to a customer', async () => {
    const { order, invoice } = await fitting()
    const put = async (id: number, more: object) => {
      const view = (await clerk.get(`invoices/${id}`)).body
      return clerk.patch(`invoices/${id}`, more, { version: view.version })
    }
    expect(faultsOf(await put(invoice.id, { currency: 'zł' }))[0]).toBe(422)
    expect((await put(invoice.id, { currency: 'PLN' })).body.currency).toBe('PLN')
    // Left out, it stays.
    expect((await put(invoice.id, { notes: 'in złoty' })).body.currency).toBe('PLN')
    const bill = { entityType: 'customer', orderIds: [order.id], currency: 'PLN' }
    expect(faultsOf(await clerk.post('invoices', bill))).toEqual([422, 'currency invalid_value'])
  })

  test('know a credit note, which is set off and asks for nothing', async () => {
    const { order, invoice } = await fitting()
    const credit = await newInvoice(order, { amountCents: -80_00, totalCents: -80_00, iban: null, dueDate: null })
    const check = await checkOf(credit.id)
    const said = Object.fromEntries(check.checks.map(({ key, expected }) => [key, expected.says]))
    expect(said).toMatchObject({
      number: 'numberNew',
      pod: 'podNotNeeded',
      amount: 'amountCredit',
      due: 'dueCredit',
      iban: 'ibanNotNeeded',
    })
    expect(check.verdict).toEqual({ level: 'look', keys: ['amount'] })
    const { before, after } = check.margin!
    expect(after.incomeCents - before.incomeCents).toBe(80_00)
    // The invoice that it takes from is not billed twice.
    expect(lineOf(await checkOf(invoice.id), 'number').expected.says).toBe('numberNew')
    const view = (await clerk.get(`invoices/${credit.id}`)).body
    expect([view.dueDate, view.agreedDue, view.warnings]).toEqual([null, null, []])
    expect((await approve(check)).status).toBe(200)
  })

  test('stop one of the same amount whose number is another one’s but for its groups and zeros', async () => {
    const [{ order, invoice }, other] = [await fitting(), await newOrder()]
    const named = (number: string, more: object = {}) => newInvoice(other, { number, ...more })
    const { totalCents, amountCents } = (await clerk.get(`invoices/${invoice.id}`)).body
    await newInvoice(order, { number: 'FV/0815/2026' })
    for (const number of ['FV08152026', 'FV/815/2026']) {
      const check = await checkOf((await named(number)).id)
      expect(lineOf(check, 'number')).toMatchObject({ level: 'stop', expected: { says: 'numberAlike' } })
      expect(faultsOf(await approve(check))).toContain('reason reason_missing')
    }
    const cheaper = { amountCents: amountCents - 100, totalCents: totalCents - 100 }
    const apart = await named('FV-815-20-26', cheaper)
    expect(lineOf(await checkOf(apart.id), 'number').expected.says).toBe('numberOther')
  })

  test('know a second invoice for the same transport, and a number that was canceled', async () => {
    const { order, invoice } = await fitting()
    const second = await newInvoice(order)
    expect(lineOf(await checkOf(second.id), 'number').expected).toEqual({
      says: 'numberOther',
      values: { other: `FV/${numbers - 1}` },
    })
    const canceled = await clerk.post(
      `invoices/${second.id}/status`,
      { to: 'canceled', reason: 'twice' },
      { version: second.version },
    )
    expect(canceled.status).toBe(200)
    expect(lineOf(await checkOf(invoice.id), 'number').expected.says).toBe('numberNew')
    const third = await newInvoice(await newOrder(), { number: `FV/${numbers}` })
    expect(lineOf(await checkOf(third.id), 'number').expected.says).toBe('numberCanceled')
  })
})

describe('approving', () => {
  test('is refused with a version or checks that are not those that were seen', async () => {
    const { pod, invoice } = await fitting()
    const check = await checkOf(invoice.id)
    expect((await approve({ ...check, version: check.version - 1 })).body.code).toBe('stale_version')
    expect((await clerk.post(`invoices/${check.id}/approve`, { seen: check.seen })).status).toBe(428)
    await app.asOwner(`update document set acceptance = 'toCheck' where id = ${pod.id}`)
    const refused = await approve(check)
    expect([refused.status, refused.body.code]).toEqual([409, 'stale_version'])
    expect(lineOf(refused.body.current, 'pod')).toMatchObject({ level: 'look', expected: { says: 'podToCheck' } })
    expect((await approve(refused.body.current)).body.status).toBe('approved')
  })

  test('is refused of an inactive one, which no payment run would ever propose', async () => {
    const { invoice } = await fitting()
    const off = await clerk.patch(`invoices/${invoice.id}`, { state: 'inactive' }, { version: invoice.version })
    expect(off.status, JSON.stringify(off.body)).toBe(200)
    const check = await checkOf(invoice.id)
    const { version } = check
    const refused = [
      await approve(check),
      await clerk.post(`invoices/${check.id}/status`, { to: 'approved', reason: 'yes' }, { version }),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'conflict'],
      [409, 'conflict'],
    ])
    const on = await clerk.patch(`invoices/${invoice.id}`, { state: 'active' }, { version })
    expect(on.status, JSON.stringify(on.body)).toBe(200)
    expect((await approve(await checkOf(invoice.id))).body.status).toBe('approved')
  })

  test('of what stops it needs a reason, through the status too', async () => {
    const invoice = await newInvoice(await newOrder())
    const check = await checkOf(invoice.id)
    expect(faultsOf(await approve(check))).toEqual([422, 'reason reason_missing'])
    const move = (body: object) =>
      clerk.post(`invoices/${check.id}/status`, { to: 'approved', ...body }, { version: check.version })
    expect(faultsOf(await move({}))).toEqual([422, 'reason reason_missing'])
    const approved = await approve(check, { reason: 'The customer has confirmed the delivery' })
    expect(approved.body).toMatchObject({
      status: 'approved',
      approvalReason: 'The customer has confirmed the delivery',
    })
    const [latest] = await historyOf(invoice.id)
    expect(latest).toMatchObject({ action: 'moved', reason: 'The customer has confirmed the delivery' })
    expect((await approve(approved.body)).body.code).toBe('illegal_transition')
  })

  test('needs no reason where the account alone is not known: it keeps the payment back', async () => {
    const { invoice } = await fitting({ iban: 'DE89370400440532013000' })
    const check = await checkOf(invoice.id)
    expect(lineOf(check, 'iban').level).toBe('stop')
    expect((await approve(check)).body.status).toBe('approved')
  })

  test('asks what a difference is for, and keeps it', async () => {
    const { invoice } = await fitting({ amountCents: 98_500, totalCents: 98_500 })
    const check = await checkOf(invoice.id)
    expect(faultsOf(await approve(check))).toEqual([422, 'answers.amount required'])
    expect(faultsOf(await approve(check, { answers: { amount: 'bribe' } }))[0]).toBe(422)
    expect(faultsOf(await approve(check, { answers: { amount: 'other' } }))).toEqual([422, 'reason reason_missing'])
    const approved = await approve(check, { answers: { amount: 'waiting' } })
    expect(approved.body).toMatchObject({ status: 'approved', differenceKind: 'waiting' })
    const [latest] = await historyOf(invoice.id)
    expect(latest!.changes).toEqual([
      { path: 'status', from: 'received', to: 'approved' },
      { path: 'differenceKind', from: null, to: 'waiting' },
    ])
  })

  test('is taken back within its seconds, by who did it, and no later', async () => {
    const { invoice } = await fitting({ amountCents: 98_500, totalCents: 98_500 })
    const check = await checkOf(invoice.id)
    expect((await undo(check)).body.code).toBe('conflict')
    const approved = (await approve(check, { answers: { amount: 'tolls' } })).body
    expect((await undo(approved, other)).body.code).toBe('conflict')
    expect((await undo({ ...approved, version: 1 })).body.code).toBe('stale_version')
    app.clock.advance(9000)
    const back = await undo(approved)
    expect(back.body).toMatchObject({ status: 'received', differenceKind: null, approvalReason: null })
    const again = (await approve(back.body, { answers: { amount: 'tolls' } })).body
    app.clock.advance(10_001)
    expect((await undo(again)).body.code).toBe('conflict')
    expect(await checkOf(invoice.id)).toMatchObject({ status: 'approved', differenceKind: 'tolls' })
  })

  test('of one invoice by two people at once is one approval', async () => {
    const { invoice } = await fitting()
    const check = await checkOf(invoice.id)
    const answers = await Promise.all([approve(check), approve(check, {}, other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('the queue', () => {
  test('holds what was received, the oldest first, with its verdict and age', async () => {
    const { invoice: first } = await fitting()
    await app.asOwner(`update invoice set "createdAt" = "createdAt" - interval '5 days' where id = ${first.id}`)
    const { invoice: second } = await fitting({ iban: 'DE89370400440532013000', documentCreationDate: today() })
    const queue = async (status = 'received') => {
      const items: { id: number; ageDays: number; verdict: { level: string } }[] = []
      let after: number | null = null
      for (let page = 0; page < 20; page += 1) {
        const { body }: Answer = await clerk.get(
          `invoices/to-check?status=${status}${after === null ? '' : `&after=${after}`}`,
        )
        items.push(...body.items)
        expect(body.counts[status]).toBeGreaterThanOrEqual(body.items.length)
        after = body.next
        if (after === null) break
      }
      return items
    }
    const waiting = await queue()
    const ids = waiting.map(({ id }) => id)
    expect(ids.indexOf(first.id)).toBeGreaterThanOrEqual(0)
    expect(ids.indexOf(first.id)).toBeLessThan(ids.indexOf(second.id))
    expect(waiting.find(({ id }) => id === first.id)).toMatchObject({ ageDays: 5 })
    expect(waiting.find(({ id }) => id === second.id)).toMatchObject({ ageDays: 0, verdict: { level: 'stop' } })
    const beside = async (query: string) =>
      (await clerk.get(`invoices/to-check?${query}`)).body.items.map(({ id }: { id: number }) => id)
    const [before, after] = [ids[ids.indexOf(second.id) - 1], ids[ids.indexOf(second.id) + 1]]
    expect((await approve(await checkOf(second.id))).status).toBe(200)
    expect((await queue()).map(({ id }) => id)).not.toContain(second.id)
    // It keeps its place, for who goes on from there.
    expect(await beside(`before=${second.id}&limit=1`)).toEqual([before])
    expect(await beside(`after=${second.id}&limit=1`)).toEqual(after === undefined ? [] : [after])
    const before3 = ids
      .filter((id) => id !== second.id)
      .slice(0, ids.indexOf(second.id))
      .slice(-3)
    expect(await beside(`before=${second.id}&limit=3`)).toEqual(before3)
    expect((await clerk.get('invoices/to-check?limit=51')).status).toBe(422)
    expect((await hold(await checkOf(first.id))).status).toBe(200)
    expect((await queue('in_progress')).find(({ id }) => id === first.id)).toMatchObject({ problemKind: 'amount' })
    expect((await clerk.get('invoices/to-check?status=paid')).status).toBe(422)
  })
})

describe('a problem', () => {
  test('is refused without words, for what is approved and paid, and with an account in full', async () => {
    const { invoice } = await fitting()
    const check = await checkOf(invoice.id)
    expect(faultsOf(await hold(check, { text: ' ' }))[0]).toBe(422)
    expect(faultsOf(await hold(check, { kind: 'weather' }))[0]).toBe(422)
    expect((await hold({ ...check, version: 99 })).body.code).toBe('stale_version')
    const mail = { to: 'dispo@trans-wlkp.example', subject: 'Your invoice', text: `Not to ${IBAN}, please` }
    expect(faultsOf(await hold(check, { mail }))).toEqual([422, 'mail.text iban_in_mail'])
    expect(faultsOf(await hold(check, { mail: { ...mail, subject: 'a\r\nBcc: x@y.example', text: 'x' } }))[0]).toBe(422)
    const lonely = await newInvoice(await newOrder())
    await app.asOwner(`delete from invoice_order where "invoiceId" = ${lonely.id}`)
    expect(faultsOf(await hold(await checkOf(lonely.id), { mail: { ...mail, text: 'x' } }))).toEqual([
      422,
      'mail route_missing',
    ])
    expect((await checkOf(invoice.id)).status).toBe('received')
  })

  test('stands on the invoice and in its history, and puts the payment off where that is wanted', async () => {
    const { invoice } = await fitting()
    const check = await checkOf(invoice.id)
    const held = (await hold(check, { kind: 'damage', text: 'Two pallets', waitsFor: 'customer', stopsTerm: true }))
      .body
    expect(held).toMatchObject({
      status: 'in_progress',
      problem: { kind: 'damage', text: 'Two pallets', waitsFor: 'customer', stopsTerm: true, isTold: false },
    })
    expect((await historyOf(invoice.id))[0]).toMatchObject({
      action: 'moved',
      reason: 'Two pallets',
      changes: [
        { path: 'status', from: 'received', to: 'in_progress' },
        { path: 'problemKind', from: null, to: 'damage' },
        { path: 'waitsFor', from: null, to: 'customer' },
      ],
    })
    expect((await approve(held)).body.code).toBe('illegal_transition')
    await app.asOwner(`update invoice_problem set "openedAt" = "openedAt" - interval '3 days 1 hour'
      where "invoiceId" = ${invoice.id}`)
    const back = await clerk.post(`invoices/${held.id}/status`, { to: 'received' }, { version: held.version })
    expect(back.body).toMatchObject({ status: 'received', dueDate: addDays(check.dueDate!, 4) })
    expect(await checkOf(invoice.id)).toMatchObject({ problem: null })
  })

  test('is written to its own carrier, without a link, where another one drives the route by now', async () => {
    const { order, invoice } = await fitting({ amountCents: 98_500, totalCents: 98_500 })
    const other = await app.admin.post('carrier-companies', { title: 'Rhein Spedition', countryId: world.countries.DE })
    const { version, routes } = (await app.admin.get(`orders/${order.id}`)).body
    const given = await app.admin.patch(
      `orders/${order.id}`,
      {
        routes: [
          {
            id: routes[0].id,
            locationIds: routes[0].locationIds,
            assignment: {
              carrierCompanyId: other.body.id,
              disponentEmail: 'dispo@rhein.example',
              plateNumber: 'K RS 77',
            },
          },
        ],
      },
      { version },
    )
    expect(given.status, JSON.stringify(given.body)).toBe(200)
    // The other one has a link, which must not go to this carrier.
    const link = await app.admin.post(
      `routes/${routes[0].id}/upload-link`,
      { linkId: null },
      { version: given.body.version },
    )
    expect(link.status, JSON.stringify(link.body)).toBe(200)
    await app.asOwner(`update location set "unloadedAt" = '2026-12-24T10:00:00Z' where "orderId" = ${order.id}
      and kind = 'unloading'`)
    const draft = async () => (await clerk.get(`invoices/${invoice.id}/problem-mail?kind=amount`)).body.mail
    const change = async (more: object) => {
      const carrier = (await app.admin.get(`carrier-companies/${world.carrier.id}`)).body
      const path = `carrier-companies/${world.carrier.id}`
      const saved = await app.admin.patch(path, more, { version: carrier.version })
      expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    }
    await change({ contactPersons: [], representative: null })
    expect(await draft()).toMatchObject({ to: null, language: 'pl', hasLink: false })
    await change({ representative: { fullName: 'Ewa Mazur', email: 'zarzad@trans-wlkp.example' } })
    expect((await draft()).to).toBe('zarzad@trans-wlkp.example')
    await change({
      contactPersons: [{ fullName: 'Bez Adresu' }, { fullName: 'Jan Nowak', email: 'jan@trans-wlkp.example' }],
    })
    expect((await draft()).to).toBe('jan@trans-wlkp.example')
    await change({ billingAddress: { emails: ['faktury@trans-wlkp.example', 'second@trans-wlkp.example'] } })
    const check = await checkOf(invoice.id)
    expect(lineOf(check, 'amount')).toMatchObject({ level: 'stop', expected: { says: 'amountOfOthers' } })
    const { to, subject, text, html } = await draft()
    expect(to).toBe('faktury@trans-wlkp.example')
    expect(subject).toContain(check.number!)
    const held = await hold(check, { mail: { to, subject, text } })
    expect(held.body, JSON.stringify(held.body)).toMatchObject({ status: 'in_progress', problem: { isTold: true } })
    const { items } = (await clerk.get(`emails?invoiceId=${invoice.id}`)).body
    expect(items).toMatchObject([{ to: [to], subject, variant: 'invoice_problem' }])
    server.inbox.length = 0
    await deliverEmail.handle(jobContext(app), { emailId: items[0].id })
    const left = server.inbox.find(({ recipients }) => recipients[0] === to)!
    for (const written of [html, items[0].html, left.mail.html as string]) {
      expect(written).toContain(check.number)
      for (const secret of ['upload-documents', 'rhein', 'Rhein', 'K RS 77', '24.12.2026'])
        expect(written).not.toContain(secret)
    }
    // Their page stays theirs: it knows nothing of this invoice.
    const token = link.body.link.url.split('/').at(-1)
    const page = await app.anonymous.get(`upload-documents/${token}`, { ip: '2001:db8:7:1::9' })
    expect([page.status, page.body.invoice]).toEqual([200, null])
    await change({ billingAddress: null })
  })

  test('reaches the carrier in its language, and ends when it sends a better invoice through its link', async () => {
    const { invoice } = await fitting({ amountCents: 98_500, totalCents: 98_500 })
    const check = await checkOf(invoice.id)
    const draft = (await clerk.get(`invoices/${invoice.id}/problem-mail?kind=amount`)).body.mail
    expect(draft).toMatchObject({ to: 'dispo@trans-wlkp.example', language: 'pl', hasLink: true })
    expect(draft.text).toMatch(/985,00.*uzgodniono.*900,00/)
    expect(draft.subject).toContain(check.number!)
    const iban = (await clerk.get(`invoices/${invoice.id}/problem-mail?kind=iban`)).body.mail
    expect(iban.text).toContain('2874')
    expect(JSON.stringify(iban)).not.toContain(IBAN)
    const { to, subject } = draft
    const held = await hold(check, { mail: { to, subject, text: 'Uzgodniono 900 EUR, bez przestoju.' } })
    expect(held.body, JSON.stringify(held.body)).toMatchObject({ status: 'in_progress', problem: { isTold: true } })
    const { items } = (await clerk.get(`emails?invoiceId=${invoice.id}`)).body
    expect(items).toMatchObject([{ type: 'other_emails', variant: 'invoice_problem', status: 'queued' }])
    expect(items[0].html).not.toMatch(/upload-documents\/[\w-]{20}/)
    server.inbox.length = 0
    await deliverEmail.handle(jobContext(app), { emailId: items[0].id })
    const { mail } = server.inbox.find(({ recipients }) => recipients[0] === to)!
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain('Uzgodniono 900 EUR, bez przestoju.')
    const token = /upload-documents\/([\w-]{20,})/.exec(mail.html as string)![1]!
    const ip = (n: number) => ({ ip: `2001:db8:7::${n}` })
    expect((await app.anonymous.get(`upload-documents/${token}`, ip(1))).body.invoice).toMatchObject({
      number: check.number,
      isChecked: false,
      // What it was written about, and not our own words.
      problem: { kind: 'amount' },
    })
    const { body, contentType } = await encodeForm({ fields: { kind: 'invoice' }, file: pdf('Korekta.pdf') })
    await app.anonymous.post(`upload-documents/${token}/files`, body, {
      ...ip(2),
      headers: { 'content-type': contentType },
    })
    const sent = await app.anonymous.post(
      `upload-documents/${token}`,
      {
        invoiceNumber: check.number,
        documentCreationDate: today(),
        amountCents: COST,
        vatBp: 0,
        totalCents: COST,
        iban: IBAN,
        dueDate: addDays(today(), 30),
      },
      ip(3),
    )
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    expect(sent.body.page.invoice).toMatchObject({ number: check.number, problem: null })
    const better = await checkOf(invoice.id)
    expect(better).toMatchObject({ status: 'received', amountCents: COST, problem: null, isFromLink: true })
    expect(better.verdict.level).toBe('ok')
    expect((await historyOf(invoice.id))[0]!.changes).toContainEqual({
      path: 'status',
      from: 'in_progress',
      to: 'received',
    })
    expect((await approve(better)).body.status).toBe('approved')
  })
})

describe('an invoice that is deleted at the moment', () => {
  const deleted = (id: number) => (client: { query(text: string, values: unknown[]): Promise<unknown> }) =>
    client.query('delete from invoice where id = $1', [id])

  test('in which it is approved is not found', async () => {
    const check = await checkOf((await fitting()).invoice.id)
    expect((await raced(app, deleted(check.id), () => approve(check))).status).toBe(404)
  })

  test('in which it is set aside is not found', async () => {
    const check = await checkOf((await fitting()).invoice.id)
    expect((await raced(app, deleted(check.id), () => hold(check))).status).toBe(404)
  })

  test('in which its approval is taken back is not found', async () => {
    const approved = (await approve(await checkOf((await fitting()).invoice.id))).body as InvoiceCheck
    expect((await raced(app, deleted(approved.id), () => undo(approved))).status).toBe(404)
  })
})

// The last, because the clock ends every session.
describe('the day of the queue', () => {
  const signInAnew = async () => {
    clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  }

  test('counts what was approved on this day where its company is', async () => {
    const approvedToday = async (): Promise<{ count: number; totalCents: number }> =>
      (await clerk.get('invoices/to-check')).body.approvedToday
    const [late, early] = [(await fitting()).invoice, (await fitting()).invoice]
    const { time } = localOf(app.clock.now(), 'Europe/Berlin')
    const [hour, minute] = time.split(':').map(Number) as [number, number]
    const untilTenToMidnight = (23 * 60 + 50 - (hour * 60 + minute) + 24 * 60) % (24 * 60)
    app.clock.advance(untilTenToMidnight * 60_000)
    await signInAnew()
    const before = await approvedToday()
    expect((await approve(await checkOf(late.id))).status).toBe(200)
    expect(await approvedToday()).toEqual({ count: before.count + 1, totalCents: before.totalCents + COST })
    // Midnight here; in UTC the day is not over yet.
    app.clock.advance(20 * 60_000)
    await signInAnew()
    expect(await approvedToday()).toEqual({ count: 0, totalCents: 0 })
    expect((await approve(await checkOf(early.id))).status).toBe(200)
    expect(await approvedToday()).toEqual({ count: 1, totalCents: COST })
  })
})

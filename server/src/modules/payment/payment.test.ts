import { sql } from 'kysely'
import { isSmallCredit, type InvoicePayments, type Payment } from '@waybill/contract/payment/payment'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
let world: OrderWorld
let clerk: Caller
let countOfCustomers = 0

beforeAll(async () => {
  world = await orderWorld(test)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
})

interface Sent {
  id: number
  version: number
  companyId: number
  billingCustomerId: number
  totalCents: number
}

const newCustomer = (more: Record<string, unknown> = {}) => {
  countOfCustomers += 1
  return world.customer(`Zahler ${countOfCustomers} GmbH`, 'DE', more)
}

/** A sent invoice without VAT of a customer. */
async function sentInvoice(customerId: number, cents: number): Promise<Sent> {
  const { body: order } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: cents }),
  )
  const line = { kind: 'freight', text: 'Transport', quantity: 1, unitPriceCents: cents, vatBp: 0, vatCategory: 'Z' }
  const { body: draft } = await clerk.post('invoices', {
    entityType: 'customer',
    orderIds: [order.id],
    lines: [{ ...line, orderId: order.id }],
  })
  const sent = await clerk.post<Sent>(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return sent.body
}

const ofInvoice = ({ companyId, billingCustomerId }: Sent) => ({ companyId, customerId: billingCustomerId })
const book = (invoice: Sent, amountCents: number, more: Record<string, unknown> = {}) =>
  clerk.post<Payment & Answer['body']>('payments', {
    ...ofInvoice(invoice),
    valueDate: '2026-11-23',
    amountCents,
    shares: [{ invoiceId: invoice.id, amountCents }],
    ...more,
  })
const paymentsOf = async (id: number): Promise<InvoicePayments> => (await clerk.get(`invoices/${id}/payments`)).body
const invoiceNow = async (id: number) => (await clerk.get(`invoices/${id}`)).body
const reverse = (id: number, reason = 'Rücklastschrift') => clerk.post<Payment>(`payments/${id}/reverse`, { reason })
const credit = async (invoice: Sent): Promise<number> => (await paymentsOf(invoice.id)).creditCents
const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

async function correct(invoice: { id: number; version: number }, cents: number | null): Promise<Sent> {
  const current = await invoiceNow(invoice.id)
  const { id: _id, netCents: _net, ...line } = current.lines[0]
  const lines = cents === null ? null : [{ ...line, quantity: -1, unitPriceCents: cents }]
  const draft = await clerk.post(
    `invoices/${invoice.id}/correction`,
    { reason: 'x', lines },
    { version: current.version },
  )
  expect(draft.status, JSON.stringify(draft.body)).toBe(201)
  const sent = await clerk.post<Sent>(
    `invoices/${draft.body.id}/status`,
    { to: 'sent' },
    { version: draft.body.version },
  )
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return sent.body
}

describe('what is refused', () => {
  it('is anything without the right to invoices, and anything of a company that is not looked at', async () => {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    const stranger = (await test.userWith('ORDERS_MANAGEMENT')).caller
    for (const [caller, status] of [
      [test.anonymous, 401],
      [stranger, 403],
    ] as const) {
      expect((await caller.get(`invoices/${invoice.id}/payments`)).status).toBe(status)
      expect((await caller.post('payments', {})).status).toBe(status)
    }
    const headers = { 'group-filter': '999999' }
    expect((await test.admin.get(`invoices/${invoice.id}/payments`, { headers })).status).toBe(404)
    const body = { ...ofInvoice(invoice), valueDate: '2026-11-23', amountCents: 1000, shares: [] }
    expect(codes(await test.admin.post('payments', body, { headers }))).toEqual([422, 'companyId unknown_reference'])
    const { body: payment } = await book(invoice, 1000)
    expect((await test.admin.post(`payments/${payment.id}/reverse`, { reason: 'x' }, { headers })).status).toBe(404)
  })

  it('is a share of more than is open, of another customer, twice, and one of more than was paid', async () => {
    const customerId = await newCustomer()
    const invoice = await sentInvoice(customerId, 1000)
    const other = await sentInvoice(await newCustomer(), 1000)
    const shared = (...shares: object[]) => book(invoice, 2000, { shares })
    const one = { invoiceId: invoice.id, amountCents: 900 }
    expect(codes(await shared({ ...one, amountCents: 1001 }))).toEqual([422, 'shares.0.amountCents exceeds_open'])
    expect(codes(await shared(one, one))).toEqual([422, 'shares.1.invoiceId duplicate_key'])
    expect(codes(await shared({ invoiceId: other.id, amountCents: 900 }))).toEqual([
      422,
      'shares.0.invoiceId unknown_reference',
    ])
    expect(codes(await book(invoice, 899, { shares: [one] }))).toEqual([422, 'shares exceeds_payment'])
    expect(codes(await shared({ ...one, skontoCents: 100 }))).toEqual([422, 'shares.0.skontoCents skonto_too_much'])
    expect(codes(await book(invoice, 1000, { valueDate: '2026-11-24' }))).toEqual([422, 'valueDate in_the_future'])
    expect((await book(invoice, 0)).status).toBe(422)
    expect((await book(invoice, 10.5)).status).toBe(422)
    expect((await paymentsOf(invoice.id)).items).toEqual([])
  })

  it('is more from the account than is on it, and the second reversal', async () => {
    const customerId = await newCustomer()
    const first = await sentInvoice(customerId, 1000)
    const second = await sentInvoice(customerId, 500)
    const { body: payment } = await book(first, 1200, { shares: [{ invoiceId: first.id, amountCents: 1000 }] })
    const whose = ofInvoice(first)
    const shares = [{ invoiceId: second.id, amountCents: 201 }]
    expect(codes(await clerk.post('payments/credit', { ...whose, shares }))).toEqual([422, 'shares credit_too_small'])
    const refund = { ...whose, valueDate: '2026-11-23' }
    expect(codes(await clerk.post('payments/refund', { ...refund, amountCents: 201 }))).toEqual([
      422,
      'amountCents credit_too_small',
    ])
    expect((await clerk.post('payments/refund', { ...refund, amountCents: 200 })).status).toBe(201)
    expect(codes(await reverse(payment.id))).toEqual([409, 'reason credit_used'])
    const { body: bounced } = await book(second, 500)
    const { body: back } = await reverse(bounced.id)
    expect((await reverse(bounced.id)).status).toBe(409)
    expect((await reverse(back.id)).status).toBe(409)
  })

  it('is by the database what is not shared out to the cent, and what changes a booking', async () => {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    const { body: payment } = await book(invoice, 400)
    const { db } = test.database
    await expect(
      sql`insert into payment_share ("paymentId", "amountCents") values (${payment.id}, 1)`.execute(db),
    ).rejects.toMatchObject({ constraint: 'conflict__payment_shared' })
    await expect(
      sql`insert into payment (kind, source, "companyId", "customerId", "valueDate", "amountCents", "createdAt")
        values ('payment', 'hand', ${invoice.companyId}, ${invoice.billingCustomerId}, '2026-11-23', 5, now())`.execute(
        db,
      ),
    ).rejects.toMatchObject({ constraint: 'conflict__payment_shared' })
    await expect(sql`update payment set "amountCents" = 1 where id = ${payment.id}`.execute(db)).rejects.toBeDefined()
    await expect(sql`delete from payment_share where "paymentId" = ${payment.id}`.execute(db)).rejects.toBeDefined()
    await expect(
      sql`update receivable set "paidCents" = 1001 where "invoiceId" = ${invoice.id}`.execute(db),
    ).rejects.toMatchObject({ constraint: 'conflict__receivable_open' })
  })
})

describe('a payment', () => {
  it('in part leaves the invoice sent with the rest, and with the rest it is paid', async () => {
    const invoice = await sentInvoice(await newCustomer(), 154_700)
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'sent', openCents: 154_700 })
    const { status, body } = await book(invoice, 100_000, { payer: 'Vogelsang GmbH', reference: 'RG 1 TEIL' })
    expect([status, body.accountCents]).toEqual([201, 0])
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'sent', openCents: 54_700 })
    await book(invoice, 54_700)
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'paid', openCents: 0 })
    const { items, paidCents } = await paymentsOf(invoice.id)
    expect(paidCents).toBe(154_700)
    expect(items).toMatchObject([
      { amountCents: 100_000, payer: 'Vogelsang GmbH', reference: 'RG 1 TEIL', kind: 'payment', isReversed: false },
      { amountCents: 54_700 },
    ])
    const list = async (query: string) => {
      const { status, body: page } = await clerk.get(
        `invoices?billingCustomerId[]=${invoice.billingCustomerId}&${query}`,
      )
      expect(status, JSON.stringify(page)).toBe(200)
      return page.items
    }
    expect(await list('open=1')).toEqual([])
    expect(await list('open=0')).toMatchObject([{ id: invoice.id, openCents: 0 }])
  })

  it('of too much is on the account, which pays the next invoice or goes back', async () => {
    const customerId = await newCustomer()
    const first = await sentInvoice(customerId, 1000)
    const second = await sentInvoice(customerId, 700)
    await book(first, 1500, { shares: [{ invoiceId: first.id, amountCents: 1000 }] })
    expect(await credit(first)).toBe(500)
    const shares = [{ invoiceId: second.id, amountCents: 450 }]
    expect((await clerk.post('payments/credit', { ...ofInvoice(first), shares })).status).toBe(201)
    expect(await invoiceNow(second.id)).toMatchObject({ status: 'sent', openCents: 250 })
    const refund = { ...ofInvoice(first), valueDate: '2026-11-23', amountCents: 50 }
    expect((await clerk.post('payments/refund', refund)).body).toMatchObject({ kind: 'refund', amountCents: -50 })
    expect(await credit(first)).toBe(0)
  })

  it('is reversed by a row of its own, and every invoice that it paid is sent again', async () => {
    const customerId = await newCustomer()
    const first = await sentInvoice(customerId, 1000)
    const second = await sentInvoice(customerId, 700)
    const { body: payment } = await book(first, 1800, {
      shares: [
        { invoiceId: first.id, amountCents: 1000 },
        { invoiceId: second.id, amountCents: 700 },
      ],
    })
    const back = await reverse(payment.id)
    expect(back.body).toMatchObject({ amountCents: -1800, accountCents: -100, reversesId: payment.id })
    for (const { id } of [first, second]) expect((await invoiceNow(id)).status).toBe('sent')
    expect(await paymentsOf(first.id)).toMatchObject({
      openCents: 1000,
      creditCents: 0,
      items: [{ isReversed: true }, { reason: 'Rücklastschrift', amountCents: -1000 }],
    })
  })

  it('is written by marking an invoice as paid, and reversed by the way back', async () => {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    await book(invoice, 300)
    const move = async (to: string, more: object = {}) => {
      const { version } = await invoiceNow(invoice.id)
      return clerk.post(`invoices/${invoice.id}/status`, { to, ...more }, { version })
    }
    await move('paid', { at: '2026-11-20T10:00:00Z' })
    expect((await paymentsOf(invoice.id)).items.at(-1)).toMatchObject({
      source: 'status',
      amountCents: 700,
      valueDate: '2026-11-20',
    })
    expect((await move('sent', { reason: 'geplatzt' })).body).toMatchObject({ status: 'sent', openCents: 700 })
    expect((await paymentsOf(invoice.id)).items.at(-1)).toMatchObject({ amountCents: -700, reason: 'geplatzt' })
  })

  it('sent twice with one key is booked once, and of two at the same time one', async () => {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    const body = { ...ofInvoice(invoice), valueDate: '2026-11-23', amountCents: 600 }
    const shares = [{ invoiceId: invoice.id, amountCents: 600 }]
    const headers = { 'idempotency-key': 'payment-once-0001' }
    const [one, again] = [
      await clerk.post('payments', { ...body, shares }, { headers }),
      await clerk.post('payments', { ...body, shares }, { headers }),
    ]
    expect(again.body.id).toBe(one.body.id)
    const other = await sentInvoice(await newCustomer(), 1000)
    const answers = await Promise.all([book(other, 600), book(other, 600)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect((await paymentsOf(other.id)).openCents).toBe(400)
  })
})

describe('a small rest', () => {
  const writeOff = (invoice: Sent, amountCents: number, more: Record<string, unknown> = {}, caller = clerk) =>
    caller.post<Payment & Answer['body']>('payments/write-off', {
      ...ofInvoice(invoice),
      shares: [{ invoiceId: invoice.id, amountCents }],
      ...more,
    })

  it('is not written off without the right, of another customer, twice, or where nothing was paid', async () => {
    const customerId = await newCustomer()
    const invoice = await sentInvoice(customerId, 1000)
    const whole = await sentInvoice(customerId, 300)
    await book(invoice, 997)
    const stranger = (await test.userWith('CUSTOMER_MANAGEMENT', 'ORDERS_MANAGEMENT')).caller
    expect((await writeOff(invoice, 3, {}, test.anonymous)).status).toBe(401)
    expect((await writeOff(invoice, 3, {}, stranger)).status).toBe(403)
    const body = { ...ofInvoice(invoice), shares: [{ invoiceId: invoice.id, amountCents: 3 }] }
    const headers = { 'group-filter': '999999' }
    expect(codes(await test.admin.post('payments/write-off', body, { headers }))).toEqual([
      422,
      'companyId unknown_reference',
    ])
    expect(codes(await writeOff(invoice, 3, { customerId: await newCustomer() }))).toEqual([
      422,
      'shares.0.invoiceId unknown_reference',
    ])
    const share = { invoiceId: invoice.id, amountCents: 3 }
    expect(codes(await writeOff(invoice, 3, { shares: [share, share] }))).toEqual([
      422,
      'shares.1.invoiceId duplicate_key',
    ])
    expect(codes(await writeOff(whole, 300))).toEqual([422, 'shares.0.amountCents rest_too_large'])
    expect((await paymentsOf(invoice.id)).openCents).toBe(3)
  })

  it('is five euros at most, and just what is open', async () => {
    const invoice = await sentInvoice(await newCustomer(), 10_000)
    await book(invoice, 9_499)
    const tooMuch = await writeOff(invoice, 501)
    expect(codes(tooMuch)).toEqual([422, 'shares.0.amountCents rest_too_large'])
    expect(tooMuch.body.errors[0].message).toContain('5 €')
    await book(invoice, 1)
    for (const other of [499, 501])
      expect(codes(await writeOff(invoice, other))).toEqual([422, 'shares.0.amountCents rest_changed'])
    expect((await writeOff(invoice, 0)).status).toBe(422)
    const written = await writeOff(invoice, 500)
    expect([written.status, written.body]).toMatchObject([201, { kind: 'write_off', amountCents: 0, accountCents: 0 }])
    expect(codes(await writeOff(invoice, 500))).toEqual([422, 'shares.0.amountCents rest_changed'])
  })

  it('that is written off leaves the invoice paid, stands in the history, and is open once taken back', async () => {
    const customerId = await newCustomer()
    const [first, second] = [await sentInvoice(customerId, 1000), await sentInvoice(customerId, 2000)]
    await book(first, 997)
    const { body: payment } = await book(second, 1999)
    const answer = await writeOff(first, 3, {
      shares: [
        { invoiceId: first.id, amountCents: 3 },
        { invoiceId: second.id, amountCents: 1 },
      ],
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    for (const { id } of [first, second]) expect(await invoiceNow(id)).toMatchObject({ status: 'paid', openCents: 0 })
    expect((await paymentsOf(first.id)).items.at(-1)).toMatchObject({
      kind: 'write_off',
      amountCents: 0,
      skontoCents: 3,
    })
    const { body: history } = await clerk.get(`audit-entries?invoiceId=${first.id}`)
    expect(history.items.find(({ action }: { action: string }) => action === 'writtenOff').changes).toEqual([
      { path: 'writtenOffCents', from: null, to: 3 },
    ])
    // The money came back: what was written off stays, and is taken back by itself.
    const current = await invoiceNow(second.id)
    const bounced = { to: 'sent', reason: 'geplatzt' }
    expect((await clerk.post(`invoices/${second.id}/status`, bounced, { version: current.version })).status).toBe(200)
    expect(await paymentsOf(second.id)).toMatchObject({
      openCents: 1999,
      items: [{ id: payment.id, isReversed: true }, {}, {}],
    })
    expect((await reverse(answer.body.id, 'doch nicht')).status).toBe(201)
    expect((await reverse(answer.body.id)).status).toBe(409)
    expect(await invoiceNow(first.id)).toMatchObject({ status: 'sent', openCents: 3 })
    expect((await paymentsOf(second.id)).openCents).toBe(2000)
  })

  it('is written off once where two people press at the same time', async () => {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    await book(invoice, 998)
    const answers = await Promise.all([writeOff(invoice, 2), writeOff(invoice, 2)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    await correct(invoice, null)
    expect(await paymentsOf(invoice.id)).toMatchObject({ openCents: 0, skontoCents: 0, creditCents: 998 })
  })

  it('is written off with the payment that lacks it, as it was seen and no more than that', async () => {
    const customerId = await newCustomer({ skonto: [{ percentBp: 200, days: 10 }] })
    const invoice = await sentInvoice(customerId, 100_000)
    const whole = await sentInvoice(customerId, 300)
    const short = (amountCents: number, writeOffCents: number, more: object = {}) =>
      book(invoice, amountCents, {
        shares: [{ invoiceId: invoice.id, amountCents, skontoCents: 0, writeOffCents, ...more }],
      })
    expect(codes(await short(99_997, 2))).toEqual([422, 'shares.0.writeOffCents rest_changed'])
    const tooMuch = await short(99_499, 501)
    expect(codes(tooMuch)).toEqual([422, 'shares.0.writeOffCents rest_too_large'])
    expect(tooMuch.body.errors[0].message).toContain('5 €')
    // What Skonto takes off already is no rest.
    expect(codes(await short(98_000, 500, { skontoCents: null }))).toEqual([422, 'shares.0.writeOffCents rest_changed'])
    const nothing = [{ invoiceId: whole.id, amountCents: 0, writeOffCents: 300 }]
    expect((await book(whole, 1, { shares: nothing })).status).toBe(422)
    expect((await paymentsOf(invoice.id)).items).toEqual([])
    const { status, body: payment } = await short(99_997, 3)
    expect([status, payment], JSON.stringify(payment)).toMatchObject([201, { kind: 'payment', amountCents: 99_997 }])
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'paid', openCents: 0 })
    expect((await paymentsOf(invoice.id)).items).toMatchObject([
      { kind: 'payment', amountCents: 99_997, skontoCents: 0 },
      { kind: 'write_off', amountCents: 0, skontoCents: 3 },
    ])
    const { body: history } = await clerk.get(`audit-entries?invoiceId=${invoice.id}`)
    expect(history.items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['paymentBooked', 'writtenOff']),
    )
  })
})

describe('a small credit', () => {
  const giveUp = (invoice: Sent, amountCents: number, caller = clerk, headers: Record<string, string> = {}) =>
    caller.post<Payment & Answer['body']>(
      'payments/write-off-credit',
      { ...ofInvoice(invoice), amountCents },
      { headers },
    )
  /** A paid invoice of a new customer that paid so much too much. */
  async function overpaid(cents: number): Promise<Sent> {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    const paid = await book(invoice, 1000 + cents, { shares: [{ invoiceId: invoice.id, amountCents: 1000 }] })
    expect([paid.status, paid.body.accountCents]).toEqual([201, cents])
    return invoice
  }

  it('is not booked out without the right, of another company, as another amount, or above five euros', async () => {
    const invoice = await overpaid(501)
    const stranger = (await test.userWith('CUSTOMER_MANAGEMENT', 'ORDERS_MANAGEMENT')).caller
    expect((await giveUp(invoice, 501, test.anonymous)).status).toBe(401)
    expect((await giveUp(invoice, 501, stranger)).status).toBe(403)
    expect(codes(await giveUp(invoice, 501, test.admin, { 'group-filter': '999999' }))).toEqual([
      422,
      'companyId unknown_reference',
    ])
    const tooMuch = await giveUp(invoice, 501)
    expect(codes(tooMuch)).toEqual([422, 'amountCents credit_too_large'])
    expect(tooMuch.body.errors[0].message).toContain('5 €')
    expect(codes(await giveUp(invoice, 500))).toEqual([422, 'amountCents credit_changed'])
    expect((await giveUp(invoice, 0)).status).toBe(422)
    const owing = await sentInvoice(await newCustomer(), 1000)
    expect(codes(await giveUp(owing, 1))).toEqual([422, 'amountCents credit_changed'])
    expect(await credit(invoice)).toBe(501)
  })

  it('that is booked out leaves the account, stands in the history, and comes back once it is reversed', async () => {
    const invoice = await overpaid(3)
    const { status, body: booked } = await giveUp(invoice, 3)
    expect([status, booked], JSON.stringify(booked)).toMatchObject([
      201,
      { kind: 'credit_write_off', amountCents: -3, accountCents: -3, shares: [] },
    ])
    expect(await paymentsOf(invoice.id)).toMatchObject({
      creditCents: 0,
      creditsGivenUp: [{ id: booked.id, amountCents: 3 }],
    })
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'paid', openCents: 0 })
    const told = async (action: string) =>
      (await test.admin.get(`audit-entries?customerId=${invoice.billingCustomerId}`)).body.items.find(
        (one: { action: string }) => one.action === action,
      )
    expect((await told('creditWrittenOff')).changes).toEqual([{ path: 'writtenOffCents', from: null, to: 3 }])
    // What the payment left on the account is not there any more.
    const [payment] = (await paymentsOf(invoice.id)).items
    expect(codes(await reverse(payment!.id))).toEqual([409, 'reason credit_used'])
    expect((await reverse(booked.id, 'wird erstattet')).status).toBe(201)
    expect((await reverse(booked.id)).status).toBe(409)
    expect(await paymentsOf(invoice.id)).toMatchObject({ creditCents: 3, creditsGivenUp: [] })
    expect((await told('creditWriteOffReversed')).reason).toBe('wird erstattet')
    expect((await reverse(payment!.id)).status).toBe(201)
  })

  it('is booked out once where two people press at the same time', async () => {
    const invoice = await overpaid(500)
    const answers = await Promise.all([giveUp(invoice, 500), giveUp(invoice, 500)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(await credit(invoice)).toBe(0)
  })
})

describe('a correction', () => {
  it('is set off against what is open, and the invoice is paid where nothing is left', async () => {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    await book(invoice, 800)
    const correction = await correct(invoice, 200)
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'paid', openCents: 0 })
    expect(await invoiceNow(correction.id)).toMatchObject({ status: 'sent', openCents: 0, isOverdue: false })
    expect(await paymentsOf(invoice.id)).toMatchObject({ paidCents: 800, correctedCents: 200, creditCents: 0 })
  })

  it('of what was paid is on the customer’s account, and the payment can still come back', async () => {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    const { body: payment } = await book(invoice, 1000)
    await correct(invoice, null)
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'canceled', openCents: 0 })
    expect(await credit(invoice)).toBe(1000)
    expect((await reverse(payment.id)).body).toMatchObject({ accountCents: -1000, shares: [] })
    expect(await paymentsOf(invoice.id)).toMatchObject({ creditCents: 0, openCents: 0 })
  })

  it('takes back what another correction has billed more, before anything is on the account', async () => {
    const invoice = await sentInvoice(await newCustomer(), 1000)
    const { body: payment } = await book(invoice, 1000)
    const more = await correct(invoice, -300)
    expect(await invoiceNow(more.id)).toMatchObject({ status: 'sent', openCents: 300 })
    const less = await correct(invoice, 100)
    expect([await invoiceNow(more.id), await credit(invoice)]).toMatchObject([{ openCents: 200 }, 0])
    expect((await paymentsOf(more.id)).items).toMatchObject([{ kind: 'correction', correction: { id: less.id } }])
    // Nothing is billed of the sale any more: what was paid is the customer's, and nothing is open.
    await correct(invoice, null)
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'canceled', openCents: 0 })
    expect([await invoiceNow(more.id), await credit(invoice)]).toMatchObject([{ openCents: 0 }, 1000])
    expect((await reverse(payment.id)).body).toMatchObject({ accountCents: -1000 })
    expect(await credit(invoice)).toBe(0)
  })

  it('takes its part of a Skonto back', async () => {
    const invoice = await sentInvoice(await newCustomer({ skonto: [{ percentBp: 200, days: 10 }] }), 100_000)
    await book(invoice, 98_000)
    expect(await paymentsOf(invoice.id)).toMatchObject({ openCents: 0, skontoCents: 2000 })
    await correct(invoice, 25_000)
    expect(await paymentsOf(invoice.id)).toMatchObject({ openCents: 0, skontoCents: 1500, creditCents: 24_500 })
    await correct(invoice, null)
    expect(await paymentsOf(invoice.id)).toMatchObject({ openCents: 0, skontoCents: 0, creditCents: 98_000 })
  })
})

describe('Skonto', () => {
  it('is agreed on the customer, the later step lower', async () => {
    const skonto = [
      { percentBp: 300, days: 7 },
      { percentBp: 200, days: 14 },
    ]
    const customerId = await newCustomer()
    const { body: customer } = await test.admin.get(`customers/${customerId}`)
    const save = (wanted: object[]) =>
      test.admin.patch(`customers/${customerId}`, { skonto: wanted }, { version: customer.version })
    expect(codes(await save([...skonto].reverse()))[1]).toBe('skonto skonto_order')
    expect((await save([...skonto, ...skonto])).status).toBe(422)
    expect((await save(skonto)).body.skonto).toEqual(skonto)
  })
})

it('keeps every cent in forty random bookings, corrections and reversals', async () => {
  const seed = Number(process.env.PAYMENT_SEED ?? 20261123)
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state % below
  }
  const customerId = await newCustomer({ skonto: [{ percentBp: 200, days: 10 }] })
  const invoices: Sent[] = []
  for (let count = 0; count < 6; count += 1) invoices.push(await sentInvoice(customerId, 1000 + random(90_000)))
  const bookings: number[] = []
  for (let step = 0; step < 40; step += 1) {
    const invoice = invoices[random(invoices.length)]!
    const open = (await paymentsOf(invoice.id)).openCents
    const dice = random(10)
    if (dice < 6) {
      const share = Math.min(open, 1 + random(40_000))
      const more = random(3) === 0 ? random(500) : 0
      const shares = share > 0 ? [{ invoiceId: invoice.id, amountCents: share }] : []
      if (share + more > 0) bookings.push((await book(invoice, share + more, { shares })).body.id)
    } else if (dice < 8 && bookings.length > 0) await reverse(bookings[random(bookings.length)]!)
    else if (dice === 8) {
      const have = await credit(invoice)
      const shares = [{ invoiceId: invoice.id, amountCents: Math.min(have, open) }]
      if (shares[0]!.amountCents > 0) await clerk.post('payments/credit', { ...ofInvoice(invoice), shares })
    } else if (random(2) === 0) {
      if ((await invoiceNow(invoice.id)).status !== 'canceled') await correct(invoice, 100)
    } else {
      const amountCents = await credit(invoice)
      const body = { ...ofInvoice(invoice), amountCents }
      if (isSmallCredit(amountCents)) bookings.push((await clerk.post('payments/write-off-credit', body)).body.id)
    }
    const { rows } = await sql<Record<string, number>>`
      select (select sum("amountCents") from payment where "customerId" = ${customerId})::bigint as moved,
        (select coalesce(sum("paidCents" + "correctedCents"), 0) from receivable
          where "customerId" = ${customerId})::bigint as placed,
        (select coalesce(sum("balanceCents"), 0) from customer_account where "customerId" = ${customerId})::bigint
          as account,
        (select count(*) from receivable r join invoice i on i.id = r."invoiceId"
          where r."customerId" = ${customerId} and i."correctionOfId" is null
            and (i.status = 'paid') <> (r."openCents" = 0) and i.status <> 'canceled')::bigint as wrong
    `.execute(test.database.db)
    const { moved, placed, account, wrong } = rows[0]!
    expect([wrong, Number(moved)], `seed ${seed}, step ${step}`).toEqual([0, Number(placed) + Number(account)])
  }
}, 180_000)

it('takes Skonto off by the value date, whenever it is booked', { tags: 'long' }, async () => {
  const skonto = [
    { percentBp: 300, days: 7 },
    { percentBp: 200, days: 14 },
  ]
  const cases = [
    ['2026-11-30', 97_000, 3000],
    ['2026-11-30', 97_500, 2500],
    ['2026-12-01', 97_000, 0],
    ['2026-12-07', 98_000, 2000],
    ['2026-12-08', 98_000, 0],
    ['2026-11-30', 96_999, 0],
  ] as const
  const invoices: Sent[] = []
  while (invoices.length < cases.length) invoices.push(await sentInvoice(await newCustomer({ skonto }), 100_000))
  test.clock.advance(27 * 86_400_000)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  for (const [index, [valueDate, amountCents, taken]] of cases.entries()) {
    const invoice = invoices[index]!
    expect((await book(invoice, amountCents, { valueDate })).status).toBe(201)
    const { openCents, skontoCents } = await paymentsOf(invoice.id)
    expect([valueDate, skontoCents, openCents]).toEqual([valueDate, taken, taken === 0 ? 100_000 - amountCents : 0])
    expect((await invoiceNow(invoice.id)).status).toBe(taken === 0 ? 'sent' : 'paid')
  }
  // Late, and granted all the same.
  const shares = [{ invoiceId: invoices[4]!.id, amountCents: 1, skontoCents: 1999 }]
  expect((await book(invoices[4]!, 1, { valueDate: '2026-12-19', shares })).status).toBe(201)
  expect((await invoiceNow(invoices[4]!.id)).status).toBe('paid')
})

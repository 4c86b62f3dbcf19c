import type { Batch, BookkeepingProposal } from '@waybill/contract/bookkeeping/bookkeeping'
import { chartAccounts } from '@waybill/contract/bookkeeping/chart'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import type { Payment } from '@waybill/contract/payment/payment'
import { sql, type Kysely } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { up } from '../../../migrations/0155-accounts-of-kept-credits.ts'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { paymentWorld, type PaymentWorld } from '../../../test/payments/payment-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const MONTH = '2026-11'
let world: OrderWorld
let money: PaymentWorld
let clerk: Caller
let companyId: number
let count = 0

const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]
const settings = {
  consultantNumber: 29_098,
  clientNumber: 55_003,
  fiscalYearMonth: 7,
  accountLength: 4,
  ...chartAccounts('SKR03', 4),
}

async function setUp(bookkeeping: object | null): Promise<Answer> {
  const { body } = await test.admin.get(`companies/${companyId}`)
  return test.admin.patch(`companies/${companyId}`, { bookkeeping }, { version: body.version })
}
const proposal = async (month = MONTH): Promise<BookkeepingProposal> =>
  (await clerk.get(`bookkeeping/proposal?companyId=${companyId}&month=${month}`)).body
const make = (month = MONTH, caller = clerk) =>
  caller.post<Batch & Answer['body']>('bookkeeping/batches', { companyId, month })
const giveNumbers = (month = MONTH) => clerk.post('bookkeeping/account-numbers', { companyId, month })

async function made(month = MONTH): Promise<Batch> {
  await giveNumbers(month)
  const answer = await make(month)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

const newCustomer = (more: Record<string, unknown> = {}) => {
  count += 1
  return world.customer(`Żuraw & Söhne ${count}`, 'DE', more)
}

interface Line {
  unitPriceCents: number
  vatBp: number
  vatCategory: string
}

async function sentInvoice(customerId: number, lines: Line[]): Promise<Invoice> {
  const { body: order } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: 1000 }),
  )
  const { body: draft, status } = await clerk.post('invoices', {
    entityType: 'customer',
    orderIds: [order.id],
    servicePeriodFrom: '2026-11-18',
    servicePeriodTo: '2026-11-19',
    lines: lines.map((line) => ({ kind: 'extra', text: 'Transport', quantity: 1, orderId: order.id, ...line })),
  })
  expect(status, JSON.stringify(draft)).toBe(201)
  const sent = await clerk.post<Invoice>(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return sent.body
}
const standard = (unitPriceCents: number): Line => ({ unitPriceCents, vatBp: 1900, vatCategory: 'S' })

const pay = async (invoice: Invoice, amountCents: number, shareCents = amountCents): Promise<Payment> => {
  const answer = await clerk.post<Payment>('payments', {
    companyId,
    customerId: invoice.billingCustomerId,
    valueDate: '2026-11-23',
    amountCents,
    shares: [{ invoiceId: invoice.id, amountCents: shareCents }],
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

async function correct(invoice: Invoice, cents: number | null): Promise<void> {
  const { body: current } = await clerk.get<Invoice>(`invoices/${invoice.id}`)
  const { id: _id, netCents: _net, ...line } = current.lines[0]!
  const lines = cents === null ? null : [{ ...line, quantity: -1, unitPriceCents: cents }]
  const draft = await clerk.post(
    `invoices/${invoice.id}/correction`,
    { reason: 'x', lines },
    { version: current.version },
  )
  expect(draft.status, JSON.stringify(draft.body)).toBe(201)
  const sent = await clerk.post(`invoices/${draft.body.id}/status`, { to: 'sent' }, { version: draft.body.version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
}

/** What the rows of valid batches come to on the accounts of customers, or of carriers, debit less credit. */
async function balances(from: number, to: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: number; cents: number }>`
    select r.account, sum(case when r."isDebit" then r."amountCents" else -r."amountCents" end)::bigint as cents
      from bookkeeping_row r join bookkeeping_batch b on b.id = r."batchId"
      where b."voidedAt" is null and r.account between ${from} and ${to} group by 1 order by 1
  `.execute(test.database.db)
  return Object.fromEntries(rows.filter(({ cents }) => cents !== 0).map(({ account, cents }) => [account, cents]))
}

/** What our ledgers say customers owe: what is open, less what is on their accounts. */
async function owed(): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: number; cents: number }>`
    select c."debtorNumber" as account,
        (coalesce((select sum(r."openCents") from receivable r where r."customerId" = c.id), 0)
          - coalesce((select sum(a."balanceCents") from customer_account a where a."customerId" = c.id), 0))::bigint
          as cents
      from customer c where c."debtorNumber" is not null order by 1
  `.execute(test.database.db)
  return Object.fromEntries(rows.filter(({ cents }) => cents !== 0).map(({ account, cents }) => [account, cents]))
}

/** What we owe carriers: their invoices that are approved and not paid. */
async function owing(): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: number; cents: number }>`
    select c."creditorNumber" as account, -sum(i."totalCents")::bigint as cents
      from invoice i join carrier_company c on c.id = i."carrierCompanyId"
      where i."entityType" = 'carrier' and i.status = 'approved' and c."creditorNumber" is not null group by 1
  `.execute(test.database.db)
  return Object.fromEntries(rows.filter(({ cents }) => cents !== 0).map(({ account, cents }) => [account, cents]))
}

beforeAll(async () => {
  world = await orderWorld(test)
  money = await paymentWorld(test)
  clerk = money.clerk
  const { body: department } = await test.admin.get(`departments/${world.departmentId}`)
  companyId = department.companyId
})

describe('what is refused', () => {
  it('is a batch of a company without accounts, of another company, and without the right to invoices', async () => {
    expect(await proposal()).toMatchObject({ isSetUp: false, rowCount: 0 })
    expect(codes(await make())).toEqual([422, 'companyId bookkeeping_not_set_up'])
    expect((await make(MONTH, test.anonymous)).status).toBe(401)
    expect((await make(MONTH, (await test.userWith('ORDERS_MANAGEMENT')).caller)).status).toBe(403)
    const headers = { 'group-filter': '999999' }
    const body = { companyId, month: MONTH }
    expect(codes(await test.admin.post('bookkeeping/batches', body, { headers }))).toEqual([
      422,
      'companyId unknown_reference',
    ])
  })

  it('are settings with accounts too long, a rate twice, and one number of DATEV without the other', async () => {
    const [first] = settings.accounts
    expect(codes(await setUp({ ...settings, bankAccount: 12_000 }))).toEqual([
      422,
      'bookkeeping.bankAccount account_too_long',
    ])
    expect(codes(await setUp({ ...settings, accounts: [first, first] }))).toEqual([
      422,
      'bookkeeping.accounts.1.vatBp duplicate_key',
    ])
    expect(codes(await setUp({ ...settings, clientNumber: null }))).toEqual([422, 'bookkeeping.clientNumber required'])
    const saved = await setUp(settings)
    expect(saved.status, JSON.stringify(saved.body)).toBe(200)
    expect(saved.body.bookkeeping).toEqual(settings)
  })

  it('is a month with nothing in it, and one that lacks numbers or accounts, which the proposal names', async () => {
    expect(codes(await make())).toEqual([422, 'month nothing_to_book'])
    const customerId = await newCustomer()
    await setUp({ ...settings, accounts: settings.accounts.filter(({ vatBp }) => vatBp !== 1900) })
    const { id } = await sentInvoice(customerId, [standard(10_000)])
    expect((await proposal()).findings).toMatchObject([
      { code: 'number_missing', side: 'income', partner: { id: customerId } },
      { code: 'account_missing', side: 'income', vatCategory: 'S', vatBp: 1900, invoice: { id } },
    ])
    expect(codes(await make())).toEqual([422, 'month bookkeeping_hindered'])
    await setUp(settings)
    expect((await giveNumbers()).body).toEqual({ given: 1 })
    expect((await proposal()).findings).toEqual([])
    const { body: customer } = await test.admin.get(`customers/${customerId}`)
    expect(customer.debtorNumber).toBe(10_000)
    expect((await test.admin.get('bookkeeping/next-number?side=income')).body).toEqual({ number: 10_001 })
    // A number of six digits is none of accounts of four.
    await test.admin.patch(`customers/${customerId}`, { debtorNumber: 100_000 }, { version: customer.version })
    expect((await proposal()).findings).toMatchObject([{ code: 'number_out_of_range' }])
    await test.admin.patch(`customers/${customerId}`, { debtorNumber: 10_000 }, { version: customer.version + 1 })
    const other = await newCustomer()
    const { body: second } = await test.admin.get(`customers/${other}`)
    expect(
      codes(await test.admin.patch(`customers/${other}`, { debtorNumber: 10_000 }, { version: second.version })),
    ).toEqual([422, 'debtorNumber taken'])
  })
})

describe('a batch', () => {
  it('is one file as DATEV reads it, with the bytes it was made with', async () => {
    const { id, number, billingCustomer } = await sentInvoice(await newCustomer({ debtorNumber: 10_500 }), [
      standard(10_000),
      { unitPriceCents: 5000, vatBp: 700, vatCategory: 'S' },
    ])
    const batch = await made()
    expect(batch).toMatchObject({
      number: '2026-11/1',
      month: MONTH,
      fiscalYear: '2026-07-01',
      earlier: [],
      fileName: expect.stringMatching(/^EXTF_Buchungsstapel_.+_2026-11_1\.csv$/),
    })
    const file = await clerk.get(`bookkeeping/batches/${batch.id}/file`)
    const text = new TextDecoder('windows-1252').decode(file.raw)
    const lines = text.split('\r\n')
    expect(lines.at(-1)).toBe('')
    expect(lines).toHaveLength(batch.rowCount + 3)
    expect(lines[0]).toMatch(
      /^"EXTF";700;21;"Buchungsstapel";13;20261123\d{9};;"WB";"[^"]+";"";29098;55003;20260701;4;20261101;20261130;/,
    )
    expect(lines[0]!.split(';')).toHaveLength(31)
    for (const line of lines.slice(1, -1)) expect(line.split(';')).toHaveLength(125)
    const own = lines.filter((line) => line.includes(`;10500;`)).map((line) => line.split(';'))
    expect(own.map((cells) => [...cells.slice(0, 3), ...cells.slice(6, 11), cells[13], cells[21]])).toEqual([
      ['119,00', '"S"', '"EUR"', '10500', '8400', '""', '2311', `"${number}"`, '"Zuraw & Söhne 3"', `"${number}"`],
      ['53,50', '"S"', '"EUR"', '10500', '8300', '""', '2311', `"${number}"`, '"Zuraw & Söhne 3"', `"${number}"`],
    ])
    // Not fixed; VAT is due in the month of the service, which ends with the last unloading.
    expect(own.map((cells) => cells.slice(113, 116))).toEqual([
      ['0', '19112026', '19112026'],
      ['0', '19112026', '19112026'],
    ])
    expect(billingCustomer!.title).toBe('Żuraw & Söhne 3')
    expect((await clerk.get(`bookkeeping/batches/${batch.id}/file`)).raw.equals(file.raw)).toBe(true)
    for (const format of ['csv', 'xlsx'])
      expect((await clerk.get(`bookkeeping/batches/${batch.id}/table?format=${format}`)).status).toBe(200)
    const { body: table } = await clerk.get(`bookkeeping/batches/${batch.id}/table?format=csv`)
    expect(String(table).trim().split('\n')).toHaveLength(batch.rowCount + 1)
    const marked = (caller: Caller, options = {}) => caller.get(`bookkeeping/invoices/${id}`, options)
    expect((await marked(clerk)).body).toMatchObject({ batch: { title: '2026-11/1', month: MONTH } })
    const headers = { 'group-filter': '999999' }
    expect((await marked(test.admin, { headers })).body).toEqual({ batch: null })
    expect((await test.admin.get(`bookkeeping/batches/${batch.id}/file`, { headers })).status).toBe(404)
    expect((await test.admin.get('bookkeeping/batches', { headers })).body.total).toBe(0)
  })

  it('holds what no other holds, names the first, and gives it free once it is void', async () => {
    expect(codes(await make())).toEqual([422, 'month nothing_to_book'])
    await sentInvoice(await newCustomer(), [standard(700)])
    const second = await made()
    expect(second).toMatchObject({ number: '2026-11/2', rowCount: 1, earlier: [{ title: '2026-11/1' }] })
    expect((await proposal()).earlier.map(({ number }) => number)).toEqual(['2026-11/1', '2026-11/2'])
    const give = (version: number) =>
      clerk.post<Batch>(`bookkeeping/batches/${second.id}/void`, { reason: 'Falsches Konto' }, { version })
    expect((await give(99)).body).toMatchObject({ code: 'stale_version' })
    expect((await give(second.version)).body).toMatchObject({ voidReason: 'Falsches Konto' })
    expect((await give(second.version + 1)).status).toBe(409)
    expect(await made()).toMatchObject({ number: '2026-11/3', rowCount: 1, earlier: [{ title: '2026-11/1' }] })
  })

  it('is made once where two people press at the same time', async () => {
    await sentInvoice(await newCustomer({ debtorNumber: 10_700 }), [standard(900)])
    const answers = await Promise.all([make(), make()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
  })

  it('keeps what was booked of a carrier’s invoice', async () => {
    const invoice = await money.invoice(await money.carrier('Brda Trans'), { documentCreationDate: '2026-11-20' })
    await made()
    const move = (to: string, version: number) =>
      clerk.post<Invoice>(`invoices/${invoice.id}/status`, { to, reason: 'x' }, { version })
    const held = await move('in_progress', invoice.version)
    expect(held.status, JSON.stringify(held.body)).toBe(200)
    const change = (body: object) => clerk.patch(`invoices/${invoice.id}`, body, { version: held.body.version })
    expect(codes(await change({ amountCents: 200_00, totalCents: null }))).toEqual([409, 'to in_bookkeeping_batch'])
    expect(codes(await move('canceled', held.body.version))).toEqual([409, 'to in_bookkeeping_batch'])
    expect((await change({ notes: 'Rückfrage' })).status).toBe(200)
  })
})

describe('a small credit that is booked out', () => {
  /** What is booked of a month against other income, by document text. */
  const kept = async (account: number) => {
    const { rows } = await sql<Record<'contraAccount' | 'amountCents', number> & { isDebit: boolean }>`
      select r."contraAccount", r."amountCents", r."isDebit" from bookkeeping_row r
        join bookkeeping_batch b on b.id = r."batchId"
        where b."voidedAt" is null and r.account = ${account} and r."contraAccount" between 8600 and 8699
        order by r."batchId", r.position
    `.execute(test.database.db)
    return rows.map(({ contraAccount, amountCents, isDebit }) => [contraAccount, amountCents, isDebit ? 'S' : 'H'])
  }
  const bookOut = (customerId: number, amountCents: number) =>
    clerk.post<Payment>('payments/write-off-credit', { companyId, customerId, amountCents })

  it('is booked at the rates of the invoice that was paid too much for, and back again', async () => {
    const customerId = await newCustomer({ debtorNumber: 10_801 })
    const invoice = await sentInvoice(customerId, [
      standard(10_000),
      { unitPriceCents: 10_000, vatBp: 700, vatCategory: 'S' },
    ])
    await pay(invoice, invoice.totalCents + 226, invoice.totalCents)
    // An invoice of another rate that is paid afterwards has nothing to do with it.
    const later = await sentInvoice(customerId, [{ unitPriceCents: 5_000, vatBp: 0, vatCategory: 'E' }])
    await pay(later, 5_000)
    const booked = await bookOut(customerId, 226)
    expect(booked.status, JSON.stringify(booked.body)).toBe(201)
    await made()
    const both = [
      [8640, 119, 'S'],
      [8630, 107, 'S'],
    ]
    expect(await kept(10_801)).toEqual(both)
    expect((await clerk.post(`payments/${booked.body.id}/reverse`, { reason: 'wird erstattet' })).status).toBe(201)
    await made()
    expect(await kept(10_801)).toEqual([...both, [8640, 119, 'H'], [8630, 107, 'H']])
  })

  it('hinders the month while no account is named for it; bears VAT where money came before any invoice', async () => {
    const customerId = await newCustomer({ debtorNumber: 10_802 })
    const early = { companyId, customerId, valueDate: '2026-11-23', amountCents: 300, shares: [] }
    const paid = await clerk.post('payments', early)
    expect(paid.status, JSON.stringify(paid.body)).toBe(201)
    expect((await bookOut(customerId, 300)).status).toBe(201)
    const accounts = settings.accounts.map((one) => ({ ...one, creditAccount: null }))
    expect((await setUp({ ...settings, accounts })).status).toBe(200)
    const missing = { code: 'credit_account_missing', side: 'income', vatCategory: 'S', vatBp: 1900, invoice: null }
    expect((await proposal()).findings).toMatchObject([missing])
    expect(codes(await make())).toEqual([422, 'month bookkeeping_hindered'])
    expect((await setUp(settings)).status).toBe(200)
    await made()
    expect(await kept(10_802)).toEqual([[8640, 300, 'S']])
  })
})

describe('the update of settings', () => {
  it('leaves the accounts that were named as they were, and names none for kept credits', async () => {
    const { db } = test.database
    const migrate = () => up(db as unknown as Kysely<unknown>)
    const before = { ...settings, accounts: settings.accounts.map(({ creditAccount: _none, ...one }) => one) }
    await sql`update company set bookkeeping = ${JSON.stringify(before)}::jsonb where id = ${companyId}`.execute(db)
    await migrate()
    const { body: company } = await test.admin.get(`companies/${companyId}`)
    const accounts = settings.accounts.map((one) => ({ ...one, creditAccount: null }))
    expect(company.bookkeeping).toEqual({ ...settings, accounts })
    expect((await setUp({ ...settings, accounts: [] })).status).toBe(200)
    await migrate()
    expect((await test.admin.get(`companies/${companyId}`)).body.bookkeeping).toEqual({ ...settings, accounts: [] })
    expect((await setUp(settings)).status).toBe(200)
  })
})

describe('the sums', () => {
  it('are those of the ledgers, whatever was paid, taken off, corrected, paid back and reversed', async () => {
    const skonto = [{ percentBp: 200, days: 14 }]
    const customerId = await newCustomer({ skonto })
    const first = await sentInvoice(customerId, [
      standard(100_003),
      { unitPriceCents: 33_331, vatBp: 700, vatCategory: 'S' },
    ])
    const { totalCents } = first
    await pay(first, totalCents - Math.round(totalCents * 0.02))
    const second = await sentInvoice(customerId, [standard(50_000)])
    const bounced = await pay(second, 10_000)
    expect((await clerk.post(`payments/${bounced.id}/reverse`, { reason: 'Rücklastschrift' })).status).toBe(201)
    await pay(second, 60_500, 59_500)
    const third = await sentInvoice(customerId, [standard(1_000)])
    const whose = { companyId, customerId }
    const shares = [{ invoiceId: third.id, amountCents: 400 }]
    expect((await clerk.post('payments/credit', { ...whose, shares })).status).toBe(201)
    const refund = { ...whose, valueDate: '2026-11-23', amountCents: 300 }
    expect((await clerk.post('payments/refund', refund)).status).toBe(201)
    await correct(first, 20_000)
    await correct(third, null)
    const plainId = await newCustomer()
    const short = await sentInvoice(plainId, [standard(1_000), { unitPriceCents: 1_000, vatBp: 700, vatCategory: 'S' }])
    await pay(short, 2_257)
    const rest = { companyId, customerId: plainId, shares: [{ invoiceId: short.id, amountCents: 3 }] }
    expect((await clerk.post('payments/write-off', rest)).status).toBe(201)

    const carrier = await money.carrier('Warta Fracht', {})
    const bills = await Promise.all(
      [10_000, 25_000, -3_000].map((amountCents) =>
        money.invoice(carrier, { amountCents, documentCreationDate: '2026-11-18' }),
      ),
    )
    const { body: run } = await clerk.post('payment-files', {
      invoiceIds: bills.slice(1).map(({ id }) => id),
      debtorBankId: money.debtorBankId,
      executionDate: '2026-11-25',
    })
    const confirmed = await clerk.post(`payment-files/${run.id}/confirm`, {}, { version: run.version })
    expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200)
    const back = await clerk.post(
      `payment-files/${run.id}/return`,
      { invoiceId: bills[1]!.id, reason: 'Konto erloschen' },
      { version: confirmed.body.version },
    )
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    const byHand = await clerk.post(`invoices/${bills[0]!.id}/status`, { to: 'paid' }, { version: bills[0]!.version })
    expect(byHand.status, JSON.stringify(byHand.body)).toBe(200)

    const even = await Promise.all(
      [7_000, -7_000].map((amountCents) => money.invoice(carrier, { amountCents, documentCreationDate: '2026-11-18' })),
    )
    const setOff = await clerk.post('payment-files/set-off', { invoiceIds: even.map(({ id }) => id) })
    expect(setOff.status, JSON.stringify(setOff.body)).toBe(200)

    const { sums, debitCents, creditCents } = await made()
    expect(sums.map(({ kind }) => kind)).toEqual([
      'invoice',
      'correction',
      'carrierInvoice',
      'payment',
      'carrierPayment',
      'carrierSetOff',
    ])
    const [invoice] = even
    expect(sums.at(-1)).toMatchObject({ count: 2, debitCents: invoice!.totalCents, creditCents: invoice!.totalCents })
    expect(sums.reduce((sum, one) => sum + one.debitCents, 0)).toBe(debitCents)
    expect(sums.reduce((sum, one) => sum + one.creditCents, 0)).toBe(creditCents)
    expect(await balances(10_000, 69_999)).toEqual(await owed())
    const skontoTaken = await sql<{
      cents: number
    }>`select sum("skontoCents")::bigint as cents from receivable`.execute(test.database.db)
    const skontoBooked = await sql<{ cents: number }>`
      select sum(case when "isDebit" then -"amountCents" else "amountCents" end)::bigint as cents
        from bookkeeping_row r join bookkeeping_batch b on b.id = r."batchId"
        where b."voidedAt" is null and "contraAccount" in (8736, 8731, 8730)
    `.execute(test.database.db)
    expect(skontoBooked.rows[0]!.cents).toBe(skontoTaken.rows[0]!.cents)
    expect(skontoTaken.rows[0]!.cents).toBeGreaterThan(0)
    // A rest that was written off lowers what was billed at each rate.
    const { rows: writtenOff } = await sql`select "contraAccount", "amountCents", "isDebit", "documentNumber"
      from bookkeeping_row where text like 'Restbetrag ausgebucht %' order by "contraAccount"`.execute(test.database.db)
    const common = { isDebit: false, documentNumber: short.number }
    expect(writtenOff).toEqual([
      { contraAccount: 8731, amountCents: 2, ...common },
      { contraAccount: 8736, amountCents: 1, ...common },
    ])
    // Over the clearing account nothing is left.
    const cleared = await sql<{ cents: number }>`
      select sum(case when "isDebit" then -"amountCents" else "amountCents" end)::bigint as cents
        from bookkeeping_row r join bookkeeping_batch b on b.id = r."batchId"
        where b."voidedAt" is null and "contraAccount" = 1360
    `.execute(test.database.db)
    expect(cleared.rows[0]!.cents).toBe(0)
    // The carrier's invoice that is held is booked, and waits to be approved again.
    const held = await sql<{ account: number; cents: number }>`
      select c."creditorNumber" as account, -i."totalCents" as cents from invoice i
        join carrier_company c on c.id = i."carrierCompanyId" where i.status = 'in_progress'
    `.execute(test.database.db)
    const { account, cents } = held.rows[0]!
    expect(await balances(70_000, 99_999)).toEqual({ ...(await owing()), [account]: cents })
    expect((await proposal()).rowCount).toBe(0)
  })
})

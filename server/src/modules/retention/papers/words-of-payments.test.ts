import { beforeAll, describe, expect, it } from 'vitest'
import type { BankStatement } from '@waybill/contract/bank-statement/bank-statement'
import { chartAccounts } from '@waybill/contract/bookkeeping/chart'
import { usualYears } from '@waybill/contract/operations/paper-periods'
import { useTestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'
import { ibanOf, paymentWorld, type PaymentWorld } from '../../../../test/payments/payment-examples.ts'
import { statementXml, type WrittenEntry } from '../../../../test/payments/statement-xml.ts'
import { encodeForm } from '../../../../test/upload.ts'
import { deletePapers } from '../index.ts'

const app = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const PATH = 'operations/paper-periods'
const OURS = 'DE89370400440532013000'
const PAYER = { name: 'Jan Kowalski', iban: ibanOf('DE', 22, 4711) }
let world: OrderWorld
let money: PaymentWorld
let customerId: number
let countryId: number
/** What payments of an invoice to a customer, and of one from a carrier, are told by. */
const told = { booked: 0, open: 0, run: 0, batch: 0, byHand: 0, invoiceId: 0 }

const rowsOf = async (text: string) => (await app.database.pool.query(text)).rows
const night = () => deletePapers.handle(jobContext(app), {})
const get = async (path: string) => (await money.clerk.get(path)).body

async function made(path: string, body: object, version?: number) {
  const answer = await money.clerk.post(path, body, version === undefined ? {} : { version })
  expect([200, 201], `${path}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
  return answer.body
}

async function sentInvoice(cents: number) {
  const { body: order } = await app.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: cents }),
  )
  const line = { kind: 'freight', text: 'Transport', quantity: 1, unitPriceCents: cents, vatBp: 0, vatCategory: 'Z' }
  const draft = await made('invoices', {
    entityType: 'customer',
    orderIds: [order.id],
    lines: [{ ...line, orderId: order.id }],
  })
  return made(`invoices/${draft.id}/status`, { to: 'sent' }, draft.version)
}

let read = 0
async function readIn(entry: WrittenEntry): Promise<BankStatement> {
  read += 1
  const entries = [{ reference: `REF${read}`, ...entry }]
  const xml = statementXml({ iban: OURS, entries, number: String(read) })
  const file = { name: 'Umsätze Kowalski.xml', bytes: new Uint8Array(Buffer.from(xml)) }
  const { body, contentType } = await encodeForm({ fields: {}, file })
  const answer = await money.clerk.post('bank-statements', body, { headers: { 'content-type': contentType } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return get(`bank-statements/${answer.body.statements[0].id}`)
}

async function bookedStatement(): Promise<void> {
  const invoice = await sentInvoice(50_000)
  const statement = await readIn({ cents: 50_000, remittance: `RE ${invoice.number} Kowalski`, ...PAYER })
  const [{ id, version }] = statement.entries as [BankStatement['entries'][number]]
  const shares = [{ invoiceId: invoice.id, amountCents: 50_000, skontoCents: 0 }]
  await made(`bank-statements/${statement.id}/book`, {
    entries: [{ action: 'payment', id, version, customerId, shares }],
  })
  Object.assign(told, { booked: statement.id, invoiceId: invoice.id })
}

async function confirmedRun(): Promise<void> {
  const carrier = await money.carrier('Piotr Wolski Transport')
  const { id } = await money.invoice(carrier)
  const run = await made('payment-files', {
    invoiceIds: [id],
    debtorBankId: money.debtorBankId,
    executionDate: '2026-12-09',
  })
  await made(`payment-files/${run.id}/confirm`, {}, run.version)
  told.run = run.id
}

async function bookedMonth(): Promise<void> {
  const { companyId } = money
  const company = (await app.admin.get(`companies/${companyId}`)).body
  const numbers = { consultantNumber: 29_098, clientNumber: 55_003, fiscalYearMonth: 7, accountLength: 4 }
  const bookkeeping = { ...numbers, ...chartAccounts('SKR03', 4) }
  await app.admin.patch(`companies/${companyId}`, { bookkeeping }, { version: company.version })
  await made('bookkeeping/account-numbers', { companyId, month: '2026-11' })
  told.batch = (await made('bookkeeping/batches', { companyId, month: '2026-11' })).id
}

/** All of it becomes nine years older. */
const age = () =>
  app.asOwner(`
    alter table payment disable trigger user; alter table payment_file disable trigger user;
    alter table bookkeeping_batch disable trigger user;
    update bank_statement set "createdAt" = "createdAt" - interval '9 years', "toDate" = "toDate" - interval '9 years';
    update payment set "createdAt" = "createdAt" - interval '9 years', "valueDate" = "valueDate" - interval '9 years';
    update payment_file set "createdAt" = "createdAt" - interval '9 years',
      "confirmedAt" = "confirmedAt" - interval '9 years', "executionDate" = "executionDate" - interval '9 years';
    update bookkeeping_batch set "createdAt" = "createdAt" - interval '9 years';
    alter table payment enable trigger user; alter table payment_file enable trigger user;
    alter table bookkeeping_batch enable trigger user`)

async function choose(payment: number | null): Promise<void> {
  const { version } = (await app.admin.get(PATH)).body
  const years = { mail: null, transportPaper: null, invoicePaper: null, payment }
  const { status, body } = await app.admin.put(PATH, { countries: [{ id: countryId, years }] }, { version })
  expect([status, body.errors]).toEqual([200, undefined])
}
const preview = async (years: number) =>
  (await app.admin.get(`${PATH}/preview?countryId=${countryId}&payment=${years}`)).body.kinds

beforeAll(async () => {
  world = await orderWorld(app)
  money = await paymentWorld(app)
  customerId = await world.customer('Nordlicht Maschinenbau GmbH', 'DE')
  countryId = (await rowsOf(`select "countryId" from company where id = ${money.companyId}`))[0].countryId
  await bookedStatement()
  told.open = (await readIn({ cents: 700, remittance: 'Kowalski', ...PAYER })).id
  await confirmedRun()
  const invoice = await sentInvoice(9_000)
  told.byHand = (
    await made('payments', {
      companyId: money.companyId,
      customerId,
      valueDate: '2026-11-23',
      amountCents: 9_000,
      payer: 'Jan Kowalski',
      reference: 'Barzahlung Herr Kowalski',
      shares: [{ invoiceId: invoice.id, amountCents: 9_000 }],
    })
  ).id
  await bookedMonth()
}, 120_000)

/** What is told by words, of all of it. */
async function words(): Promise<string> {
  const table = await money.clerk.get(`bookkeeping/batches/${told.batch}/table?format=csv`)
  return JSON.stringify([
    await get(`bank-statements/${told.booked}`),
    await get(`payment-files/${told.run}`),
    await rowsOf('select "creditorName", iban, remittance from payment_file_payment'),
    await rowsOf(`select payer, reference from payment`),
    table.raw.toString(),
  ])
}

describe('what payments say in words', () => {
  it('is kept as long as papers of invoices, where the law of the country is followed', () => {
    for (const country of ['DE', 'PL', 'FR'])
      expect(usualYears(country).payment, country).toBe(usualYears(country).invoicePaper)
  })

  it('of the last years goes by no statement of the role that serves', async () => {
    const before = await words()
    await expect(rowsOf(`update payment set payer = null`)).rejects.toThrow(/permission denied/)
    await expect(rowsOf(`delete from payment_file_content`)).rejects.toThrow(/permission denied/)
    await expect(rowsOf(`delete from bookkeeping_file`)).rejects.toThrow(/permission denied/)
    await expect(
      rowsOf(`update bank_entry set "partnerName" = null, "partnerIban" = null, remittance = '', "endToEndId" = null,
        "messageId" = null, "returnReason" = null`),
    ).rejects.toThrow(/stays as the bank sent it/)
    await expect(rowsOf(`update payment_file set "deletedAt" = now()`)).rejects.toThrow(/stays as it was made/)
    await expect(rowsOf(`update bookkeeping_batch set "deletedAt" = now()`)).rejects.toThrow(/stays as it was made/)
    await expect(
      rowsOf(`update payment_file_payment set "creditorName" = '', iban = '', bic = null, remittance = '–'`),
    ).rejects.toThrow(/stays as it was made/)
    const all = '(select array_agg(id) from generate_series(1, 1000) id)'
    for (const what of ['bankStatement', 'paymentRun', 'bookingBatch', 'payment'])
      await rowsOf(`select forget_payments('${what}', ${all}, now() + interval '90 years')`)
    expect(await words()).toBe(before)
  })

  it('stays while no period is chosen, it runs, or something of it has not ended', async () => {
    await choose(8)
    await night()
    expect((await preview(8))[0]).toMatchObject({
      dueCount: 0,
      stays: [{ reason: 'recent', count: expect.any(Number) }],
    })
    await age()
    await choose(null)
    await night()
    expect(await words()).toContain('Kowalski')
    const [{ dueCount, dueBytes, firstYear, lastYear, stays }] = await preview(8)
    // The statement, the run, the batch, and two payments: by the statement, and by hand.
    expect([dueCount, firstYear, lastYear]).toEqual([5, 2017, 2017])
    expect(dueBytes).toBeGreaterThan(1_000)
    expect(stays).toEqual([{ reason: 'open', count: 1 }])
  })

  it('goes with the files once it is over; numbers, days and amounts stay', async () => {
    const amounts = () =>
      rowsOf(`select 'entry', sum("amountCents") from bank_entry
      union all select 'payment', sum("amountCents") from payment
      union all select 'run', sum("amountCents") from payment_file_payment
      union all select 'row', sum("amountCents") from bookkeeping_row order by 1`)
    const before = await amounts()
    await choose(8)
    await night()

    const after = await words()
    for (const word of ['Kowalski', PAYER.iban.slice(-4)]) expect(after).not.toContain(word)
    const table = (await money.clerk.get(`bookkeeping/batches/${told.batch}/table?format=csv`)).raw.toString()
    for (const partner of ['Nordlicht', 'Wolski']) expect(table).not.toContain(partner)
    expect(await amounts()).toEqual(before)
    expect(await get(`bank-statements/${told.booked}`)).toMatchObject({
      fileName: '',
      deletedAt: expect.any(String),
      isBalanced: true,
      entries: [{ partnerName: null, partnerIbanTail: null, remittance: '', amountCents: 50_000, status: 'booked' }],
    })
    const run = await get(`payment-files/${told.run}`)
    expect(run).toMatchObject({ deletedAt: expect.any(String), payments: [{ creditorName: '', amountCents: 10_000 }] })
    for (const path of [`payment-files/${told.run}/file`, `bookkeeping/batches/${told.batch}/file`]) {
      const { status, body } = await money.clerk.get(path)
      expect([status, body.code], path).toEqual([410, 'file_deleted'])
    }
    // Found by what stays.
    expect((await get(`payment-files?q=${run.number}`)).total).toBe(1)
    expect(await get(`invoices/${told.invoiceId}`)).toMatchObject({ status: 'paid' })
    expect((await get(`invoices/${told.invoiceId}/payments`)).items).toMatchObject([{ payer: null, reference: null }])
    expect(await get(`bank-statements/${told.open}`)).toMatchObject({
      deletedAt: null,
      entries: [{ partnerName: 'Jan Kowalski' }],
    })
    expect((await app.admin.get(PATH)).body.lastRun.counts).toEqual({
      mail: 0,
      transportPaper: 0,
      invoicePaper: 0,
      payment: 5,
    })
    await night()
    expect((await app.admin.get(PATH)).body.lastRun.counts.payment).toBe(0)
  })

  it('of a batch can still be void, of a run still be noted as returned', async () => {
    const batch = await get(`bookkeeping/batches/${told.batch}`)
    expect(batch.deletedAt).toEqual(expect.any(String))
    expect(
      await made(`bookkeeping/batches/${told.batch}/void`, { reason: 'Wrong month' }, batch.version),
    ).toMatchObject({ voidReason: 'Wrong month' })
    const run = await get(`payment-files/${told.run}`)
    const [{ invoices }] = run.payments
    const body = { reason: 'Account closed', invoiceId: invoices[0].id }
    expect(await made(`payment-files/${told.run}/return`, body, run.version)).toMatchObject({ returnedCount: 1 })
  })
})

import type { Claim, Claims } from '@waybill/contract/claim/claim'
import type { DueReminder, DueReminders } from '@waybill/contract/reminder/reminder'
import { chartAccounts } from '@waybill/contract/bookkeeping/chart'
import { execFileSync } from 'node:child_process'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-03-02T09:00:00Z' })
const DAY = 86_400_000
let world: OrderWorld
let clerk: Caller
let companyId: number

beforeAll(async () => {
  world = await orderWorld(test)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
  companyId = (await test.admin.get('companies')).body.items[0].id
})

async function wait(days: number): Promise<void> {
  test.clock.advance(days * DAY)
  // Who was signed in has been signed out by then.
  test.admin = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
}

const today = () => test.clock.now().toISOString().slice(0, 10)
const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

interface Sent {
  id: number
  number: string
}

async function invoiceTo(customerId: number, cents: number): Promise<Sent> {
  const { body: order } = await test.admin.post(
    'orders',
    plainOrder(world, customerId, { ...shipment(world), customerPriceCents: cents, paymentPeriodDays: 10 }),
  )
  const line = { kind: 'freight', text: 'Transport', quantity: 1, unitPriceCents: cents, vatBp: 0, vatCategory: 'Z' }
  const { body: draft } = await clerk.post('invoices', {
    entityType: 'customer',
    orderIds: [order.id],
    lines: [{ ...line, orderId: order.id }],
  })
  const sent = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return (await clerk.get(`invoices/${draft.id}`)).body
}

const dueOf = async (q: string): Promise<DueReminder> => {
  const { body } = await clerk.get<DueReminders>(`reminders/due?q=${encodeURIComponent(q)}`)
  expect(body.items, q).toHaveLength(1)
  return body.items[0]!
}

async function remind(q: string): Promise<DueReminder> {
  const due = await dueOf(q)
  const { company, customer, items, totalCents } = due
  const answer = await clerk.post('reminders', {
    companyId: company.id,
    customerId: customer.id,
    invoiceIds: items.map(({ invoice }) => invoice.id),
    totalCents,
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return due
}

/** A late invoice whose second reminder has claimed the flat sum, and whose third claims interest as well. */
async function claimedOf(title: string, { level = 3 } = {}) {
  const customerId = await world.customer(title, 'DE', { invoiceEmail: 'buchhaltung@example.com' })
  const invoice = await invoiceTo(customerId, 500_000)
  await wait(17)
  await remind(title)
  for (let reached = 1; reached < level; reached += 1) {
    await wait(16)
    await remind(title)
  }
  return { ...invoice, customerId }
}

const claimsOf = async (customerId: number, more = ''): Promise<Claims> =>
  (await clerk.get(`claims?customerId=${customerId}&companyId=${companyId}${more}`)).body
const payIn = async (customerId: number, amountCents: number, shares: object[] = []) => {
  const answer = await clerk.post('payments', { companyId, customerId, valueDate: today(), amountCents, shares })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
}
const book = (invoiceId: number, feeCents: number, interestCents = 0) =>
  clerk.post<Claim & Answer['body']>('claims/pay', { invoiceId, feeCents, interestCents })
const waive = (invoiceId: number, feeCents: number, interestCents = 0, reason = 'Kulanz') =>
  clerk.post<Claim & Answer['body']>('claims/waive', { invoiceId, feeCents, interestCents, reason })
const takeBack = (id: number) => clerk.post<Claim>(`claims/bookings/${id}/reverse`, { reason: 'verwechselt' })

describe('what is refused', () => {
  it('is anything without the right to invoices, and of a company that is not looked at', async () => {
    const { id, customerId } = await claimedOf('Fremdanspruch GmbH', { level: 2 })
    await payIn(customerId, 4000)
    const { body: booked } = await book(id, 4000)
    const stranger = (await test.userWith('ORDERS_MANAGEMENT')).caller
    const amounts = { invoiceId: id, feeCents: 1, interestCents: 0 }
    for (const [caller, status] of [
      [test.anonymous, 401],
      [stranger, 403],
    ] as const) {
      expect((await caller.get('claims')).status).toBe(status)
      expect((await caller.post('claims/pay', amounts)).status).toBe(status)
      expect((await caller.post('claims/waive', { ...amounts, reason: 'x' })).status).toBe(status)
      expect((await caller.post('claims/bookings/1/reverse', { reason: 'x' })).status).toBe(status)
    }
    const headers = { 'group-filter': '999999' }
    expect((await test.admin.get('claims?show=all', { headers })).body).toEqual({
      items: [],
      claimCount: 0,
      openCents: 0,
    })
    expect(codes(await test.admin.post('claims/pay', amounts, { headers }))).toEqual([
      422,
      'invoiceId unknown_reference',
    ])
    const bookingId = booked.bookings[0]!.id
    const refused = await test.admin.post(`claims/bookings/${bookingId}/reverse`, { reason: 'x' }, { headers })
    expect(refused.status).toBe(404)
  })

  it('is more than is claimed, more than the account holds, nothing, and a waiver without a reason', async () => {
    const { id, customerId } = await claimedOf('Zuviel GmbH', { level: 2 })
    const { id: unclaimed } = await invoiceTo(customerId, 1000)
    expect(codes(await book(id, 4000))).toEqual([422, 'feeCents credit_too_small'])
    await payIn(customerId, 3999)
    expect(codes(await book(id, 4000))).toEqual([422, 'feeCents credit_too_small'])
    expect(codes(await book(id, 4001, 1))).toEqual([422, 'feeCents exceeds_claim', 'interestCents exceeds_claim'])
    expect(codes(await book(id, 0))).toEqual([422, 'feeCents required'])
    expect((await book(id, -1)).status).toBe(422)
    expect(codes(await book(unclaimed, 1))).toEqual([422, 'invoiceId unknown_reference'])
    expect(codes(await waive(id, 4001))).toEqual([422, 'feeCents exceeds_claim'])
    expect((await waive(id, 4000, 0, ' ')).status).toBe(422)
    expect((await claimsOf(customerId)).items[0]!.bookings).toEqual([])
  })

  it('is by the database more than is claimed, and whatever changes a booking or is not shared out', async () => {
    const { id, customerId } = await claimedOf('Datenbank GmbH', { level: 2 })
    const { db } = test.database
    const insert = (fee: number, more = sql`'waived', null::bigint, null::bigint`) =>
      sql`insert into claim_booking ("invoiceId", "feeCents", "interestCents", reason, "createdAt", kind, "paymentId",
        "reversesId") values (${id}, ${fee}, 0, 'x', now(), ${more})`.execute(db)
    await expect(insert(4001)).rejects.toMatchObject({ constraint: 'conflict__claim_exceeded' })
    await payIn(customerId, 4000)
    const { body } = await waive(id, 1000)
    const waived = body.bookings[0]!.id
    await expect(insert(-999, sql`'waived', null::bigint, ${waived}::bigint`)).rejects.toMatchObject({
      constraint: 'conflict__claim_reversed',
    })
    await book(id, 1000)
    await expect(sql`update claim_booking set "feeCents" = 1`.execute(db)).rejects.toBeDefined()
    await expect(sql`delete from claim_booking`.execute(db)).rejects.toBeDefined()
    // A payment for a claim that no claim has.
    await expect(
      sql`insert into payment (kind, source, "companyId", "customerId", "valueDate", "amountCents", "createdAt")
        values ('claim', 'hand', ${companyId}, ${customerId}, '2026-11-23', 1, now())`.execute(db),
    ).rejects.toMatchObject({ constraint: 'payment_amount' })
    await expect(
      sql`with one as (insert into payment (kind, source, "companyId", "customerId", "valueDate", "amountCents",
          "createdAt") values ('claim', 'hand', ${companyId}, ${customerId}, '2026-11-23', 0, now()) returning id)
        insert into payment_share ("paymentId", "amountCents") select id, -100 from one`.execute(db),
    ).rejects.toMatchObject({ constraint: 'conflict__payment_shared' })
  })

  it('is a second reversal, and to reverse the payment of a claim by itself', async () => {
    const { id, customerId } = await claimedOf('Zweimal GmbH', { level: 2 })
    await payIn(customerId, 4000)
    const { body } = await book(id, 4000)
    const { rows } = await sql<{ id: number }>`select "paymentId" as id from claim_booking
      where id = ${body.bookings[0]!.id}`.execute(test.database.db)
    expect((await clerk.post(`payments/${rows[0]!.id}/reverse`, { reason: 'x' })).status).toBe(409)
    const { body: back } = await takeBack(body.bookings[0]!.id)
    expect((await takeBack(body.bookings[0]!.id)).status).toBe(409)
    expect((await takeBack(back.bookings[1]!.id)).status).toBe(409)
    expect((await takeBack(999_999)).status).toBe(404)
  })

  it('is the second of two people who book the same claim at once', async () => {
    const { id, customerId } = await claimedOf('Gleichzeitig GmbH', { level: 2 })
    await payIn(customerId, 8000)
    const answers = await Promise.all([book(id, 4000), waive(id, 4000), book(id, 4000)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422])
    expect((await claimsOf(customerId, '&show=all')).items[0]).toMatchObject({ openCents: 0 })
  })
})

describe('a claim', () => {
  it('is what reminders claim beside an invoice: the flat sum once, the interest of the newest', async () => {
    const { id, number, customerId } = await claimedOf('Stufe Drei AG')
    const { items, claimCount, openCents } = await claimsOf(customerId)
    const { body: reminders } = await clerk.get(`invoices/${id}/reminders`)
    const newest = reminders.items.at(-1)
    expect(newest.feeCents).toBe(4000)
    expect(newest.interestCents).toBeGreaterThan(0)
    const sums = (claimedCents: number) => ({ claimedCents, paidCents: 0, waivedCents: 0, openCents: claimedCents })
    expect(items).toMatchObject([
      { invoice: { id, title: number }, fee: sums(4000), interest: sums(newest.interestCents), creditCents: 0 },
    ])
    expect([claimCount, openCents]).toEqual([1, 4000 + newest.interestCents])
  })

  it('is paid from the customer’s account or waived, each taken back, and the invoice stays as it is', async () => {
    const { id, customerId } = await claimedOf('Bezahlt GmbH')
    await payIn(customerId, 505_000, [{ invoiceId: id, amountCents: 500_000 }])
    const { body: paid } = await book(id, 4000, 1000)
    expect(paid).toMatchObject({
      fee: { paidCents: 4000, openCents: 0 },
      interest: { paidCents: 1000 },
      creditCents: 0,
    })
    const left = paid.interest.openCents
    const { body: waived } = await waive(id, 0, left)
    expect(waived).toMatchObject({ openCents: 0, interest: { waivedCents: left } })
    expect((await claimsOf(customerId)).items).toEqual([])
    expect((await claimsOf(customerId, '&show=all')).items).toHaveLength(1)
    expect(await clerk.get(`invoices/${id}`)).toMatchObject({ body: { status: 'paid', openCents: 0 } })
    const { body: back } = await takeBack(waived.bookings[0]!.id)
    expect(back).toMatchObject({
      fee: { paidCents: 0, openCents: 4000 },
      interest: { paidCents: 0 },
      creditCents: 5000,
    })
    expect((await takeBack(waived.bookings[1]!.id)).body).toMatchObject({ interest: { waivedCents: 0 } })
    const { body: history } = await test.admin.get(`audit-entries?invoiceId=${id}`)
    const actions = (history.items as { action: string }[]).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('claim')).toSorted()).toEqual([
      'claimPaid',
      'claimReversed',
      'claimReversed',
      'claimWaived',
    ])
    const waiver = (history.items as { action: string; reason: string }[]).find((one) => one.action === 'claimWaived')
    expect(waiver!.reason).toBe('Kulanz')
  })

  it('is not claimed again where it was paid or waived, and is again where that was taken back', async () => {
    const title = 'Nichtnochmal GmbH'
    const { id, customerId } = await claimedOf(title, { level: 2 })
    await payIn(customerId, 1500)
    await book(id, 1500)
    const { body: waived } = await waive(id, 500)
    await wait(16)
    expect((await dueOf(title)).items[0]).toMatchObject({ feeCents: 2000 })
    await takeBack(waived.bookings[1]!.id)
    const third = await remind(title)
    expect(third.items[0]).toMatchObject({ feeCents: 2500 })
    expect((await claimsOf(customerId)).items[0]!.fee).toEqual({
      claimedCents: 4000,
      paidCents: 1500,
      waivedCents: 0,
      openCents: 2500,
    })
  })

  it('of interest is claimed to the day less what was booked of it, and never less than nothing', {
    tags: 'long',
  }, async () => {
    const { body: company } = await test.admin.get(`companies/${companyId}`)
    const level = (afterDays: number) => ({ afterDays, payDays: 5, hasFee: true, hasInterest: true })
    const changed = await test.admin.patch(
      `companies/${companyId}`,
      { reminderLevels: [level(5), level(12), level(25)] },
      { version: company.version },
    )
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const title = 'Zinsen GmbH'
    const customerId = await world.customer(title, 'DE', { invoiceEmail: 'buchhaltung@example.com' })
    const { id } = await invoiceTo(customerId, 10_000_000)
    await wait(16)
    const first = (await remind(title)).interestCents
    const { body: waived } = await waive(id, 0, first)
    expect(waived.interest.openCents).toBe(0)
    await wait(8)
    const second = (await remind(title)).interestCents
    expect(second).toBeGreaterThan(0)
    expect((await claimsOf(customerId)).items[0]!.interest).toEqual({
      claimedCents: first + second,
      paidCents: 0,
      waivedCents: first,
      openCents: second,
    })
    // What is open is little now: interest to the day is less than what was waived.
    await payIn(customerId, 9_999_000, [{ invoiceId: id, amountCents: 9_999_000 }])
    await wait(14)
    expect((await remind(title)).interestCents).toBe(0)
    expect((await claimsOf(customerId)).items[0]!.interest).toMatchObject({ claimedCents: first, openCents: 0 })
  })

  it('is on the statement of account below the invoices', { tags: 'long' }, async () => {
    const { id, number, customerId } = await claimedOf('Auszug GmbH', { level: 2 })
    const { raw } = await clerk.get(`open-items/statement?customerId=${customerId}&companyId=${companyId}`)
    const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input: raw, encoding: 'utf8' }).replace(/\s+/g, ' ')
    expect(text).toContain('Saldo 5.000,00 EUR')
    expect(text).toContain(`Verzugspauschale zu ${number}`)
    expect(text).toContain('Offene Verzugsansprüche')
    const { body: interestLeft } = await waive(id, 4000)
    await waive(id, 0, interestLeft.interest.openCents)
    const { raw: after } = await clerk.get(`open-items/statement?customerId=${customerId}&companyId=${companyId}`)
    const rest = execFileSync('pdftotext', ['-raw', '-', '-'], { input: after, encoding: 'utf8' })
    expect(rest).toContain('Saldo')
    expect(rest).not.toContain('Verzug')
  })
})

describe('in bookkeeping', () => {
  it('a paid claim is income against the customer’s account, a waived one is nothing', { tags: 'long' }, async () => {
    const { body: company } = await test.admin.get(`companies/${companyId}`)
    const settings = {
      consultantNumber: 29_098,
      clientNumber: 55_003,
      fiscalYearMonth: 1,
      accountLength: 4,
      ...chartAccounts('SKR03', 4),
    }
    const setUp = (bookkeeping: object, version: number) =>
      test.admin.patch(`companies/${companyId}`, { bookkeeping }, { version })
    const missing = await setUp({ ...settings, feeAccount: null, interestAccount: null }, company.version)
    expect(missing.status, JSON.stringify(missing.body)).toBe(200)
    // Months before have what other tests have booked.
    await wait(40)
    const { id, number, customerId } = await claimedOf('Buchung GmbH')
    await wait(31)
    await payIn(customerId, 504_200, [{ invoiceId: id, amountCents: 500_000 }])
    const { body: paid } = await book(id, 4000, 200)
    await waive(id, 0, paid.interest.openCents)
    const month = today().slice(0, 7)
    const of = { companyId, month }
    await clerk.post('bookkeeping/account-numbers', of)
    const { body: proposal } = await clerk.get(`bookkeeping/proposal?companyId=${companyId}&month=${month}`)
    expect(proposal.findings).toMatchObject([
      { code: 'fee_account_missing', side: 'income', invoice: { id, title: number } },
      { code: 'interest_account_missing', side: 'income', invoice: { id, title: number } },
    ])
    expect(codes(await clerk.post('bookkeeping/batches', of))).toEqual([422, 'month bookkeeping_hindered'])
    expect((await setUp(settings, missing.body.version)).status).toBe(200)
    const batch = await clerk.post('bookkeeping/batches', of)
    expect(batch.status, JSON.stringify(batch.body)).toBe(201)
    const { rows } = await sql<Record<string, unknown>>`
      select "amountCents", "isDebit", "contraAccount", "documentNumber", text from bookkeeping_row
        where "batchId" = ${batch.body.id} and kind = 'payment' order by position
    `.execute(test.database.db)
    expect(rows).toMatchObject([
      { amountCents: 500_000, isDebit: false, contraAccount: 1200, documentNumber: number },
      { amountCents: 4200, isDebit: false, contraAccount: 1200, documentNumber: null },
      { amountCents: 4000, isDebit: true, contraAccount: 2700, documentNumber: null },
      { amountCents: 200, isDebit: true, contraAccount: 2650, documentNumber: null },
    ])
    expect(rows[2]!['text']).toContain(number)
    expect(batch.body.sums).toMatchObject([{ kind: 'payment', count: 2, debitCents: 4200, creditCents: 504_200 }])
    const { body: csv } = await clerk.get(`bookkeeping/batches/${batch.body.id}/table?format=csv`)
    expect(String(csv)).toContain(`Verzugspauschale ${number}`)
    const { raw } = await clerk.get(`bookkeeping/batches/${batch.body.id}/file`)
    expect(raw.toString('latin1')).toContain('"Verzugszinsen')
  })
})

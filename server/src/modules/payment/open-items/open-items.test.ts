import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Payables, Receivables } from '@waybill/contract/payment/open-items'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp, type Caller } from '../../../../test/app.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../../test/order-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const DAY = 86_400_000
let world: OrderWorld
let clerk: Caller
let companyId: number

beforeAll(async () => {
  world = await orderWorld(test)
  clerk = (await test.userWith('INVOICES_PROCESSING')).caller
})

async function sentInvoice(customerId: number, cents: number): Promise<{ id: number; version: number }> {
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
  const sent = await clerk.post(`invoices/${draft.id}/status`, { to: 'sent' }, { version: draft.version })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  companyId = sent.body.companyId
  return sent.body
}

async function textOf(pdf: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-statement-'))
  await writeFile(join(folder, 'a.pdf'), pdf)
  const { stdout } = await promisify(execFile)('pdftotext', ['-raw', join(folder, 'a.pdf'), '-'])
  await rm(folder, { recursive: true })
  return stdout.replace(/\s+/g, ' ')
}

const asOf = async (query = '', caller = clerk): Promise<Receivables> =>
  (await caller.get(`open-items/receivables${query}`)).body

describe('open items', () => {
  it('are nobody’s without the right to invoices, and none of a company that is not looked at', async () => {
    const stranger = (await test.userWith('ORDERS_MANAGEMENT')).caller
    await sentInvoice(await world.customer('Fremd GmbH', 'DE'), 5000)
    for (const path of ['receivables', 'payables', 'receivables/export?format=csv']) {
      expect((await test.anonymous.get(`open-items/${path}`)).status).toBe(401)
      expect((await stranger.get(`open-items/${path}`)).status).toBe(403)
    }
    const headers = { 'group-filter': '999999' }
    const { body } = await test.admin.get('open-items/receivables', { headers })
    expect([body.items, body.total.openCents]).toEqual([[], 0])
  })

  it('stand by age and customer, with what is disputed and what is on the account', { tags: 'long' }, async () => {
    const customerId = await world.customer('Alterung AG', 'DE', { paymentPeriodDays: 10 })
    const paid = await sentInvoice(customerId, 700)
    const disputed = await sentInvoice(customerId, 90_000)
    const part = await sentInvoice(customerId, 10_000)
    const pay = (invoiceId: number, amountCents: number, share: number) =>
      clerk.post('payments', {
        companyId,
        customerId,
        valueDate: '2026-11-23',
        amountCents,
        shares: [{ invoiceId, amountCents: share }],
      })
    expect((await pay(paid.id, 750, 700)).status).toBe(201)
    expect((await pay(part.id, 4000, 4000)).status).toBe(201)
    const { version } = (await clerk.get(`invoices/${disputed.id}`)).body
    const mark = await clerk.post(`invoices/${disputed.id}/dispute`, { reason: 'Schaden' }, { version })
    expect(mark.body).toMatchObject({ isDisputed: true, version: version + 1 })
    expect((await clerk.post(`invoices/${disputed.id}/dispute`, { reason: 'x' }, { version })).status).toBe(409)
    const mine = async () => {
      const { items } = await asOf('?q=alterung')
      return items
    }
    expect(await mine()).toMatchObject([
      {
        ages: { notDue: 96_000, to30: 0, to60: 0, to90: 0, over90: 0 },
        invoiceCount: 2,
        disputedCents: 90_000,
        creditCents: 50,
        daysLate: null,
      },
    ])
    // Due on the third of December: what is late begins the day after.
    for (const [days, age, daysLate] of [
      [10, 'notDue', null],
      [11, 'to30', 1],
      [40, 'to30', 30],
      [41, 'to60', 31],
      [70, 'to60', 60],
      [71, 'to90', 61],
      [101, 'over90', 91],
    ] as const) {
      const now = Date.parse('2026-11-23T09:00:00Z') + days * DAY
      test.clock.advance(now - test.clock.now().getTime())
      clerk = (await test.userWith('INVOICES_PROCESSING')).caller
      const [row] = await mine()
      expect([row!.ages[age], row!.daysLate], `${days} days`).toEqual([96_000, daysLate])
    }
    const all = await asOf()
    expect(all.total.openCents).toBe(all.items.reduce((sum, { openCents }) => sum + openCents, 0))
    expect(Object.values(all.total.ages).reduce((sum, cents) => sum + cents, 0)).toBe(all.total.openCents)
    const { raw } = await clerk.get('open-items/receivables/export?format=csv&q=alterung')
    const lines = raw.toString().trim().split(/\r?\n/)
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).toContain('Schaden')
    const statement = `open-items/statement?customerId=${customerId}&companyId=${companyId}`
    const pdf = await clerk.get(statement)
    expect([pdf.status, pdf.raw.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const words = await textOf(pdf.raw)
    for (const part of ['Kontoauszug', 'Alterung AG', '900,00', '60,00', '960,00 EUR', '959,50 EUR'])
      expect(words).toContain(part)
    expect(words).not.toMatch(/[{}]/)
    expect((await clerk.get(statement.replace(/companyId=.*/, 'companyId=999999'))).status).toBe(404)
    expect((await clerk.get(statement.replace(/customerId=\d+/, 'customerId=999999'))).status).toBe(404)
  })

  it('are sent as a statement by mail: to whom, what it says, and nothing else than what was seen', async () => {
    // Who was signed in has been signed out by then.
    test.admin = test.withToken((await test.signIn(ADMIN.email, ADMIN.password)).body.token)
    clerk = (await test.userWith('INVOICES_PROCESSING')).caller
    const customerId = await world.customer('Auszug Sp. z o.o.', 'PL', {
      language: 'pl',
      invoiceEmail: 'ksiegowosc@auszug.example',
    })
    const [older] = [await sentInvoice(customerId, 90_000), await sentInvoice(customerId, 10_000)]
    const whose = { customerId, companyId }
    const path = (of: { customerId: number; companyId: number }) =>
      `open-items/statement/mail?customerId=${of.customerId}&companyId=${of.companyId}`
    const send = (more: object = {}, caller = clerk, headers = {}) =>
      caller.post(
        'open-items/statement',
        { ...whose, to: 'k@auszug.example', balanceCents: 100_000, ...more },
        { headers },
      )
    const stranger = (await test.userWith('ORDERS_MANAGEMENT', 'CUSTOMER_MANAGEMENT')).caller
    for (const [caller, status] of [
      [test.anonymous, 401],
      [stranger, 403],
    ] as const) {
      expect((await caller.get(path(whose))).status).toBe(status)
      expect((await send({}, caller)).status).toBe(status)
    }
    const without = await world.customer('Ohne Rechnung KG', 'DE')
    for (const other of [{ customerId: without }, { customerId: 999_999 }, { companyId: 999_999 }]) {
      expect((await clerk.get(path({ ...whose, ...other }))).status).toBe(404)
      expect([404, 422]).toContain((await send({ ...other, balanceCents: 0 })).status)
    }
    expect((await send({ to: 'nobody' })).status).toBe(422)
    const { body: preview } = await clerk.get(path(whose))
    expect(preview).toMatchObject({ to: 'ksiegowosc@auszug.example', language: 'pl', balanceCents: 100_000 })
    expect(preview.subject).toContain('Zestawienie rozrachunków')
    expect(preview.html).toMatch(/1[\s\u00a0\u202f.]?000,00 EUR na naszą korzyść/)

    // Somebody has paid since it was looked at.
    const paid = {
      ...whose,
      valueDate: '2026-11-23',
      amountCents: 100,
      shares: [{ invoiceId: older.id, amountCents: 100 }],
    }
    const { body: payment } = await clerk.post('payments', paid)
    const late = await send()
    expect([late.status, late.body.errors]).toMatchObject([422, [{ path: 'balanceCents', code: 'balance_changed' }]])
    expect((await clerk.post(`payments/${payment.id}/reverse`, { reason: 'x' })).status).toBe(201)
    const mailsOf = async () => (await clerk.get(`emails?invoiceId=${older.id}`)).body.items
    expect(await mailsOf()).toEqual([])

    const headers = { 'idempotency-key': 'statement-once-0001' }
    const [sent, again] = [await send({}, clerk, headers), await send({}, clerk, headers)]
    expect([sent.status, again.body]).toEqual([201, sent.body])
    const [mail, ...more] = await mailsOf()
    expect([mail, more]).toMatchObject([{ id: sent.body.emailId, to: ['k@auszug.example'], type: 'other_emails' }, []])
    const { body: shown } = await clerk.get(`emails/${mail.id}`)
    const [attached] = shown.attachments
    const pdf = await clerk.get(`documents/${attached.documentId}/file`)
    expect(await textOf(pdf.raw)).toContain('Zestawienie rozrachunków')
    // It says what is owed: nobody reads it without the right to invoices.
    expect((await stranger.get(`emails/${mail.id}`)).status).toBe(403)
    expect((await stranger.get(`documents/${attached.documentId}/file`)).status).toBe(403)
  })

  it('to carriers stand by week', async () => {
    const now = test.clock.now()
    const dayIn = (days: number) => new Date(now.getTime() + days * DAY).toISOString().slice(0, 10)
    const week = (now.getUTCDay() + 6) % 7
    const cases = [
      ['late', -3],
      ['thisWeek', 6 - week],
      ['nextWeek', 7 - week],
      ['weekAfter', 14 - week],
      ['later', 21 - week],
    ] as const
    await test.asOwner(`insert into carrier_company (title, "countryId", "createdAt")
      select 'Wochen Trans', id, now() from country where code = 'PL'`)
    for (const [index, [, days]] of cases.entries())
      await test.asOwner(`insert into invoice ("entityType", number, "innerNumber", status, "statusDate",
          "companyId", "carrierCompanyId", "amountCents", "totalCents", language, "dueDate", "createdAt")
        select 'carrier', 'W-${index}', 'W-${index}', 'approved', now(), ${companyId}, id,
          ${100 + index}, ${100 + index}, 'pl', '${dayIn(days)}', now()
        from carrier_company where title = 'Wochen Trans'`)
    const { body } = await clerk.get<Payables>('open-items/payables?q=wochen')
    expect(body.items).toMatchObject([
      {
        weeks: { late: 100, thisWeek: 101, nextWeek: 102, weekAfter: 103, later: 104 },
        openCents: 510,
        daysLate: 3,
        hasProblem: false,
      },
    ])
  })
})

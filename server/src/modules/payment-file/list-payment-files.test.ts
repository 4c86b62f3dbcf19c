import type { PaymentFile, PaymentFileRow } from '@waybill/contract/payment-file/payment-file'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Caller } from '../../../test/app.ts'
import { paymentWorld, type PaymentWorld } from '../../../test/payments/payment-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
let world: PaymentWorld
let other: Caller
let otherId: number
// One that is open, one that the bank has paid and of which a payment came back, one that is void.
let open: PaymentFile
let paid: PaymentFile
let voided: PaymentFile

async function made(title: string, number: string, executionDate: string, by: Caller): Promise<PaymentFile> {
  const bill = await world.invoice(await world.carrier(title), { number })
  const { status, body } = await by.post<PaymentFile>('payment-files', {
    invoiceIds: [bill.id],
    debtorBankId: world.debtorBankId,
    executionDate,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function moved(file: PaymentFile, action: string, body: object = {}): Promise<PaymentFile> {
  const answer = await world.clerk.post<PaymentFile>(`payment-files/${file.id}/${action}`, body, {
    version: file.version,
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

beforeAll(async () => {
  world = await paymentWorld(test)
  ;({ caller: other, id: otherId } = await test.userWith('INVOICES_PROCESSING'))
  open = await made('Offen Trans', 'OT-77/2026', '2026-12-09', world.clerk)
  paid = await moved(await made('Gezahlt Trans', 'GT-88/2026', '2026-12-10', other), 'confirm')
  paid = await moved(paid, 'return', { invoiceId: paid.payments[0]!.invoices[0]!.id, reason: 'AC04' })
  voided = await moved(await made('Verworfen Trans', 'VT-99/2026', '2026-12-15', world.clerk), 'void', { reason: 'x' })
  // Made three days later than the others: sessions do not last so long.
  await test.asOwner(`alter table payment_file disable trigger keep;
    update payment_file set "createdAt" = "createdAt" + interval '3 days' where id = ${voided.id};
    alter table payment_file enable trigger keep`)
})

async function found(query: string): Promise<string[]> {
  const { status, body } = await world.clerk.get(`payment-files?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.items.map(({ number }: PaymentFileRow) => number)
}

const taken = (query: string, caller = world.clerk) => caller.get(`payment-files/export?${query}`)
const linesOf = (raw: Buffer) => raw.toString().trim().split(/\r?\n/)

describe('the list of payment runs', () => {
  it('is refused to strangers, as a page and as a file, and knows no filter or format but its own', async () => {
    const { caller: stranger } = await test.userWith('CUSTOMER_MANAGEMENT')
    for (const path of ['payment-files', 'payment-files/export?format=csv']) {
      expect((await test.anonymous.get(path)).status).toBe(401)
      expect((await stranger.get(path)).status).toBe(403)
    }
    for (const query of ['status[]=lost', 'createdAt[from]=yesterday', 'returned=maybe', 'amount=1'])
      expect((await world.clerk.get(`payment-files?${query}`)).status, query).toBe(422)
    for (const query of ['', 'format=pdf', 'format=csv&page=2', 'format=csv&timeZone=Moon/Base'])
      expect((await taken(query)).status, query).toBe(422)
  })

  it('is narrowed by state, company, who made it, and days, both ends included', async () => {
    const all = [voided.number, paid.number, open.number]
    for (const [query, numbers] of [
      ['', all],
      ['status[]=made', [open.number]],
      ['status[]=confirmed&status[]=voided', [voided.number, paid.number]],
      ['returned=1', [paid.number]],
      ['returned=0', [voided.number, open.number]],
      [`companyId[]=${world.companyId}`, all],
      ['companyId[]=999999', []],
      [`createdById[]=${otherId}`, [paid.number]],
      ['executionDate[from]=2026-12-10', [voided.number, paid.number]],
      ['executionDate[from]=2026-12-10&executionDate[to]=2026-12-10', [paid.number]],
      ['executionDate[to]=2026-12-09', [open.number]],
      ['createdAt[from]=2026-11-24', [voided.number]],
      ['createdAt[from]=2026-11-23&createdAt[to]=2026-11-23', [paid.number, open.number]],
      ['status[]=made&executionDate[from]=2026-12-10', []],
    ] as const)
      expect(await found(query), query).toEqual(numbers)
  })

  it('is found by number, carrier, and what the bank was told: message, payment, and numbers of invoices', async () => {
    const { rows } = await test.database.pool.query(
      `select "endToEndId" as id from payment_file_payment where "paymentFileId" = $1`,
      [paid.id],
    )
    for (const q of [paid.number, 'gezahlt', paid.messageId, rows[0].id, rows[0].id.toLowerCase(), 'GT-88'])
      expect(await found(`q=${encodeURIComponent(q)}`), q).toEqual([paid.number])
    expect(await found('q=nobody')).toEqual([])
  })

  it('is taken out as it is narrowed, in the person’s language, without companies that are not looked at', async () => {
    const { status, raw, headers } = await taken('format=csv&status[]=confirmed&timeZone=Europe/Berlin')
    expect([status, headers['content-disposition']]).toEqual([
      200,
      'attachment; filename="payment-files-2026-11-23.csv"',
    ])
    const [head, line, ...more] = linesOf(raw)
    expect(more).toEqual([])
    for (const word of ['Run', 'State', 'Pay on', 'Returned €', 'Created by']) expect(head).toContain(word)
    for (const word of [paid.number, 'Paid', paid.messageId]) expect(line).toContain(word)
    const german = await world.clerk.get('payment-files/export?format=csv', {
      headers: { 'accept-language': 'de' },
    })
    expect(linesOf(german.raw)[0]).toContain('Zahltag')
    expect(linesOf(german.raw)).toHaveLength(4)
    const sheet = await taken('format=xlsx')
    expect([sheet.status, sheet.raw.subarray(0, 2).toString()]).toEqual([200, 'PK'])
    const filtered = await test.admin.get('payment-files/export?format=csv', { headers: { 'group-filter': '999999' } })
    expect(linesOf(filtered.raw)).toHaveLength(1)
  })

  it('makes no formula of a name', async () => {
    const { body: company } = await test.admin.get(`companies/${world.companyId}`)
    const named = async (title: string, version: number) => {
      const answer = await test.admin.patch(`companies/${world.companyId}`, { title }, { version })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body.version as number
    }
    const version = await named('=HYPERLINK("x")', company.version)
    const { raw } = await taken('format=csv&status[]=made')
    await named(company.title, version)
    expect(raw.toString()).toContain(`'=HYPERLINK`)
    expect(raw.toString()).not.toMatch(/[;,"]=HYPERLINK/)
  })
})

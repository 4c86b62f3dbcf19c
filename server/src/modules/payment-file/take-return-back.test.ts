import type { PaymentFile } from '@waybill/contract/payment-file/payment-file'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer } from '../../../test/app.ts'
import { paymentWorld, type Paid, type PaymentWorld } from '../../../test/payments/payment-examples.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const DAY = '2026-12-09'
let world: PaymentWorld

beforeAll(async () => {
  world = await paymentWorld(test)
})

const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

const newRun = (invoiceIds: number[]) =>
  world.clerk.post<PaymentFile>('payment-files', {
    invoiceIds,
    debtorBankId: world.debtorBankId,
    executionDate: DAY,
  })

const act = (file: PaymentFile, action: string, body: object = {}, caller = world.clerk) =>
  caller.post<PaymentFile>(`payment-files/${file.id}/${action}`, body, { version: file.version })

async function done(answer: Promise<Answer<PaymentFile>>): Promise<PaymentFile> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

const MISTAKE = { reason: 'Wrong line of the statement' }
const back = (file: PaymentFile, invoiceId: number) => act(file, 'take-return-back', { invoiceId, ...MISTAKE })
const invoiceOf = async (id: number): Promise<Invoice> => (await world.clerk.get(`invoices/${id}`)).body

/** A paid run with one payment of these invoices, noted as returned. */
async function returned(bills: readonly { id: number }[]): Promise<PaymentFile> {
  const paid = await done(act(await done(newRun(bills.map(({ id }) => id))), 'confirm'))
  return done(act(paid, 'return', { invoiceId: bills[0]!.id, reason: 'AC04' }))
}

/** A second person vouches for the account once more, so that another run could pay. */
async function trustAgain({ id }: Paid): Promise<void> {
  const { body: record } = await world.second.get(`carrier-companies/${id}`)
  const path = `carrier-companies/${id}/bank-accounts/${record.bankAccounts[0].id}/confirm`
  expect((await world.second.post(path, {}, { version: record.version })).status).toBe(200)
}

const inTwoRuns = async (): Promise<unknown[]> =>
  (
    await test.database.pool.query(
      `select "invoiceId" from payment_file_item where "isValid" group by 1 having count(*) > 1`,
    )
  ).rows

describe('a return that is taken back', () => {
  it('is refused to strangers, without a reason, over an old version, and for what was not returned', async () => {
    const bill = await world.invoice(await world.carrier('Refused Trans'))
    const other = await world.invoice(await world.carrier('Still Paid Trans'))
    const made = await done(newRun([bill.id, other.id]))
    const body = { invoiceId: bill.id, ...MISTAKE }
    const path = `payment-files/${made.id}/take-return-back`
    expect((await test.anonymous.post(path, body, { version: 1 })).status).toBe(401)
    const { caller: stranger } = await test.userWith('ORDERS_MANAGEMENT')
    expect((await stranger.post(path, body, { version: 1 })).status).toBe(403)
    expect((await world.clerk.post('payment-files/999999/take-return-back', body, { version: 1 })).status).toBe(404)
    const filtered = { headers: { 'group-filter': '999999' }, version: 1 }
    expect((await test.admin.post(path, body, filtered)).status).toBe(404)

    // Before the bank has paid there is nothing that could be paid again.
    const early = await done(act(made, 'return', { invoiceId: bill.id, reason: 'AC04' }))
    expect((await back(early, bill.id)).status).toBe(409)
    const paid = await done(act(early, 'confirm'))
    expect((await world.clerk.post(path, body)).status).toBe(428)
    expect((await back({ ...paid, version: paid.version - 1 }, bill.id)).status).toBe(409)
    expect(codes(await act(paid, 'take-return-back', { invoiceId: bill.id }))).toEqual([422, 'reason required'])
    expect(codes(await back(paid, 999_999))).toEqual([422, 'invoiceId unknown_reference'])
    expect((await back(paid, other.id)).status).toBe(409)
    expect((await invoiceOf(bill.id)).status).toBe('approved')
  })

  it('is refused in a run that is void', async () => {
    const bill = await world.invoice(await world.carrier('Void Again Trans'))
    const other = await world.invoice(await world.carrier('Void With It Trans'))
    const early = await done(
      act(await done(newRun([bill.id, other.id])), 'return', { invoiceId: bill.id, reason: 'AC04' }),
    )
    const voided = await done(act(early, 'void', { reason: 'Wrong account' }))
    expect((await back(voided, bill.id)).status).toBe(409)
  })

  it('pays all its invoices again, says so in both histories, and leaves the account to a second person', async () => {
    const carrier = await world.carrier('Doch Bezahlt GmbH')
    const bills = [await world.invoice(carrier), await world.invoice(carrier)]
    const file = await returned(bills)
    expect(file).toMatchObject({ returnedCount: 1, returnedCents: 200_00 })
    const again = await done(back(file, bills[1]!.id))
    expect(again).toMatchObject({ status: 'confirmed', returnedCount: 0, returnedCents: 0, version: file.version + 1 })
    expect(again.payments).toMatchObject([{ returnedAt: null, returnedBy: null, returnReason: null }])
    for (const { id } of bills) {
      expect((await invoiceOf(id)).status).toBe('paid')
      const { body: history } = await world.clerk.get(`audit-entries?invoiceId=${id}`)
      expect(history.items[0]).toMatchObject({ action: 'moved', reason: MISTAKE.reason })
    }
    const { body: history } = await world.clerk.get(`audit-entries?paymentFileId=${file.id}`)
    expect(history.items.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
      'returnTakenBack',
      'returned',
    ])
    expect(history.items[0]).toMatchObject({ reason: MISTAKE.reason })
    const { body: record } = await world.second.get(`carrier-companies/${carrier.id}`)
    expect(record.bankAccounts[0].confirmedById).toBe(null)

    // What was taken back once can come back in earnest.
    expect((await back(again, bills[0]!.id)).status).toBe(409)
    const inEarnest = await done(act(again, 'return', { invoiceId: bills[0]!.id, reason: 'MS03' }))
    expect(inEarnest).toMatchObject({ returnedCount: 1, returnedCents: 200_00 })
    expect((await invoiceOf(bills[0]!.id)).status).toBe('approved')
  })

  it('is booked on its own day, so that the month of the run does not get it twice', async () => {
    const bill = await world.invoice(await world.carrier('Zweimal Gebucht GmbH'))
    await done(back(await returned([bill]), bill.id))
    const { rows } = await test.database.pool.query(
      `select "valueDate"::text as day, "amountCents"::int as cents from payable_payment
        where "invoiceId" = $1 order by id`,
      [bill.id],
    )
    expect(rows).toEqual([
      { day: DAY, cents: 100_00 },
      { day: '2026-11-23', cents: -100_00 },
      { day: '2026-11-23', cents: 100_00 },
    ])
  })

  it('is refused where another run pays the invoice by now, and possible once that run is void', async () => {
    const carrier = await world.carrier('Anderer Lauf GmbH')
    const bill = await world.invoice(carrier)
    const file = await returned([bill])
    await trustAgain(carrier)
    const later = await done(newRun([bill.id]))
    expect(codes(await back(file, bill.id))).toEqual([409, 'invoiceId in_payment_run'])
    await done(act(later, 'void', { reason: 'The bank had paid already' }))
    await done(back(file, bill.id))
    expect((await invoiceOf(bill.id)).status).toBe('paid')

    const second = await world.invoice(carrier)
    const returnedOnce = await returned([second])
    await trustAgain(carrier)
    await done(act(await done(newRun([second.id])), 'confirm'))
    expect(codes(await back(returnedOnce, second.id))).toEqual([409, 'invoiceId in_payment_run'])
    expect(await inTwoRuns()).toEqual([])
  })

  it.each([
    ['was paid in another way', 'paid', 'paid_otherwise'],
    ['is held for a problem', 'in_progress', 'pay_not_approved'],
  ])('is refused where the invoice %s', async (_what, to, code) => {
    const bill = await world.invoice(await world.carrier(`Inzwischen ${to}`))
    const file = await returned([bill])
    const { version } = await invoiceOf(bill.id)
    const moved = await world.clerk.post(`invoices/${bill.id}/status`, { to, reason: 'By hand' }, { version })
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
    expect(codes(await back(file, bill.id))).toEqual([409, `invoiceId ${code}`])
    expect((await invoiceOf(bill.id)).status).toBe(to)
  })

  it('is refused where the invoice comes to another sum by now', async () => {
    const bill = await world.invoice(await world.carrier('Neue Summe GmbH'))
    const file = await returned([bill])
    await test.asOwner(`update invoice set "amountCents" = 9000, "totalCents" = 9000 where id = ${bill.id}`)
    expect(codes(await back(file, bill.id))).toEqual([409, 'invoiceId pay_changed'])
  })

  it('never puts an invoice into two runs, however many try both at once', { tags: 'long' }, async () => {
    const tries = 12
    const carriers = await Promise.all(Array.from({ length: tries }, (_, n) => world.carrier(`Wettlauf ${n}`)))
    const cases: { bill: Invoice; file: PaymentFile }[] = []
    for (const carrier of carriers) {
      const bill = await world.invoice(carrier)
      cases.push({ bill, file: await returned([bill]) })
      await trustAgain(carrier)
    }
    const answers = await Promise.all(
      cases.map(async ({ bill, file }, n) => {
        const both = [() => back(file, bill.id), () => newRun([bill.id])]
        const [first, second] = await Promise.all((n % 2 === 0 ? both : both.toReversed()).map((one) => one()))
        return n % 2 === 0 ? { again: first!, run: second! } : { again: second!, run: first! }
      }),
    )
    for (const [n, { again, run }] of answers.entries()) {
      const isAgain = again.status === 200
      expect([again.status, run.status], JSON.stringify([again.body, run.body])).toEqual(
        isAgain ? [200, 422] : [409, 201],
      )
      if (!isAgain) expect(codes(again)).toEqual([409, 'invoiceId in_payment_run'])
      expect((await invoiceOf(cases[n]!.bill.id)).status).toBe(isAgain ? 'paid' : 'approved')
    }
    expect(await inTwoRuns()).toEqual([])
  })

  it('is one step, however often it is pressed at once', async () => {
    const bill = await world.invoice(await world.carrier('Oft Gedrückt GmbH'))
    const file = await returned([bill])
    const answers = await Promise.all(Array.from({ length: 10 }, () => back(file, bill.id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    expect((await world.clerk.get(`payment-files/${file.id}`)).body).toMatchObject({ returnedCount: 0 })
  })

  it('is held by the database too: a payment, an item and a sum change in no other way', async () => {
    const carrier = await world.carrier('Datenbank Wacht GmbH')
    const bill = await world.invoice(carrier)
    const file = await returned([bill])
    const payment = `update payment_file_payment set "returnedAt" = null, "returnedById" = null, "returnReason" = null`
    const ofRun = `where "paymentFileId" = ${file.id}`
    const item = `update payment_file_item set "isValid" = true ${ofRun}`
    await expect(test.asOwner(item)).rejects.toThrow('stays as it was')
    await expect(test.asOwner(`update payment_file_payment set "returnReason" = 'other' ${ofRun}`)).rejects.toThrow(
      'stays as it was',
    )
    await expect(
      test.asOwner(`update payment_file set "returnedCount" = 0, "returnedCents" = 0 where id = ${file.id}`),
    ).rejects.toThrow('stays as it was')
    await trustAgain(carrier)
    await done(newRun([bill.id]))
    await expect(test.asOwner(`begin; ${payment} ${ofRun}; ${item}; commit`)).rejects.toThrow('in_payment_run')
    expect(await inTwoRuns()).toEqual([])

    // Before the bank has paid, a return that was noted stays.
    const open = await world.invoice(carrier)
    const second = await world.invoice(await world.carrier('Zweite Zahlung GmbH'))
    const early = await done(
      act(await done(newRun([open.id, second.id])), 'return', { invoiceId: second.id, reason: 'x' }),
    )
    await expect(
      test.asOwner(`${payment} where "paymentFileId" = ${early.id} and "returnedAt" is not null`),
    ).rejects.toThrow('stays as it was')
  })
})

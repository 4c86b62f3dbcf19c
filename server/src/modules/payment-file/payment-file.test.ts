import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PaymentFile, PaymentProposal } from '@waybill/contract/payment-file/payment-file'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer } from '../../../test/app.ts'
import { ibanOf, paymentWorld, schemaFaults, type PaymentWorld } from '../../../test/payments/payment-examples.ts'

// A Monday; the ninth of December is a Wednesday.
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

const run = (invoiceIds: number[], more: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  world.clerk.post<PaymentFile & { errors?: [] }>(
    'payment-files',
    { invoiceIds, debtorBankId: world.debtorBankId, executionDate: DAY, ...more },
    headers ? { headers } : {},
  )

async function made(invoiceIds: number[], more: Record<string, unknown> = {}): Promise<PaymentFile> {
  const answer = await run(invoiceIds, more)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}

const proposal = async (dueUntil = '2026-12-31', caller = world.clerk): Promise<PaymentProposal> =>
  (await caller.get(`payment-files/proposal?debtorBankId=${world.debtorBankId}&dueUntil=${dueUntil}`)).body

const reasonOf = async (invoiceId: number): Promise<string | null> => {
  const { items, leftOut } = await proposal()
  if (items.some(({ id }) => id === invoiceId)) return 'payable'
  return leftOut.find(({ id }) => id === invoiceId)?.reason ?? null
}

const statusOf = async (invoiceId: number): Promise<string> =>
  (await world.clerk.get(`invoices/${invoiceId}`)).body.status

const act = (file: PaymentFile, action: string, body: object = {}, caller = world.clerk) =>
  caller.post<PaymentFile>(`payment-files/${file.id}/${action}`, body, { version: file.version })

const fileOf = async (id: number): Promise<string> => (await world.clerk.get(`payment-files/${id}/file`)).raw.toString()

describe('what is not paid', () => {
  it('is refused with the reason, at its place, by the run as by the proposal', async () => {
    const good = await world.carrier('Brda Trans s.c.')
    const waiting = await world.carrier('Prosna Spedycja', { isConfirmed: false })
    const turk = await world.carrier('Marmara Nakliyat', { iban: ibanOf('TR', 26, 77) })
    const swiss = await world.carrier('Säntis Transport AG', { iban: ibanOf('CH', 21, 78) })
    const british = await world.carrier('Pennine Haulage Ltd', { iban: ibanOf('GB', 22, 79), bic: 'NWBKGB2L' })
    const cases = [
      ['iban_unconfirmed', await world.invoice(waiting)],
      ['iban_unknown', await world.invoice(good, { iban: waiting.iban })],
      ['iban_missing', await world.invoice(good, { iban: null })],
      ['bic_needed', await world.invoice(swiss)],
      ['address_needed', await world.invoice(british)],
      ['outside_sepa', await world.invoice(turk)],
      ['currency', await world.invoice(good, { currency: 'PLN' })],
      // No credit note of another currency is set off either.
      ['currency', await world.invoice(good, { currency: 'CHF', amountCents: -5_00, iban: null })],
      ['pay_not_approved', await world.invoice(good, { isApproved: false })],
      ['pay_amount_zero', await world.invoice(good, { amountCents: 0 })],
      ['pay_amount_too_big', await world.invoice(good, { amountCents: 100_000_000_000 })],
      ['pay_other_company', await world.invoice(good, { companyId: null })],
    ] as const
    for (const [reason, { id }] of cases) expect(await reasonOf(id), reason).toBe(reason)
    const ids = cases.map(([, { id }]) => id)
    expect(codes(await run(ids))).toEqual([422, ...cases.map(([reason], index) => `invoiceIds.${index} ${reason}`)])
    const { body: customers } = await test.admin.get('payment-files')
    expect(customers.total).toBe(0)
  })

  it('is anything twice, unknown, of a customer, or of a company that is not looked at', async () => {
    const { id } = await world.invoice(await world.carrier('Morava Truck a.s.'))
    expect(codes(await run([id, id, 999_999]))).toEqual([
      422,
      'invoiceIds.1 duplicate_key',
      'invoiceIds.2 unknown_reference',
    ])
    expect(codes(await run([]))).toEqual([422, 'invoiceIds required'])
    const filtered = { 'group-filter': '999999' }
    const body = { invoiceIds: [id], debtorBankId: world.debtorBankId, executionDate: DAY }
    expect(codes(await test.admin.post('payment-files', body, { headers: filtered }))).toEqual([
      422,
      'debtorBankId unknown_reference',
    ])
    const { body: banks } = await test.admin.get('payment-files/debtor-banks', { headers: filtered })
    expect(banks.items).toEqual([])
    const file = await made([id])
    expect((await test.admin.get(`payment-files/${file.id}`, { headers: filtered })).status).toBe(404)
    expect((await test.admin.get(`payment-files/${file.id}/file`, { headers: filtered })).status).toBe(404)
    expect((await test.admin.get('payment-files', { headers: filtered })).body.total).toBe(0)
    expect(
      (await test.admin.post(`payment-files/${file.id}/confirm`, {}, { headers: filtered, version: 1 })).status,
    ).toBe(404)
  })

  it.each([
    ['2026-11-22', 'in_the_past'],
    ['2026-12-25', 'target_closed'],
    ['2026-12-05', 'target_closed'],
    ['2027-12-09', 'payment_day_far'],
    ['2026-02-30', 'invalid_date'],
  ])('is paid on %s: %s', async (executionDate, code) => {
    expect(codes(await run([1], { executionDate }))).toEqual([422, `executionDate ${code}`])
  })

  it('is anything from an account of ours that nobody else has confirmed', async () => {
    const { body: company } = await test.admin.get(`companies/${world.companyId}`)
    const { body: changed } = await test.admin.patch(
      `companies/${world.companyId}`,
      { bankAccounts: [...company.bankAccounts, { iban: ibanOf('DE', 22, 5) }] },
      { version: company.version },
    )
    const debtorBankId = changed.bankAccounts.at(-1).id
    expect(codes(await run([1], { debtorBankId }))).toEqual([422, 'debtorBankId debtor_unconfirmed'])
  })
})

describe('a payment run', () => {
  it('pays several invoices of a carrier at once, in a valid file that is kept as it was made', async () => {
    const brda = await world.carrier('Łąka & Żbik Transport Sp. z o.o.')
    const elbe = await world.carrier('Müller Kühlfracht GmbH', { iban: ibanOf('DE', 22, 4711) })
    const swiss = await world.carrier('Zürich Cargo AG', {
      iban: ibanOf('CH', 21, 99),
      bic: 'UBSWCHZH80A',
      address: 'Bahnhofstraße 1',
      postal: '8001',
      city: 'Zürich',
      countryId: await test.idOf('country', 'code', 'CH'),
    })
    const invoices = [
      await world.invoice(brda, { number: 'FV/118/10/2026', amountCents: 780_00 }),
      await world.invoice(brda, { number: 'FV/131/10/2026', amountCents: 915_01 }),
      await world.invoice(elbe, { number: 'RE 7 <&>', amountCents: 1, vatBp: 0 }),
      await world.invoice(swiss, { number: 'CH-1', amountCents: 5_00 }),
    ]
    const file = await made(invoices.map(({ id }) => id))
    expect(file).toMatchObject({
      number: expect.stringMatching(/^26-\d{3}$/),
      status: 'made',
      paymentCount: 3,
      invoiceCount: 4,
      totalCents: 1700_02,
      executionDate: DAY,
      needsSecondPerson: false,
      debtor: { countryCode: 'DE', ibanTail: '3000' },
    })
    const download = await world.clerk.get(`payment-files/${file.id}/file`)
    const xml = download.raw.toString()
    expect(createHash('sha256').update(download.raw).digest('hex')).toBe(file.sha256)
    expect(String(download.headers['content-disposition'])).toContain(`pain001-${file.number}.xml`)
    expect(await fileOf(file.id)).toBe(xml)
    expect(xml.match(/<NbOfTxs>3<\/NbOfTxs><CtrlSum>1700\.02<\/CtrlSum>/g)).toHaveLength(2)
    expect(xml).toContain('<Nm>Laka + Zbik Transport Sp. z o.o.</Nm>')
    expect(xml).toContain('<Nm>Mueller Kuehlfracht GmbH</Nm>')
    expect(xml).toContain('<Ustrd>FV/118/10/2026, FV/131/10/2026</Ustrd>')
    expect(xml).toContain('<InstdAmt Ccy="EUR">0.01</InstdAmt>')
    expect(xml).toContain('<Ustrd>RE 7 (+)</Ustrd>')
    expect(xml).toContain('<ChrgBr>SLEV</ChrgBr>')
    // Only the bank outside the EEA is told BIC and address, and who pays it.
    expect(xml.match(/<BICFI>/g)).toHaveLength(1)
    expect(xml).toContain(
      '<StrtNm>Bahnhofstrasse 1</StrtNm><PstCd>8001</PstCd><TwnNm>Zuerich</TwnNm><Ctry>CH</Ctry></PstlAdr>',
    )
    const folder = await mkdtemp(join(tmpdir(), 'waybill-run-'))
    await writeFile(join(folder, 'run.xml'), xml)
    expect(await schemaFaults(join(folder, 'run.xml'))).toBe('')
    await rm(folder, { recursive: true })
    const { body: list } = await world.clerk.get('payment-files?q=kuehlfracht')
    const { body: byTitle } = await world.clerk.get('payment-files?q=Kühlfracht')
    expect([...list.items, ...byTitle.items].map(({ id }: { id: number }) => id)).toContain(file.id)
    await expect(test.asOwner(`update payment_file_payment set "amountCents" = 1`)).rejects.toThrow('stays as it was')
    await expect(test.database.pool.query(`update payment_file_content set xml = '\\x00'`)).rejects.toThrow('denied')
  })

  it('writes umlauts as the company wants them, and pays each invoice alone where none are combined', async () => {
    const carrier = await world.carrier('Öresund Frakt', {})
    const ids = [(await world.invoice(carrier)).id, (await world.invoice(carrier)).id]
    const { body: company } = await test.admin.get(`companies/${world.companyId}`)
    const set = async (umlautsInPayments: string, version: number) =>
      (await test.admin.patch(`companies/${world.companyId}`, { umlautsInPayments }, { version })).body.version
    const version = await set('one_letter', company.version)
    const file = await made(ids, { combine: false })
    await set('two_letters', version)
    expect(file.paymentCount).toBe(2)
    expect((await fileOf(file.id)).match(/<Nm>Oresund Frakt<\/Nm>/g)).toHaveLength(2)
  })

  it('splits what one remittance text cannot name', { tags: 'long' }, async () => {
    const carrier = await world.carrier('Langzahl Logistik')
    const numbers = Array.from({ length: 9 }, (_, index) => `RECHNUNG-${index}-${'7'.repeat(30)}`)
    const ids: number[] = []
    for (const number of numbers) ids.push((await world.invoice(carrier, { number })).id)
    const file = await made(ids)
    expect(file.payments.map(({ invoices }) => invoices.length)).toEqual([3, 3, 3])
    expect(file.payments.every(({ remittance }) => remittance.length <= 140)).toBe(true)
  })

  it('sets credit notes off, and pays none alone', async () => {
    const carrier = await world.carrier('Gutschrift Transporte')
    const bill = await world.invoice(carrier, { amountCents: 300_00, number: 'R-300' })
    const credit = await world.invoice(carrier, { amountCents: -100_00, number: 'GS-1' })
    expect(codes(await run([credit.id]))).toEqual([422, 'invoiceIds.0 credit_too_big'])
    const file = await made([bill.id, credit.id], { combine: false })
    expect(file.payments).toMatchObject([{ amountCents: 200_00, invoices: [{ id: bill.id }, { id: credit.id }] }])
    expect(await reasonOf(credit.id)).toBe('in_payment_run')
    const confirmed = await act(file, 'confirm')
    expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200)
    expect(await statusOf(credit.id)).toBe('paid')
  })

  it('keeps its invoices as they are until it is confirmed, which makes them paid', async () => {
    const bill = await world.invoice(await world.carrier('Donauwald Fracht GmbH'))
    const file = await made([bill.id])
    expect(await reasonOf(bill.id)).toBe('in_payment_run')
    expect(codes(await run([bill.id]))).toEqual([422, 'invoiceIds.0 in_payment_run'])
    for (const body of [{ to: 'paid' }, { to: 'in_progress', reason: 'POD' }]) {
      const moved = await world.clerk.post(`invoices/${bill.id}/status`, body, { version: bill.version })
      expect(codes(moved)).toEqual([409, 'to in_payment_run'])
    }
    expect((await act({ ...file, version: 9 }, 'confirm')).status).toBe(409)
    expect((await world.clerk.post(`payment-files/${file.id}/confirm`)).status).toBe(428)
    const confirmed = await act(file, 'confirm')
    expect(confirmed.body).toMatchObject({ status: 'confirmed', version: 2, confirmedBy: { id: expect.any(Number) } })
    expect(await statusOf(bill.id)).toBe('paid')
    expect((await act(confirmed.body, 'confirm')).status).toBe(409)
    expect((await act(confirmed.body, 'void', { reason: 'late' })).status).toBe(409)
    const { body: history } = await world.clerk.get(`audit-entries?invoiceId=${bill.id}`)
    expect(history.items[0]).toMatchObject({ action: 'moved', reason: file.number })
    // By hand it does not go back either: its payment must come back.
    const { version } = (await world.clerk.get(`invoices/${bill.id}`)).body
    const back = { to: 'approved', reason: 'The bank sent it back' }
    expect(codes(await world.clerk.post(`invoices/${bill.id}/status`, back, { version }))).toEqual([
      409,
      'to in_payment_run',
    ])
  })

  it('is confirmed by another person where the company wants four eyes', async () => {
    const { body: company } = await test.admin.get(`companies/${world.companyId}`)
    const set = async (fourEyesRuns: boolean, version: number) =>
      (await test.admin.patch(`companies/${world.companyId}`, { fourEyesRuns }, { version })).body.version
    const version = await set(true, company.version)
    const bill = await world.invoice(await world.carrier('Vier Augen Spedition'))
    const file = await made([bill.id])
    expect(file.needsSecondPerson).toBe(true)
    const own = await act(file, 'confirm')
    expect([own.status, (own.body as unknown as { code: string }).code]).toEqual([409, 'run_second_person_needed'])
    expect(await statusOf(bill.id)).toBe('approved')
    const other = (await test.userWith('INVOICES_PROCESSING')).caller
    expect((await act(file, 'confirm', {}, other)).status).toBe(200)
    expect(await statusOf(bill.id)).toBe('paid')
    await set(false, version)
  })

  it('sets its invoices free when it is void, with a reason, and is then of no use', async () => {
    const bill = await world.invoice(await world.carrier('Void Verkehre'))
    const file = await made([bill.id])
    expect(codes(await act(file, 'void'))).toEqual([422, 'reason required'])
    const voided = await act(file, 'void', { reason: 'wrong account' })
    expect(voided.body).toMatchObject({ status: 'voided', voidReason: 'wrong account' })
    expect((await act(voided.body, 'confirm')).status).toBe(409)
    expect((await act(voided.body, 'return', { invoiceId: bill.id, reason: 'AC04' })).status).toBe(409)
    const again = await made([bill.id])
    expect(again.number > file.number).toBe(true)
    expect((await act(again, 'confirm')).status).toBe(200)
  })

  it.each(['before', 'after'])(
    'takes a payment back that returned %s it was confirmed: all its invoices, and the trust in its account',
    async (when) => {
      const carrier = await world.carrier(`Rückläufer ${when}`)
      const other = await world.invoice(await world.carrier(`Zahlt ${when}`))
      const bills = [await world.invoice(carrier), await world.invoice(carrier)]
      let file = await made([other.id, ...bills.map(({ id }) => id)])
      if (when === 'after') file = (await act(file, 'confirm')).body
      expect(codes(await act(file, 'return', { invoiceId: 999_999, reason: 'AC04' }))).toEqual([
        422,
        'invoiceId unknown_reference',
      ])
      const returned = await act(file, 'return', { invoiceId: bills[1]!.id, reason: 'AC04, account closed' })
      expect(returned.body).toMatchObject({ returnedCount: 1, returnedCents: 200_00 })
      expect((await act(returned.body, 'return', { invoiceId: bills[0]!.id, reason: 'x' })).status).toBe(409)
      if (when === 'before') expect((await act(returned.body, 'confirm')).status).toBe(200)
      expect(await statusOf(other.id)).toBe('paid')
      for (const { id } of bills) {
        expect(await statusOf(id)).toBe('approved')
        expect(await reasonOf(id)).toBe('iban_unconfirmed')
      }
      const { body: record } = await world.second.get(`carrier-companies/${carrier.id}`)
      const path = `carrier-companies/${carrier.id}/bank-accounts/${record.bankAccounts[0].id}/confirm`
      expect((await world.second.post(path, {}, { version: record.version })).status).toBe(200)
      expect((await act(await made(bills.map(({ id }) => id)), 'confirm')).status).toBe(200)
    },
  )

  it('is one file, however many people press at once', async () => {
    const carrier = await world.carrier('Fünfzig Finger GmbH')
    const ids = [(await world.invoice(carrier)).id, (await world.invoice(carrier)).id]
    const before = (await world.clerk.get('payment-files')).body.total
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => run(n % 2 === 0 ? ids : ids.toReversed())))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(codes(answer)).toEqual([422, 'invoiceIds.0 in_payment_run', 'invoiceIds.1 in_payment_run'])
    expect((await world.clerk.get('payment-files')).body.total).toBe(before + 1)
    const { rows } = await test.database.pool.query(
      `select "invoiceId" from payment_file_item where "isValid" group by 1 having count(*) > 1`,
    )
    expect(rows).toEqual([])
  })

  it('answers a repeat with the same key with the same run', async () => {
    const { id } = await world.invoice(await world.carrier('Zweimal Klick'))
    const key = { 'idempotency-key': 'one-run' }
    const [once, again] = [await run([id], {}, key), await run([id], {}, key)]
    expect(again.body).toEqual(once.body)
    expect(codes(await run([id], { combine: false }, key))).toEqual([422])
  })
})

describe('the proposal', () => {
  it('lists what is due by a day, counts what is due later, and says when the bank could pay first', async () => {
    const carrier = await world.carrier('Proposal Trans')
    const due = await world.invoice(carrier, { dueDate: '2026-11-20' })
    const { later } = await proposal('2026-11-25')
    const late = await world.invoice(carrier, { dueDate: '2026-11-30', amountCents: 50_00 })
    const now = await proposal('2026-11-25')
    expect(now.items.find(({ id }) => id === due.id)).toMatchObject({ isLate: true, ibanTail: carrier.iban.slice(-4) })
    expect(JSON.stringify(now)).not.toContain(carrier.iban)
    expect(now.items.some(({ id }) => id === late.id)).toBe(false)
    expect(now.later).toEqual({ count: later.count + 1, totalCents: later.totalCents + 50_00 })
    expect(now.firstDay).toBe('2026-11-23')
  })

  it('leaves a credit note out that is more than the invoices', async () => {
    const credit = await world.invoice(await world.carrier('Guthaben AG'), { amountCents: -9_00 })
    expect(await reasonOf(credit.id)).toBe('credit_balance')
  })

  it.each([
    ['as much as it gets', -100_00],
    ['more than it gets', -150_00],
  ])('leaves the invoice of a carrier out that owes us %s, and the run refuses to pay it', async (_, amountCents) => {
    const carrier = await world.carrier(`Schuldner ${amountCents}`)
    const bill = await world.invoice(carrier)
    const credit = await world.invoice(carrier, { amountCents, iban: null })
    expect(await reasonOf(credit.id)).toBe('credit_balance')
    expect(await reasonOf(bill.id)).toBe('credit_balance')
    expect(codes(await run([bill.id]))).toEqual([422, 'invoiceIds.0 credit_balance'])
    // What comes later is paid less the credit note, the invoice with it.
    const more = await world.invoice(carrier, { amountCents: 80_00 })
    const ids = [bill.id, more.id, credit.id]
    for (const id of ids) expect(await reasonOf(id)).toBe('payable')
    expect(codes(await run([bill.id, more.id]))).toEqual([
      422,
      'invoiceIds.0 credit_balance',
      'invoiceIds.1 credit_balance',
    ])
    expect((await made(ids)).totalCents).toBe(180_00 + amountCents)
  })

  it('leaves out as little as a credit note needs that cannot be set off, and pays the rest', async () => {
    const carrier = await world.carrier('Zwei Konten GmbH')
    const { body: record } = await world.first.get(`carrier-companies/${carrier.id}`)
    const iban = ibanOf('PL', 28, 4711)
    const added = await world.first.patch(
      `carrier-companies/${carrier.id}`,
      { bankAccounts: [{ id: record.bankAccounts[0].id, iban: carrier.iban }, { iban }] },
      { version: record.version },
    )
    const { id: accountId } = added.body.bankAccounts[1]
    const path = `carrier-companies/${carrier.id}/bank-accounts/${accountId}/confirm`
    expect((await world.second.post(path, {}, { version: added.body.version })).status).toBe(200)
    const small = await world.invoice(carrier, { amountCents: 60_00 })
    const large = await world.invoice(carrier, { amountCents: 90_00, iban })
    const credit = await world.invoice(carrier, { amountCents: -100_00, iban: null })
    // Together they come to more, on no account of the two: both wait.
    for (const { id } of [small, large, credit]) expect(await reasonOf(id)).toBe('credit_balance')
    const other = await world.invoice(carrier, { amountCents: 30_00 })
    // What waits comes to more than the credit note, by as little as can be.
    for (const { id } of [other, large, credit]) expect(await reasonOf(id)).toBe('credit_balance')
    expect(await reasonOf(small.id)).toBe('payable')
    expect(codes(await run([small.id, other.id]))).toEqual([
      422,
      'invoiceIds.0 credit_balance',
      'invoiceIds.1 credit_balance',
    ])
    expect((await made([small.id])).totalCents).toBe(60_00)
  })
})

describe('setting off without a payment', () => {
  const setOff = (invoiceIds: number[], caller = test.admin, headers: Record<string, string> = {}) =>
    caller.post('payment-files/set-off', { invoiceIds }, { headers })
  const pair = async (title: string, more: object = {}) => {
    const carrier = await world.carrier(title, { isConfirmed: false })
    const bill = await world.invoice(carrier, { amountCents: 120_00, number: `R ${title}` })
    const credit = await world.invoice(carrier, { amountCents: -120_00, number: `GS ${title}`, iban: null, ...more })
    return { carrier, bill, credit }
  }
  const move = async (id: number, body: object) => {
    const { version } = (await test.admin.get(`invoices/${id}`)).body
    return test.admin.post(`invoices/${id}/status`, body, { version })
  }

  /** What bookkeeping is told of these, in the order in which it came: the amount, and whether it was set off. */
  const booked = async (...invoices: { id: number }[]) => {
    const { rows } = await test.database.pool.query<{ cents: number; isSetOff: boolean }>(
      `select "amountCents"::int as cents, "setOffId" is not null as "isSetOff" from payable_payment
        where "invoiceId" = any($1) order by array_position($1, "invoiceId"), id`,
      [invoices.map(({ id }) => id)],
    )
    return rows.map(({ cents, isSetOff }) => [cents, isSetOff])
  }

  it('is refused without the right, twice, of others, not approved, in a run, and uneven', async () => {
    const { bill, credit } = await pair('Absage')
    const clerk = (await test.userWith('ORDERS_MANAGEMENT')).caller
    expect((await setOff([bill.id, credit.id], clerk)).status).toBe(403)
    expect(codes(await setOff([bill.id]))).toEqual([422, expect.stringContaining('invoiceIds')])
    expect(codes(await setOff([bill.id, bill.id, 999_999]))).toEqual([
      422,
      'invoiceIds.1 duplicate_key',
      'invoiceIds.2 unknown_reference',
    ])
    const other = await pair('Andere')
    expect(codes(await setOff([bill.id, other.credit.id]))).toEqual([422, 'invoiceIds.1 set_off_mixed'])
    const carrier = await world.carrier('Rest')
    const cases = [
      ['pay_not_approved', await world.invoice(carrier, { isApproved: false })],
      ['pay_amount_zero', await world.invoice(carrier, { amountCents: 0 })],
      ['currency', await world.invoice(carrier, { currency: 'PLN' })],
      ['pay_other_company', await world.invoice(carrier, { companyId: null })],
    ] as const
    const good = await world.invoice(carrier)
    for (const [reason, { id }] of cases)
      expect(codes(await setOff([good.id, id])), reason).toEqual([422, `invoiceIds.1 ${reason}`])
    const paid = await world.invoice(carrier)
    await made([paid.id])
    expect(codes(await setOff([good.id, paid.id]))).toEqual([422, 'invoiceIds.1 in_payment_run'])
    const small = await world.invoice(carrier, { amountCents: -1_00 })
    expect(codes(await setOff([good.id, small.id]))).toEqual([422, 'invoiceIds set_off_uneven'])
    expect(codes(await setOff([bill.id, credit.id], test.admin, { 'group-filter': '999999' }))).toEqual([
      422,
      'invoiceIds.0 unknown_reference',
      'invoiceIds.1 unknown_reference',
    ])
    for (const { id } of [bill, credit, good, small]) expect(await statusOf(id)).toBe('approved')
  })

  it('is proposed for what comes to the same, closes it without a run, and stands in the history', async () => {
    const { carrier, bill, credit } = await pair('Gleichstand')
    const proposed = async () =>
      (await proposal()).setOffs.filter(({ carrierCompany }) => carrierCompany.id === carrier.id)
    expect(await proposed()).toEqual([
      {
        carrierCompany: { id: carrier.id, title: 'Gleichstand' },
        invoices: expect.arrayContaining([
          { id: bill.id, title: 'R Gleichstand', totalCents: 120_00 },
          { id: credit.id, title: 'GS Gleichstand', totalCents: -120_00 },
        ]),
        totalCents: 120_00,
      },
    ])
    const runs = (await test.admin.get('payment-files')).body.total
    const done = await setOff([bill.id, credit.id])
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    expect((await test.admin.get('payment-files')).body.total).toBe(runs)
    for (const { id } of [bill, credit]) expect(await statusOf(id)).toBe('paid')
    expect(await proposed()).toEqual([])
    const history = (await test.admin.get(`audit-entries?invoiceId=${bill.id}`)).body
    expect(history.items).toContainEqual(expect.objectContaining({ action: 'setOff', reason: 'GS Gleichstand' }))
    expect(await booked(bill, credit)).toEqual([
      [120_00, true],
      [-120_00, true],
    ])
  })

  it('pairs a credit note with the invoice of its amount, and leaves the others', async () => {
    const { carrier, bill, credit } = await pair('Paar')
    await world.invoice(carrier, { amountCents: 77_00 })
    const found = (await proposal()).setOffs.filter(({ carrierCompany }) => carrierCompany.id === carrier.id)
    expect(found.map(({ invoices }) => invoices.map(({ id }) => id))).toEqual([[bill.id, credit.id]])
  })

  it('is taken back as a whole, with a reason, and can be made again', async () => {
    const { bill, credit } = await pair('Zurück')
    await setOff([bill.id, credit.id])
    expect(codes(await move(credit.id, { to: 'approved' }))).toEqual([422, 'reason reason_missing'])
    const back = await move(credit.id, { to: 'approved', reason: 'The wrong invoice' })
    expect(back.status, JSON.stringify(back.body)).toBe(200)
    for (const { id } of [bill, credit]) expect(await statusOf(id)).toBe('approved')
    expect((await setOff([bill.id, credit.id])).status).toBe(200)
    // And back once more; paid by hand then, it is a payment.
    expect((await move(bill.id, { to: 'approved', reason: 'The wrong invoice again' })).status).toBe(200)
    expect((await move(bill.id, { to: 'paid' })).status).toBe(200)
    const twice = [120_00, -120_00, 120_00, -120_00].map((cents) => [cents, true])
    expect(await booked(bill)).toEqual([...twice, [120_00, false]])
    expect(await booked(credit)).toEqual(twice.map(([cents]) => [-Number(cents), true]))
  })

  it('of the same by two people at once is done once', async () => {
    const { bill, credit } = await pair('Zugleich')
    const both = await Promise.all([setOff([bill.id, credit.id]), setOff([credit.id, bill.id])])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const { rows } = await test.database.pool.query('select 1 from set_off_item where "invoiceId" = $1', [bill.id])
    expect(rows).toHaveLength(1)
  })

  it('is held together by the database', async () => {
    const { bill, credit } = await pair('Halt')
    await setOff([bill.id, credit.id])
    const run = (statement: string) => test.database.pool.query(statement, [bill.id])
    await expect(run(`update invoice set status = 'approved' where id = $1`)).rejects.toThrow('is a whole')
    await expect(run('update set_off_item set "isValid" = false where "invoiceId" = $1')).rejects.toThrow('is a whole')
    await expect(run('delete from set_off_item where "invoiceId" = $1')).rejects.toThrow('permission denied')
  })
})

describe('a large credit note', () => {
  it('holds back what is due of its carrier and nothing else, though it is due later itself', async () => {
    const carrier = await world.carrier('Große Gutschrift')
    const due = await world.invoice(carrier, { amountCents: 300_00 })
    const credit = await world.invoice(carrier, { amountCents: -1000_00, iban: null, dueDate: '2027-03-31' })
    const later = await world.invoice(carrier, { amountCents: 2000_00, dueDate: '2027-03-15' })
    for (const { id } of [due, credit]) expect(await reasonOf(id)).toBe('credit_balance')
    const now = await proposal()
    expect([...now.items, ...now.leftOut].some(({ id }) => id === later.id)).toBe(false)
    const then = (await proposal('2027-03-20')).items.filter(({ carrierCompany }) => carrierCompany.id === carrier.id)
    expect(then.map(({ id }) => id).toSorted()).toEqual([due.id, credit.id, later.id].toSorted())
    expect((await made([due.id, credit.id, later.id])).payments.map(({ amountCents }) => amountCents)).toEqual([
      1300_00,
    ])
  })
})

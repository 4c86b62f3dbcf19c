import { sql } from 'kysely'
import type { BankEntry, BankStatement, ReadStatements } from '@waybill/contract/bank-statement/bank-statement'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestApp, type Answer, type Caller } from '../../../test/app.ts'
import { onlyLong } from '../../../test/model-runs.ts'
import { orderWorld, plainOrder, shipment, type OrderWorld } from '../../../test/order-examples.ts'
import { ibanOf, paymentWorld, type PaymentWorld } from '../../../test/payments/payment-examples.ts'
import { statementXml, type WrittenEntry } from '../../../test/payments/statement-xml.ts'
import { encodeForm } from '../../../test/upload.ts'
import { randomFrom } from '../../../test/long/writers.ts'

const test = useTestApp({ beginsOn: '2026-11-23T09:00:00Z' })
const OURS = 'DE89370400440532013000'
const PAYER = ibanOf('DE', 22, 4711)
let world: OrderWorld
let runs: PaymentWorld
let clerk: Caller
let count = 0

beforeAll(async () => {
  world = await orderWorld(test)
  runs = await paymentWorld(test)
  clerk = runs.clerk
})

const newCustomer = (more: Record<string, unknown> = {}) => {
  count += 1
  return world.customer(`Zahler ${count} GmbH`, 'DE', more)
}

interface Sent {
  id: number
  number: string
  companyId: number
  billingCustomerId: number
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

const send = async (
  file: string | Buffer,
  { caller = clerk, headers = {} }: { caller?: Caller; headers?: Record<string, string> } = {},
) => {
  const bytes = new Uint8Array(Buffer.from(file as string))
  const { body, contentType } = await encodeForm({ fields: {}, file: { name: 'camt053.xml', bytes } })
  return caller.post<ReadStatements & Answer['body']>('bank-statements', body, {
    headers: { 'content-type': contentType, ...headers },
  })
}

let written = 0
/** Reads a statement with these entries in; references are new each time. */
async function readIn(...entries: WrittenEntry[]): Promise<BankStatement> {
  written += 1
  const numbered = entries.map((entry, at) => ({ reference: `REF${written}-${at}`, ...entry }))
  const answer = await send(statementXml({ iban: OURS, entries: numbered, number: String(written) }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return statementNow(answer.body.statements[0]!.id)
}

const statementNow = async (id: number): Promise<BankStatement> => (await clerk.get(`bank-statements/${id}`)).body
const invoiceNow = async (id: number) => (await clerk.get(`invoices/${id}`)).body
const codes = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map((one: { path: string; code: string }) => `${one.path} ${one.code}`),
]

/** What a person books who takes a proposal as it is. */
const taken = ({ id, version, proposal }: BankEntry): object =>
  proposal!.action === 'payment'
    ? {
        action: 'payment',
        id,
        version,
        customerId: proposal!.customer!.id,
        shares: proposal!.shares.map(({ invoice, amountCents, skontoCents }) => ({
          invoiceId: invoice.id,
          amountCents,
          skontoCents,
        })),
      }
    : { action: proposal!.action, id, version, paymentFileId: proposal!.paymentFile!.id }

const book = (statement: BankStatement, ...entries: object[]) =>
  clerk.post<{ bookedCount: number } & Answer['body']>(`bank-statements/${statement.id}/book`, { entries })

const proposed = ({ proposal }: BankEntry) => [
  proposal!.verdict,
  proposal!.action,
  proposal!.reasons.map(({ code }) => code).join(' '),
]

describe('what is refused', () => {
  const one = statementXml({ iban: OURS, entries: [{ cents: 100 }] })
  const laughs = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>`

  it('is anything without the right to invoices', async () => {
    const stranger = (await test.userWith('ORDERS_MANAGEMENT')).caller
    for (const [caller, status] of [
      [test.anonymous, 401],
      [stranger, 403],
    ] as const) {
      expect((await send(one, { caller })).status).toBe(status)
      for (const path of ['bank-statements', 'bank-statements/1']) expect((await caller.get(path)).status).toBe(status)
      for (const path of ['bank-statements/1/book', 'bank-entries/1/set-aside', 'bank-entries/1/reopen'])
        expect((await caller.post(path, {})).status).toBe(status)
    }
  })

  it('is anything of a company that is not looked at', async () => {
    const statement = await readIn({ cents: 100 })
    const headers = { 'group-filter': '999999' }
    expect((await test.admin.get(`bank-statements/${statement.id}`, { headers })).status).toBe(404)
    expect((await test.admin.get('bank-statements', { headers })).body.items).toEqual([])
    expect(codes(await send(one, { caller: test.admin, headers }))).toEqual([422, 'file statement_not_ours'])
    const [entry] = statement.entries
    const set = { version: entry!.version, headers }
    expect((await test.admin.post(`bank-entries/${entry!.id}/set-aside`, { reason: 'x' }, set)).status).toBe(404)
    const body = { entries: [{ action: 'payment', id: entry!.id, version: 1, customerId: 1, shares: [] }] }
    expect((await test.admin.post(`bank-statements/${statement.id}/book`, body, { headers })).status).toBe(404)
  })

  it.each([
    ['a text', 'Umsatz;100,00', 'statement_unknown'],
    ['an end that is missing', one.slice(0, -30), 'statement_broken'],
    ['a billion laughs', one.replace('?>\n', `?>\n${laughs}`).replace('MSG-231', '&b;'), 'statement_unsafe'],
    ['elements in each other', `${'<a>'.repeat(70)}${'</a>'.repeat(70)}`, 'statement_too_heavy'],
    [
      'more entries than are taken',
      statementXml({ iban: OURS, entries: Array.from({ length: 5001 }, (_, at) => ({ cents: at + 1 })) }),
      'statement_too_heavy',
    ],
    ...onlyLong<[string, string | Buffer, string]>(() => [
      ['another message', one.replaceAll('camt.053', 'camt.052'), 'statement_unknown'],
      ['a ZIP', Buffer.from('PK\u0003\u0004abc'), 'statement_unknown'],
      ['bytes that are no UTF-8', Buffer.from(one.replace('MSG-', 'MÜSG-'), 'latin1'), 'statement_broken'],
      ['a file from outside', one.replace('?>\n', '?>\n<!DOCTYPE x SYSTEM "file:///etc/passwd">'), 'statement_unsafe'],
      ['an account without IBAN', one.replace(/<IBAN>[^<]*<\/IBAN>/, ''), 'statement_incomplete'],
      ['a day that is none', one.replace(/<BookgDt>.*?<\/ValDt>/, ''), 'statement_incomplete'],
      ['24 MB of nothing', one.replace('<Stmt>', `<Stmt>${'<Id/>'.repeat(4_800_000)}`), 'statement_too_heavy'],
    ]),
    ['an account that is not ours', one.replace(OURS, ibanOf('DE', 22, 1)), 'statement_not_ours'],
    ['zloty', statementXml({ iban: OURS, entries: [{ cents: 100 }], currency: 'PLN' }), 'statement_not_euro'],
    ['an amount that is none', one.replace('>1.00<', '>1,00<'), 'statement_incomplete'],
  ])(
    'is %s, in time',
    async (_what, file, code) => {
      expect(codes(await send(file))).toEqual([422, `file ${code}`])
    },
    60_000,
  )

  it('is an account that two of our companies have on their record', async () => {
    const iban = ibanOf('DE', 22, 8150)
    const countryId = await test.idOf('country', 'code', 'DE')
    for (const code of ['ONE', 'TWO']) {
      const made = await test.admin.post('companies', {
        title: `Fracht ${code}`,
        code,
        timeZone: 'Europe/Berlin',
        invoiceNumberPattern: `${code}-{YYYY}-{NNNN}`,
        countryId,
        bankAccounts: [{ bankName: 'Hausbank', iban }],
      })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
    }
    const file = statementXml({ iban, entries: [{ cents: 100 }] })
    expect(codes(await send(file))).toEqual([422, 'file statement_shared'])
  })

  it('is more than an invoice wants, an entry twice, a foreign or changed one, and money that went', async () => {
    const customerId = await newCustomer()
    const invoice = await sentInvoice(customerId, 1000)
    const statement = await readIn({ cents: 2000 }, { cents: -700 })
    const other = await readIn({ cents: 3000 })
    const [entry, out] = statement.entries
    const one = { action: 'payment', id: entry!.id, version: entry!.version, customerId, shares: [] as object[] }
    const share = (amountCents: number) => ({ invoiceId: invoice.id, amountCents })
    const refused = async (...entries: object[]) => codes(await book(statement, ...entries))
    expect(await refused({ ...one, shares: [share(1001)] })).toEqual([
      422,
      'entries.0.shares.0.amountCents exceeds_open',
    ])
    expect(await refused({ ...one, shares: [share(1000), share(1000)] })).toEqual([
      422,
      'entries.0.shares.1.invoiceId duplicate_key',
    ])
    expect(await refused(one, one)).toEqual([422, 'entries.1.id duplicate_key'])
    expect(await refused({ ...one, id: other.entries[0]!.id })).toEqual([422, 'entries.0.id unknown_reference'])
    expect(await refused({ ...one, version: 7 })).toEqual([422, 'entries.0.version entry_changed'])
    expect(await refused({ ...one, id: out!.id })).toEqual([422, 'entries.0.action invalid_value'])
    expect(await refused({ action: 'run', id: out!.id, version: 1, paymentFileId: 1 })).toEqual([
      422,
      'entries.0.paymentFileId unknown_reference',
    ])
    // One refused entry refuses all of them.
    const good = { ...one, shares: [share(1000)] }
    expect((await book(statement, good, { ...one, id: out!.id })).status).toBe(422)
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'sent', openCents: 1000 })
    expect((await book(statement, good)).body).toEqual({ bookedCount: 1 })
    expect(await refused(good)).toEqual([422, 'entries.0.version entry_changed'])
  })

  it('is by the database an entry that changes, and one that is booked as another amount', {
    tags: 'long',
  }, async () => {
    const { db } = test.database
    const statement = await readIn({ cents: 1234 })
    const [entry] = statement.entries
    const customerId = await newCustomer()
    await book(statement, { action: 'payment', id: entry!.id, version: 1, customerId, shares: [] })
    const { rows } = await sql<{
      paymentId: number
    }>`select "paymentId" from bank_entry where id = ${entry!.id}`.execute(db)
    const [another] = (await readIn({ cents: 99 })).entries
    await expect(
      sql`update bank_entry set "amountCents" = 1 where id = ${another!.id}`.execute(db),
    ).rejects.toMatchObject({ constraint: 'conflict__bank_entry_kept' })
    await expect(
      sql`update bank_entry set status = 'booked', "settledAt" = now(), "paymentId" = ${rows[0]!.paymentId}
        where id = ${another!.id}`.execute(db),
    ).rejects.toMatchObject({ constraint: 'conflict__bank_entry_booked' })
  })
})

describe('a file', () => {
  it('brings its entries once, whatever other file they come with', async () => {
    const entries: WrittenEntry[] = [
      { cents: 4711, reference: 'ONCE-1', remittance: 'erste' },
      { cents: 815, reference: null, remittance: 'ohne Referenz' },
      { cents: 815, reference: null, remittance: 'ohne Referenz' },
      { cents: 1, isPending: true },
    ]
    const first = statementXml({ iban: OURS, entries, number: '900' })
    const { body } = await send(first)
    expect(body.statements).toMatchObject([{ newCount: 3, knownCount: 0, pendingCount: 1 }])
    const again = await send(first)
    expect(again.body.statements).toMatchObject([{ id: body.statements[0]!.id, newCount: 0, knownCount: 3 }])
    const wider = statementXml({ iban: OURS, entries: [...entries, { cents: 5, reference: 'ONCE-2' }], number: '901' })
    const both = await Promise.all([send(wider), send(`${wider} `)])
    const counts = both.map((answer) => answer.body.statements[0]!.newCount).sort()
    expect(counts).toEqual([0, 1])
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from bank_entry
      where remittance in ('erste', 'ohne Referenz')`.execute(test.database.db)
    expect(rows[0]!.count).toBe(3)
    expect((await clerk.get('bank-statements')).body.items[0]).toMatchObject({
      knownCount: 3,
      entryCount: 4,
      openCount: 1,
    })
  })

  it('of a day on which nothing moved is kept with its balances', async () => {
    const { status, body } = await send(statementXml({ iban: OURS, entries: [], number: '902' }))
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.statements).toMatchObject([{ newCount: 0, knownCount: 0, pendingCount: 0 }])
    expect(await statementNow(body.statements[0]!.id)).toMatchObject({
      entries: [],
      entryCount: 0,
      knownCount: 0,
      openCount: 0,
      openingCents: 1_000_000,
      closingCents: 1_000_000,
      isBalanced: true,
    })
  })

  it('that follows another brings what looks the same as a movement of its own, and brings it once', {
    tags: 'long',
    timeout: 90_000,
  }, async () => {
    const same: WrittenEntry = { cents: 81_500, reference: null, remittance: 'Rate November', name: 'Doppel GmbH' }
    const day = (number: string, openingCents: number, ...entries: WrittenEntry[]) =>
      statementXml({ iban: OURS, entries, number, openingCents })
    const countsOf = async (file: string) =>
      (await send(file)).body.statements.map((one: ReadStatements['statements'][number]) => [
        one.newCount,
        one.knownCount,
      ])
    const files = [0, 1, 2].map((at) => day(`92${at}`, 5_000_000 + at * 81_500, same))
    for (const file of files) expect(await countsOf(file)).toEqual([[1, 0]])
    // Each again, as another file of the bank, and a longer one of all three.
    for (const file of files) expect(await countsOf(`${file} `)).toEqual([[0, 1]])
    expect(await countsOf(day('929', 5_000_000, same, same, same))).toEqual([[0, 3]])
    // The balances go on, and the days say that it is no later one.
    const earlier = day('923', 5_244_500, same).replaceAll('2026-11-23T', '2026-11-22T')
    expect(await countsOf(earlier)).toEqual([[0, 1]])
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from bank_entry
      where remittance = 'Rate November'`.execute(test.database.db)
    expect(rows[0]!.count).toBe(3)
  })

  it('with two statements of an account brings what is the same on both twice, and once however often', {
    tags: 'long',
    timeout: 90_000,
  }, async () => {
    const entry: WrittenEntry = { cents: 7_700, reference: 'SAMMEL', remittance: 'zwei gleiche' }
    const [one, other] = ['941', '942'].map((number) => statementXml({ iban: OURS, entries: [entry], number }))
    const second = /<Stmt>.*<\/Stmt>/s.exec(other!)![0]
    const both = one!.replace('</Stmt>', `</Stmt>${second}`)
    expect((await send(both)).body.statements).toMatchObject([{ newCount: 1 }, { newCount: 1 }])
    expect((await send(`${both} `)).body.statements).toMatchObject([{ newCount: 0 }, { newCount: 0 }])
    expect((await send(`${other} `)).body.statements).toMatchObject([{ newCount: 0 }])
  })

  it('without balances keeps what looks the same as another, and asks which of both it is', {
    tags: 'long',
    timeout: 90_000,
  }, async () => {
    const customerId = await newCustomer()
    const [first, second] = [await sentInvoice(customerId, 6_600), await sentInvoice(customerId, 6_600)]
    const same: WrittenEntry = { cents: 6_600, reference: null, remittance: `Rechnung ${first.number}`, name: 'X' }
    const bare = (number: string, ...entries: WrittenEntry[]) =>
      statementXml({ iban: OURS, entries, number, isBare: true })
    const countsOf = async (file: string) => {
      const [one] = (await send(file)).body.statements
      return [one!.newCount, one!.knownCount, one!.doubtfulCount]
    }
    expect(await countsOf(bare('951', same))).toEqual([1, 0, 0])
    // The same file, and the same statement fetched once more, bring nothing.
    expect(await countsOf(bare('951', same))).toEqual([0, 1, 0])
    expect(await countsOf(`${bare('951', same)} `)).toEqual([0, 1, 0])
    const { body } = await send(bare('952', same, { cents: 1, reference: null, remittance: 'anderes' }))
    expect(body.statements).toMatchObject([{ newCount: 2, knownCount: 0, doubtfulCount: 1 }])
    const statement = await statementNow(body.statements[0]!.id)
    // Its number and amount fit, and still nobody books it without looking.
    expect(proposed(statement.entries[0]!)).toEqual(['likely', 'payment', 'maybe_known number_named amount_fits'])
    expect(statement.entries[0]!.proposal!.reasons[0]).toMatchObject({ text: '951' })
    expect(statement.entries[1]!.proposal!.reasons.map(({ code }) => code)).not.toContain('maybe_known')
    // The customer had paid twice: what came second goes where a person says.
    const { items } = (await clerk.get('bank-statements')).body
    const before = await statementNow(items.find((one: BankStatement) => one.number === '951').id)
    expect((await book(before, taken(before.entries[0]!))).status).toBe(200)
    const [doubtful] = (await statementNow(statement.id)).entries
    expect(proposed(doubtful!)).toEqual(['open', 'payment', 'maybe_known already_paid'])
    const shares = [{ invoiceId: second.id, amountCents: 6_600 }]
    const chosen = { action: 'payment', id: doubtful!.id, version: doubtful!.version, customerId, shares }
    expect((await book(statement, chosen)).status).toBe(200)
    for (const { id } of [first, second]) expect((await invoiceNow(id)).status).toBe('paid')
    // Once more in another file: it may be either of them. Two of the same are at least one more than one.
    expect(await countsOf(bare('953', same))).toEqual([1, 0, 1])
    expect(await countsOf(bare('954', same, same, same, same))).toEqual([4, 0, 3])
  })

  it('without balances is believed where the bank’s own reference says that an entry came before', {
    tags: 'long',
    timeout: 90_000,
  }, async () => {
    const own: WrittenEntry = { cents: 4_400, reference: 'EIGEN-1', remittance: 'mit Referenz' }
    const bare = (number: string, ...entries: WrittenEntry[]) =>
      statementXml({ iban: OURS, entries, number, isBare: true })
    expect((await send(bare('961', own))).body.statements).toMatchObject([{ newCount: 1 }])
    expect((await send(bare('962', own))).body.statements).toMatchObject([{ newCount: 0, doubtfulCount: 0 }])
    // A reference that stands on several entries says nothing.
    const shared = [own, { ...own, cents: 100 }]
    expect((await send(bare('963', ...shared))).body.statements).toMatchObject([{ newCount: 2, doubtfulCount: 1 }])
  })

  it('of 2009 is read as one of 2019 is, and its batch is split into its parts', { tags: 'long' }, async () => {
    const parts: WrittenEntry[] = [
      { cents: 1000, name: 'Zahler A', iban: PAYER, remittance: ['WB-2026', '-00001'], endToEndId: 'E1' },
      { cents: 500, name: 'Zahler B', remittance: 'B' },
    ]
    for (const version of ['02', '08'] as const) {
      const reference = `BATCH${version}`
      const batch = { cents: 1500, reference, parts }
      const untold = { cents: 300, reference: `${reference}U`, parts, isUntold: true }
      const xml = statementXml({ iban: OURS, entries: [batch, untold], version, number: `1${version}` })
      const { body } = await send(xml)
      const { entries, isBalanced } = await statementNow(body.statements[0]!.id)
      expect(isBalanced).toBe(true)
      expect(entries).toMatchObject([
        { amountCents: 1000, partnerName: 'Zahler A', partnerIbanTail: PAYER.slice(-4), remittance: 'WB-2026 -00001' },
        { amountCents: 500, partnerName: 'Zahler B', remittance: 'B' },
        { amountCents: 300, partnerName: null, remittance: 'WB-2026 -00001 B' },
      ])
    }
  })
})

describe('what is proposed', () => {
  it('is booked when a person says so: in part, in full with Skonto, and too much onto the account', async () => {
    const customerId = await newCustomer({ skonto: [{ percentBp: 200, days: 10 }] })
    const [first, second] = [await sentInvoice(customerId, 100_000), await sentInvoice(customerId, 50_000)]
    const statement = await readIn(
      { cents: 40_000, remittance: `Teil ${first.number}`, iban: PAYER },
      { cents: 49_000, remittance: second.number.replaceAll('-', ' '), iban: PAYER },
      { cents: 777, remittance: 'Danke', iban: PAYER },
    )
    const [part, full, rest] = statement.entries
    expect([part!, full!, rest!].map(proposed)).toEqual([
      ['likely', 'payment', 'number_named part_payment'],
      ['certain', 'payment', 'number_named amount_fits_skonto'],
      ['open', 'payment', 'nothing_found'],
    ])
    expect(await invoiceNow(second.id)).toMatchObject({ status: 'sent', openCents: 50_000 })
    expect((await book(statement, taken(part!), taken(full!))).body).toEqual({ bookedCount: 2 })
    expect(await invoiceNow(first.id)).toMatchObject({ status: 'sent', openCents: 60_000 })
    expect(await invoiceNow(second.id)).toMatchObject({ status: 'paid', openCents: 0 })
    const { items, skontoCents } = (await clerk.get(`invoices/${second.id}/payments`)).body
    expect([skontoCents, items[0]]).toMatchObject([1000, { source: 'statement', valueDate: '2026-11-23' }])

    // The account is known from now on.
    const [, , third] = (await statementNow(statement.id)).entries
    expect(third!.proposal).toMatchObject({ verdict: 'open', customer: { id: customerId }, accountCents: 777 })
    await book(statement, { action: 'payment', id: third!.id, version: third!.version, customerId, shares: [] })
    const payments = (await clerk.get(`invoices/${first.id}/payments`)).body
    expect(payments.creditCents).toBe(777)
    const next = await readIn({ cents: 60_000, remittance: 'ohne Nummer', iban: PAYER })
    expect(proposed(next.entries[0]!)).toEqual(['likely', 'payment', 'account_known amount_only amount_fits'])
  })

  it('is opened again with its reason, the payment is reversed, and what was learned is forgotten', {
    tags: 'long',
  }, async () => {
    const account = ibanOf('AT', 20, 99)
    const invoice = await sentInvoice(await newCustomer(), 5000)
    const statement = await readIn({ cents: 5000, remittance: invoice.number, iban: account })
    await book(statement, taken(statement.entries[0]!))
    const [booked] = (await statementNow(statement.id)).entries
    expect(booked).toMatchObject({ status: 'booked', proposal: null, invoices: [{ title: invoice.number }] })
    const reopen = (version: number) =>
      clerk.post(`bank-entries/${booked!.id}/reopen`, { reason: 'Falscher Kunde' }, { version })
    expect(await reopen(1)).toMatchObject({ status: 409, body: { code: 'stale_version', current: booked } })
    expect((await reopen(booked!.version)).status).toBe(200)
    expect(await invoiceNow(invoice.id)).toMatchObject({ status: 'sent', openCents: 5000 })
    const { rows } = await sql`select 1 from payer_account where iban = ${account}`.execute(test.database.db)
    expect(rows).toEqual([])
    const [open] = (await statementNow(statement.id)).entries
    expect(proposed(open!)[0]).toBe('certain')
    const aside = await clerk.post(
      `bank-entries/${open!.id}/set-aside`,
      { reason: 'Umbuchung zwischen unseren Konten' },
      { version: open!.version },
    )
    expect(aside.status).toBe(200)
    expect((await statementNow(statement.id)).entries[0]).toMatchObject({ status: 'set_aside', proposal: null })
  })

  it('is booked with the day on which the bank values it, which may still come', { tags: 'long' }, async () => {
    const invoice = await sentInvoice(await newCustomer(), 5000)
    const statement = await readIn({ cents: 5000, remittance: invoice.number, valueDate: '2026-11-24' })
    expect((await book(statement, taken(statement.entries[0]!))).status).toBe(200)
    expect((await clerk.get(`invoices/${invoice.id}/payments`)).body.items).toMatchObject([{ valueDate: '2026-11-24' }])
  })

  it('tells a payment by hand from one that is missing', { tags: 'long' }, async () => {
    const invoice = await sentInvoice(await newCustomer(), 5000)
    const { companyId, billingCustomerId: customerId } = invoice
    const shares = [{ invoiceId: invoice.id, amountCents: 5000 }]
    await clerk.post('payments', { companyId, customerId, valueDate: '2026-11-23', amountCents: 5000, shares })
    const statement = await readIn({ cents: 5000, remittance: `RE ${invoice.number}` })
    expect(proposed(statement.entries[0]!)).toEqual(['open', 'payment', 'already_paid'])
  })
})

describe('a payment run', () => {
  async function madeRun() {
    const [one, other] = [await runs.carrier(`Brda ${(count += 1)}`), await runs.carrier(`Wda ${(count += 1)}`)]
    const invoices = [await runs.invoice(one), await runs.invoice(other, { amountCents: 20_000 })]
    const made = await clerk.post('payment-files', {
      invoiceIds: invoices.map(({ id }) => id),
      debtorBankId: runs.debtorBankId,
      executionDate: '2026-12-09',
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { rows } = await sql<{ id: string; cents: number }>`select "endToEndId" as id, "amountCents" as cents
      from payment_file_payment where "paymentFileId" = ${made.body.id} order by position`.execute(test.database.db)
    return { run: made.body, invoices, payments: rows }
  }
  const runNow = async (id: number) => (await clerk.get(`payment-files/${id}`)).body

  it('is confirmed by the one entry of it, and a payment of it that comes back is named', {
    tags: 'long',
  }, async () => {
    const { run, invoices, payments } = await madeRun()
    const statement = await readIn(
      { cents: -run.totalCents, messageId: run.messageId },
      { cents: payments[0]!.cents, endToEndId: payments[0]!.id, returnCode: 'AC04', name: 'Brda', iban: PAYER },
      { cents: -run.totalCents - 1, messageId: run.messageId },
    )
    const [out, back, wrong] = statement.entries
    expect([out!, back!, wrong!].map(proposed)).toEqual([
      ['certain', 'run', 'run_named'],
      ['certain', 'return', 'run_returned return_reason'],
      ['open', null, 'run_named run_amount_differs'],
    ])
    expect(await runNow(run.id)).toMatchObject({ status: 'made' })
    const answer = await book(statement, taken(out!), taken(back!))
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(await runNow(run.id)).toMatchObject({ status: 'confirmed', returnedCount: 1 })
    expect([(await invoiceNow(invoices[0]!.id)).status, (await invoiceNow(invoices[1]!.id)).status]).toEqual([
      'approved',
      'paid',
    ])
    const [booked] = (await statementNow(statement.id)).entries
    expect(booked!.paymentFile).toMatchObject({ id: run.id })
    const reopened = await clerk.post(
      `bank-entries/${booked!.id}/reopen`,
      { reason: 'x' },
      { version: booked!.version },
    )
    expect(reopened.status).toBe(409)
    // What the bank has said is no mistake of a person.
    const { version } = await runNow(run.id)
    const takenBack = await clerk.post(
      `payment-files/${run.id}/take-return-back`,
      { invoiceId: invoices[0]!.id, reason: 'x' },
      { version },
    )
    expect([takenBack.status, takenBack.body.errors]).toMatchObject([409, [{ code: 'returned_by_statement' }]])
    expect((await invoiceNow(invoices[0]!.id)).status).toBe('approved')
  })

  it('is confirmed once the last of its payments has left', { tags: 'long' }, async () => {
    const { run, payments } = await madeRun()
    const entries = payments.map(({ id, cents }) => ({ cents: -cents, endToEndId: id }))
    const statement = await readIn(...entries)
    await book(statement, taken(statement.entries[0]!))
    expect(await runNow(run.id)).toMatchObject({ status: 'made' })
    await book(statement, taken(statement.entries[1]!))
    expect(await runNow(run.id)).toMatchObject({ status: 'confirmed' })
  })
})

it('puts every cent of every payment on an invoice or on the customer’s account', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  const seed = Number(process.env.STATEMENT_SEED ?? 20261123)
  const random = randomFrom(seed)
  const customers = [await newCustomer({ skonto: [{ percentBp: 300, days: 10 }] }), await newCustomer()]
  const invoices: (Sent & { cents: number })[] = []
  for (let at = 0; at < 8; at += 1) {
    const cents = 1000 + random(90_000)
    invoices.push({ ...(await sentInvoice(customers[at % 2]!, cents)), cents })
  }
  const entries = Array.from({ length: 30 }, (): WrittenEntry => {
    const { cents, number } = invoices[random(invoices.length)]!
    const other = invoices[random(invoices.length)]!
    const kind = random(5)
    if (kind === 0) return { cents, remittance: number }
    if (kind === 1) return { cents: Math.max(1, random(cents)), remittance: number, iban: PAYER }
    if (kind === 2) return { cents: Math.round(cents * 0.97), remittance: number }
    if (kind === 3) return { cents: cents + other.cents, remittance: `${number} ${other.number}` }
    return { cents: cents + random(500), remittance: number }
  })
  const { id } = await readIn(...entries)
  let came = 0
  // What one booking leaves is what the next proposal is about.
  for (;;) {
    const statement = await statementNow(id)
    const open = statement.entries.filter(({ status }) => status === 'open')
    if (open.length === 0) break
    const entry = open[random(open.length)]!
    const isProposed = entry.proposal!.customer !== null
    const wanted = isProposed
      ? taken(entry)
      : { action: 'payment', id: entry.id, version: entry.version, customerId: customers[random(2)]!, shares: [] }
    const answer = await book(statement, wanted)
    expect(answer.status, `seed ${seed}: ${JSON.stringify(answer.body)}`).toBe(200)
    came += entry.amountCents
    const { rows } = await sql<{ placed: number; account: number; payments: number }>`
      select (select coalesce(sum("paidCents"), 0) from receivable where "customerId" = any(${customers}))::bigint
          as placed,
        (select coalesce(sum("balanceCents"), 0) from customer_account where "customerId" = any(${customers}))::bigint
          as account,
        (select coalesce(sum(p."amountCents"), 0) from bank_entry e join payment p on p.id = e."paymentId"
          where e."statementId" = ${id})::bigint as payments
    `.execute(test.database.db)
    const { placed, account, payments } = rows[0]!
    expect([placed + account, payments], `seed ${seed}`).toEqual([came, came])
  }
  expect(came).toBe(entries.reduce((sum, { cents }) => sum + cents, 0))
})

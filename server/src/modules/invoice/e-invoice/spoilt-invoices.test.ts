// Invoices with one thing wrong each, sent as somebody would: refused before a number is given, in the language of who
// sends, at the field that mends it. The rules themselves are tried one by one in the contract.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '@waybill/contract/errors'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { readyCompany, readyCustomer } from '../../../../test/e-invoices/generated-invoices.ts'
import { enterRate, newCustomer, polishCompany } from '../../../../test/ksef/polish-company.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'
import { onlyLong } from '../../../../test/model-runs.ts'

const app = useTestApp()
let clerk: Caller
let german: number
let polish: number

/** Each spoilt invoice that was refused: what it was, and by which rule at which field. */
const refused: { invoice: string; format: string; 'refused by': string; at: string }[] = []
const LEAST_DIFFERENT = 60

beforeAll(async () => {
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  german = (await readyCompany(app)).id
  polish = (await polishCompany(app)).id
  await enterRate(app)
  for (const code of ['UK', 'EU'])
    await app.admin.post('countries', { title: code, code, isEu: false, standardVatBp: 0, timeZone: 'Europe/London' })
})

afterAll(() => console.table(refused))

interface Spoilt {
  rule: string
  /** where the refusal leads to */
  path: string
  format?: 'zugferd' | 'xrechnungCii' | 'xrechnungUbl'
  line?: object
  lines?: object[]
  /** columns of the records, as they may have been before a rule was made */
  customer?: Record<string, string | null>
  company?: Record<string, string | null>
  /** columns of the draft, and of its first line, as a fault of ours could leave them */
  invoice?: Record<string, unknown>
  firstLine?: Record<string, unknown>
  /** of the first group of VAT: added, in cents */
  group?: { netCents?: number; vatCents?: number; note?: null }
  /** what the customer is, beside what each format needs */
  kind?: 'abroad' | 'billedElsewhere'
  /** a statement about what belongs to our company */
  spoil?: string
}

const LINE = { text: 'Fracht', unitPriceCents: 118_000, vatBp: 1900, vatCategory: 'S' }
const contactWithout = (field: string, value: string | null = null) =>
  JSON.stringify({ fullName: 'Jana Petersen', phone: '+49 40 5550', email: 'a@elbtor.example', [field]: value })

const untaxed = (vatCategory: string) => ({ ...LINE, vatBp: 0, vatCategory })
const OF = { Z: untaxed('Z'), E: untaxed('E'), AE: untaxed('AE'), O: untaxed('O') }
let abroad = 0
/** A customer that may be billed under reverse charge: no two have one number. */
const ofAustria = () => {
  abroad += 1
  return { vatNumber: `ATU${12_345_670 + abroad}` }
}
const BILLED_ELSEWHERE = {
  title: 'Rechnungsstelle',
  address: 'Am Markt 2',
  postal: '79650',
  city: 'Schopfheim',
  countryId: null as number | null,
}

const SPOILT: Spoilt[] = [
  { rule: 'BR-DE-15', path: 'customer.buyerReference', customer: { buyerReference: null } },
  { rule: 'BR-DE-15', path: 'customer.buyerReference', customer: { buyerReference: null }, format: 'xrechnungCii' },
  { rule: 'Leitweg-ID', path: 'customer.buyerReference', customer: { buyerReference: '04011000-1234512345-16' } },
  { rule: 'Leitweg-ID', path: 'customer.eInvoiceAddress', customer: { eInvoiceAddress: '04011000-1234512345-07' } },
  { rule: 'PEPPOL-EN16931-R010', path: 'customer.eInvoiceAddress', customer: { eInvoiceAddress: null } },
  { rule: 'BR-CL-25', path: 'customer.eInvoiceScheme', customer: { eInvoiceScheme: '9999' } },
  { rule: 'BR-DE-8', path: 'customer.city', customer: { city: null } },
  { rule: 'BR-DE-9', path: 'customer.postal', customer: { postal: null } },
  { rule: 'BR-CO-09', path: 'customer.vatNumber', customer: { vatNumber: '136695976' }, format: 'zugferd' },
  { rule: 'BR-DE-3', path: 'company.city', company: { city: null } },
  { rule: 'BR-DE-4', path: 'company.postal', company: { postal: null } },
  { rule: 'BR-DE-5', path: 'company.eInvoiceContact.fullName', company: { eInvoiceContact: null } },
  {
    rule: 'BR-DE-6',
    path: 'company.eInvoiceContact.phone',
    company: { eInvoiceContact: contactWithout('phone') },
  },
  {
    rule: 'BR-DE-27',
    path: 'company.eInvoiceContact.phone',
    company: { eInvoiceContact: contactWithout('phone', '12') },
  },
  {
    rule: 'BR-DE-7',
    path: 'company.eInvoiceContact.email',
    company: { eInvoiceContact: contactWithout('email') },
  },
  {
    rule: 'BR-DE-28',
    path: 'company.eInvoiceContact.email',
    company: { eInvoiceContact: contactWithout('email', 'a@b@c') },
  },
  { rule: 'PEPPOL-EN16931-R020', path: 'company.eInvoiceAddress', company: { eInvoiceAddress: null } },
  { rule: 'BR-CL-25', path: 'company.eInvoiceScheme', company: { eInvoiceScheme: '9999' } },
  { rule: 'BR-CO-09', path: 'company.vatNumber', company: { vatNumber: '811907980' }, format: 'zugferd' },
  {
    rule: 'BR-CO-26',
    path: 'company.register',
    company: { register: null },
    line: { vatBp: 0, vatCategory: 'O' },
  },
  {
    rule: 'BR-DE-16',
    path: 'company.taxNumber',
    company: { taxNumber: null },
    line: { vatBp: 0, vatCategory: 'O' },
  },
  { rule: 'BR-61', path: 'company.bankAccounts', spoil: 'delete from company_bank_account', format: 'zugferd' },
  { rule: 'BR-S-05', path: 'lines.0.vatBp', line: { vatBp: 0 }, format: 'zugferd' },
  { rule: 'BR-E-05', path: 'lines.0.vatBp', line: { vatCategory: 'E' }, format: 'zugferd' },
  {
    rule: 'BR-O-12',
    path: 'lines.1.vatCategory',
    lines: [LINE, { ...LINE, vatBp: 0, vatCategory: 'O' }],
    format: 'zugferd',
  },
  { rule: 'BR-O-12', path: 'lines.0.vatCategory', lines: [OF.O, LINE], format: 'xrechnungCii' },
  { rule: 'BR-Z-05', path: 'lines.0.vatBp', line: { vatCategory: 'Z' }, format: 'xrechnungCii' },
  { rule: 'BR-O-05', path: 'lines.0.vatBp', line: { vatCategory: 'O' } },
  { rule: 'BR-AE-05', path: 'lines.0.vatBp', line: { vatCategory: 'AE' }, kind: 'abroad', format: 'zugferd' },
  { rule: 'BR-S-05', path: 'lines.1.vatBp', lines: [LINE, { ...LINE, vatBp: 0 }], format: 'xrechnungCii' },
  { rule: 'BR-06', path: 'company.title', company: { title: '' }, format: 'zugferd' },
  { rule: 'BR-07', path: 'customer.title', customer: { title: ' ' }, format: 'zugferd' },
  { rule: 'BR-62', path: 'company.eInvoiceScheme', company: { eInvoiceScheme: null }, format: 'xrechnungCii' },
  { rule: 'BR-63', path: 'customer.eInvoiceScheme', customer: { eInvoiceScheme: null }, format: 'xrechnungCii' },
  {
    rule: 'BR-61',
    path: 'company.bankAccounts',
    spoil: `update company_bank_account set iban = 'DE89370400440532013001'`,
    format: 'xrechnungCii',
  },
  { rule: 'BR-CO-09', path: 'customer.vatNumber', customer: { vatNumber: 'UK136695976' } },
  { rule: 'BR-CO-09', path: 'company.vatNumber', company: { vatNumber: 'de811907980' }, format: 'xrechnungCii' },
  { rule: 'BR-CL-14', path: 'customer.countryId', customer: { countryId: 'UK' }, format: 'zugferd' },
  { rule: 'BR-CL-14', path: 'company.countryId', company: { countryId: 'EU' }, format: 'xrechnungCii' },
  { rule: 'BR-CO-26', path: 'company.register', company: { vatNumber: null, register: null } },
  ...(['S', 'Z', 'E', 'AE'] as const).map(
    (category, index): Spoilt => ({
      rule: `BR-${category}-02`,
      path: 'company.vatNumber',
      company: { vatNumber: null, taxNumber: null },
      lines: [category === 'S' ? LINE : OF[category]],
      kind: 'abroad',
      format: index % 2 === 0 ? 'zugferd' : 'xrechnungCii',
    }),
  ),
  {
    rule: 'BR-DE-9',
    path: 'customer.billingAddress.postal',
    kind: 'billedElsewhere',
    customer: { billingAddress: JSON.stringify({ ...BILLED_ELSEWHERE, postal: null }) },
    format: 'xrechnungCii',
  },
  {
    rule: 'BR-DE-8',
    path: 'customer.billingAddress.city',
    kind: 'billedElsewhere',
    customer: { billingAddress: JSON.stringify({ ...BILLED_ELSEWHERE, city: null }) },
  },
  ...[
    ['R040', '0088', '4012345000008'],
    ['R041', '0192', '923609017'],
    ['R043', '0208', '0403170710'],
    ['R049', '0007', '5560360794'],
  ].map(
    ([rule, scheme, address], index): Spoilt => ({
      rule: `PEPPOL-COMMON-${rule}`,
      path: 'customer.eInvoiceAddress',
      customer: { eInvoiceScheme: scheme!, eInvoiceAddress: address! },
      format: index % 2 === 0 ? 'xrechnungUbl' : 'xrechnungCii',
    }),
  ),
  {
    rule: 'PEPPOL-COMMON-R040',
    path: 'company.eInvoiceAddress',
    company: { eInvoiceScheme: '0088', eInvoiceAddress: '401234500000' },
  },
  { rule: 'BR-25', path: 'lines.0.text', firstLine: { text: ' ' }, format: 'zugferd' },
  { rule: 'PEPPOL-EN16931-R120', path: 'lines.0.unitPriceCents', firstLine: { unitPriceCents: 117_990 } },
  {
    rule: 'BR-29',
    path: 'servicePeriodTo',
    invoice: { servicePeriodFrom: '2026-11-21', servicePeriodTo: '2026-11-20' },
    format: 'xrechnungCii',
  },
  { rule: 'BR-CO-10', path: 'lines', invoice: { amountCents: 118_001, totalCents: 140_421 }, format: 'zugferd' },
  { rule: 'BR-CO-14', path: 'lines', invoice: { vatCents: 22_421, totalCents: 140_421 } },
  {
    rule: 'BR-CO-17',
    path: 'lines',
    group: { vatCents: 1 },
    invoice: { vatCents: 22_421, totalCents: 140_421 },
    format: 'xrechnungCii',
  },
  { rule: 'BR-CO-18', path: 'lines', invoice: { vatGroups: '[]' }, format: 'zugferd' },
  { rule: 'BR-S-08', path: 'lines', group: { netCents: 1 } },
  ...(['Z', 'E', 'AE', 'O'] as const).map(
    (category, index): Spoilt => ({
      rule: `BR-${category}-08`,
      path: 'lines',
      lines: [OF[category]],
      kind: 'abroad',
      group: { netCents: -1 },
      format: index % 2 === 0 ? 'xrechnungCii' : 'zugferd',
    }),
  ),
  { rule: 'BR-E-10', path: 'lines.0.vatCategory', lines: [OF.E], group: { note: null } },
]

/** Writes columns; a country is named by its code. */
async function set(table: string, id: number, values: Record<string, unknown>) {
  const names = Object.keys(values)
  const columns = names.map((name, index) => `"${name}" = $${index + 2}`)
  const given = await Promise.all(
    names.map((name) =>
      name === 'countryId' && typeof values[name] === 'string' && /^[A-Z]+$/.test(values[name])
        ? app.idOf('country', 'code', values[name])
        : values[name],
    ),
  )
  await app.database.pool.query(`update ${table} set ${columns.join()} where id = $1`, [id, ...given])
}
const rowOf = async (table: string, id: number) =>
  (await app.database.pool.query(`select * from ${table} where id = $1`, [id])).rows[0]
/** What columns hold, as it can be written back. */
const keptOf = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const value = row[name]
      const isJson = typeof value === 'object' && value !== null && !(value instanceof Date)
      return [name, isJson ? JSON.stringify(value) : value]
    }),
  )
const lastNumber = async () =>
  (await app.database.pool.query('select coalesce(sum(last), 0)::int as last from invoice_counter')).rows[0].last

/**
 * Sends a draft in each language: everywhere refused at this field and without a number. Gives how many different
 * sentences were said.
 */
async function refusedAt(
  draft: { id: number; version: number },
  { rule, path, format, spoilt }: { rule: string; path: string; format: string; spoilt: string },
) {
  const before = await lastNumber()
  const said = new Set<string>()
  for (const language of LANGUAGES) {
    const { status, body } = await clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, {
      version: draft.version,
      headers: { 'accept-language': language },
    })
    expect([status, body.code], JSON.stringify(body)).toEqual([422, 'validation'])
    const fault = body.errors.find(
      (one: { path: string; message: string }) => one.path === path && one.message.includes(`(${rule})`),
    )
    expect(fault, JSON.stringify(body.errors)).toMatchObject({ code: 'e_invoice_rule' })
    expect(fault.message.length).toBeGreaterThan(rule.length + 15)
    said.add(fault.message)
  }
  expect(await lastNumber()).toBe(before)
  refused.push({ invoice: readable(spoilt), format, 'refused by': rule, at: path })
  const { findings } = (await clerk.get(`invoices/${draft.id}/e-invoice`)).body
  expect(findings.map((one: { rule: string }) => one.rule)).toContain(rule)
  return said.size
}

async function fieldsOf(kind: Spoilt['kind']): Promise<object> {
  if (kind === 'abroad') return ofAustria()
  if (kind === undefined) return {}
  return { billingAddress: { ...BILLED_ELSEWHERE, countryId: await app.idOf('country', 'code', 'DE') } }
}

async function draftOf(companyId: number, billingCustomerId: number, lines: object[], more: object = {}) {
  const { body, status } = await clerk.post('invoices', {
    entityType: 'customer',
    companyId,
    billingCustomerId,
    lines,
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body as { id: number; version: number }
}

/** The same as people read it in the table. */
const readable = (how: string) => how.replaceAll(/[\\"{}]/g, '').replaceAll('text:Fracht,unitPriceCents:118000,', '')

/** What was done to an invoice, in one line: no two of these are the same. */
const spoiltAs = ({ rule: _rule, path: _path, format: _format, ...done }: Spoilt) => JSON.stringify(done)

test('are invoices that differ in what is wrong with them', () => {
  expect(new Set(SPOILT.map(spoiltAs)).size).toBeGreaterThanOrEqual(LEAST_DIFFERENT)
  const formats = Map.groupBy(SPOILT, ({ format = 'xrechnungUbl' }) => format)
  expect([...formats.values()].map((some) => some.length >= 15)).toEqual([true, true, true])
})

// Every third in every run, which takes each rule that is here in more than one format.
const TRIED = [
  ...SPOILT.filter((_one, at) => at % 3 === 0),
  ...onlyLong(() => SPOILT.filter((_one, at) => at % 3 !== 0)),
]

describe('a company in Germany', () => {
  test.each(TRIED.map((one) => [one.rule, one.path, one.format ?? 'xrechnungUbl', one] as const))(
    'is refused by %s at %s, %s, and good once it is mended',
    async (rule, path, format, one) => {
      const { line, lines, customer, company, spoil, firstLine, group, kind } = one
      const title = `Amt ${rule} ${path} ${format}`
      const customerId = await readyCustomer(app, format, { title, ...(await fieldsOf(kind)) })
      const draft = await draftOf(german, customerId, lines ?? [{ ...LINE, ...line }])
      const row = await rowOf('invoice', draft.id)
      const [first, ...others] = row.vatGroups
      const changed = group && {
        ...first,
        ...('note' in group && { note: null }),
        netCents: first.netCents + (group.netCents ?? 0),
        vatCents: first.vatCents + (group.vatCents ?? 0),
      }
      const invoice = { ...one.invoice, ...(changed && { vatGroups: JSON.stringify([changed, ...others]) }) }
      const { rows: ofDraft } = await app.database.pool.query(
        'select id from invoice_line where "invoiceId" = $1 order by position',
        [draft.id],
      )
      const spoilt = [
        ['customer', customerId, customer],
        ['company', german, company],
        ['invoice_line', ofDraft[0].id, firstLine],
        ['invoice', draft.id, Object.keys(invoice).length > 0 ? invoice : undefined],
      ] as const
      const undo: (() => Promise<unknown>)[] = []
      for (const [table, id, values] of spoilt)
        if (values) {
          const before = keptOf(await rowOf(table, id), Object.keys(values))
          undo.push(() => set(table, id, before))
          await set(table, id, values)
        }
      if (spoil) {
        undo.push(() => readyCompany(app))
        await app.database.pool.query(`${spoil} where "companyId" = $1`, [german])
      }
      try {
        const how = spoiltAs(one)
        expect(await refusedAt(draft, { rule, path, format, spoilt: how })).toBe(LANGUAGES.length)
      } finally {
        for (const back of undo) await back()
      }
      if (undo.length === 0) return
      // It was this one thing alone.
      expect((await clerk.get(`invoices/${draft.id}/e-invoice`)).body.findings).toEqual([])
      if (!customer && !company && !spoil) return
      const { status, body } = await clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, { version: draft.version })
      expect([status, body.status], JSON.stringify(body)).toEqual([200, 'sent'])
    },
  )
})

test('reverse charge without a VAT number is refused in every format; the finding leads to the customer', async () => {
  for (const format of ['zugferd', 'xrechnungUbl'] as const) {
    const customerId = await readyCustomer(app, format, { title: `Ohne Nummer ${format}` })
    const draft = await draftOf(german, customerId, [{ ...LINE, vatBp: 0, vatCategory: 'AE' }])
    const { findings } = (await clerk.get(`invoices/${draft.id}/e-invoice`)).body
    expect(findings).toMatchObject([{ rule: 'BR-AE-02', record: 'customer', path: 'vatNumber' }])
    const { status, body } = await clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, { version: draft.version })
    expect([status, body.errors[0].code]).toEqual([422, 'vat_number_missing'])
  }
})

describe('a company in Poland', () => {
  const POLISH = { ...LINE, vatBp: 2300 }

  interface SpoiltInPoland extends Omit<Spoilt, 'format' | 'kind' | 'spoil'> {
    isAbroad?: boolean
    days?: object
  }
  const FOR_KSEF: SpoiltInPoland[] = [
    { rule: 'P_12', path: 'lines.0.vatBp', line: { vatBp: 1900 } },
    { rule: 'P_12', path: 'lines.1.vatBp', lines: [POLISH, { ...POLISH, vatCategory: 'AE' }], isAbroad: true },
    { rule: 'P_12', path: 'lines.0.vatBp', line: { vatCategory: 'Z' } },
    { rule: 'P_12', path: 'lines.0.vatBp', line: { vatBp: 0 } },
    { rule: 'P_19A', path: 'notes', lines: [OF.E] },
    { rule: 'P_19A', path: 'notes', lines: [OF.E, POLISH] },
    {
      rule: 'KursWaluty',
      path: 'exchangeRate',
      days: { servicePeriodFrom: '2026-01-02', servicePeriodTo: '2026-01-07' },
    },
    { rule: 'Podmiot2/NIP', path: 'customer.vatNumber', customer: { vatNumber: 'PL5260250275' } },
    { rule: 'Podmiot2/NIP', path: 'customer.vatNumber', customer: { vatNumber: '526-025-02-7' } },
    { rule: 'Podmiot2/NrVatUE', path: 'customer.vatNumber', customer: { vatNumber: '136695976' }, isAbroad: true },
    { rule: 'Podmiot2/Nazwa', path: 'customer.title', customer: { title: ' ' } },
    { rule: 'Podmiot1/NIP', path: 'company.vatNumber', company: { vatNumber: 'PL7822345673' } },
    { rule: 'Podmiot1/NIP', path: 'company.vatNumber', company: { vatNumber: null } },
    { rule: 'Podmiot1/Adres', path: 'company.address', company: { address: null, city: null } },
    { rule: 'Podmiot1/Nazwa', path: 'company.title', company: { title: '' } },
    { rule: 'P_7', path: 'lines.0.text', firstLine: { text: ' ' } },
    {
      rule: 'P_6_Do',
      path: 'servicePeriodTo',
      invoice: { servicePeriodFrom: '2026-11-21', servicePeriodTo: '2026-11-20' },
      lines: [OF.AE],
      isAbroad: true,
    },
    { rule: 'P_15', path: 'lines', invoice: { amountCents: 118_001, totalCents: 145_141 } },
  ]

  test.each(FOR_KSEF.map((one) => [one.rule, one.path, one] as const))(
    'is refused by FA(3) %s at %s',
    async (rule, path, one) => {
      const { line, customer, company, invoice, firstLine, isAbroad, days } = one
      const customerId = isAbroad ? await newCustomer(app, 'AT', ofAustria()) : await newCustomer(app, 'PL')
      const lines = one.lines ?? (isAbroad ? [OF.AE] : [{ ...POLISH, ...line }])
      const draft = await draftOf(polish, customerId, lines, days)
      const { rows: ofDraft } = await app.database.pool.query(
        'select id from invoice_line where "invoiceId" = $1 order by position',
        [draft.id],
      )
      const undo: (() => Promise<unknown>)[] = []
      for (const [table, id, values] of [
        ['customer', customerId, customer],
        ['company', polish, company],
        ['invoice_line', ofDraft[0].id, firstLine],
        ['invoice', draft.id, invoice],
      ] as const)
        if (values) {
          const before = keptOf(await rowOf(table, id), Object.keys(values))
          undo.push(() => set(table, id, before))
          await set(table, id, values)
        }
      const { rule: _rule, path: _path, ...done } = one
      try {
        const said = await refusedAt(draft, {
          rule: `FA(3) ${rule}`,
          path,
          format: 'ksef',
          spoilt: JSON.stringify(done),
        })
        expect(said).toBe(LANGUAGES.length)
      } finally {
        for (const back of undo) await back()
      }
      if (undo.length > 0) expect((await clerk.get(`invoices/${draft.id}/e-invoice`)).body.findings).toEqual([])
    },
  )
})

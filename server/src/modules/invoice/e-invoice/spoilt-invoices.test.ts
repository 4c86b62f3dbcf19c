// Invoices with one thing wrong each, sent as somebody would: refused before a number is given, in the language of who
// sends, at the field that mends it. The rules themselves are tried one by one in the contract.
import { beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '@waybill/contract/errors'
import { useTestApp, type Caller } from '../../../../test/app.ts'
import { readyCompany, readyCustomer } from '../../../../test/e-invoices/generated-invoices.ts'
import { enterRate, newCustomer, polishCompany } from '../../../../test/ksef/polish-company.ts'
import { INVOICE_MAIL } from '../../../../test/mail-server.ts'

const app = useTestApp()
let clerk: Caller
let german: number
let polish: number

beforeAll(async () => {
  clerk = (await app.userWith('INVOICES_PROCESSING')).caller
  german = (await readyCompany(app)).id
  polish = (await polishCompany(app)).id
})

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
  /** a statement about what belongs to our company */
  spoil?: string
}

const LINE = { text: 'Fracht', unitPriceCents: 118_000, vatBp: 1900, vatCategory: 'S' }
const contactWithout = (field: string, value: string | null = null) =>
  JSON.stringify({ fullName: 'Jana Petersen', phone: '+49 40 5550', email: 'a@elbtor.example', [field]: value })

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
]

const set = (table: string, id: number, values: Record<string, string | null>) => {
  const columns = Object.keys(values).map((name, index) => `"${name}" = $${index + 2}`)
  return app.database.pool.query(`update ${table} set ${columns.join()} where id = $1`, [id, ...Object.values(values)])
}
const lastNumber = async () =>
  (await app.database.pool.query('select coalesce(sum(last), 0)::int as last from invoice_counter')).rows[0].last

/**
 * Sends a draft in each language: everywhere refused at this field and without a number. Gives how many different
 * sentences were said.
 */
async function refusedAt(draft: { id: number; version: number }, path: string, rule: string) {
  const before = await lastNumber()
  const said = new Set<string>()
  for (const language of LANGUAGES) {
    const { status, body } = await clerk.post(`invoices/${draft.id}/send`, INVOICE_MAIL, {
      version: draft.version,
      headers: { 'accept-language': language },
    })
    expect([status, body.code], JSON.stringify(body)).toEqual([422, 'validation'])
    const fault = body.errors.find((one: { path: string }) => one.path === path)
    expect(fault, JSON.stringify(body.errors)).toMatchObject({ code: 'e_invoice_rule' })
    expect(fault.message).toContain(`(${rule})`)
    expect(fault.message.length).toBeGreaterThan(rule.length + 15)
    said.add(fault.message)
  }
  expect(await lastNumber()).toBe(before)
  const { findings } = (await clerk.get(`invoices/${draft.id}/e-invoice`)).body
  expect(findings.map((one: { rule: string }) => one.rule)).toContain(rule)
  return said.size
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

describe('a company in Germany', () => {
  test.each(SPOILT.map((one) => [one.rule, one.path, one.format ?? 'xrechnungUbl', one] as const))(
    'is refused by %s at %s, %s, and sent once its records are mended',
    async (rule, path, format, { line, lines, customer, company, spoil }) => {
      const title = `Amt ${rule} ${path} ${format}`
      const customerId = await readyCustomer(app, format, { title })
      const kept = (await app.database.pool.query('select * from customer where id = $1', [customerId])).rows[0]
      const ours = (await app.database.pool.query('select * from company where id = $1', [german])).rows[0]
      const draft = await draftOf(german, customerId, lines ?? [{ ...LINE, ...line }])
      if (customer) await set('customer', customerId, customer)
      if (company) await set('company', german, company)
      if (spoil) await app.database.pool.query(`${spoil} where "companyId" = $1`, [german])
      try {
        expect(await refusedAt(draft, path, rule)).toBe(LANGUAGES.length)
      } finally {
        if (company)
          await set(
            'company',
            german,
            Object.fromEntries(
              Object.keys(company).map((name) => [
                name,
                name === 'eInvoiceContact' ? JSON.stringify(ours[name]) : ours[name],
              ]),
            ),
          )
        if (spoil) await readyCompany(app)
      }
      if (!customer && !company && !spoil) return
      if (customer)
        await set('customer', customerId, Object.fromEntries(Object.keys(customer).map((name) => [name, kept[name]])))
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

  test('a rate that Poland does not have, and an exemption without its provision', async () => {
    await enterRate(app)
    const customerId = await newCustomer(app, 'PL')
    expect(await refusedAt(await draftOf(polish, customerId, [LINE]), 'lines.0.vatBp', 'FA(3) P_12')).toBe(
      LANGUAGES.length,
    )
    const exempt = await draftOf(polish, customerId, [{ ...POLISH, vatBp: 0, vatCategory: 'E' }])
    expect(await refusedAt(exempt, 'notes', 'FA(3) P_19A')).toBe(LANGUAGES.length)
  })

  test('a day without a rate', async () => {
    const days = { servicePeriodFrom: '2026-01-02', servicePeriodTo: '2026-01-07' }
    const draft = await draftOf(polish, await newCustomer(app, 'PL'), [POLISH], days)
    expect(await refusedAt(draft, 'exchangeRate', 'FA(3) KursWaluty')).toBe(LANGUAGES.length)
  })

  test('a wrong NIP of the customer, and of ours', async () => {
    await enterRate(app)
    const customerId = await newCustomer(app, 'PL')
    const draft = await draftOf(polish, customerId, [POLISH])
    await set('customer', customerId, { vatNumber: 'PL5260250275' })
    expect(await refusedAt(draft, 'customer.vatNumber', 'FA(3) Podmiot2/NIP')).toBe(LANGUAGES.length)
    await set('customer', customerId, { vatNumber: null })
    await set('company', polish, { vatNumber: 'PL7822345673' })
    expect(await refusedAt(draft, 'company.vatNumber', 'FA(3) Podmiot1/NIP')).toBe(LANGUAGES.length)
    await set('company', polish, { vatNumber: 'PL7822345674', address: null, city: null })
    expect(await refusedAt(draft, 'company.address', 'FA(3) Podmiot1/Adres')).toBe(LANGUAGES.length)
  })
})

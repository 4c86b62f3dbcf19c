// What EN 16931 and XRechnung 3.0 refuse, one spoilt invoice each.
import { describe, expect, it } from 'vitest'
import { CompanyWrite } from '../../company.ts'
import { CustomerWrite } from '../../customer.ts'
import { InvoiceWrite } from '../invoice.ts'
import { invoiceTotals } from '../totals.ts'
import { VAT_NOTES, type VatCategory } from '../vat.ts'
import type { EInvoiceContent } from './content.ts'
import { FINDING_TEXTS } from './finding-texts.ts'
import { CUSTOMER_FORMATS, isXRechnung } from '../../e-invoice/format.ts'
import { isLeitwegId, looksLikeLeitwegId } from '../../e-invoice/leitweg-id.ts'
import { eInvoiceFindings } from './rules.ts'

type Format = EInvoiceContent['format']
const FORMATS = CUSTOMER_FORMATS.filter((format): format is Format => format !== 'pdf')
const LEITWEG = '04011000-1234512345-06'

const REASONS: Readonly<Record<VatCategory, string | null>> = {
  S: null,
  Z: null,
  E: VAT_NOTES.exempt_de.de,
  AE: VAT_NOTES.reverse_charge.de,
  O: VAT_NOTES.outside_scope.de,
}

type Line = Pick<EInvoiceContent['lines'][number], 'quantity' | 'unitPriceCents' | 'vatBp' | 'vatCategory'>
const line = (vatCategory: VatCategory, vatBp = 0, unitPriceCents = 118_000): Line => ({
  quantity: 1,
  unitPriceCents,
  vatBp,
  vatCategory,
})

function summed(lines: Line[]) {
  const { netCents, vatGroups, amountCents, vatCents, totalCents } = invoiceTotals(lines)
  return {
    lines: lines.map((one, index) => ({ ...one, text: 'Fracht Hamburg – Poznań', netCents: netCents[index]! })),
    vatGroups: vatGroups.map((group) => ({ ...group, reason: REASONS[group.vatCategory] })),
    amountCents,
    vatCents,
    totalCents,
  }
}

const good = (format: Format, lines: Line[] = [line('S', 1900)]): EInvoiceContent => ({
  format,
  number: '2026-00001',
  issueDate: '2026-11-23',
  dueDate: '2026-12-23',
  currency: 'EUR',
  buyerReference: LEITWEG,
  orderReference: 'PO 7',
  paymentTerms: null,
  notes: [],
  correctionOf: null,
  servicePeriodFrom: '2026-11-20',
  servicePeriodTo: '2026-11-21',
  seller: {
    name: 'Elbtor Spedition GmbH',
    address: 'Versmannstraße 4',
    postal: '20457',
    city: 'Hamburg',
    countryCode: 'DE',
    vatNumber: 'DE811907980',
    electronic: { scheme: 'EM', value: 'rechnung@elbtor.example' },
    taxNumber: '48/123/45678',
    register: 'HRB 123456, Amtsgericht Hamburg',
    contact: { name: 'Jana Petersen', phone: '+49 40 5550 1200', email: 'rechnung@elbtor.example' },
  },
  buyer: {
    name: 'Zweckverband Wiesental-Nord',
    address: 'Rathausplatz 1',
    postal: '79650',
    city: 'Schopfheim',
    countryCode: 'DE',
    vatNumber: 'DE136695976',
    electronic: { scheme: '0204', value: LEITWEG },
  },
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  ...summed(lines),
})

/** Rule, field and the sentence that is said, each of what was found. */
const brief = (content: EInvoiceContent) =>
  eInvoiceFindings(content).map(({ rule, record, path, text }) => `${rule} ${record}.${path} ${text}`)

type Spoiling = [expected: string, spoil: (content: EInvoiceContent) => void, lines?: Line[]]

const addressed = (party: EInvoiceContent['buyer'], scheme: string, value: string) =>
  (party.electronic = { scheme, value })

const SPOILT: Spoiling[] = [
  ['BR-02 invoice.number number', (one) => (one.number = ' ')],
  ['BR-03 invoice.invoiceDate date', (one) => (one.issueDate = '')],
  ['BR-06 company.title sellerName', (one) => (one.seller.name = '')],
  ['BR-07 customer.title buyerName', (one) => (one.buyer.name = '')],
  ['BR-09 company.countryId sellerCountry', (one) => (one.seller.countryCode = '')],
  ['BR-11 customer.countryId buyerCountry', (one) => (one.buyer.countryCode = '')],
  ['BR-16 invoice.lines lines', (one) => Object.assign(one, summed([]))],
  ['BR-25 invoice.lines.0.text lineText', (one) => (one.lines[0]!.text = '\n')],
  ['BR-29 invoice.servicePeriodTo period', (one) => (one.servicePeriodTo = '2026-11-19')],
  ['BR-55 invoice.lines correctionOf', (one) => (one.correctionOf = { number: '', issueDate: null })],
  ['BR-61 company.bankAccounts iban', (one) => (one.iban = null)],
  ['BR-61 company.bankAccounts iban', (one) => (one.iban = 'DE89370400440532013001')],
  ['BR-62 company.eInvoiceScheme scheme', (one) => (one.seller.electronic.scheme = null)],
  ['BR-63 customer.eInvoiceScheme scheme', (one) => (one.buyer.electronic.scheme = null)],
  ['BR-CL-25 customer.eInvoiceScheme schemeUnknown', (one) => (one.buyer.electronic.scheme = '9999')],
  [
    'BR-CL-18 invoice.lines.0.vatCategory category',
    (one) => (one.lines[0]!.vatCategory = 'K' as VatCategory),
    [line('Z')],
  ],
  [
    'BR-CL-18 invoice.lines.0.vatCategory category',
    (one) => (one.lines[0]!.vatCategory = 'G' as VatCategory),
    [line('Z')],
  ],
  ['BR-CO-09 company.vatNumber sellerVatPrefix', (one) => (one.seller.vatNumber = '811907980')],
  ['BR-CO-09 customer.vatNumber buyerVatPrefix', (one) => (one.buyer.vatNumber = '136695976')],
  ['BR-CO-10 invoice.lines sums', (one) => ((one.amountCents += 1), (one.totalCents += 1))],
  ['BR-CO-14 invoice.lines sums', (one) => ((one.vatCents += 1), (one.totalCents += 1))],
  ['BR-CO-15 invoice.lines sums', (one) => (one.totalCents += 1)],
  ['BR-CO-17 invoice.lines sums', (one) => (one.vatGroups[0]!.vatCents += 1)],
  ['BR-CO-18 invoice.lines sums', (one) => (one.vatGroups = [])],
  ['BR-S-08 invoice.lines sums', (one) => (one.vatGroups[0]!.netCents += 1)],
  ['BR-CO-25 invoice.paymentPeriodDays due', (one) => (one.dueDate = null)],
  ['BR-CO-26 company.register sellerRegister', (one) => (one.seller.register = null), [line('O')]],
  ['BR-S-02 company.vatNumber sellerTax', (one) => Object.assign(one.seller, { vatNumber: null, taxNumber: null })],
  ['BR-S-05 invoice.lines.0.vatBp rateNeeded', () => undefined, [line('S', 0)]],
  ['BR-E-05 invoice.lines.0.vatBp rateZero', () => undefined, [line('E', 700)]],
  ['BR-Z-05 invoice.lines.0.vatBp rateZero', () => undefined, [line('Z', 700)]],
  ['BR-AE-05 invoice.lines.0.vatBp rateZero', () => undefined, [line('AE', 1900)]],
  ['BR-O-05 invoice.lines.0.vatBp rateZero', () => undefined, [line('O', 1900)]],
  [
    'BR-E-10 invoice.lines.1.vatCategory reason',
    (one) => (one.vatGroups[1]!.reason = null),
    [line('S', 1900), line('E')],
  ],
  ['BR-AE-02 customer.vatNumber buyerVat', (one) => (one.buyer.vatNumber = null), [line('AE')]],
  ['BR-O-12 invoice.lines.1.vatCategory outsideScopeAlone', () => undefined, [line('S', 1900), line('O')]],
  ['BR-DE-16 company.taxNumber sellerTaxNumber', (one) => (one.seller.taxNumber = null), [line('O')]],
  ['PEPPOL-EN16931-R120 invoice.lines.0.unitPriceCents lineAmount', (one) => (one.lines[0]!.unitPriceCents += 3)],
  ['Leitweg-ID customer.eInvoiceAddress leitwegId', (one) => (one.buyer.electronic.value = '04011000-1234512345-07')],
  ['BR-61 company.bankAccounts iban', (one) => (one.iban = '')],
  ['BR-CL-25 company.eInvoiceScheme schemeUnknown', (one) => (one.seller.electronic.scheme = '0000')],
  ['BR-CO-09 company.vatNumber sellerVatPrefix', (one) => (one.seller.vatNumber = 'de811907980')],
  ['BR-CO-26 company.register sellerRegister', (one) => Object.assign(one.seller, { vatNumber: null, register: ' ' })],
  [
    'BR-AE-02 company.vatNumber sellerTax',
    (one) => Object.assign(one.seller, { vatNumber: null, taxNumber: '' }),
    [line('AE')],
  ],
  [
    'BR-E-02 company.vatNumber sellerTax',
    (one) => Object.assign(one.seller, { vatNumber: '', taxNumber: null }),
    [line('E')],
  ],
  [
    'BR-Z-02 company.vatNumber sellerTax',
    (one) => Object.assign(one.seller, { vatNumber: null, taxNumber: null }),
    [line('Z')],
  ],
  ['BR-AE-08 invoice.lines sums', (one) => (one.vatGroups[0]!.netCents -= 1), [line('AE')]],
  ['BR-E-08 invoice.lines sums', (one) => (one.vatGroups[0]!.netCents -= 1), [line('E')]],
  ['BR-Z-08 invoice.lines sums', (one) => (one.vatGroups[0]!.netCents -= 1), [line('Z')]],
  ['BR-O-08 invoice.lines sums', (one) => (one.vatGroups[0]!.netCents -= 1), [line('O')]],
  ['BR-S-08 invoice.lines sums', (one) => (one.vatGroups[1]!.vatBp = 500), [line('S', 1900), line('S', 700)]],
  ['BR-O-12 invoice.lines.0.vatCategory outsideScopeAlone', () => undefined, [line('O'), line('AE')]],
  ['BR-CO-09 customer.vatNumber buyerVatPrefix', (one) => (one.buyer.vatNumber = 'UK123456789')],
  ['BR-CL-14 company.countryId countryUnknown', (one) => (one.seller.countryCode = 'EU')],
  ['BR-CL-14 customer.countryId countryUnknown', (one) => (one.buyer.countryCode = 'UK')],
  ['PEPPOL-COMMON-R040 company.eInvoiceAddress addressDigits', (one) => addressed(one.seller, '0088', '4012345000008')],
  ['PEPPOL-COMMON-R040 customer.eInvoiceAddress addressDigits', (one) => addressed(one.buyer, '0088', '401234500000')],
  ['PEPPOL-COMMON-R041 customer.eInvoiceAddress addressDigits', (one) => addressed(one.buyer, '0192', '923609017')],
  ['PEPPOL-COMMON-R043 customer.eInvoiceAddress addressDigits', (one) => addressed(one.buyer, '0208', '0403170710')],
  ['PEPPOL-COMMON-R049 customer.eInvoiceAddress addressDigits', (one) => addressed(one.buyer, '0007', '5560360794')],
  ['BR-25 invoice.lines.1.text lineText', (one) => (one.lines[1]!.text = ''), [line('S', 1900), line('S', 1900, -1)]],
]

const SPOILT_XRECHNUNG: Spoiling[] = [
  ['BR-DE-3 company.city sellerCity', (one) => (one.seller.city = null)],
  ['BR-DE-4 company.postal sellerPostal', (one) => (one.seller.postal = null)],
  ['BR-DE-5 company.eInvoiceContact.fullName contactName', (one) => (one.seller.contact.name = null)],
  ['BR-DE-6 company.eInvoiceContact.phone contactPhone', (one) => (one.seller.contact.phone = null)],
  ['BR-DE-27 company.eInvoiceContact.phone contactPhoneDigits', (one) => (one.seller.contact.phone = '12')],
  ['BR-DE-7 company.eInvoiceContact.email contactEmail', (one) => (one.seller.contact.email = null)],
  ['BR-DE-28 company.eInvoiceContact.email contactEmailShape', (one) => (one.seller.contact.email = 'a@b@c')],
  ['BR-DE-8 customer.city buyerCity', (one) => (one.buyer.city = null)],
  ['BR-DE-9 customer.postal buyerPostal', (one) => (one.buyer.postal = null)],
  ['BR-DE-15 customer.buyerReference buyerReference', (one) => (one.buyerReference = null)],
  ['Leitweg-ID customer.buyerReference leitwegId', (one) => (one.buyerReference = '04011000-1234512345-16')],
  ['PEPPOL-EN16931-R010 customer.eInvoiceAddress buyerAddress', (one) => (one.buyer.electronic.value = null)],
  ['PEPPOL-EN16931-R020 company.eInvoiceAddress sellerAddress', (one) => (one.seller.electronic.value = null)],
]

describe('a spoilt invoice is found out by its rule, at the field that mends it, with its sentence', () => {
  it.each(
    FORMATS.flatMap((format) =>
      [...SPOILT, ...(isXRechnung(format) ? SPOILT_XRECHNUNG : [])].map(
        ([expected, spoil, lines]) => [format, expected, spoil, lines] as const,
      ),
    ),
  )('%s: %s', (format, expected, spoil, lines) => {
    const content = good(format, lines)
    spoil(content)
    expect(brief(content)).toContain(expected)
    // One fault is no reason to name a field that has nothing to do with it.
    expect(brief(content).length).toBeLessThanOrEqual(4)
  })

  it('says each finding in three languages', () => {
    for (const texts of Object.values(FINDING_TEXTS)) {
      expect(Object.values(texts).every((text) => text.length > 10)).toBe(true)
      expect(new Set(Object.values(texts)).size).toBe(3)
    }
  })

  it('names a field that the form of its record has', () => {
    const fields = {
      // The number and the day are given by sending.
      invoice: ['number', 'invoiceDate', ...Object.keys(InvoiceWrite.shape)],
      customer: Object.keys(CustomerWrite.shape),
      company: Object.keys(CompanyWrite.shape),
    }
    const spoilt = [...SPOILT, ...SPOILT_XRECHNUNG]
    expect(spoilt.length).toBeGreaterThanOrEqual(60)
    for (const [expected, spoil, lines] of spoilt) {
      const content = good('xrechnungUbl', lines)
      spoil(content)
      for (const { record, path } of eInvoiceFindings(content))
        expect(fields[record], `${expected}: ${path}`).toContain(path.split('.')[0])
    }
  })

  it.each(SPOILT_XRECHNUNG)('%s: ZUGFeRD does not ask for it', (expected, spoil) => {
    const content = good('zugferd')
    spoil(content)
    expect(brief(content)).not.toContain(expected)
  })
})

describe('what may be sent', () => {
  const MIXES: Record<string, Line[]> = {
    'standard rate': [line('S', 1900)],
    'two rates and a discount of a cent': [line('S', 1900), line('S', 700), line('S', 1900, -1)],
    'reverse charge': [line('AE')],
    exempt: [line('E')],
    'zero rate': [line('Z')],
    'exempt beside standard': [line('E'), line('S', 1900)],
    'outside the scope': [line('O'), line('O', 0, 1)],
  }
  it.each(Object.keys(MIXES))('%s, and its correction, in every format', (name) => {
    for (const format of FORMATS) {
      const lines = MIXES[name]!
      expect(brief(good(format, lines))).toEqual([])
      const taken = good(
        format,
        lines.map((one) => ({ ...one, quantity: -1 })),
      )
      expect(brief({ ...taken, dueDate: null, correctionOf: { number: '2026-00001', issueDate: null } })).toEqual([])
    }
  })

  it.each([
    ['0088', '4012345000009'],
    ['0192', '923609016'],
    ['0208', '0403170701'],
    ['0007', '5560360793'],
    ['0007', ' 5560360793 '],
    ['EM', 'rechnung@4.example'],
  ])('an address of kind %s with its right digits, %s', (scheme, value) => {
    const content = good('xrechnungUbl')
    addressed(content.buyer, scheme, value)
    addressed(content.seller, scheme, value)
    expect(brief(content)).toEqual([])
  })

  it.each(['EL123456789', 'XI123456789', 'CHE123456789MWST', 'GB123456789'])('a VAT number like %s', (vatNumber) => {
    const content = good('zugferd')
    content.buyer.vatNumber = vatNumber
    expect(brief(content)).toEqual([])
  })

  it('asks ZUGFeRD for neither contact nor reference nor electronic address', () => {
    const content = good('zugferd')
    content.buyerReference = null
    content.seller.contact = { name: null, phone: null, email: null }
    content.seller.electronic = content.buyer.electronic = { scheme: null, value: null }
    expect(brief(content)).toEqual([])
  })
})

describe('Leitweg-IDs', () => {
  it('know their check digits', () => {
    for (const right of [LEITWEG, '991-33333TEST-33', '04011000-1234512345-06 ']) expect(isLeitwegId(right)).toBe(true)
    for (const wrong of ['04011000-1234512345-60', '04011000-1234512354-06', '', 'PO 7', '2026-00001', '17-A-35'])
      expect(isLeitwegId(wrong)).toBe(false)
  })

  it('are told from other references', () => {
    expect(looksLikeLeitwegId('04011000-1234512345-07')).toBe(true)
    for (const other of ['2026-11', '45-123456', 'PO-4711-01', '4500129877'])
      expect(looksLikeLeitwegId(other)).toBe(false)
  })
})

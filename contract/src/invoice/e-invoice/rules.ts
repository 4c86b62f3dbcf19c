import { isIban } from '../../kit/bank/iban.ts'
import { sumCents, vatOf } from '../../kit/money.ts'
import { lineNetCents } from '../totals.ts'
import { VAT_CATEGORIES, type VatCategory } from '../vat.ts'
import { isOutsideScope, type ContentLine, type EInvoiceContent } from './content.ts'
import type { FindingText } from './finding-texts.ts'
import { addressDigitsRule } from '../../e-invoice/address-digits.ts'
import { isAddressScheme, LEITWEG_SCHEME } from '../../e-invoice/address-schemes.ts'
import { hasVatPrefix, isListedCountry } from '../../e-invoice/countries.ts'
import { isXRechnung } from '../../e-invoice/format.ts'
import { isLeitwegId, looksLikeLeitwegId } from '../../e-invoice/leitweg-id.ts'

/** Where what was found is mended. */
export const FINDING_RECORDS = ['invoice', 'customer', 'company'] as const

/** One rule that an electronic invoice breaks, by the code of its standard. */
export interface EInvoiceFinding {
  rule: string
  text: FindingText
  record: (typeof FINDING_RECORDS)[number]
  /** the field of that record's form */
  path: string
}

type Record = EInvoiceFinding['record']
/** Broken where the first is true; each with the code, what is said, and the field of whose form mends it. */
type Check = readonly [isBroken: boolean, rule: string, text: FindingText, record: Record, path: string]

const isMissing = (text: string | null): boolean => text === null || text.trim() === ''

const isUnlisted = (countryCode: string): boolean => !isMissing(countryCode) && !isListedCountry(countryCode)

// As XRechnung wants it (BR-DE-28): one @, no blank, a sign on both sides, no point at the ends.
const EMAIL = /^[^@\s.]([^@\s]*[^@\s.])?@[^@\s.]([^@\s]*[^@\s.])?$/

function partyChecks({ seller, buyer, iban, format }: EInvoiceContent): Check[] {
  const isGermanForm = isXRechnung(format)
  const { contact } = seller
  return [
    [isMissing(seller.name), 'BR-06', 'sellerName', 'company', 'title'],
    [isMissing(buyer.name), 'BR-07', 'buyerName', 'customer', 'title'],
    [isMissing(seller.countryCode), 'BR-09', 'sellerCountry', 'company', 'countryId'],
    [isMissing(buyer.countryCode), 'BR-11', 'buyerCountry', 'customer', 'countryId'],
    [isUnlisted(seller.countryCode), 'BR-CL-14', 'countryUnknown', 'company', 'countryId'],
    [isUnlisted(buyer.countryCode), 'BR-CL-14', 'countryUnknown', 'customer', 'countryId'],
    [
      seller.vatNumber !== null && !hasVatPrefix(seller.vatNumber),
      'BR-CO-09',
      'sellerVatPrefix',
      'company',
      'vatNumber',
    ],
    [buyer.vatNumber !== null && !hasVatPrefix(buyer.vatNumber), 'BR-CO-09', 'buyerVatPrefix', 'customer', 'vatNumber'],
    [iban === null || !isIban(iban), 'BR-61', 'iban', 'company', 'bankAccounts'],
    ...addressChecks(seller, 'company', isGermanForm),
    ...addressChecks(buyer, 'customer', isGermanForm),
    ...(isGermanForm
      ? ([
          [isMissing(seller.city), 'BR-DE-3', 'sellerCity', 'company', 'city'],
          [isMissing(seller.postal), 'BR-DE-4', 'sellerPostal', 'company', 'postal'],
          [isMissing(contact.name), 'BR-DE-5', 'contactName', 'company', 'eInvoiceContact.fullName'],
          [isMissing(contact.phone), 'BR-DE-6', 'contactPhone', 'company', 'eInvoiceContact.phone'],
          [
            !isMissing(contact.phone) && contact.phone!.replace(/\D/g, '').length < 3,
            'BR-DE-27',
            'contactPhoneDigits',
            'company',
            'eInvoiceContact.phone',
          ],
          [isMissing(contact.email), 'BR-DE-7', 'contactEmail', 'company', 'eInvoiceContact.email'],
          [
            !isMissing(contact.email) && !EMAIL.test(contact.email!),
            'BR-DE-28',
            'contactEmailShape',
            'company',
            'eInvoiceContact.email',
          ],
          [isMissing(buyer.city), 'BR-DE-8', 'buyerCity', 'customer', 'city'],
          [isMissing(buyer.postal), 'BR-DE-9', 'buyerPostal', 'customer', 'postal'],
        ] as const)
      : []),
  ]
}

function addressChecks(
  { electronic }: EInvoiceContent['buyer'],
  record: 'company' | 'customer',
  isNeeded: boolean,
): Check[] {
  const { scheme, value } = electronic
  const digitsRule = addressDigitsRule(electronic)
  const isBuyer = record === 'customer'
  const hasValue = !isMissing(value)
  return [
    [
      isNeeded && !hasValue,
      isBuyer ? 'PEPPOL-EN16931-R010' : 'PEPPOL-EN16931-R020',
      isBuyer ? 'buyerAddress' : 'sellerAddress',
      record,
      'eInvoiceAddress',
    ],
    [hasValue && scheme === null, isBuyer ? 'BR-63' : 'BR-62', 'scheme', record, 'eInvoiceScheme'],
    [scheme !== null && !isAddressScheme(scheme), 'BR-CL-25', 'schemeUnknown', record, 'eInvoiceScheme'],
    [digitsRule !== null, digitsRule ?? '', 'addressDigits', record, 'eInvoiceAddress'],
    // Neither standard has a rule of its own for the check digits; authorities refuse what breaks them.
    [
      hasValue && scheme === LEITWEG_SCHEME && !isLeitwegId(value!),
      'Leitweg-ID',
      'leitwegId',
      record,
      'eInvoiceAddress',
    ],
  ]
}

function headChecks(content: EInvoiceContent): Check[] {
  const { number, issueDate, lines, servicePeriodFrom: from, servicePeriodTo: to, correctionOf, format } = content
  const { buyerReference, dueDate, paymentTerms, totalCents } = content
  const isGermanForm = isXRechnung(format)
  return [
    [isMissing(number), 'BR-02', 'number', 'invoice', 'number'],
    [isMissing(issueDate), 'BR-03', 'date', 'invoice', 'invoiceDate'],
    [lines.length === 0, 'BR-16', 'lines', 'invoice', 'lines'],
    [from !== null && to !== null && to < from, 'BR-29', 'period', 'invoice', 'servicePeriodTo'],
    [correctionOf !== null && isMissing(correctionOf.number), 'BR-55', 'correctionOf', 'invoice', 'lines'],
    [totalCents > 0 && dueDate === null && isMissing(paymentTerms), 'BR-CO-25', 'due', 'invoice', 'paymentPeriodDays'],
    [isGermanForm && isMissing(buyerReference), 'BR-DE-15', 'buyerReference', 'customer', 'buyerReference'],
    [
      isGermanForm &&
        !isMissing(buyerReference) &&
        looksLikeLeitwegId(buyerReference!) &&
        !isLeitwegId(buyerReference!),
      'Leitweg-ID',
      'leitwegId',
      'customer',
      'buyerReference',
    ],
  ]
}

// Half a cent of a rounding more or less (PEPPOL-EN16931-R120).
const ROUNDING_CENTS = 2

function lineChecks({ lines }: EInvoiceContent): Check[] {
  return lines.flatMap((line, index): Check[] => {
    const { vatCategory, vatBp } = line
    const at = (field: string) => `lines.${index}.${field}`
    return [
      [isMissing(line.text), 'BR-25', 'lineText', 'invoice', at('text')],
      [
        Math.abs(lineNetCents(line) - line.netCents) > ROUNDING_CENTS,
        'PEPPOL-EN16931-R120',
        'lineAmount',
        'invoice',
        at('unitPriceCents'),
      ],
      [!VAT_CATEGORIES.includes(vatCategory), 'BR-CL-18', 'category', 'invoice', at('vatCategory')],
      [vatCategory === 'S' && vatBp <= 0, 'BR-S-05', 'rateNeeded', 'invoice', at('vatBp')],
      [vatCategory !== 'S' && vatBp !== 0, `BR-${vatCategory}-05`, 'rateZero', 'invoice', at('vatBp')],
    ]
  })
}

function categoryChecks(content: EInvoiceContent): Check[] {
  const { lines, vatGroups, seller, buyer } = content
  const used = new Set(lines.map(({ vatCategory }) => vatCategory))
  const first = (category: VatCategory) =>
    `lines.${lines.findIndex(({ vatCategory }) => vatCategory === category)}.vatCategory`
  const hasNoTaxId = isMissing(seller.vatNumber) && isMissing(seller.taxNumber)
  const isOutside = isOutsideScope(content)
  return [
    ...(['S', 'Z', 'E', 'AE'] as const).map(
      (category): Check => [
        used.has(category) && hasNoTaxId && !isOutside,
        `BR-${category}-02`,
        'sellerTax',
        'company',
        'vatNumber',
      ],
    ),
    [used.has('AE') && isMissing(buyer.vatNumber), 'BR-AE-02', 'buyerVat', 'customer', 'vatNumber'],
    [
      vatGroups.some(({ vatCategory, reason }) => vatCategory === 'E' && isMissing(reason)),
      'BR-E-10',
      'reason',
      'invoice',
      first('E'),
    ],
    [isOutside && used.size > 1, 'BR-O-12', 'outsideScopeAlone', 'invoice', first('O')],
    [isOutside && isMissing(seller.taxNumber), 'BR-DE-16', 'sellerTaxNumber', 'company', 'taxNumber'],
    [
      (isOutside || isMissing(seller.vatNumber)) && isMissing(seller.register),
      'BR-CO-26',
      'sellerRegister',
      'company',
      'register',
    ],
  ]
}

// The last correction of a rate bears what rounding has left of its VAT; the standard's own test allows less than 1.00.
const CORRECTED_VAT_CENTS = 99

type Rated = Pick<ContentLine, 'vatCategory' | 'vatBp' | 'netCents'>
/** What the sums of an invoice are worked out from. */
interface Summed extends Pick<EInvoiceContent, 'amountCents' | 'vatCents' | 'totalCents'> {
  lines: readonly Rated[]
  vatGroups: readonly (Rated & { vatCents: number })[]
  correctionOf: object | null
}

function sumChecks({ lines, vatGroups, amountCents, vatCents, totalCents, correctionOf }: Summed): Check[] {
  const allowed = correctionOf === null ? 0 : CORRECTED_VAT_CENTS
  const broken = (isBroken: boolean, rule: string): Check => [isBroken, rule, 'sums', 'invoice', 'lines']
  return [
    broken(sumCents(lines.map(({ netCents }) => netCents)) !== amountCents, 'BR-CO-10'),
    broken(sumCents(vatGroups.map((group) => group.vatCents)) !== vatCents, 'BR-CO-14'),
    broken(amountCents + vatCents !== totalCents, 'BR-CO-15'),
    broken(
      vatGroups.some((group) => Math.abs(vatOf(group.netCents, group.vatBp) - group.vatCents) > allowed),
      'BR-CO-17',
    ),
    broken(lines.length > 0 && vatGroups.length === 0, 'BR-CO-18'),
    ...VAT_CATEGORIES.map((category): Check => {
      const of = (rows: readonly Rated[], vatBp: number) =>
        sumCents(rows.flatMap((row) => (row.vatCategory === category && row.vatBp === vatBp ? [row.netCents] : [])))
      const rates = [...lines, ...vatGroups].flatMap((row) => (row.vatCategory === category ? [row.vatBp] : []))
      return broken(
        rates.some((vatBp) => of(lines, vatBp) !== of(vatGroups, vatBp)),
        `BR-${category}-08`,
      )
    }),
  ]
}

/** True where the sums of an invoice follow from its lines, whatever its format. */
export const sumsFit = (invoice: Summed): boolean => sumChecks(invoice).every(([isBroken]) => !isBroken)

/**
 * What of EN 16931-1 and, where the format asks it, of XRechnung 3.0 an invoice breaks, in the order in which it is
 * mended. None: it may be sent.
 */
export function eInvoiceFindings(content: EInvoiceContent): EInvoiceFinding[] {
  const checks = [
    ...headChecks(content),
    ...partyChecks(content),
    ...lineChecks(content),
    ...categoryChecks(content),
    ...sumChecks(content),
  ]
  return checks.flatMap(([isBroken, rule, text, record, path]) => (isBroken ? [{ rule, text, record, path }] : []))
}

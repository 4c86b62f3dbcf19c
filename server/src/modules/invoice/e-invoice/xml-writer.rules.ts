import { toThousandths } from '@waybill/contract/kit/money'
import { isOutsideScope, type ContentLine, type EInvoiceContent } from '@waybill/contract/invoice/e-invoice/content'

/** A piece of XML; null where there is nothing to say, for an element may not be empty. */
export type Xml = string | null

// All but the characters of XML 1.0 (2.2); a line break in a value stays as it is.
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')

const openingOf = (name: string, attributes: Readonly<Record<string, string>>): string =>
  [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ')

/** An element with a text, or nothing where there is none. */
export function said(name: string, text: string | null, attributes: Readonly<Record<string, string>> = {}): Xml {
  const clean = text === null ? '' : escaped(text.trim())
  return clean === '' ? null : `<${openingOf(name, attributes)}>${clean}</${name}>`
}

/** An element with a text that ends as it is given: a line break behind the last line may be asked for. */
export const saidInLines = (name: string, text: string | null): Xml =>
  text === null ? null : `<${name}>${escaped(text)}</${name}>`

/** An element with others in it, or nothing where none of them says anything. */
export function holding(
  name: string,
  children: readonly (Xml | readonly Xml[])[],
  attributes: Readonly<Record<string, string>> = {},
): Xml {
  const inside = children.flat().filter((child) => child !== null)
  return inside.length === 0 ? null : `<${openingOf(name, attributes)}>${inside.join('')}</${name}>`
}

/** A whole document; `root` is never empty. */
export const documentOf = (root: Xml): Buffer => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${root!}\n`)

/** UNTDID 1001: the number of what a line bills (BT-128). */
export const OBJECT_REFERENCE = '130'

/** Cents as a decimal with two places. */
export const amount = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

/** A quantity with the places that it has, three at most. */
export function quantity(value: number): string {
  const thousandths = toThousandths(value)
  const whole = `${thousandths < 0 ? '-' : ''}${Math.trunc(Math.abs(thousandths) / 1000)}`
  const places = String(Math.abs(thousandths) % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  return places === '' ? whole : `${whole}.${places}`
}

/** A line whose price is not negative, which EN 16931 does not allow (BR-27): the quantity bears the sign. */
export const signedByQuantity = (line: ContentLine): ContentLine =>
  line.unitPriceCents < 0
    ? { ...line, quantity: line.quantity === 0 ? 0 : -line.quantity, unitPriceCents: -line.unitPriceCents }
    : line

/** The first line of a text as a name (BT-153), and what stands below it (BT-154). */
export function nameAndMore(text: string): { name: string; more: string | null } {
  const [name = '', ...more] = text.trim().split(/\r?\n/)
  return { name, more: more.join('\n') || null }
}

/** Both syntaxes name the specification that they follow (BT-24). */
export const PROFILES = {
  zugferd: 'urn:cen.eu:en16931:2017',
  xrechnungCii: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  xrechnungUbl: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
} as const satisfies Record<EInvoiceContent['format'], string>

/** BT-23, which XRechnung wants: billing as Peppol orders it. */
export const BUSINESS_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

/** BT-3 (UNTDID 1001): an invoice, the correction of one, or that as a credit note. */
export const typeCode = ({ correctionOf, isCreditNote }: EInvoiceContent): '380' | '381' | '384' =>
  correctionOf === null ? '380' : isCreditNote ? '381' : '384'

/** BT-81 (UNTDID 4461): a SEPA credit transfer. */
export const CREDIT_TRANSFER = '58'

/** One piece, whatever is carried (UN/ECE Recommendation 20). */
export const ONE = 'C62'

// Of the code list VATEX; an exemption at home has a sentence of its law alone.
const REASON_CODES: Readonly<Record<string, string>> = { AE: 'VATEX-EU-AE', O: 'VATEX-EU-O' }

/** BT-120 and BT-121: why there is no VAT; standard and zero rate say nothing (BR-S-10, BR-Z-10). */
export const reasonOf = ({ vatCategory, reason }: EInvoiceContent['vatGroups'][number]) =>
  vatCategory === 'S' || vatCategory === 'Z'
    ? { text: null, code: null }
    : { text: reason, code: REASON_CODES[vatCategory] ?? null }

/** Outside the scope of VAT neither side is named by its VAT number (BR-O-02). */
export function taxIdsOf(content: EInvoiceContent) {
  const isOutside = isOutsideScope(content)
  return {
    seller: isOutside ? null : content.seller.vatNumber,
    sellerTax: content.seller.taxNumber,
    buyer: isOutside ? null : content.buyer.vatNumber,
  }
}

/** All notes in one, as UBL has room for one alone (BT-22). */
export const noteOf = ({ notes }: EInvoiceContent): string | null => notes.join('\n') || null

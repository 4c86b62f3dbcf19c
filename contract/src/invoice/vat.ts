import type { Texts } from '../errors.ts'
import { VAT_CATEGORIES, type VatCategory } from '../kit/vat-category.ts'

export { VAT_CATEGORIES, type VatCategory }

/** The buyer declares the VAT itself, and is named by its VAT number (EN 16931, BR-AE-2). */
export const needsBuyersVatNumber = (category: VatCategory): boolean => category === 'AE'

/** The sentence that an invoice without VAT must carry, in the language of the buyer. */
export const VAT_NOTES = {
  reverse_charge: {
    en: 'Reverse charge',
    de: 'Steuerschuldnerschaft des Leistungsempfängers',
    pl: 'odwrotne obciążenie',
  },
  outside_scope: {
    en: 'Outside the scope of VAT: the place of supply is the recipient’s country (Art. 44 of Directive 2006/112/EC)',
    de: 'Nicht steuerbar: Leistungsort ist das Land des Leistungsempfängers (Art. 44 der Richtlinie 2006/112/EG)',
    pl: 'Nie podlega VAT: miejscem świadczenia jest kraj usługobiorcy (art. 44 dyrektywy 2006/112/WE)',
  },
  exempt_de: {
    en: 'Exempt from VAT under § 4 Nr. 3 UStG (cross-border carriage of goods)',
    de: 'Steuerfrei nach § 4 Nr. 3 UStG (grenzüberschreitende Beförderung von Gegenständen)',
    pl: 'Zwolnione z VAT na podstawie § 4 Nr. 3 UStG (transgraniczny przewóz towarów)',
  },
  zero_pl: {
    en: 'VAT rate 0 % under art. 83 sec. 1 item 23 of the Polish VAT Act (international transport)',
    de: 'Steuersatz 0 % nach Art. 83 Abs. 1 Nr. 23 des polnischen Umsatzsteuergesetzes (internationale Beförderung)',
    pl: 'Stawka VAT 0% na podstawie art. 83 ust. 1 pkt 23 ustawy o VAT (transport międzynarodowy)',
  },
  exempt_eu: {
    en: 'Exempt from VAT under Art. 146(1)(e) of Directive 2006/112/EC (transport connected with export or import)',
    de:
      'Steuerfrei nach Art. 146 Abs. 1 Buchst. e der Richtlinie 2006/112/EG (Beförderung im Zusammenhang mit ' +
      'Ausfuhr oder Einfuhr)',
    pl:
      'Zwolnione z VAT na podstawie art. 146 ust. 1 lit. e dyrektywy 2006/112/WE (transport związany z wywozem ' +
      'lub przywozem)',
  },
} as const satisfies Record<string, Texts>
export type VatNoteKey = keyof typeof VAT_NOTES

export interface VatProposal {
  /** hundredths of a percent */
  vatBp: number
  category: VatCategory
  noteKey: VatNoteKey | null
  warning: VatWarning | null
}

/**
 * `no_vat_number`: the buyer sits in another EU country and its VAT number is not known. `recipient_only`: a carriage
 * that leaves the EU, for a customer at home; without VAT only where the customer is sender or recipient of the goods,
 * which staff answer by a rate of 0 %.
 */
export const VAT_WARNINGS = ['no_vat_number', 'recipient_only'] as const
export type VatWarning = (typeof VAT_WARNINGS)[number]

export interface VatFacts {
  company: { countryCode: string; standardVatBp: number }
  /** the billing customer */
  buyer: { countryCode: string; isEu: boolean; hasVatNumber: boolean; isForwarder: boolean }
  /** true where a stop of the transport lies outside the EU */
  stopsOutsideEu: boolean
}

/**
 * What a carriage that leaves the EU is without VAT, sold to the sender or recipient of the goods at home: exempt, in
 * Poland at a rate of zero.
 */
export const exemptAtHome = (countryCode: string): VatCategory => (countryCode === 'PL' ? 'Z' : 'E')

/**
 * The VAT that an invoice would carry, by the billing customer's country, business to business (domain, Invoices).
 * Always a proposal that staff may override: whether the customer is sender or recipient of the goods, to whom alone a
 * carriage out of the EU is free of VAT (CJEU C-288/16), nobody but they knows.
 */
export function proposeVat({ company, buyer, stopsOutsideEu }: VatFacts): VatProposal {
  const standard: VatProposal = { vatBp: company.standardVatBp, category: 'S', noteKey: null, warning: null }
  if (buyer.countryCode === company.countryCode)
    return stopsOutsideEu && !buyer.isForwarder ? { ...standard, warning: 'recipient_only' } : standard
  if (!buyer.isEu) return { vatBp: 0, category: 'O', noteKey: 'outside_scope', warning: null }
  if (!buyer.hasVatNumber) return { ...standard, warning: 'no_vat_number' }
  return { vatBp: 0, category: 'AE', noteKey: 'reverse_charge', warning: null }
}

import type { VatCategory } from '../vat.ts'
import type { CustomerFormat } from '../../e-invoice/format.ts'

interface ElectronicAddress {
  /** of the EAS list */
  scheme: string | null
  value: string | null
}

interface Party {
  name: string
  address: string | null
  postal: string | null
  city: string | null
  countryCode: string
  vatNumber: string | null
  electronic: ElectronicAddress
}

/** One line: what it says, and its amounts in cents. */
export interface ContentLine {
  text: string
  quantity: number
  unitPriceCents: number
  netCents: number
  vatBp: number
  vatCategory: VatCategory
  /** BT-128: the order of ours that it bills */
  orderNumber?: string | null
}

/** What an electronic invoice says, whatever its syntax; names in brackets are those of EN 16931-1. */
export interface EInvoiceContent {
  format: Exclude<CustomerFormat, 'pdf'>
  /** BT-1 */
  number: string
  /** BT-2, BT-9; dates are YYYY-MM-DD */
  issueDate: string
  dueDate: string | null
  /** BT-5 */
  currency: 'EUR'
  /** BT-10 */
  buyerReference: string | null
  /** BT-13 */
  orderReference: string | null
  /** BT-20, in the language of the invoice */
  paymentTerms: string | null
  /** BT-22 */
  notes: string[]
  /** BT-25, BT-26: then it is a correction, type 384, whose amounts bear their sign */
  correctionOf: { number: string; issueDate: string | null } | null
  /** what is given back bears no sign, type 381, as some customers demand */
  isCreditNote?: boolean
  /** BT-73, BT-74 */
  servicePeriodFrom: string | null
  servicePeriodTo: string | null
  seller: Party & {
    /** BT-32 */
    taxNumber: string | null
    /** BT-30 */
    register: string | null
    /** BG-6 */
    contact: { name: string | null; phone: string | null; email: string | null }
  }
  buyer: Party
  /** BT-84, BT-86 */
  iban: string | null
  bic: string | null
  lines: ContentLine[]
  /** BG-23; `reason` is BT-120 */
  vatGroups: { vatBp: number; vatCategory: VatCategory; netCents: number; vatCents: number; reason: string | null }[]
  amountCents: number
  vatCents: number
  totalCents: number
}

/**
 * Outside the scope of VAT (category O) no VAT number of either side may stand on an invoice: the seller is named by
 * its tax number (EN 16931, BR-O-02).
 */
export const isOutsideScope = ({ lines }: Pick<EInvoiceContent, 'lines'>): boolean =>
  lines.some(({ vatCategory }) => vatCategory === 'O')

import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { RefusedEInvoice } from './refusal.rules.ts'

type Sums = 'netCents' | 'vatCents' | 'totalCents' | 'payableCents'

/** The sums that EN 16931 names beside the totals (BG-22); null where the invoice does not. */
export interface OtherSums {
  /** BT-106 */
  lines: number | null
  /** BT-107 */
  allowances: number | null
  /** BT-108 */
  charges: number | null
  /** BT-113 */
  prepaid: number | null
  /** BT-114 */
  rounding: number | null
  /** each allowance (BT-92) and charge (BT-99) of the whole invoice */
  eachAllowance: number[]
  eachCharge: number[]
}

/** What a format says, before anybody asks whether it is complete. */
export type EInvoiceDraft = Omit<EInvoice, Sums | 'number' | 'issueDate' | 'currency' | 'warnings' | 'format'> &
  Record<Sums, number | null> & {
    number: string | null
    issueDate: string | null
    currency: string | null
    others: OtherSums | null
  }

/** A text that an invoice cannot do without. Throws `e_invoice_incomplete`. */
export function needed<Value>(value: Value | null): Value {
  if (value === null) throw new RefusedEInvoice('e_invoice_incomplete')
  return value
}

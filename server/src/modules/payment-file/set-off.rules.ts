import { isApprovedInvoice } from '@waybill/contract/invoice/status'
import type { LeftOutReason, SetOff } from '@waybill/contract/payment-file/payment-file'
import type { FoundPayable } from './payable.query.ts'

/** Why an invoice or a credit note cannot be set off; no account is needed for it. */
export function whyNoSetOff(found: FoundPayable): LeftOutReason | null {
  if (found.companyId === null) return 'pay_other_company'
  if (!isApprovedInvoice(found.status)) return 'pay_not_approved'
  if (found.paymentFile !== null) return 'in_payment_run'
  if (found.totalCents === 0) return 'pay_amount_zero'
  return found.currency === 'EUR' ? null : 'currency'
}

/** Some that come to nothing together, as the API shows them. */
export const shownSetOff = (together: readonly FoundPayable[]): SetOff => ({
  carrierCompany: { id: together[0]!.carrierCompanyId, title: together[0]!.title },
  invoices: together.map(({ id, number, totalCents }) => ({ id, title: number, totalCents })),
  totalCents: together.reduce((sum, { totalCents }) => sum + Math.max(totalCents, 0), 0),
})

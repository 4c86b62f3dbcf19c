import { isSmallRest, type OpenInvoice } from '@waybill/contract/payment/payment'
import { skontoOf } from '@waybill/contract/skonto/offers'

/** What a share takes off as Skonto, and what is then still open of its invoice. */
export function afterShare(
  { openCents, offers }: Pick<OpenInvoice, 'openCents' | 'offers'>,
  amountCents: number,
  valueDate: string,
): { skontoCents: number; leftCents: number } {
  const skontoCents = skontoOf(openCents, amountCents, offers, valueDate)
  return { skontoCents, leftCents: openCents - amountCents - skontoCents }
}

/** What can be written off of an invoice that this share pays all but that; 0: nothing. */
export function restToWriteOff(invoice: OpenInvoice, amountCents: number, valueDate: string): number {
  if (amountCents <= 0) return 0
  const { leftCents } = afterShare(invoice, amountCents, valueDate)
  return isSmallRest({ openCents: leftCents, totalCents: invoice.totalCents }) ? leftCents : 0
}

/**
 * A payment over open invoices: first the one in hand, then the oldest due; the last one in part. An invoice takes what
 * is open of it, or less by its Skonto where the payment comes to just that.
 */
export function shareOut(
  invoices: readonly OpenInvoice[],
  { amountCents, firstId, valueDate }: { amountCents: number; firstId: number; valueDate: string },
): Map<number, number> {
  const shares = new Map<number, number>()
  const inHand = invoices.filter(({ id }) => id === firstId)
  let left = amountCents
  for (const invoice of [...inHand, ...invoices.filter(({ id }) => id !== firstId)]) {
    if (left <= 0) break
    const share = Math.min(left, invoice.openCents)
    shares.set(invoice.id, share)
    left -= share
    // What is left of it is Skonto, and the payment is at its end.
    if (afterShare(invoice, share, valueDate).leftCents === 0 && share < invoice.openCents) break
  }
  return shares
}

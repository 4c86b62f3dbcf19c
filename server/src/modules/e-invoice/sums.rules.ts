import type { EInvoice, EInvoiceWarning } from '@waybill/contract/e-invoice/e-invoice'
import { roundHalfAwayFromZero, sumCents } from '@waybill/contract/kit/money'
import type { OtherSums } from './draft.rules.ts'

type Summed = Pick<EInvoice, 'netCents' | 'vatCents' | 'totalCents' | 'payableCents' | 'vatGroups' | 'lines'>

// Half a cent of rounding, and one that is usual where each line is rounded: a whole cent is what EN 16931's own rules
// for VAT allow at most.
const ALLOWED_CENTS = 1

/**
 * Which of the rules of EN 16931 (6.4.2) the sums break. `others` is null of formats that have none of them beside the
 * totals; rules about what the invoice does not say are left out.
 */
export function brokenSums(invoice: Summed, others: OtherSums | null): EInvoiceWarning[] {
  const { netCents, vatCents, totalCents, payableCents, vatGroups, lines } = invoice
  const rules: (readonly [EInvoiceWarning, holds: boolean])[] = []
  if (others !== null) {
    const { allowances, charges } = others
    const lineSums = lines.map((line) => line.netCents)
    if (others.lines !== null && lines.length > 0 && lineSums.every((sum) => sum !== null))
      rules.push(['BR-CO-10', sumCents(lineSums) === others.lines])
    rules.push(['BR-CO-11', sumCents(others.eachAllowance) === (allowances ?? 0) || others.eachAllowance.length === 0])
    rules.push(['BR-CO-12', sumCents(others.eachCharge) === (charges ?? 0) || others.eachCharge.length === 0])
    if (others.lines !== null) rules.push(['BR-CO-13', others.lines - (allowances ?? 0) + (charges ?? 0) === netCents])
    rules.push(['BR-CO-16', totalCents - (others.prepaid ?? 0) + (others.rounding ?? 0) === payableCents])
  }
  if (vatGroups.length > 0) rules.push(['BR-CO-14', sumCents(vatGroups.map((group) => group.vatCents)) === vatCents])
  rules.push(['BR-CO-15', netCents + vatCents === totalCents])
  rules.push([
    'BR-CO-17',
    vatGroups.every(
      (group) =>
        group.vatBp === null ||
        Math.abs(roundHalfAwayFromZero(BigInt(group.netCents) * BigInt(group.vatBp), 10_000) - group.vatCents) <=
          ALLOWED_CENTS,
    ),
  ])
  return rules
    .filter(([, holds]) => !holds)
    .map(([rule]) => rule)
    .toSorted()
}

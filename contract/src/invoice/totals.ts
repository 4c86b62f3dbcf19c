import { roundHalfAwayFromZero, sumCents, toThousandths, vatOf } from '../kit/money.ts'
import { addDays } from '../kit/local-time.ts'
import { VAT_CATEGORIES, type VatCategory } from './vat.ts'

/** A line as far as sums look at it: a quantity of at most three places, the net price of one in cents. */
export interface PricedLine {
  readonly quantity: number
  readonly unitPriceCents: number
  readonly vatBp: number
  readonly vatCategory: VatCategory
}

export interface VatGroup {
  vatBp: number
  vatCategory: VatCategory
  netCents: number
  vatCents: number
}

export interface InvoiceTotals {
  /** the net of each line, in their order */
  netCents: number[]
  vatGroups: VatGroup[]
  amountCents: number
  /** null when the lines are of several rates, or none */
  vatBp: number | null
  vatCents: number
  totalCents: number
}

/** Quantity × unit price in cents, half away from zero. */
export const lineNetCents = ({ quantity, unitPriceCents }: Pick<PricedLine, 'quantity' | 'unitPriceCents'>): number =>
  roundHalfAwayFromZero(BigInt(toThousandths(quantity)) * BigInt(unitPriceCents), 1000)

/**
 * The sums of an invoice (domain, Invoices): VAT for each rate and category on the sum of the lines' nets, so that
 * net + VAT = gross exactly, and lines with the opposite sign give the opposite sums. Groups stand by rate, the
 * highest first.
 */
export function invoiceTotals(lines: readonly PricedLine[]): InvoiceTotals {
  const netCents = lines.map(lineNetCents)
  const groups = new Map<string, VatGroup>()
  lines.forEach(({ vatBp, vatCategory }, index) => {
    const key = `${vatBp} ${vatCategory}`
    const group = groups.get(key) ?? { vatBp, vatCategory, netCents: 0, vatCents: 0 }
    group.netCents = sumCents([group.netCents, netCents[index]!])
    groups.set(key, group)
  })
  const vatGroups = [...groups.values()].sort(
    (a, b) => b.vatBp - a.vatBp || VAT_CATEGORIES.indexOf(a.vatCategory) - VAT_CATEGORIES.indexOf(b.vatCategory),
  )
  for (const group of vatGroups) group.vatCents = vatOf(group.netCents, group.vatBp)
  const amountCents = sumCents(netCents)
  const vatCents = sumCents(vatGroups.map((group) => group.vatCents))
  const rates = new Set(vatGroups.map((group) => group.vatBp))
  return {
    netCents,
    vatGroups,
    amountCents,
    vatBp: rates.size === 1 ? [...rates][0]! : null,
    vatCents,
    totalCents: sumCents([amountCents, vatCents]),
  }
}

/** The lines that take an invoice back to the cent: the same with the opposite quantities. */
export const mirroredLines = <Line extends { readonly quantity: number }>(lines: readonly Line[]): Line[] =>
  lines.map((line) => ({ ...line, quantity: line.quantity === 0 ? 0 : -line.quantity }))

/** The period that counts in days: the order's, else the customer's, else 30 (spec §9). */
export const paymentPeriod = (orderDays: number | null | undefined, customerDays: number | null | undefined): number =>
  orderDays ?? customerDays ?? 30

/** Invoice date + period in days, both dates `YYYY-MM-DD` (domain, Invoices). */
export const dueDate = (invoiceDate: string, periodDays: number): string => addDays(invoiceDate, periodDays)

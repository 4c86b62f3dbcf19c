import { sumCents, vatOf } from '../../kit/money.ts'
import type { VatCategory } from '../vat.ts'
import { inGrosz, type TaxPointRate } from './rate.ts'
import { ksefRate, needsRate } from './rules.ts'

interface Group {
  vatCategory: VatCategory
  vatBp: number
}

/** An invoice, as far as its VAT in złoty goes. */
export interface InZloty {
  lines: readonly (Group & { netCents: number; serviceDate?: string | null })[]
  vatGroups: readonly (Group & { vatCents: number })[]
  servicePeriodTo: string | null
}

const fieldOf = ({ vatCategory, vatBp }: Group): string | null => ksefRate(vatCategory, vatBp)?.vat ?? null

/** When what a line bills is due: on its own day, else at the end of what is billed; null where nobody has said it. */
const taxPointOf = ({ serviceDate }: InZloty['lines'][number], { servicePeriodTo }: InZloty): string | null =>
  serviceDate ?? servicePeriodTo

/** The tax points of which an invoice needs a rate, the earliest first; none where no VAT is charged. */
export function taxPointsOf(invoice: InZloty): (string | null)[] {
  if (!needsRate(invoice.vatGroups)) return []
  const points = new Set(
    invoice.lines.filter((line) => fieldOf(line) !== null).map((line) => taxPointOf(line, invoice)),
  )
  // VAT of no line: a correction that mends the rounding of others.
  return points.size === 0
    ? [invoice.servicePeriodTo]
    : [...points].toSorted((a, b) => (a ?? '').localeCompare(b ?? ''))
}

/**
 * The rate of a line, null where none is given; what has a day of which there is none goes with the last. Tax points
 * that share one table, as those of a weekend do, share one rate.
 */
export function rateOfLine(
  line: InZloty['lines'][number],
  invoice: InZloty,
  rates: readonly TaxPointRate[],
): TaxPointRate | null {
  const own = rates.find(({ taxPoint }) => taxPoint === taxPointOf(line, invoice)) ?? rates.at(-1)
  return rates.find(({ day }) => day === own?.day) ?? null
}

/** What of the VAT becomes złoty by one rate. */
export interface ZlotyPart {
  rate: TaxPointRate
  grosz: number
}

/** VAT in grosz: by the fields of FA(3) (`P_14_1` …) and by the rates, which come to the same sum. */
export interface Zloty {
  grosz: number
  fields: ReadonlyMap<string, number>
  /** of a rate that nothing takes there is none */
  parts: readonly ZlotyPart[]
}

/**
 * The VAT of an invoice in złoty, null where no rate is given. The VAT of each rate of VAT goes over the tax points by
 * what their lines come to, and what rounding leaves to the last of them, so that it stays the invoice's own. Each
 * field of FA(3) is rounded by itself for each exchange rate.
 */
export function vatInZloty(invoice: InZloty, rates: readonly TaxPointRate[]): Zloty | null {
  if (rates.length === 0) return null
  const last = rates.find(({ day }) => day === rates.at(-1)!.day)!
  const cents = new Map<string, Map<TaxPointRate, number>>()
  for (const group of invoice.vatGroups) {
    const field = fieldOf(group)
    if (field === null) continue
    const own = invoice.lines.filter(
      ({ vatCategory, vatBp }) => vatCategory === group.vatCategory && vatBp === group.vatBp,
    )
    const byRate = Map.groupBy(own, (line) => rateOfLine(line, invoice, rates)!)
    const parts = rates.flatMap((rate) => {
      const lines = byRate.get(rate)
      return lines ? [{ rate, cents: vatOf(sumCents(lines.map(({ netCents }) => netCents)), group.vatBp) }] : []
    })
    const rest = group.vatCents - sumCents(parts.map((part) => part.cents))
    if (parts.length > 0) parts.at(-1)!.cents += rest
    else parts.push({ rate: last, cents: rest })
    const sums = cents.get(field) ?? new Map<TaxPointRate, number>()
    for (const part of parts) sums.set(part.rate, (sums.get(part.rate) ?? 0) + part.cents)
    cents.set(field, sums)
  }
  const grosz = [...cents].flatMap(([field, sums]) =>
    [...sums].map(([rate, sum]) => ({ field, rate, grosz: inGrosz(sum, rate) })),
  )
  const sumOf = (some: typeof grosz) => sumCents(some.map((one) => one.grosz))
  const byField = Map.groupBy(grosz, ({ field }) => field)
  const byRate = Map.groupBy(grosz, ({ rate }) => rate)
  return {
    grosz: sumOf(grosz),
    fields: new Map([...byField].map(([field, own]) => [field, sumOf(own)])),
    parts: rates.flatMap((rate) => {
      const own = byRate.get(rate)
      return own ? [{ rate, grosz: sumOf(own) }] : []
    }),
  }
}

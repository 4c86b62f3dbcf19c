/**
 * Numerator / denominator as an integer; a half goes away from zero, so that a correction mirrors what it corrects
 * (domain, Invoices). Takes integers of any sign; throws RangeError on a zero denominator, a fraction, or a result
 * beyond 2^53.
 */
export function roundHalfAwayFromZero(numerator: number | bigint, denominator: number | bigint): number {
  const above = BigInt(numerator)
  const below = BigInt(denominator)
  if (below === 0n) throw new RangeError('division by zero')
  const size = above < 0n ? -above : above
  const by = below < 0n ? -below : below
  const rounded = (2n * size + by) / (2n * by)
  const result = Number(above < 0n === below < 0n ? rounded : -rounded)
  if (!Number.isSafeInteger(result)) throw new RangeError('result is not a safe integer')
  return result
}

/** VAT in cents on a net amount in cents; the rate in hundredths of a percent (1900 = 19 %). */
export const vatOf = (netCents: number, vatBp: number): number =>
  roundHalfAwayFromZero(BigInt(netCents) * BigInt(vatBp), 10_000)

/** Exact sum of cents; throws RangeError beyond 2^53. */
export function sumCents(amounts: Iterable<number>): number {
  let sum = 0
  let beyond: bigint | null = null
  for (const amount of amounts) {
    const next = sum + amount
    // As long as nothing is beyond, plain numbers are exact: hundreds of lines are summed at every key.
    if (beyond === null && Number.isSafeInteger(amount) && Number.isSafeInteger(next)) sum = next
    else beyond = (beyond ?? BigInt(sum)) + BigInt(amount)
  }
  const result = beyond === null ? sum : Number(beyond)
  if (!Number.isSafeInteger(result)) throw new RangeError('sum is not a safe integer')
  return result
}

/**
 * A decimal of at most three places as whole thousandths, in which sums are exact: 1.294 → 1294. Further places are
 * rounded.
 */
export function toThousandths(value: number): number {
  if (Number.isInteger(value)) return value * 1000 + 0
  // A multiplication alone would turn 1.0005 into 1000.4999…: the decimal notation is what was meant.
  const thousandths = Math.round(Math.abs(Number(`${value}e3`) || value * 1000))
  return value < 0 && thousandths !== 0 ? -thousandths : thousandths
}

/** The way back from toThousandths: 1294 → 1.294. */
export const fromThousandths = (thousandths: number): number => thousandths / 1000

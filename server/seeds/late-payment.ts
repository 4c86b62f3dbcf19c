import type { LatePayment } from '@waybill/contract/reminder/terms'

const FORTY_EUROS = 4000

/** Of countries whose law nobody has entered yet. */
export const NO_CLAIMS: LatePayment = { aboveBp: 0, consumerAboveBp: null, rates: [], fees: [] }

/**
 * What creditors may claim of who pays late, by country. Base rates change on the first of January and of July; those
 * after the last line are entered by hand.
 *
 * DE: § 288 (2) and (5) BGB, of consumers § 288 (1), base rate as the Bundesbank publishes it (§ 247 BGB). AT: § 456
 * and § 458 UGB, base rate of the OeNB on the first day of the half-year. PL: art. 4 no. 3 a, art. 10 and art. 11b of
 * the act of 8 March 2013 (late payment in commercial transactions), of consumers art. 481 § 2 k.c., reference rate of
 * the NBP. Its steps: 70 € above 5,000 PLN, 100 € from 50,000 PLN on. In euros they stand here at 4.27 PLN, each as the
 * first cent that is over 5,000 PLN, and that reaches 50,000 PLN.
 */
export const LATE_PAYMENT: Readonly<Record<string, LatePayment>> = {
  DE: {
    aboveBp: 900,
    consumerAboveBp: 500,
    rates: [
      { from: '2024-01-01', baseBp: 362 },
      { from: '2024-07-01', baseBp: 337 },
      { from: '2025-01-01', baseBp: 227 },
      { from: '2025-07-01', baseBp: 127 },
      { from: '2026-01-01', baseBp: 127 },
    ],
    fees: [{ fromCents: 0, feeCents: FORTY_EUROS }],
  },
  AT: {
    aboveBp: 920,
    // 4 %, whatever the base rate is (§ 1000 ABGB): no points above it.
    consumerAboveBp: null,
    rates: [
      { from: '2025-07-01', baseBp: 153 },
      { from: '2026-01-01', baseBp: 153 },
    ],
    fees: [{ fromCents: 0, feeCents: FORTY_EUROS }],
  },
  PL: {
    aboveBp: 1000,
    consumerAboveBp: 550,
    rates: [
      { from: '2024-01-01', baseBp: 575 },
      { from: '2025-07-01', baseBp: 525 },
      { from: '2026-01-01', baseBp: 400 },
    ],
    fees: [
      { fromCents: 0, feeCents: FORTY_EUROS },
      { fromCents: 117_097, feeCents: 7000 },
      { fromCents: 1_170_961, feeCents: 10_000 },
    ],
  },
}

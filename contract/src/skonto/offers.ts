import { addDays } from '../kit/local-time.ts'
import { roundHalfAwayFromZero } from '../kit/money.ts'
import type { Skonto } from './skonto.ts'

/** One step of an invoice: what may be taken off, and until which value date. */
export interface SkontoOffer {
  percentBp: number
  amountCents: number
  /** `YYYY-MM-DD`, that day included */
  until: string
}

/** What may be taken off an invoice of a date, of what it comes to after its corrections; nothing of a negative one. */
export const skontoOffers = (skonto: Skonto, invoiceDate: string, owedCents: number): SkontoOffer[] =>
  owedCents <= 0
    ? []
    : skonto.map(({ percentBp, days }) => ({
        percentBp,
        amountCents: roundHalfAwayFromZero(BigInt(owedCents) * BigInt(percentBp), 10_000),
        until: addDays(invoiceDate, days),
      }))

/**
 * The Skonto that makes an amount a full payment: what is still open after it, where that is no more than what may be
 * taken off by this value date. 0 where it stays a part payment, or pays all.
 */
export function skontoOf(openCents: number, amountCents: number, offers: readonly SkontoOffer[], valueDate: string) {
  const most = Math.max(0, ...offers.filter(({ until }) => valueDate <= until).map((offer) => offer.amountCents))
  const missing = openCents - amountCents
  return amountCents > 0 && missing > 0 && missing <= most ? missing : 0
}

/** The most that a person may grant, whatever the day. */
export const mostSkonto = (offers: readonly SkontoOffer[]): number =>
  Math.max(0, ...offers.map(({ amountCents }) => amountCents))

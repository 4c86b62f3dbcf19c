import { isIban } from '@waybill/contract/kit/bank/iban'
import { isRealDate } from '@waybill/contract/kit/local-time'
import { roundHalfAwayFromZero } from '@waybill/contract/kit/money'
import { RefusedXml } from './refused-xml.ts'

const DECIMAL = /^([+-]?)(\d{1,13})(?:\.(\d{1,20}))?$/

/** What was noticed while amounts were read. */
export interface Noticed {
  rounded: boolean
}

/**
 * A decimal (xs:decimal) as whole cents, exact; from the third place on it is rounded, half away from zero, and that
 * is noticed. Null where nothing is said. Throws `incomplete` where it is no amount, or beyond ten trillion.
 */
export function centsOf(written: string | null, noticed: Noticed): number | null {
  if (written === null) return null
  const [, sign, whole, places = ''] = DECIMAL.exec(written) ?? []
  if (whole === undefined) throw new RefusedXml('incomplete')
  const digits = BigInt(whole + places.padEnd(2, '0'))
  const below = 10n ** BigInt(Math.max(0, places.length - 2))
  if (digits % below !== 0n) noticed.rounded = true
  const cents = roundHalfAwayFromZero(digits, below)
  return sign === '-' && cents !== 0 ? -cents : cents
}

/** A rate in percent as hundredths; null where it is none, or above 100. */
export function rateOf(written: string | null): number | null {
  const [, sign, whole, places = ''] = DECIMAL.exec(written ?? '') ?? []
  if (whole === undefined || sign === '-') return null
  const basisPoints = Math.round(Number(`${whole}.${places}e2`))
  return basisPoints <= 10_000 ? basisPoints : null
}

/** A quantity or a price of one unit, which is only shown. */
export function figureOf(written: string | null): number | null {
  return written !== null && DECIMAL.test(written) ? Number(written) : null
}

/** A day as `2026-12-03`, with or without a zone or a time, or `20261203`; null where it is none. */
export function dayOf(written: string | null): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?:$|[TZ+-])/.exec(written ?? '') ?? []
  const date = `${year}-${month}-${day}`
  return year !== undefined && /^[12]/.test(year) && isRealDate(date) ? date : null
}

/** A bank account, if it is a valid IBAN; a Polish number of 26 digits is one without its letters. */
export function ibanOf(written: string | null): string | null {
  const compact = (written ?? '').replace(/[\s-]/g, '').toUpperCase()
  const iban = /^\d{26}$/.test(compact) ? `PL${compact}` : compact
  return isIban(iban) ? iban : null
}

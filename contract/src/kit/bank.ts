import { z } from 'zod'
import { coded, id, optionalText, reference } from './fields.ts'

// ISO 13616: country-wise lengths of the IBANs that a European forwarder meets.
const IBAN_LENGTHS: Record<string, number> = {
  AD: 24,
  AL: 28,
  AT: 20,
  BA: 20,
  BE: 16,
  BG: 22,
  BY: 28,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  RS: 22,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  TR: 26,
  UA: 29,
  XK: 20,
}

/** ISO 13616 check: known country, its length, and the remainder of 97. Takes the compact form. */
export function isIban(value: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(value) || value.length !== IBAN_LENGTHS[value.slice(0, 2)]) return false
  const digits = (value.slice(4) + value.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** An IBAN as people type it; kept compact and in capitals. */
export const iban = z
  .string()
  .max(50)
  .transform((value) => value.replace(/[\s-]/g, '').toUpperCase())
  .refine(isIban, coded('invalid_iban'))

/** A bank account of a company or carrier. */
export const bankAccount = z.strictObject({
  id: id.optional(),
  bankName: optionalText(100),
  iban,
  bic: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, coded('invalid_bic'))
    .nullable()
    .default(null),
})

/** A bank account as it was stored, with who entered it and who else confirmed it (domain, Invoices); null = nobody. */
export const storedBankAccount = bankAccount.extend({
  id,
  enteredById: id.nullable(),
  enteredBy: reference.nullable(),
  /** when; null of what is older than this was asked */
  enteredAt: z.string().nullable(),
  confirmedById: id.nullable(),
  confirmedBy: reference.nullable(),
  confirmedAt: z.string().nullable(),
})
export type StoredBankAccount = z.output<typeof storedBankAccount>

/** How an account came onto a record. */
export const ACCOUNT_SOURCES = ['hand', 'upload', 'import'] as const
export type AccountSource = (typeof ACCOUNT_SOURCES)[number]

/** How far an account is to be trusted (decision 076). */
export const ACCOUNT_STANDINGS = ['unknown', 'unconfirmed', 'fresh', 'confirmed'] as const
export type AccountStanding = (typeof ACCOUNT_STANDINGS)[number]

const FRESH_MS = 30 * 86_400_000

/**
 * `unknown`: not on the record (null); `unconfirmed`: no second person yet, so nothing is paid there; `fresh`:
 * confirmed less than 30 days before `now`, paid and worth a look; `confirmed`: longer ago, or so long that nobody
 * noted when.
 */
export function accountStanding(
  account: Pick<StoredBankAccount, 'confirmedById' | 'confirmedAt'> | null,
  now: Date | string,
): AccountStanding {
  if (account === null) return 'unknown'
  if (account.confirmedById === null) return 'unconfirmed'
  if (account.confirmedAt === null) return 'confirmed'
  return new Date(now).getTime() - Date.parse(account.confirmedAt) < FRESH_MS ? 'fresh' : 'confirmed'
}

/** What lists show of an IBAN: the country and the last four characters. */
export const ibanTail = (iban: string): string => iban.slice(-4)

// As people write them: in groups or not, and nothing right behind.
const IBAN_IN_TEXT = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}/g

/** The whole IBANs that stand in a text, in groups or not, each without its spaces. */
export const ibansIn = (text: string): string[] =>
  (text.match(IBAN_IN_TEXT) ?? []).flatMap((found) => {
    const compact = found.replace(/[\s-]/g, '').toUpperCase()
    // Letters of the next word may hang on.
    const iban = compact.slice(0, IBAN_LENGTHS[compact.slice(0, 2)])
    return isIban(iban) ? [iban] : []
  })

/** True where a text holds a whole IBAN: of a carrier none may leave the house. */
export const showsIban = (text: string): boolean => ibansIn(text).length > 0

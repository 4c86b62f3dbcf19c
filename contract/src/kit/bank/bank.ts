import { z } from 'zod'
import { coded, id, optionalText, reference } from '../fields.ts'
import { IBAN_LENGTHS, isIban } from './iban.ts'

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

import { ibanOf } from '../../kit/xml/xml-values.ts'

// UNTDID 4461: a credit transfer, a payment to a bank account, a SEPA credit transfer.
const TRANSFERS = ['30', '42', '58']
// Cards and direct debits: what stands there is no account for us to pay to.
const NO_TRANSFERS = ['48', '49', '54', '55', '59']

/**
 * The account to which an invoice wants to be paid: of the first of its means of payment that is a transfer, of one
 * whose kind says nothing where none is.
 */
export function payeeIbanOf(means: readonly { code: string | null; account: string | null }[]): string | null {
  const isOf = (codes: readonly string[], code: string | null) => code !== null && codes.includes(code)
  const transfers = means.filter(({ code }) => isOf(TRANSFERS, code))
  const others = means.filter(({ code }) => !isOf(TRANSFERS, code) && !isOf(NO_TRANSFERS, code))
  const ibans = [...transfers, ...(transfers.length === 0 ? others : [])].map(({ account }) => ibanOf(account))
  return ibans.find((iban) => iban !== null) ?? null
}

/** A VAT number with the letters of its country, without blanks and points. */
export function vatNumberOf(written: string | null, country = ''): string | null {
  const compact = (written ?? '').replace(/[\s.-]/g, '').toUpperCase()
  return compact === '' ? null : country + compact
}

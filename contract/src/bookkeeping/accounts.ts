import type { FormErrorCode } from '../errors.ts'
import type { VatCategory } from '../kit/vat-category.ts'
import type { BookedSide, BookkeepingSettings, VatAccount } from './settings.ts'

// Apart from the shape of the settings, which every page with companies loads.

/** The accounts of customers, or of carriers, of a company: one digit more than those of its general ledger. */
export function personalRange(side: BookedSide, accountLength: number): { from: number; to: number } {
  const unit = 10 ** accountLength
  return side === 'income' ? { from: unit, to: 7 * unit - 1 } : { from: 7 * unit, to: 10 * unit - 1 }
}

/** Where amounts of a side, category and rate are booked; undefined where nobody has said it. */
export const accountOf = (
  { accounts }: BookkeepingSettings,
  side: BookedSide,
  { vatCategory, vatBp }: { vatCategory: VatCategory; vatBp: number },
): VatAccount | undefined =>
  accounts.find((one) => one.side === side && one.vatCategory === vatCategory && one.vatBp === vatBp)

/** What is wrong with settings beyond the shape of each field: too many digits, a rate twice. Paths are within them. */
export function settingsFaults(settings: BookkeepingSettings): { path: string; code: FormErrorCode }[] {
  const { accountLength, accounts, consultantNumber, clientNumber } = settings
  const isTooLong = (number: number | null) => number !== null && number >= 10 ** accountLength
  const named: [string, number | null][] = [
    ['bankAccount', settings.bankAccount],
    ['clearingAccount', settings.clearingAccount],
    ['feeAccount', settings.feeAccount],
    ['interestAccount', settings.interestAccount],
    ...accounts.flatMap((one, index): [string, number | null][] => [
      [`accounts.${index}.account`, one.account],
      [`accounts.${index}.skontoAccount`, one.skontoAccount],
      [`accounts.${index}.creditAccount`, one.creditAccount],
    ]),
  ]
  const keyOf = ({ side, vatCategory, vatBp }: VatAccount) => `${side} ${vatCategory} ${vatBp}`
  const keys = accounts.map(keyOf)
  return [
    ...named.flatMap(([path, number]) => (isTooLong(number) ? [{ path, code: 'account_too_long' as const }] : [])),
    ...keys.flatMap((key, index) =>
      keys.indexOf(key) < index ? [{ path: `accounts.${index}.vatBp`, code: 'duplicate_key' as const }] : [],
    ),
    // One of them alone makes no file.
    ...((consultantNumber === null) === (clientNumber === null)
      ? []
      : [
          {
            path: consultantNumber === null ? 'consultantNumber' : 'clientNumber',
            code: 'required' as const,
          },
        ]),
  ]
}

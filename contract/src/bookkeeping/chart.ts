import { ACCOUNT_LENGTHS, type BookkeepingSettings, type Chart, type VatAccount } from './settings.ts'

type Row = readonly [
  side: VatAccount['side'],
  vatCategory: VatAccount['vatCategory'],
  vatBp: number,
  SKR03: number,
  SKR04: number,
  skonto?: readonly [SKR03: number, SKR04: number],
  credit?: readonly [SKR03: number, SKR04: number | null],
]

/**
 * What DATEV's charts have for a forwarder, in four digits. Each account brings its tax along, so that no key is
 * needed; SKR04 has none for other income at 7 %. Source: DATEV, charts SKR03 and SKR04. A proposal: the tax adviser
 * has the last word.
 */
const ROWS: readonly Row[] = [
  ['income', 'S', 1900, 8400, 4400, [8736, 4736], [8640, 4836]],
  ['income', 'S', 700, 8300, 4300, [8731, 4731], [8630, null]],
  // to firms in other member states, and outside the Union
  ['income', 'AE', 0, 8336, 4336, [8730, 4730], [8600, 4835]],
  ['income', 'O', 0, 8338, 4338, [8730, 4730], [8600, 4835]],
  // § 4 Nr. 3 UStG
  ['income', 'E', 0, 8150, 4150, [8730, 4730], [8600, 4835]],
  ['income', 'Z', 0, 8150, 4150, [8730, 4730], [8600, 4835]],
  ['expense', 'S', 1900, 3106, 5906],
  ['expense', 'S', 700, 3108, 5908],
  // § 13b UStG: carriers in other member states, and outside the Union
  ['expense', 'AE', 0, 3123, 5923],
  ['expense', 'O', 0, 3125, 5925],
  ['expense', 'E', 0, 3109, 5909],
]

const OF_CHART = {
  // Claims of late payment are damages, without VAT: other income, and other interest.
  SKR03: { at: 0, bankAccount: 1200, clearingAccount: 1360, feeAccount: 2700, interestAccount: 2650 },
  SKR04: { at: 1, bankAccount: 1800, clearingAccount: 1460, feeAccount: 4830, interestAccount: 7100 },
} as const

/** The accounts with which a chart begins, as long as the company's accounts are. */
export function chartAccounts(
  chart: Exclude<Chart, 'own'>,
  accountLength: number,
): Omit<BookkeepingSettings, 'consultantNumber' | 'clientNumber' | 'fiscalYearMonth' | 'accountLength'> {
  const { at, bankAccount, clearingAccount, feeAccount, interestAccount } = OF_CHART[chart]
  // Longer accounts are the same with zeros behind.
  const long = (account: number) => account * 10 ** (accountLength - ACCOUNT_LENGTHS.shortest)
  const longOrNone = (account: number | null = null) => (account === null ? null : long(account))
  return {
    chart,
    bankAccount: long(bankAccount),
    clearingAccount: long(clearingAccount),
    feeAccount: long(feeAccount),
    interestAccount: long(interestAccount),
    accounts: ROWS.map(([side, vatCategory, vatBp, skr03, skr04, skonto, credit]) => ({
      side,
      vatCategory,
      vatBp,
      account: long(at === 0 ? skr03 : skr04),
      taxKey: null,
      skontoAccount: longOrNone(skonto?.[at]),
      creditAccount: longOrNone(credit?.[at]),
    })),
  }
}

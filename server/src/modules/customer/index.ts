export { giveDebtorNumbers, nextDebtorNumber } from './debtor-number.ts'

export { giveDebtorNumbers, nextDebtorNumber } from './debtor-number.ts'
export { makeContactAnonymous } from './make-contact-anonymous.ts'

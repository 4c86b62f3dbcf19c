export { withdrawConfirmation } from './confirm-bank-account.ts'
export { noteLinkMakers, noteTypedOnInvoice } from './iban-authors.ts'
export { giveCreditorNumbers, nextCreditorNumber } from './creditor-number.ts'
export { makeCarrierPersonAnonymous } from './make-person-anonymous.ts'

export { withdrawConfirmation } from './confirm-bank-account.ts'
export { noteLinkMakers, noteTypedOnInvoice } from './iban-authors.ts'

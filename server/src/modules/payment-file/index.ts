export { paymentFileOwner } from './payment-file.policy.ts'

/** What making a run comes to, for the demo's past runs. */
export { writeRun } from './create-payment-file.ts'
export { payerOf } from './debtor-bank.query.ts'
export { findPayables } from './payable.query.ts'
export { freeItems } from './payment-file.repository.ts'

/** A statement of the bank says that a run was paid, or that a payment of it came back. */
export { runView } from './payment-file.query.ts'
export { confirmPaymentFile, returnPayment } from './settle-payment-file.ts'

/** An invoice that was set off is paid no more: the others go back with it; and setting off, for the demo. */
export { setOffInvoices, takeSetOffBack } from './set-off.ts'

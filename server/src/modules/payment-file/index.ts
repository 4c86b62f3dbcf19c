export { paymentFileOwner } from './payment-file.policy.ts'

/** What making a run comes to, for the demo's past runs. */
export { writeRun } from './create-payment-file.ts'
export { payerOf } from './debtor-bank.query.ts'
export { findPayables } from './payable.query.ts'
export { freeItems } from './payment-file.repository.ts'

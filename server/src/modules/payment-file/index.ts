export { paymentFileOwner } from './payment-file.policy.ts'

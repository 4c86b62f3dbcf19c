export { bookPayment } from './book-payment.ts'
export { bookMoved, setOffCorrection } from './follow-invoice.ts'
export { reversePayment } from './reverse-payment.ts'

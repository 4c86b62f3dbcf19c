export { bookMoved, setOffCorrection } from './follow-invoice.ts'

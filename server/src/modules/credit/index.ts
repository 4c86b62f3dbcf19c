export { creditOfOrder, creditOfOrders, customerCredit } from './credit.query.ts'

export { creditOfOrder, creditOfOrders } from './credit.query.ts'

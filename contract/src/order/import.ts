import { importOf } from '../kit/import.ts'
import { ORDER_ACCESS } from '../permissions.ts'

/**
 * Orders from a table: one row for each line of cargo; rows of one customer with one customer order number are one
 * order.
 */
export const importOrders = importOf('orders', 'orders', ORDER_ACCESS)

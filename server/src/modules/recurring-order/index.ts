export { findRecurringOrders, makeRecurringOrders } from './make-orders.ts'
export { recurringOrderOwner } from './recurring-order.policy.ts'

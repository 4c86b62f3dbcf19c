import type { Subscriptions } from '../kit/events.ts'
import { refreshOrdersOfCustomer } from '../modules/order/index.ts'

/** Which event causes which reaction; reactions run inside the causing transaction and only write rows. */
export const subscriptions: Subscriptions = {
  'customer.changed': [refreshOrdersOfCustomer],
}

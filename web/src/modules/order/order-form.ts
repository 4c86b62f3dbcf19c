import type { orderApi } from '@waybill/contract/order/order'
import type { EntityForm } from '../../kit/form/use-entity-form.ts'
import type { OrderValues } from './order-draft.ts'

/** The order's form, as its parts get it. */
export type OrderForm = EntityForm<typeof orderApi, OrderValues>

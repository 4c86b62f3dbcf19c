import type { orderApi } from '@waybill/contract/order/order'
import type { EntityForm } from '../../../kit/form/state/entity-form.ts'
import type { OrderValues } from './draft.ts'

/** The order's form, as its parts get it. */
export type OrderForm = EntityForm<typeof orderApi, OrderValues>

import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { idText, reference } from '../../kit/fields.ts'
import { ORDER_ACCESS } from '../../permissions.ts'

/** Null: by hand, or of one that the caller may not see. Error: `not_found`. */
export const getOrderOrigin = endpoint({
  method: 'GET',
  path: '/orders/:id/recurring-order',
  access: ORDER_ACCESS,
  summary: 'The recurring order of an order',
  params: z.strictObject({ id: idText }),
  reply: z.object({ recurringOrder: reference.nullable() }),
})

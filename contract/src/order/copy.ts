import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { coded, idText } from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'
import { Order } from './order.ts'

/** `copy`: the same transport once more. `return`: the way back, where what was unloaded last is loaded first. */
export const COPY_MODES = ['copy', 'return'] as const

/** Ten years: enough for every plan, and a date stays a date. */
export const MAX_SHIFT_DAYS = 3660

/**
 * A new order from another one: customers, cargo, stops and terms (decision 032 says what not). `shiftDays` moves
 * dates that are kept. On the way back the dates stay in their order: the first stop has the date that the first had.
 */
export const duplicateOrder = endpoint({
  method: 'POST',
  path: '/orders/:id/duplicate',
  access: ORDER_ACCESS,
  summary: 'Duplicate an order, or create its return load',
  params: z.strictObject({ id: idText }),
  body: z
    .strictObject({
      mode: z.enum(COPY_MODES).default('copy'),
      dates: z.enum(['keep', 'drop']).default('drop'),
      shiftDays: z.number().int().min(-MAX_SHIFT_DAYS).max(MAX_SHIFT_DAYS).default(0),
    })
    .refine(({ dates, shiftDays }) => dates === 'keep' || shiftDays === 0, {
      ...coded('invalid_value'),
      path: ['shiftDays'],
    }),
  reply: Order,
  status: 201,
  needsVersion: true,
  location: '/orders',
})

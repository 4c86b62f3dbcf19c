import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText } from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'

/** The parts of the order form (spec §2). */
export const ORDER_SECTIONS = [
  'general',
  'cargo',
  'locations',
  'budget',
  'extras',
  'other',
  'emails',
  'routes',
  'customers',
  'documents',
  'carrierInvoices',
  'customerInvoices',
] as const
export type OrderSection = (typeof ORDER_SECTIONS)[number]

/** How often an open form says that it is open, and how long that counts. */
export const PRESENCE_SECONDS = { beat: 15, lasts: 40 } as const

const section = z.enum(ORDER_SECTIONS).nullable()

/** Somebody else who has the order open. */
export const Present = z.object({ id, title: z.string(), section })
export type Present = z.output<typeof Present>

const params = z.strictObject({ id: idText })

/** Says that the caller has the order open, and answers who else has. It expires by itself. */
export const beHere = endpoint({
  method: 'POST',
  path: '/orders/:id/presence',
  access: ORDER_ACCESS,
  inPerson: true,
  summary: 'Say that one has an order open, and learn who else has',
  params,
  body: z.strictObject({ section: section.default(null) }),
  reply: z.object({ others: z.array(Present) }),
})

/** The order was closed. */
export const leaveOrder = endpoint({
  method: 'DELETE',
  path: '/orders/:id/presence',
  access: ORDER_ACCESS,
  inPerson: true,
  summary: 'Say that one has closed an order',
  params,
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, reference } from '../kit/fields.ts'
import { can } from '../permissions.ts'

const cents = z.number().int()

/** An extra of an order that is on an invoice, as who processes the invoice needs it. */
export const WaitingExtra = z.object({
  id,
  version: z.number().int(),
  /** the order that it stands on: there it is decided */
  onOrder: reference,
  /** the order that is billed for it: a source where it stands on a merge's result */
  orderId: id,
  /** those of `order/extra` */
  kind: z.string(),
  text: z.string().nullable(),
  quantity: z.number(),
  unit: z.string(),
  /** for one unit, net; null: the customer is not charged */
  priceCents: cents.nullable(),
  netPriceCents: cents.nullable(),
  netCostCents: cents.nullable(),
  note: z.string().nullable(),
  /** nobody has decided on it; else it is approved, and no invoice bills it */
  isOpen: z.boolean(),
  /** what its line says, in the language of the invoice */
  lineText: z.string(),
})
export type WaitingExtra = z.output<typeof WaitingExtra>

/**
 * Of an invoice to a customer, extras that the customer pays: open ones, and approved ones that no invoice bills. Of a
 * carrier's, open ones that this carrier is paid. In the order in which they were entered. Error: `not_found`.
 */
export const listWaitingExtras = endpoint({
  method: 'GET',
  path: '/invoices/:id/extras',
  access: can('INVOICES_PROCESSING'),
  summary: 'Extras of an invoice’s orders that wait to be decided or billed',
  params: z.strictObject({ id: idText }),
  reply: z.object({ items: z.array(WaitingExtra) }),
})

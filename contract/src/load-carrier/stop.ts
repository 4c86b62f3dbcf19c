import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText, localDate, optionalText, reference } from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'
import { ExchangedPieces, KeptPieces, MOST_EXCHANGED_TYPES } from '../pieces/pieces.ts'
import { NamedLoadCarrierType } from './type.ts'

/** Whose account a stop moves beside the carrier's: that of the place, or of a customer of the order. */
export const STOP_PARTNERS = ['place', 'customer'] as const

/** What was exchanged at a stop; without lines nothing was. */
export const StopLoadCarriersWrite = z.strictObject({
  partner: z.enum(STOP_PARTNERS),
  /** of `customer`: which one of the order's */
  customerId: id.nullable().default(null),
  movedOn: localDate,
  noteNumber: optionalText(50),
  note: optionalText(500),
  lines: z.array(ExchangedPieces).max(MOST_EXCHANGED_TYPES),
})
export type StopLoadCarriersWrite = z.output<typeof StopLoadCarriersWrite>

export const StopLoadCarriers = z.object({
  /** 0: nothing was ever typed, nor taken over from what was told */
  version: z.number().int(),
  partner: z.enum(STOP_PARTNERS),
  customerId: id.nullable(),
  movedOn: z.string(),
  noteNumber: z.string().nullable(),
  note: z.string().nullable(),
  lines: z.array(KeptPieces),
  /** what the driver told last by the link; null: nothing */
  told: z.object({ at: z.string(), noteNumber: z.string().nullable(), lines: z.array(KeptPieces) }).nullable(),
  /** it stands as the driver told it: nobody of ours has saved it since */
  isAsTold: z.boolean(),
  types: z.array(NamedLoadCarrierType),
  /** what the place is called; null: the stop has no name, and only a customer can have the account */
  place: z.string().nullable(),
  customers: z.array(reference),
  /** whose account it is though the order is no longer its own, where nobody can say whose it is now; else null */
  formerCustomer: reference.nullable(),
  /** who drives there, and whose account the same pieces move the other way round; null: our fleet, or nobody yet */
  carrier: reference.nullable(),
})
export type StopLoadCarriers = z.output<typeof StopLoadCarriers>

const ofStop = z.strictObject({ id: idText, stopId: idText })

export const getStopLoadCarriers = endpoint({
  method: 'GET',
  path: '/orders/:id/stops/:stopId/load-carriers',
  access: ORDER_ACCESS,
  summary: 'The load carriers that were exchanged at a stop of an order',
  params: ofStop,
  reply: StopLoadCarriers,
})

/**
 * Makes the movements of a stop those of the body, in the account of the place or customer and, the other way round,
 * of the carrier of the route. Errors: `conflict` for a merged order; `required` at `partner` for a stop without a
 * name; `unknown_reference` at `customerId` and `lines.0.typeId`; `taken` at `lines.1.typeId` for a type twice;
 * `invalid_value` at `movedOn` for a day that has not come yet.
 */
export const saveStopLoadCarriers = endpoint({
  method: 'PUT',
  path: '/orders/:id/stops/:stopId/load-carriers',
  access: ORDER_ACCESS,
  summary: 'Write the load carriers that were exchanged at a stop',
  params: ofStop,
  body: StopLoadCarriersWrite,
  reply: StopLoadCarriers,
  needsVersion: true,
})

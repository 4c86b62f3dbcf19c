import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id, idText } from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'

/** An address at which something was or may be loaded or unloaded. */
export const KnownPlace = z.object({
  companyTitle: z.string(),
  address: z.string().nullable(),
  countryId: id,
  postal: z.string().nullable(),
  city: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  contactPerson: z.string().nullable(),
  phone: z.string().nullable(),
  comment: z.string().nullable(),
})
export type KnownPlace = z.output<typeof KnownPlace>

/**
 * Where a customer's goods were picked up and dropped off in the latest orders that the caller may see, each place
 * once, the latest first.
 */
export const listKnownPlaces = endpoint({
  method: 'GET',
  path: '/orders/places',
  access: ORDER_ACCESS,
  summary: 'Places of a customer’s latest orders',
  query: z.strictObject({ customerId: idText }),
  reply: z.object({ items: z.array(KnownPlace) }),
})

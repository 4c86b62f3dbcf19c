import { z } from 'zod'
import { id, optionalEmail, optionalText, reference, state, text } from '../kit/fields.ts'
import { resource } from '../kit/resource.ts'
import { can } from '../permissions.ts'

/** Who keeps accounts of places: they belong neither to customers nor to carriers alone. */
export const PLACE_ACCOUNT_ACCESS = can('CUSTOMER_MANAGEMENT', 'CARRIER_MANAGEMENT')

/**
 * A place where load carriers are exchanged, and that has an account: a warehouse, a shop. Stops find it by name,
 * postcode, town and country, without regard to capitals and accents.
 */
export const LoadCarrierPlaceWrite = z.strictObject({
  title: text(250),
  address: optionalText(250),
  postal: optionalText(20),
  city: optionalText(100),
  countryId: id,
  /** where statements go */
  email: optionalEmail,
  state,
})

export const LoadCarrierPlace = z.object({
  id,
  version: z.number().int(),
  ...LoadCarrierPlaceWrite.shape,
  title: z.string(),
  state: z.enum(['active', 'inactive']),
  country: reference.extend({ code: z.string() }),
})
export type LoadCarrierPlace = z.output<typeof LoadCarrierPlace>

/** Errors: `taken` at `title` for a place that is there already. */
export const loadCarrierPlaceApi = resource({
  path: 'load-carrier-places',
  name: 'place with an account of load carriers',
  access: { read: PLACE_ACCOUNT_ACCESS, write: PLACE_ACCOUNT_ACCESS },
  write: LoadCarrierPlaceWrite,
  view: LoadCarrierPlace,
  row: LoadCarrierPlace,
  filter: {},
  sort: ['title', 'city'],
  defaultSort: 'title',
})

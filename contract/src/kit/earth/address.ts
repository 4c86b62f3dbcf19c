import { z } from 'zod'
import { id, optionalText } from '../fields.ts'

/** A postal address as customers, carriers and our companies carry it. `address` is street and house number. */
export const addressFields = {
  address: optionalText(250),
  postal: optionalText(20),
  city: optionalText(100),
  countryId: id,
}

/** A second address, for bills; absent = the main one (spec §3). */
export const billingAddress = z.strictObject({
  title: optionalText(250),
  address: optionalText(250),
  postal: optionalText(20),
  city: optionalText(100),
  countryId: id.nullable().default(null),
})

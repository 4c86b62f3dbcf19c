import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { idText, reference, text } from './kit/fields.ts'

/** Hits that one search answers with, at most. */
export const MAX_PLACES = 12

/** A town, street or house that a search has found. */
export const Place = z.object({
  /** apart from the others of one answer */
  key: z.string(),
  title: z.string(),
  /** street and number; a gazetteer knows none */
  address: z.string().nullable(),
  postal: z.string().nullable(),
  city: z.string().nullable(),
  /** ISO 3166-1 alpha-2 */
  countryCode: z.string(),
  /** null: the settings do not hold this country, or not as active */
  country: reference.nullable(),
  /** the nearest large town, which tells small ones of one name apart; or the region */
  near: z.string().nullable(),
  latitude: z.number(),
  longitude: z.number(),
  /** IANA */
  timeZone: z.string().nullable(),
})
export type Place = z.output<typeof Place>

/** Case, accents and `ue` for `ü` do not matter. A country narrows it. Errors: `unknown_reference` for a country that does not exist. */
export const searchPlaces = endpoint({
  method: 'GET',
  path: '/places',
  access: 'signedIn',
  summary: 'Towns and addresses by name, the likeliest first',
  query: z.strictObject({ q: text(200), countryId: idText.optional() }),
  reply: z.object({
    items: z.array(Place),
    source: z.enum(['gazetteer', 'geocoder']),
    /** true: the configured geocoder did not answer, and the gazetteer stands in */
    isFallback: z.boolean(),
  }),
})

/** How maps are drawn: outlines of our own, under tiles where the settings name some. */
export const getMap = endpoint({
  method: 'GET',
  path: '/places/map',
  access: 'signedIn',
  summary: 'Where map tiles come from',
  reply: z.object({ tiles: z.object({ url: z.string(), attribution: z.string() }).nullable() }),
})

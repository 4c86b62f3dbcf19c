import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { coded, idText, reference, text } from './kit/fields.ts'
import { isPlainText } from './kit/text.ts'

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

/**
 * Case, accents and `ue` for `ü` do not matter. A country narrows it. Errors: `unknown_reference` for a country that
 * does not exist.
 */
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

/** Stops that one answer measures, at most: what an order may have. */
const MAX_STOPS = 100

/** Where a stop is: `51.72,19.43`, or a country's id and a town, `17 Łódź`, which is looked up in the gazetteer. */
const whereabouts = z
  .string()
  .max(130)
  .regex(/^(-?\d{1,2}(\.\d{1,10})?,-?\d{1,3}(\.\d{1,10})?|[1-9]\d{0,15} .*\S.*)$/)
  .refine(isPlainText, coded('invalid_text'))

const position = z.object({ latitude: z.number(), longitude: z.number() })

export const Distance = z.object({
  /** of each stop; null where nobody knows the place */
  positions: z.array(position.nullable()),
  /** from each stop to the next; null beside a stop without a place */
  legsKm: z.array(z.number().nullable()),
  /** of all legs; null while one of them is */
  distanceKm: z.number().nullable(),
  /** false: by road, from the routing service; true: the great circle × 1.3 */
  isEstimated: z.boolean(),
  /** hours and minutes are the routing service's alone */
  drivingMinutes: z.number().int().nullable(),
  /** the road, to be drawn; null where the distance is estimated */
  line: z.array(z.tuple([z.number(), z.number()])).nullable(),
})
export type Distance = z.output<typeof Distance>

/** How far it is from stop to stop. Errors: `unknown_reference` for a country that does not exist. */
export const measureDistance = endpoint({
  method: 'GET',
  path: '/places/distance',
  access: 'signedIn',
  summary: 'Distances between stops, by road or estimated',
  query: z.strictObject({ stops: z.array(whereabouts).min(2).max(MAX_STOPS) }),
  reply: Distance,
})

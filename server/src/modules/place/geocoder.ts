import { z } from 'zod'
import { MAX_PLACES } from '@waybill/contract/place'
import type { Ctx } from '../../kit/context/context.ts'
import { askService } from './ask-service.ts'
import type { FoundPlace } from './place.query.ts'

/** A search service for addresses outside of the process. */
export interface Geocoder {
  /** What it finds, the likeliest first; null where it does not answer as it should. */
  search(
    ctx: Pick<Ctx, 'clock' | 'language' | 'log'>,
    q: string,
    countryCode: string | null,
  ): Promise<FoundPlace[] | null>
}

declare module '../../kit/context/context.ts' {
  interface Ports {
    /** null: none is configured, the gazetteer answers */
    geocoder: Geocoder | null
    /** where map tiles come from; null: maps are outlines */
    tiles: { url: string; attribution: string } | null
  }
}

// Somebody is typing: what has not come by now comes too late.
const TIME_LIMIT_MS = 2_500
// After a failure nobody waits for it again for a while.
const REST_MS = 30_000
// Photon of some ages knows no filter by country: it is asked for more, and others are left out here.
const ASKED_OF_PHOTON = 40

/** Street and house number as the country writes them. */
const NUMBER_FIRST = new Set(['FR', 'GB', 'IE', 'LU', 'US', 'CA', 'AU', 'NZ'])
function addressOf(countryCode: string, street: string | undefined, number: string | undefined): string | null {
  if (street === undefined) return null
  if (number === undefined) return street
  return NUMBER_FIRST.has(countryCode) ? `${number} ${street}` : `${street} ${number}`
}

const name = z.string().trim().min(1).max(250).optional().catch(undefined)
const code = z
  .string()
  .length(2)
  .transform((value) => value.toUpperCase())
const latitude = z.coerce.number().min(-90).max(90)
const longitude = z.coerce.number().min(-180).max(180)
// What a stop can hold (contract: kit/earth/address.ts).
const cut = (value: string | undefined, length: number): string | null => value?.slice(0, length) ?? null

const PhotonHit = z
  .object({
    geometry: z.object({ coordinates: z.tuple([longitude, latitude]) }),
    properties: z.object({
      osm_type: name,
      osm_id: z.number(),
      type: name,
      name,
      street: name,
      housenumber: name,
      postcode: name,
      city: name,
      district: name,
      locality: name,
      county: name,
      state: name,
      countrycode: code,
    }),
  })
  .transform(({ geometry: { coordinates }, properties: of }): FoundPlace => {
    const isStreet = of.type === 'street'
    const isTown = of.type !== 'house' && !isStreet
    const address = addressOf(of.countrycode, isStreet ? (of.street ?? of.name) : of.street, of.housenumber)
    const city = of.city ?? (isTown ? of.name : undefined) ?? of.locality ?? of.district
    return {
      key: `osm-${of.osm_type ?? ''}${of.osm_id}`,
      title: cut(of.name ?? address ?? of.city, 250) ?? of.countrycode,
      address: cut(address ?? undefined, 250),
      postal: cut(of.postcode, 20),
      city: cut(city, 100),
      countryCode: of.countrycode,
      near: cut(of.state ?? of.county, 250),
      latitude: coordinates[1],
      longitude: coordinates[0],
    }
  })

const NominatimHit = z
  .object({
    place_id: z.union([z.number(), z.string().max(50)]),
    lat: latitude,
    lon: longitude,
    name,
    address: z.object({
      house_number: name,
      road: name,
      postcode: name,
      city: name,
      town: name,
      village: name,
      municipality: name,
      hamlet: name,
      state: name,
      county: name,
      country_code: code,
    }),
  })
  .transform(({ place_id, lat, lon, name: title, address: of }): FoundPlace => {
    const address = addressOf(of.country_code, of.road, of.house_number)
    const city = of.city ?? of.town ?? of.village ?? of.municipality ?? of.hamlet
    return {
      key: `nominatim-${place_id}`,
      title: cut(title ?? address ?? city, 250) ?? of.country_code,
      address: cut(address ?? undefined, 250),
      postal: cut(of.postcode, 20),
      city: cut(city, 100),
      countryCode: of.country_code,
      near: cut(of.state ?? of.county, 250),
      latitude: lat,
      longitude: lon,
    }
  })

// A hit that lacks what it needs is left out, the others stay.
const hitsOf = (hit: typeof PhotonHit | typeof NominatimHit) =>
  z.array(z.unknown()).transform((all) => all.flatMap((one) => hit.safeParse(one).data ?? []))
const PhotonAnswer = z.object({ features: hitsOf(PhotonHit) }).transform(({ features }) => features)
const NominatimAnswer = hitsOf(NominatimHit)

interface GeocoderOptions {
  /** ends with `/api` (Photon) or `/search` (Nominatim) */
  url: string
  timeLimitMs?: number
}

/**
 * Photon or Nominatim at the address of the settings; nothing that a person types becomes part of where it asks
 * (design §9, rule 8).
 */
export function createGeocoder({ url, timeLimitMs = TIME_LIMIT_MS }: GeocoderOptions): Geocoder {
  const isPhoton = /\/api\/?$/.test(new URL(url).pathname)
  let restsUntil = 0

  const addressFor = (q: string, language: string, countryCode: string | null): URL => {
    const address = new URL(url)
    // Photon refuses languages that it has no names in; its default are the local ones, which are what an envelope
    // needs.
    const asked: Record<string, string> = isPhoton
      ? { q, limit: String(countryCode === null ? MAX_PLACES : ASKED_OF_PHOTON) }
      : {
          q,
          format: 'jsonv2',
          addressdetails: '1',
          limit: String(MAX_PLACES),
          'accept-language': language,
          ...(countryCode !== null && { countrycodes: countryCode.toLowerCase() }),
        }
    address.search = new URLSearchParams(asked).toString()
    return address
  }

  return {
    async search({ clock, language, log }, q, countryCode) {
      if (clock.now().getTime() < restsUntil) return null
      try {
        const found = (isPhoton ? PhotonAnswer : NominatimAnswer).parse(
          await askService(addressFor(q, language, countryCode), timeLimitMs),
        )
        return found.filter((place) => countryCode === null || place.countryCode === countryCode).slice(0, MAX_PLACES)
      } catch (error) {
        restsUntil = clock.now().getTime() + REST_MS
        log.warn({ err: error }, 'geocoder')
        return null
      }
    },
  }
}

import type { Place } from '@waybill/contract/place'
import { fold } from '@waybill/contract/kit/text'

/** What a form holds of a place: an address, and where it can be pinned its coordinates. */
export interface PlaceValues {
  address: string | null
  postal: string | null
  city: string | null
  countryId: number | null
  latitude?: number | null
  longitude?: number | null
  timeZone?: string | null
}

export interface Position {
  latitude: number
  longitude: number
}

// A metre: finer than a pin can be set.
const PLACES = 1e5

/** As it is stored: to the metre, and once around the globe at most. */
export function positionOf({ latitude, longitude }: Position): Position {
  const round = (degrees: number) => Math.round(degrees * PLACES) / PLACES
  return {
    latitude: round(Math.max(-90, Math.min(90, latitude))),
    longitude: round(((((longitude + 180) % 360) + 360) % 360) - 180),
  }
}

/** The position in a text as maps give it away, `51.77058, 19.47395`; null for other texts. */
export function positionIn(text: string): Position | null {
  const match = /^\s*(-?\d{1,2}(?:\.\d+)?)°?\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)°?\s*$/.exec(text)
  if (match === null || !text.includes('.')) return null
  const [latitude, longitude] = [Number(match[1]), Number(match[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? positionOf({ latitude, longitude }) : null
}

/**
 * The values once a place is chosen. What the place does not say, a street or a postal code, stays as it was typed as
 * long as the town is the same: of another town it would be wrong.
 */
export function withPlace<Values extends PlaceValues>(values: Values, place: Place): Values {
  const isSameTown = !values.city || fold(values.city) === fold(place.city ?? '')
  return {
    ...values,
    address: place.address ?? (isSameTown ? values.address : null),
    postal: place.postal ?? (isSameTown ? values.postal : null),
    city: place.city ?? values.city,
    countryId: place.country?.id ?? (isSameTown ? values.countryId : null),
    ...('latitude' in values && positionOf(place)),
    ...('timeZone' in values && { timeZone: place.timeZone }),
  }
}

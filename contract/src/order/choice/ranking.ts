/*
 * Where a carrier stands among those who could drive a route (decision 105). The order is a sentence, not a score:
 * cleared ones before the others; of those the punctual ones first, the cheapest before the dearer.
 */

/** From this share of its unloadings in time on a carrier is punctual, in hundredths of a percent. */
export const PUNCTUAL_BP = 9000
/** With fewer unloadings that have a time nothing is said of how punctual a carrier is. */
export const LEAST_MEASURED = 3
/** So many of a carrier's last routes say how it drives. */
export const RECENT_ROUTES = 100
/** How long ago a trip may be to count, in months. */
export const LANE_MONTHS = 24
/** As near as this an unloading before the pick-up is called near to it, in kilometres by road. */
export const NEAR_KM = 150
/** So many trips of orders that one may not see make an average in which none can be told. */
export const LEAST_FOREIGN = 3

/**
 * Why a carrier stands where it stands. `cheapestPunctual`: the first of those on time, by price; `punctual`: another
 * one of them; `lessPunctual`: drove the lane, too often late; `notMeasured`: drove it, and too few times are known;
 * `noPrice`: drove it, at no price that may be told; `near`: never drove it, and unloads before near the pick-up;
 * `new`: never drove it; `notCleared`: may not be sent on this route.
 */
export const PLACE_REASONS = [
  'cheapestPunctual',
  'punctual',
  'lessPunctual',
  'notMeasured',
  'noPrice',
  'near',
  'new',
  'notCleared',
] as const
export type PlaceReason = (typeof PLACE_REASONS)[number]

/** What the place of a carrier goes by. */
export interface Ranked {
  readonly isCleared: boolean
  readonly trips: number
  /** what it last drove the lane for, else what it drove it for on average */
  readonly priceCents: number | null
  readonly onTime: { readonly inTime: number; readonly measured: number }
  /** from its last unloading before the pick-up to there; null: not known */
  readonly kmToPickUp: number | null
  readonly title: string
}

export const isPunctual = ({ inTime, measured }: Ranked['onTime']): boolean =>
  measured >= LEAST_MEASURED && inTime * 10_000 >= measured * PUNCTUAL_BP

export const isNear = ({ kmToPickUp }: Pick<Ranked, 'kmToPickUp'>): boolean =>
  kmToPickUp !== null && kmToPickUp <= NEAR_KM

const GROUPS: readonly PlaceReason[] = ['punctual', 'lessPunctual', 'notMeasured', 'noPrice', 'near', 'new']

/** The group of one carrier, before anybody is compared with others. */
function groupOf(one: Ranked): PlaceReason {
  if (!one.isCleared) return 'notCleared'
  if (one.trips === 0) return isNear(one) ? 'near' : 'new'
  if (one.priceCents === null) return 'noPrice'
  if (isPunctual(one.onTime)) return 'punctual'
  return one.onTime.measured < LEAST_MEASURED ? 'notMeasured' : 'lessPunctual'
}

const LAST = Number.MAX_SAFE_INTEGER

/** Those who are late and those of whom nobody knows stand together, by price. */
const heightOf = (reason: PlaceReason): number =>
  reason === 'notMeasured' ? GROUPS.indexOf('lessPunctual') : [...GROUPS, 'notCleared'].indexOf(reason)

/** The carriers in their order, each with why it stands there. */
export function rankCarriers<One extends Ranked>(carriers: readonly One[]): (One & { why: PlaceReason })[] {
  const ranked = carriers
    .map((one) => ({ ...one, why: groupOf(one) }))
    .toSorted(
      (a, b) =>
        heightOf(a.why) - heightOf(b.why) ||
        (a.priceCents ?? LAST) - (b.priceCents ?? LAST) ||
        (a.kmToPickUp ?? LAST) - (b.kmToPickUp ?? LAST) ||
        b.trips - a.trips ||
        a.title.localeCompare(b.title),
    )
  return ranked.map((one, place) => (place === 0 && one.why === 'punctual' ? { ...one, why: 'cheapestPunctual' } : one))
}

/** Postal areas that count as this one: of two digits the one before and the one after too. */
export function areasAround(area: string): string[] {
  if (!/^\d{2}$/.test(area)) return [area]
  return [-1, 0, 1]
    .map((step) => Number(area) + step)
    .filter((number) => number >= 0 && number <= 99)
    .map((number) => String(number).padStart(2, '0'))
}

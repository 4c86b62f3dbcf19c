import type { z } from 'zod'
import type { Place, searchPlaces } from '@waybill/contract/place'
import type { Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { loadGazetteer } from './load-gazetteer.ts'
import { townsIn } from './place-key.rules.ts'
import { codeOfCountry, countriesByCode, townsByKey, type FoundPlace } from './place.query.ts'

type Answer = z.output<(typeof searchPlaces)['reply']>

/** Asks the configured geocoder; without one, or where it does not answer, the gazetteer. */
export async function findPlaces(
  ctx: Ctx,
  { q, countryId }: { q: string; countryId?: number | undefined },
): Promise<Answer> {
  const countryCode = countryId === undefined ? null : await codeOfCountry(ctx, countryId)
  if (countryCode === undefined) throw fieldError('countryId', 'unknown_reference')
  const { geocoder } = ctx.ports
  const found = geocoder === null ? null : await geocoder.search(ctx, q, countryCode)
  if (found !== null) return { items: await complete(ctx, found), source: 'geocoder', isFallback: false }
  return {
    items: await complete(ctx, await searchGazetteer(ctx, q, countryCode)),
    source: 'gazetteer',
    isFallback: geocoder !== null,
  }
}

export async function searchGazetteer(ctx: Ctx, q: string, countryCode: string | null): Promise<FoundPlace[]> {
  await loadGazetteer(ctx)
  for (const key of townsIn(q)) {
    const towns = await townsByKey(ctx, key, countryCode)
    if (towns.length > 0) return towns
  }
  return []
}

async function complete(ctx: Ctx, found: readonly FoundPlace[]): Promise<Place[]> {
  const countries = await countriesByCode(
    ctx,
    found.map(({ countryCode }) => countryCode),
  )
  // Its table of zones is read when somebody first searches.
  const { default: zoneAt } = await import('@photostructure/tz-lookup')
  return found.map((place) => ({
    ...place,
    country: countries.get(place.countryCode) ?? null,
    timeZone: zoneAt(place.latitude, place.longitude),
  }))
}

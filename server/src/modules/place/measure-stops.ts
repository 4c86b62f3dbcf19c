import type { Distance } from '@waybill/contract/place'
import type { Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { estimatedKm, type Position } from '@waybill/contract/order/planning/distance'
import { searchGazetteer } from './find-places.ts'
import { codeOfCountry } from './place.query.ts'

/** How far it is from stop to stop: by road where the routing service answers, else estimated. */
export async function measureStops(ctx: Ctx, stops: readonly string[]): Promise<Distance> {
  const towns = new Map<string, Position | null>()
  const positions: (Position | null)[] = []
  for (const [index, stop] of stops.entries()) {
    if (!towns.has(stop)) towns.set(stop, positionIn(stop) ?? (await positionOfTown(ctx, stop, `stops.${index}`)))
    positions.push(towns.get(stop)!)
  }
  const { routing } = ctx.ports
  const drive = routing === null || positions.includes(null) ? null : await routing.drive(ctx, positions as Position[])
  const legsKm =
    drive?.legsKm ??
    positions
      .slice(1)
      .map((to, index) => (to === null || positions[index] === null ? null : estimatedKm(positions[index]!, to)))
  const distanceKm = legsKm.includes(null)
    ? null
    : Math.round((legsKm as number[]).reduce((sum, km) => sum + km, 0) * 10) / 10
  return {
    positions,
    legsKm,
    distanceKm,
    isEstimated: drive === null,
    drivingMinutes: drive?.minutes ?? null,
    line: drive?.line ?? null,
  }
}

function positionIn(stop: string): Position | null {
  const match = /^(-?[\d.]+),(-?[\d.]+)$/.exec(stop)
  if (match === null) return null
  const [latitude, longitude] = [Number(match[1]), Number(match[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

async function positionOfTown(ctx: Ctx, stop: string, path: string): Promise<Position | null> {
  const [, countryId, town] = /^(\d+) (.*)$/.exec(stop) ?? []
  if (countryId === undefined) throw fieldError(path, 'invalid_value')
  const countryCode = await codeOfCountry(ctx, Number(countryId))
  if (countryCode === undefined) throw fieldError(path, 'unknown_reference')
  const [place] = await searchGazetteer(ctx, town!, countryCode)
  return place === undefined ? null : { latitude: place.latitude, longitude: place.longitude }
}

/** A place on earth, in degrees. */
export interface Position {
  latitude: number
  longitude: number
}

const EARTH_KM = 6371
/** How much longer a road is than the great circle (domain, Distance). */
const ROAD = 1.3

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** By road, estimated, in whole kilometres: it would be no truer with places after the point. */
export function estimatedKm(from: Position, to: Position): number {
  const half = (a: number, b: number) => Math.sin((radians(b) - radians(a)) / 2) ** 2
  const chord =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * half(from.longitude, to.longitude)
  return Math.round(2 * EARTH_KM * Math.asin(Math.sqrt(Math.min(1, chord))) * ROAD)
}

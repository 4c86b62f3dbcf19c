/** A place on earth, in degrees. */
export interface Position {
  latitude: number
  longitude: number
}

const EARTH_KM = 6371

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Along the great circle, in kilometres, not rounded. */
export function greatCircleKm(from: Position, to: Position): number {
  const half = (a: number, b: number) => Math.sin((radians(b) - radians(a)) / 2) ** 2
  const chord =
    half(from.latitude, to.latitude) +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * half(from.longitude, to.longitude)
  return 2 * EARTH_KM * Math.asin(Math.sqrt(Math.min(1, chord)))
}

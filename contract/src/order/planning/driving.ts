import { estimatedKm, type Position } from './distance.ts'

/** What a truck drives on average on European roads, km/h. */
const AVERAGE_KMH = 70

/** Regulation (EC) 561/2006, one driver: minutes at the wheel until a break, the break, a day's driving, its rest. */
export const DRIVING = { untilBreak: 270, break: 45, day: 540, rest: 660 } as const

/**
 * Minutes at the wheel for a distance in km; null where it is not known.
 */
export const wheelMinutes = (km: number | null): number | null =>
  km === null ? null : Math.ceil((km / AVERAGE_KMH) * 60)

/** One stretch of a drive, in minutes. */
export interface Stretch {
  kind: 'drive' | 'break' | 'rest'
  minutes: number
}

/**
 * A drive of so many minutes at the wheel with the pauses that one rested driver takes: 45 minutes after 4.5 hours,
 * 11 hours after 9. A hint: who plans does not know what was driven before.
 */
export function stretchesOf(minutes: number): Stretch[] {
  const stretches: Stretch[] = []
  let left = minutes
  let ofDay = 0
  while (left > 0) {
    const drive = Math.min(left, DRIVING.untilBreak)
    stretches.push({ kind: 'drive', minutes: drive })
    left -= drive
    ofDay += drive
    if (left === 0) break
    if (ofDay >= DRIVING.day) {
      stretches.push({ kind: 'rest', minutes: DRIVING.rest })
      ofDay = 0
    } else stretches.push({ kind: 'break', minutes: DRIVING.break })
  }
  return stretches
}

/** How long a drive takes with its pauses, in minutes; null where the distance is not known. */
export function travelMinutes(km: number | null): number | null {
  const minutes = wheelMinutes(km)
  return minutes === null ? null : stretchesOf(minutes).reduce((total, one) => total + one.minutes, 0)
}

/** A place that may not be known. */
export interface Whereabouts {
  readonly latitude: number | null
  readonly longitude: number | null
}

const positionOf = ({ latitude, longitude }: Whereabouts): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }

/** How far it is between two places by road, estimated; null where one is not known. */
export function legKm(from: Whereabouts, to: Whereabouts): number | null {
  const [a, b] = [positionOf(from), positionOf(to)]
  return a === null || b === null ? null : estimatedKm(a, b)
}

import { greatCircleKm, type Position } from '../../kit/earth/great-circle.ts'

export type { Position }

/** How much longer a road is than the great circle (domain, Distance). */
const ROAD = 1.3

/** By road, estimated, in whole kilometres: it would be no truer with places after the point. */
export const estimatedKm = (from: Position, to: Position): number => Math.round(greatCircleKm(from, to) * ROAD)

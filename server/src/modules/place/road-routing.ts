import { z } from 'zod'
import type { Ctx } from '../../kit/context/context.ts'
import { askService } from './ask-service.ts'
import type { Position } from '@waybill/contract/order/planning/distance'

/** A way by road through some places. */
export interface Drive {
  legsKm: number[]
  minutes: number
  /** latitude and longitude */
  line: [number, number][]
}

/** A routing service outside of the process. */
export interface RoadRouting {
  /** Null where it does not answer as it should. */
  drive(ctx: Pick<Ctx, 'clock' | 'log'>, through: readonly Position[]): Promise<Drive | null>
}

declare module '../../kit/context/context.ts' {
  interface Ports {
    /** null: none is configured, distances are estimated */
    routing: RoadRouting | null
  }
}

const TIME_LIMIT_MS = 4_000
// After a failure nobody waits for it again for a while.
const REST_MS = 30_000

const Answer = z.object({
  routes: z
    .array(
      z.object({
        duration: z.number().min(0),
        legs: z.array(z.object({ distance: z.number().min(0) })),
        geometry: z.object({ coordinates: z.array(z.tuple([z.number(), z.number()])) }),
      }),
    )
    .min(1),
})

const toKm = (metres: number): number => Math.round(metres / 100) / 10

/** OSRM at the address of the settings; only figures that were read as figures become part of where it asks. */
export function createRoadRouting({
  url,
  timeLimitMs = TIME_LIMIT_MS,
}: {
  url: string
  timeLimitMs?: number
}): RoadRouting {
  let restsUntil = 0
  return {
    async drive({ clock, log }, through) {
      if (clock.now().getTime() < restsUntil) return null
      try {
        const address = new URL(
          `${url}/route/v1/driving/` +
            `${through.map(({ latitude, longitude }) => `${longitude},${latitude}`).join(';')}?overview=simplified` +
            '&geometries=geojson',
        )
        const { routes } = Answer.parse(await askService(address, timeLimitMs))
        const { legs, duration, geometry } = routes[0]!
        if (legs.length !== through.length - 1) throw new Error('the routing service answered another way')
        return {
          legsKm: legs.map(({ distance }) => toKm(distance)),
          minutes: Math.round(duration / 60),
          line: geometry.coordinates.map(([longitude, latitude]) => [latitude, longitude]),
        }
      } catch (error) {
        restsUntil = clock.now().getTime() + REST_MS
        log.warn({ err: error }, 'routing service')
        return null
      }
    },
  }
}

import { aroundSkipped, instantsAt } from '@waybill/contract/kit/local-time'
import {
  EXCHANGE_TOLD,
  type DrivenStop,
  type DriverPage,
  type ReportKind,
  type TimeTold,
  type ToldExchange,
} from '@waybill/contract/public/driver-link'
import type { Waiting } from './kept.ts'

type Shown = Pick<Waiting, 'stopId' | 'kind' | 'at' | 'refusal' | 'key' | 'exchange'>

/** What a driver tells of a stop, in the order in which it happens. Where both is done, it is unloaded first. */
export function stepsOf({ kind }: Pick<DrivenStop, 'kind'>): TimeTold[] {
  if (kind === 'both') return ['arrived', 'unloaded', 'loaded']
  if (kind === 'loading') return ['arrived', 'loaded']
  return kind === 'unloading' ? ['arrived', 'unloaded'] : ['arrived']
}

const STANDS = { arrived: 'arrivedAt', loaded: 'loadedAt', unloaded: 'unloadedAt' } as const

interface ToldThing {
  key: string
  kind: ReportKind
  at: string
  exchange: ToldExchange | null
  isWaiting: boolean
}

/** What was told of a stop: what the server has, then what waits here; of load carriers what was told last. */
export function toldAt(stop: Pick<DrivenStop, 'id' | 'told'>, waiting: readonly Shown[]): ToldThing[] {
  const known = new Set(stop.told.map(({ key }) => key))
  const all = [
    // A page that an earlier version kept tells of no load carriers.
    ...stop.told.map((one) => ({ ...one, exchange: one.exchange ?? null, isWaiting: false })),
    ...waiting
      .filter(({ stopId, refusal, key }) => stopId === stop.id && refusal === null && !known.has(key))
      .map(({ key, kind, at, exchange = null }) => ({ key, kind, at, exchange, isWaiting: true })),
  ]
  const last = all.findLast(({ kind }) => kind === EXCHANGE_TOLD)
  return all.filter((one) => one.kind !== EXCHANGE_TOLD || one === last)
}

/** What was told of the load carriers of a stop; null: nothing yet. */
export const exchangeAt = (stop: Pick<DrivenStop, 'id' | 'told'>, waiting: readonly Shown[]): ToldExchange | null =>
  toldAt(stop, waiting).find(({ kind }) => kind === EXCHANGE_TOLD)?.exchange ?? null

/** When a step of a stop was done: as the driver told it, else as it stands in the order; null while it is open. */
export const doneAt = (stop: DrivenStop, waiting: readonly Shown[], step: TimeTold): string | null =>
  toldAt(stop, waiting).find(({ kind }) => kind === step)?.at ?? stop[STANDS[step]]

/** What comes next at a stop; null where all is done. An arrival that nobody told is not asked for afterwards. */
export function nextStep(stop: DrivenStop, waiting: readonly Shown[]): TimeTold | null {
  const steps = stepsOf(stop)
  const lastDone = steps.findLastIndex((step) => doneAt(stop, waiting, step) !== null)
  return (
    steps.find((step, place) => place > lastDone || (step !== 'arrived' && doneAt(stop, waiting, step) === null)) ??
    null
  )
}

/** The stop at which something is still to be told first. */
export const currentStop = (page: Pick<DriverPage, 'stops'>, waiting: readonly Shown[]): DrivenStop | undefined =>
  page.stops.find((stop) => nextStep(stop, waiting) !== null)

/** Where a telephone finds the way: its own map, by the address that was typed, else by the place of the town. */
export function wayTo(
  stop: Pick<DrivenStop, 'address' | 'postal' | 'city' | 'countryCode' | 'latitude' | 'longitude'>,
  device: string,
): string {
  const { address, postal, city, countryCode, latitude, longitude } = stop
  const point = latitude === null || longitude === null ? null : `${latitude},${longitude}`
  const words = [address, [postal, city].filter(Boolean).join(' '), countryCode].filter(Boolean).join(', ')
  const place = encodeURIComponent(address === null && point !== null ? point : words)
  if (/Android/.test(device)) return `geo:${address === null && point !== null ? point : '0,0'}?q=${place}`
  if (/iPhone|iPad|Macintosh/.test(device)) return `https://maps.apple.com/?daddr=${place}`
  return `https://www.openstreetmap.org/search?query=${place}`
}

// A telephone's clock may be a little ahead of ours.
const AHEAD_MS = 60_000

/**
 * The moment that a driver says by the clock of a stop, or what is wrong with it. Of a time that the clocks show twice
 * it is the last one that has been.
 */
export function momentTold(
  { date, time }: { date: string; time: string },
  { timeZone, now }: { timeZone: string; now: Date },
): { at: string } | { fault: 'whenAhead' } | { fault: 'whenSkipped'; around: { earlier: string; later: string } } {
  const around = aroundSkipped(date, time, timeZone)
  if (around !== null) return { fault: 'whenSkipped', around }
  const at = instantsAt(date, time, timeZone).findLast((one) => Date.parse(one) <= now.getTime() + AHEAD_MS)
  return at === undefined ? { fault: 'whenAhead' } : { at }
}

import { z } from 'zod'
import { id, reference } from '../../kit/fields.ts'
import { localOf } from '../../kit/local-time.ts'
import { roundHalfAwayFromZero, sumCents, toThousandths } from '../../kit/money.ts'
import { isDropOff, type Stop } from '../schedule.ts'

/** Article 23 (3) CMR: a carrier owes 8.33 special drawing rights for a kilogram of gross weight at most. */
const SDR_HUNDREDTHS_PER_KG = 833n
/** Cents of a euro for one special drawing right: the rate of the IMF of October 2025, rounded up. */
const CENTS_PER_SDR = 118n
/** Thousandths of a kilogram times hundredths of a special drawing right. */
const PARTS = 100_000n

/** Why a carrier may not be sent on a transport. */
export const CLEARANCE_REASONS = [
  'licence_missing',
  'licence_ends',
  'insurance_missing',
  'insurance_ends',
  'insurance_low',
  'blocked',
  'once_only_used',
] as const
export type ClearanceCode = (typeof CLEARANCE_REASONS)[number]

/** A second person can let these pass; a carrier that was blocked is unblocked on its own record. */
export const RELEASABLE_REASONS: readonly ClearanceCode[] = CLEARANCE_REASONS.filter((code) => code !== 'blocked')

const day = z.string().nullable()
const cents = z.number().int()

/** What is on file of a carrier, as far as its clearance goes by it. Of a paper without a last day none is known. */
export const CarrierPapers = z.object({
  blockedReason: z.string().nullable(),
  /** it may drive for one order alone, and another one than this had it */
  isUsedUp: z.boolean(),
  licenceNotNeededReason: z.string().nullable(),
  licences: z.array(day),
  insurances: z.array(z.object({ endsOn: day, insuredCents: cents.nullable() })),
})
export type CarrierPapers = z.output<typeof CarrierPapers>

/** One reason with what it goes by: the last day of the paper that is valid longest, or the sum that is insured. */
export const ClearanceReason = z.object({
  code: z.enum(CLEARANCE_REASONS),
  endsOn: day,
  insuredCents: cents.nullable(),
  /** why the carrier is blocked */
  text: z.string().nullable(),
})
export type ClearanceReason = z.output<typeof ClearanceReason>

/** What a transport asks of the papers: until which day they must hold, and for how much. */
export interface ClearedTransport {
  readonly lastDay: string
  readonly neededCents: number
}

export const RELEASE_DECISIONS = ['granted', 'refused'] as const

/** Asked for by one person, decided by another, for one carrier on one route. */
export const CarrierRelease = z.object({
  id,
  routeId: id,
  carrierCompanyId: id,
  reasons: z.array(z.enum(CLEARANCE_REASONS)),
  /** it holds for unloadings until this day, and for goods of this much */
  lastDay: z.string(),
  neededCents: cents,
  reason: z.string(),
  askedBy: reference,
  askedAt: z.string(),
  /** null: nobody has decided yet */
  decision: z.enum(RELEASE_DECISIONS).nullable(),
  decisionReason: z.string().nullable(),
  decidedBy: reference.nullable(),
  decidedAt: z.string().nullable(),
})
export type CarrierRelease = z.output<typeof CarrierRelease>

/** How the carrier of a route stands, while the route is not unloaded. */
export const RouteClearance = z.object({
  routeId: id,
  carrierCompanyId: id,
  isCleared: z.boolean(),
  lastDay: z.string(),
  neededCents: cents,
  reasons: z.array(ClearanceReason),
  /** the newest one of this carrier on this route */
  release: CarrierRelease.nullable(),
})
export type RouteClearance = z.output<typeof RouteClearance>

interface Goods {
  readonly id?: number | null | undefined
  readonly key?: string | null | undefined
  readonly weightKg: number | null
  readonly valueCents: number | null
}

/** What of a line a carrier is liable for: its value, at most the limit of the CMR by its weight. */
function liableCents({ weightKg, valueCents }: Goods): number {
  if (weightKg === null) return valueCents ?? 0
  const limit = roundHalfAwayFromZero(BigInt(toThousandths(weightKg)) * SDR_HUNDREDTHS_PER_KG * CENTS_PER_SDR, PARTS)
  return valueCents === null ? limit : Math.min(valueCents, limit)
}

const lastDayOf = ({ termin, plannedAt, timeZone }: Stop): string[] => [
  ...(termin ? [termin.dateTo ?? termin.dateFrom] : []),
  ...(plannedAt ? [localOf(plannedAt, timeZone ?? 'UTC').date] : []),
]

/**
 * What a transport asks of its carrier's papers. `cargo` are all lines of the order: those that the stops name count,
 * all of them where the stops name none. Days that have passed ask for today, a local date.
 */
export function transportOf(
  stops: readonly Stop[],
  cargo: readonly Goods[],
  { today, demandedCents }: { today: string; demandedCents: number | null },
): ClearedTransport {
  const driven = stops.filter((stop) => !stop.canceledAt)
  const named = driven.flatMap((stop) => stop.cargoActions ?? [])
  // Hundreds of lines are looked up at every key.
  const [ids, keys] = [new Set(named.map(({ cargoId }) => cargoId)), new Set(named.map(({ cargoKey }) => cargoKey))]
  const carried = cargo.filter(({ id, key }) => (id != null && ids.has(id)) || (key != null && keys.has(key)))
  const goods = sumCents((carried.length === 0 ? cargo : carried).map(liableCents))
  return {
    lastDay: driven
      .filter(isDropOff)
      .flatMap(lastDayOf)
      .reduce((last, one) => (one > last ? one : last), today),
    neededCents: Math.max(goods, demandedCents ?? 0),
  }
}

/** The longest of some papers; null where no end is known of any. */
const longest = (ends: readonly (string | null)[]): string | null =>
  ends.reduce((last, one) => (last === null || (one !== null && one > last) ? one : last), null)

/**
 * Why a carrier may not be sent on a transport, every reason; empty: it is cleared. The last day of a paper still
 * counts; one without a last day proves nothing.
 */
export function clearanceOf(papers: CarrierPapers, { lastDay, neededCents }: ClearedTransport): ClearanceReason[] {
  const reasons: ClearanceReason[] = []
  const add = (code: ClearanceCode, more: Partial<ClearanceReason> = {}) =>
    reasons.push({ code, endsOn: null, insuredCents: null, text: null, ...more })
  const holds = (endsOn: string | null) => endsOn !== null && endsOn >= lastDay
  if (papers.licenceNotNeededReason === null) {
    if (papers.licences.length === 0) add('licence_missing')
    else if (!papers.licences.some(holds)) add('licence_ends', { endsOn: longest(papers.licences) })
  }
  const held = papers.insurances.filter(({ endsOn }) => holds(endsOn))
  if (papers.insurances.length === 0) add('insurance_missing')
  else if (held.length === 0) add('insurance_ends', { endsOn: longest(papers.insurances.map(({ endsOn }) => endsOn)) })
  else if (!held.some(({ insuredCents }) => (insuredCents ?? 0) >= neededCents)) {
    const known = held.flatMap(({ insuredCents }) => insuredCents ?? [])
    add('insurance_low', { insuredCents: known.length === 0 ? null : Math.max(...known) })
  }
  if (papers.blockedReason !== null) add('blocked', { text: papers.blockedReason })
  if (papers.isUsedUp) add('once_only_used')
  return reasons
}

type Released = Pick<CarrierRelease, 'decision' | 'reasons' | 'lastDay' | 'neededCents'>

/** True where nothing keeps the carrier from the transport but what was released for it. */
export const isCleared = (
  reasons: readonly ClearanceReason[],
  { lastDay, neededCents }: ClearedTransport,
  release: Released | null,
): boolean => {
  const holds =
    release?.decision === 'granted' && lastDay <= release.lastDay && neededCents <= release.neededCents
      ? release.reasons
      : []
  return reasons.every(({ code }) => code !== 'blocked' && holds.includes(code))
}

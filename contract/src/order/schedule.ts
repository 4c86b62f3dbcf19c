import type { FieldErrorCode } from '../errors.ts'
import { epochOf, localOf, type Instant } from '../kit/local-time.ts'
import { terminRange, type Termin } from './termin/termin.ts'

/** A stop as far as the rules of time and order look at it; stops are given in the order in which they are driven. */
export interface Stop {
  readonly kind?: string
  readonly termin?: Termin | null
  readonly timeZone?: string | null
  readonly cargoActions?: readonly CargoAction[]
  readonly plannedAt?: Instant | null
  readonly arrivedAt?: Instant | null
  readonly loadedAt?: Instant | null
  readonly unloadedAt?: Instant | null
  readonly canceledAt?: Instant | null
}

export interface CargoAction {
  readonly cargoId?: number | null
  readonly cargoKey?: string | null
  readonly action: 'PICK_UP' | 'DROP_OFF'
}

const acts = (stop: Stop, action: CargoAction['action']): boolean =>
  stop.cargoActions?.some((one) => one.action === action) ?? false

/** A stop that loads: by its kind, or because cargo is picked up there. */
export const isPickUp = (stop: Stop): boolean => stop.kind === 'loading' || acts(stop, 'PICK_UP')

/** A stop that unloads: by its kind, or because cargo is dropped off there. */
export const isDropOff = (stop: Stop): boolean => stop.kind === 'unloading' || acts(stop, 'DROP_OFF')

export interface PlanError {
  /** below the stops' array: `2.cargoActions.0` */
  readonly path: string
  readonly code: Extract<FieldErrorCode, 'drop_off_before_pick_up' | 'action_twice' | 'unknown_reference'>
}

/**
 * What is wrong with a plan: each cargo is picked up once at most and dropped off once at most, and picked up at an
 * earlier stop than dropped off (domain, Location). Canceled stops do not count; a cargo with one half of its way
 * only is a plan still to be finished, not an error. `cargo` are the lines that the actions may name, by `id` or by
 * `key`.
 */
export function planErrors(
  stops: readonly Stop[],
  cargo: readonly { readonly id?: number | null; readonly key?: string | null }[],
): PlanError[] {
  const errors: PlanError[] = []
  const seen = cargo.map(() => ({ PICK_UP: -1, DROP_OFF: -1 }))
  const dropOffs: { line: number; stop: number; path: string }[] = []
  stops.forEach((stop, stopIndex) => {
    stop.cargoActions?.forEach((one, index) => {
      const path = `${stopIndex}.cargoActions.${index}`
      const line = cargo.findIndex(
        ({ id, key }) => (one.cargoId != null && one.cargoId === id) || (one.cargoKey != null && one.cargoKey === key),
      )
      const at = seen[line]
      if (!at) errors.push({ path, code: 'unknown_reference' })
      else if (stop.canceledAt) return
      else if (at[one.action] >= 0) errors.push({ path, code: 'action_twice' })
      else {
        at[one.action] = stopIndex
        if (one.action === 'DROP_OFF') dropOffs.push({ line, stop: stopIndex, path })
      }
    })
  })
  for (const { line, stop, path } of dropOffs)
    if (seen[line]!.PICK_UP >= stop) errors.push({ path, code: 'drop_off_before_pick_up' })
  return errors
}

const endOf = (stop: Stop | undefined): string | null =>
  stop?.termin && stop.timeZone ? terminRange(stop.termin, stop.timeZone).endAt : null

/** The first pick-up that is not loaded yet: the stop that a late sending waits for. */
export const nextPickUp = <One extends Stop>(stops: readonly One[]): One | undefined =>
  stops.find((stop) => !stop.canceledAt && isPickUp(stop) && !stop.loadedAt)

/** The last drop-off: the stop that a late delivery waits for. */
export const lastDropOff = <One extends Stop>(stops: readonly One[]): One | undefined =>
  stops.findLast((stop) => !stop.canceledAt && isDropOff(stop))

/** Until when the first pick-up not yet loaded is due, RFC 3339; null where nothing waits or no date is known. */
export const expectedLoadingAt = (stops: readonly Stop[]): string | null => endOf(nextPickUp(stops))

/** Until when the last drop-off is due, RFC 3339; null without one or without a date. */
export const expectedUnloadingAt = (stops: readonly Stop[]): string | null => endOf(lastDropOff(stops))

interface Moment {
  at: string
  zone: string | null
}

function momentOf(stop: Stop, done: Instant | null | undefined, end: 'startAt' | 'endAt'): Moment | null {
  const zone = stop.timeZone ?? null
  const known = done ?? stop.plannedAt
  if (known) return { at: new Date(epochOf(known)).toISOString(), zone }
  return stop.termin && zone ? { at: terminRange(stop.termin, zone)[end], zone } : null
}

function firstLoading(stops: readonly Stop[]): Moment | null {
  const moments = stops.flatMap(
    (stop) => (!stop.canceledAt && isPickUp(stop) && momentOf(stop, stop.loadedAt, 'startAt')) || [],
  )
  return moments.length > 0 ? moments.reduce((a, b) => (b.at < a.at ? b : a)) : null
}

function lastUnloading(stops: readonly Stop[]): Moment | null {
  const moments = stops.flatMap(
    (stop) => (!stop.canceledAt && isDropOff(stop) && momentOf(stop, stop.unloadedAt, 'endAt')) || [],
  )
  return moments.length > 0 ? moments.reduce((a, b) => (b.at > a.at ? b : a)) : null
}

/**
 * When the first loading happened, or else is planned or due (the start of its termin); null while no pick-up has a
 * date.
 */
export const firstLoadingAt = (stops: readonly Stop[]): string | null => firstLoading(stops)?.at ?? null

/**
 * When the last unloading happened, or else is planned or due (the end of its termin); null while no drop-off has a
 * date.
 */
export const lastUnloadingAt = (stops: readonly Stop[]): string | null => lastUnloading(stops)?.at ?? null

/** First loading to last unloading as local dates at those stops, for the invoice (domain, Invoices). */
export function servicePeriod(stops: readonly Stop[]): { from: string | null; to: string | null } {
  const dateOf = (moment: Moment | null) => (moment ? localOf(moment.at, moment.zone ?? 'UTC').date : null)
  return { from: dateOf(firstLoading(stops)), to: dateOf(lastUnloading(stops)) }
}

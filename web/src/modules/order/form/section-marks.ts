import type { OrderSection } from '@waybill/contract/order/presence'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { awaitsPod, needsAssignment, type OrderStatus } from '@waybill/contract/order/status'
import { cargoPlaces, isBlankCargo, type OrderValues, type RouteValues } from '../values/draft.ts'

/** What is missing in a section. */
export const MISSING = [
  'customer',
  'stopOfLine',
  'dates',
  'failedMail',
  'route',
  'carrier',
  'plate',
  'pod',
  'podToCheck',
] as const
export type Missing = (typeof MISSING)[number]

/**
 * How a section stands: done, something is waited for, something is missing, nothing there yet.
 * Never a percentage.
 */
export interface SectionMark {
  state: 'done' | 'waiting' | 'missing' | 'empty'
  /** how many it holds, or how many are to be seen to */
  count: number | null
  /** What is missing first, and the path of the field where it is given, where one field gives it */
  why?: { missing: Missing; path: string | null }
}

/** What the form's sections know beside the order's own values. */
export interface SectionFacts {
  status: OrderStatus
  documents: number
  /** Null: accepted for every route, or waived */
  podMissing: 'pod' | 'podToCheck' | null
  emails: { status: string }[]
  /** some are approved */
  hasExtras: boolean
  customerInvoices: number
  carrierInvoices: number
}

const done = (count: number | null = null): SectionMark => ({ state: 'done', count })
const empty: SectionMark = { state: 'empty', count: null }
const missing = (count: number | null, why: Missing, path: string | null = null): SectionMark => ({
  state: 'missing',
  count,
  why: { missing: why, path },
})
const listed = (count: number): SectionMark => (count > 0 ? done(count) : empty)

/** The marks of the table of contents, which is the to-do list too. */
export function sectionMarks(values: OrderValues, facts: SectionFacts): Record<OrderSection, SectionMark> {
  const cargo = values.cargo.filter((line) => !isBlankCargo(line))
  const placeOf = cargoPlaces(values.locations)
  const unlinked = cargo.filter((line) => placeOf(line, 'PICK_UP') === -1 || placeOf(line, 'DROP_OFF') === -1)
  const undated = values.locations.findIndex(({ termin, canceledAt }) => termin === null && canceledAt === null)
  const dated = values.locations.filter((stop) => stop.termin !== null && stop.canceledAt === null)
  const isPlanned = dated.some(isPickUp) && dated.some(isDropOff)
  const unassigned = values.routes.filter(
    ({ assignment }) => assignment === null || (!assignment.ownFleet && assignment.carrierCompanyId === null),
  )
  const withoutPlate = values.routes.filter((route) => !unassigned.includes(route) && !route.assignment?.plateNumber)
  const failed = facts.emails.filter(({ status }) => status === 'failed' || status === 'held').length
  const waiting = facts.emails.filter(({ status }) => ['planned', 'queued', 'waiting'].includes(status)).length
  return {
    general:
      values.customerIds.length > 0 && values.departmentId !== null
        ? done()
        : missing(null, 'customer', values.customerIds.length === 0 ? 'customerIds' : 'departmentId'),
    cargo:
      cargo.length === 0
        ? empty
        : unlinked.length > 0
          ? missing(unlinked.length, 'stopOfLine', `cargo.${values.cargo.indexOf(unlinked[0]!)}`)
          : done(cargo.length),
    locations:
      values.locations.length === 0
        ? empty
        : isPlanned
          ? done(values.locations.length)
          : missing(null, 'dates', undated === -1 ? null : `locations.${undated}.termin`),
    budget: values.customerPriceCents === null ? empty : done(),
    extras: facts.hasExtras ? done() : empty,
    other: done(),
    emails:
      failed > 0
        ? missing(failed, 'failedMail')
        : waiting > 0
          ? { state: 'waiting', count: waiting }
          : listed(facts.emails.length),
    routes: routesMark(values.routes, unassigned, withoutPlate, facts.status),
    customers: listed(values.customerIds.length),
    documents:
      awaitsPod(facts.status) && facts.podMissing !== null ? missing(1, facts.podMissing) : listed(facts.documents),
    carrierInvoices: listed(facts.carrierInvoices),
    customerInvoices: listed(facts.customerInvoices),
  }
}

function routesMark(
  routes: readonly RouteValues[],
  unassigned: readonly RouteValues[],
  withoutPlate: readonly RouteValues[],
  status: OrderStatus,
): SectionMark {
  if (routes.length === 0) return needsAssignment(status) ? missing(1, 'route') : empty
  const open = unassigned.length + withoutPlate.length
  const at = (route: RouteValues) => `routes.${routes.indexOf(route)}.assignment`
  if (unassigned.length > 0) return missing(open, 'carrier', `${at(unassigned[0]!)}.carrierCompanyId`)
  if (withoutPlate.length > 0) return missing(open, 'plate', `${at(withoutPlate[0]!)}.plateNumber`)
  return done(routes.length)
}

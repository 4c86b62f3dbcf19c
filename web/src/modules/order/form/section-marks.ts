import type { OrderSection } from '@waybill/contract/order/presence'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { awaitsPod, needsAssignment, type OrderStatus } from '@waybill/contract/order/status'
import { cargoPlaces, isBlankCargo, type OrderValues } from '../values/draft.ts'

/**
 * How a section stands: done, something is waited for, something is missing, nothing there yet (look, Order form:
 * never a percentage).
 */
export interface SectionMark {
  state: 'done' | 'waiting' | 'missing' | 'empty'
  /** how many it holds, or how many are to be seen to */
  count: number | null
}

/** What the form's sections know beside the order's own values. */
export interface SectionFacts {
  status: OrderStatus
  documents: number
  hasPod: boolean
  emails: { status: string }[]
  customerInvoices: number
  carrierInvoices: number
}

const done = (count: number | null = null): SectionMark => ({ state: 'done', count })
const empty: SectionMark = { state: 'empty', count: null }
const listed = (count: number): SectionMark => (count > 0 ? done(count) : empty)

/** The marks of the table of contents, which is the to-do list too. */
export function sectionMarks(values: OrderValues, facts: SectionFacts): Record<OrderSection, SectionMark> {
  const cargo = values.cargo.filter((line) => !isBlankCargo(line))
  const placeOf = cargoPlaces(values.locations)
  const unlinked = cargo.filter((line) => placeOf(line, 'PICK_UP') === -1 || placeOf(line, 'DROP_OFF') === -1).length
  const dated = values.locations.filter((stop) => stop.termin !== null && stop.canceledAt === null)
  const isPlanned = dated.some(isPickUp) && dated.some(isDropOff)
  const unassigned = values.routes.filter(
    ({ assignment }) => assignment === null || (!assignment.ownFleet && assignment.carrierCompanyId === null),
  )
  const withoutPlate = values.routes.filter((route) => !unassigned.includes(route) && !route.assignment?.plateNumber)
  const failed = facts.emails.filter(({ status }) => status === 'failed').length
  const waiting = facts.emails.filter(({ status }) => ['planned', 'queued', 'waiting'].includes(status)).length
  return {
    general: values.customerIds.length > 0 && values.departmentId !== null ? done() : { state: 'missing', count: null },
    cargo: cargo.length === 0 ? empty : unlinked > 0 ? { state: 'missing', count: unlinked } : done(cargo.length),
    locations:
      values.locations.length === 0
        ? empty
        : isPlanned
          ? done(values.locations.length)
          : { state: 'missing', count: null },
    budget: values.customerPriceCents === null ? empty : done(),
    other: done(),
    emails:
      failed > 0
        ? { state: 'missing', count: failed }
        : waiting > 0
          ? { state: 'waiting', count: waiting }
          : listed(facts.emails.length),
    routes: routesMark(values.routes.length, unassigned.length, withoutPlate.length, facts.status),
    customers: listed(values.customerIds.length),
    documents: awaitsPod(facts.status) && !facts.hasPod ? { state: 'missing', count: 1 } : listed(facts.documents),
    carrierInvoices: listed(facts.carrierInvoices),
    customerInvoices: listed(facts.customerInvoices),
  }
}

function routesMark(routes: number, unassigned: number, withoutPlate: number, status: OrderStatus): SectionMark {
  if (routes === 0) return needsAssignment(status) ? { state: 'missing', count: 1 } : empty
  const open = unassigned + withoutPlate
  return open > 0 ? { state: 'missing', count: open } : done(routes)
}

import { localOf } from '@waybill/contract/kit/local-time'
import { clearanceOf } from '@waybill/contract/order/clearance/clearance'
import type { BoardBar, BoardCarrier, BoardStop } from '@waybill/contract/order/planning/board'
import { boardWarnings, timeWarnings, type BarWarning, type WarnedBar } from '@waybill/contract/order/planning/warnings'
import type { BoardRow } from './board-rows.ts'
import { plannedStops, type InHand } from './use-board.ts'

/** Of an order that has no route yet. */
const NO_ROUTE = 0

/** How the carrier of a row would stand, were it to drive what is in hand. */
function clearanceThere(
  { bar, asks }: InHand,
  { carrier }: BoardRow,
  stops: readonly BoardStop[],
  carriers: readonly BoardCarrier[],
): BoardBar['clearance'] {
  if (carrier === null) return null
  // Its own: a release counts, and one that may drive once only drives this.
  if (bar?.carrierCompany?.id === carrier.id && bar.clearance !== null) return bar.clearance
  const known = carriers.find(({ id }) => id === carrier.id)
  if (known === undefined) return null
  const days = stops.flatMap((stop) =>
    stop.isUnloading && stop.plannedAt !== null ? localOf(stop.plannedAt, stop.timeZone).date : [],
  )
  const lastDay = days.reduce((last, day) => (day > last ? day : last), asks.lastDay)
  const reasons = clearanceOf(known.papers, { ...asks, lastDay })
  return { isCleared: reasons.length === 0, reasons }
}

/**
 * What would be doubtful, were what is in hand put on a row: of itself there, and of what stands there and would no
 * longer go. `startAt` null: its times stay.
 */
export function warningsThere(
  inHand: InHand,
  row: BoardRow,
  startAt: number | null,
  { rows, carriers }: { rows: readonly BoardRow[]; carriers: readonly BoardCarrier[] },
): BarWarning[] {
  const stops = plannedStops(inHand.stops, startAt === null ? null : new Date(startAt).toISOString())
  if (row.lane !== null) return timeWarnings(stops)
  const { target } = row
  const driverId = target.kind === 'own' ? target.driverId : null
  const isHere = row.bars.some(({ bar }) => bar.routeId === inHand.routeId)
  const there: WarnedBar = {
    orderId: inHand.orderId,
    routeId: inHand.routeId ?? NO_ROUTE,
    status: inHand.bar?.status ?? 'new',
    stops,
    ownFleet: target.kind === 'own',
    driverIds: isHere ? (inHand.bar?.driverIds ?? []) : driverId === null ? [] : [driverId],
    clearance: clearanceThere(inHand, row, stops, carriers),
  }
  const others = row.bars.flatMap(({ bar }) => (bar.routeId === there.routeId ? [] : [bar]))
  const elsewhere = rows.flatMap((other) =>
    other === row
      ? []
      : other.bars.flatMap(({ bar }) =>
          bar.routeId !== there.routeId && bar.driverIds.some((id) => there.driverIds.includes(id)) ? [bar] : [],
        ),
  )
  const found = boardWarnings([
    { bars: [...others, there], capacity: row.capacity, busy: row.busy },
    { bars: elsewhere, capacity: null },
  ])
  // Of two that clash the later one says it: of the two, the other one is named.
  const said = [...found].flatMap(([routeId, warnings]) =>
    routeId === there.routeId
      ? warnings
      : warnings.flatMap((warning): BarWarning[] =>
          'routeId' in warning && warning.routeId === there.routeId ? [{ ...warning, routeId }] : [],
        ),
  )
  return said
}

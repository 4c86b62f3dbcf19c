import type { Order } from '@waybill/contract/order/order'
import { isFurther, ORDER_MOVES, type OrderStatus } from '@waybill/contract/order/status'
import { STOP_TIMES, TIME_ASKED, type StopTime, type TakenBack } from '@waybill/contract/order/stop-times'

type Stop = Order['locations'][number]

/** A time that a move wrote at a stop, or took away there (`value` null), and what stood there before. */
export interface WrittenTime {
  locationId: number
  field: StopTime
  from: string | null
  value: string | null
}

/** A move that was not undone. `times` are null where it was stored before they were written down. */
export interface StoredMove {
  /** null: the order's, with all its routes that could take the step */
  routeId: number | null
  from: OrderStatus
  to: OrderStatus
  times: readonly WrittenTime[] | null
}

/** What one move wrote in a field. `value` undefined: some time that is not known. */
interface Layer {
  status: OrderStatus
  from: string | null
  value: string | null | undefined
}

const isAs = (value: Layer['value'], current: string | null): boolean =>
  value === undefined ? current !== null : value === current

/** An old move is taken to have written what its step asks for, at all stops that it concerned. */
const oldLayer = ({ routeId, from, to }: StoredMove, stop: Stop, field: StopTime): Layer | null => {
  const asks = ORDER_MOVES.find((move) => move.from === from && move.to === to)?.asks
  const isOurs = routeId === null || routeId === stop.routeId
  return isOurs && asks != null && asks in TIME_ASKED && TIME_ASKED[asks as keyof typeof TIME_ASKED] === field
    ? { status: to, from: null, value: undefined }
    : null
}

/** What moves wrote in a field, one on the other; what a person wrote in between ends what was below. */
function layersOf(stop: Stop, field: StopTime, moves: readonly StoredMove[]): Layer[] {
  let layers: Layer[] = []
  const put = (layer: Layer) => {
    const top = layers.at(-1)
    if (top !== undefined && !isAs(top.value, layer.from)) layers = []
    layers.push(layer)
  }
  for (const move of moves) {
    const { from, to, times } = move
    const written = times?.find((one) => one.locationId === stop.id && one.field === field)
    if (times === null) {
      const old = oldLayer(move, stop, field)
      if (old !== null) put(old)
    } else if (written !== undefined && isFurther(from, to)) {
      const { left, value } = without(layers, to, written.from)
      layers = left
      if (value !== written.value) put({ status: to, from: value, value: written.value })
    } else if (written !== undefined) put({ status: to, from: written.from, value: written.value })
  }
  return layers
}

/** The layers up to a status, and what then stands in a field that held `current`. */
function without(layers: readonly Layer[], to: OrderStatus, current: string | null) {
  const top = layers.at(-1)
  const left = top !== undefined && isAs(top.value, current) ? [...layers] : []
  let value = current
  for (let last = left.at(-1); last !== undefined && isFurther(last.status, to); last = left.at(-1)) {
    value = last.from
    left.pop()
  }
  return { left, value }
}

/**
 * What a step back to `to` takes away at these stops: the times that moves to later steps wrote, where they still stand
 * as they were written. What a person typed at a stop stays (decision 061). `moves` are all of the order that were not
 * undone, the oldest first.
 */
export const takenBack = (stops: readonly Stop[], moves: readonly StoredMove[], to: OrderStatus): TakenBack[] =>
  stops.flatMap((stop) =>
    STOP_TIMES.flatMap((field) => {
      const at = stop[field]
      const { value } = without(layersOf(stop, field, moves), to, at)
      return at === null || value === at ? [] : [{ locationId: stop.id, field, at, becomes: value }]
    }),
  )

import type { Draft, DraftCargo, DraftStop } from '@waybill/contract/order/intake/mail-draft'
import {
  emptyCargo,
  emptyStop,
  withAction,
  withMeasures,
  withUsualActions,
  type CargoValues,
  type OrderValues,
  type StopValues,
} from '../values/draft.ts'

// The same keys whenever the draft is opened: what was typed before finds its rows again.
const keyOf = (list: 'cargo' | 'stop', place: number) => `read-${list}-${place}`

/** A line of cargo that was read, as the order's form holds it. */
export function cargoOf(
  { from: _from, to: _to, quantity, stackingFactor, ldm, volumeM3, ...line }: DraftCargo,
  key: string,
): CargoValues {
  // Not a number, as in a cell that was emptied: what the mail does not say is asked for.
  const plain = { ...line, quantity: quantity ?? Number.NaN, stackingFactor: stackingFactor ?? 1 }
  const figures = { ...(ldm === null ? {} : { ldm }), ...(volumeM3 === null ? {} : { volumeM3 }) }
  return withMeasures(withMeasures(emptyCargo(key), plain), figures)
}

/** A stop that was read, as the order's form holds it. */
export const stopOf = (stop: DraftStop, key: string): StopValues => ({
  ...emptyStop(stop.kind, stop.countryId, key),
  ...stop,
})

/** A draft from a mail as the order's form holds it, over an empty order. */
export function valuesOfDraft({ values }: Draft, empty: OrderValues): OrderValues {
  const { customerId, cargo: lines, locations: stops, ...rest } = values
  const cargo = lines.length === 0 ? empty.cargo : lines.map((line, place) => cargoOf(line, keyOf('cargo', place)))
  let locations = stops.length === 0 ? empty.locations : stops.map((stop, place) => stopOf(stop, keyOf('stop', place)))
  for (const [place, line] of cargo.entries()) {
    const { from = null, to = null } = lines[place] ?? {}
    locations = withUsualActions(locations, line)
    if (from !== null) locations = withAction(locations, line, 'PICK_UP', from)
    if (to !== null) locations = withAction(locations, line, 'DROP_OFF', to)
  }
  return { ...empty, ...rest, customerIds: customerId === null ? [] : [customerId], cargo, locations }
}

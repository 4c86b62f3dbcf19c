import type { Draft, DraftCargo, DraftStop } from '@waybill/contract/order/intake/mail-draft'
import { newKey } from '../../../kit/form/state/values.ts'
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

function cargoOf({ from: _from, to: _to, quantity, stackingFactor, ldm, volumeM3, ...line }: DraftCargo): CargoValues {
  const plain = { ...line, quantity: quantity ?? 1, stackingFactor: stackingFactor ?? 1 }
  const figures = { ...(ldm === null ? {} : { ldm }), ...(volumeM3 === null ? {} : { volumeM3 }) }
  return withMeasures(withMeasures(emptyCargo(newKey()), plain), figures)
}

const stopOf = (stop: DraftStop): StopValues => ({ ...emptyStop(stop.kind, stop.countryId, newKey()), ...stop })

/** A draft from a mail as the order's form holds it, over an empty order. */
export function valuesOfDraft({ values }: Draft, empty: OrderValues): OrderValues {
  const { customerId, cargo: lines, locations: stops, ...rest } = values
  const cargo = lines.length === 0 ? empty.cargo : lines.map(cargoOf)
  let locations = stops.length === 0 ? empty.locations : stops.map(stopOf)
  for (const [place, line] of cargo.entries()) {
    const { from = null, to = null } = lines[place] ?? {}
    locations = withUsualActions(locations, line)
    if (from !== null) locations = withAction(locations, line, 'PICK_UP', from)
    if (to !== null) locations = withAction(locations, line, 'DROP_OFF', to)
  }
  return { ...empty, ...rest, customerIds: customerId === null ? [] : [customerId], cargo, locations }
}

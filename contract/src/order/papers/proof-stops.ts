import type { Order } from '../order.ts'
import { dropOffsToProve } from './pod.ts'

/** A drop-off that a proof of delivery may prove, as a person chooses it. */
export interface ProofStop {
  id: number
  /** its number among the stops, from 1 */
  position: number
  place: string
  /** whose cargo is dropped off there, and on which route */
  note: string
}

export type ProvenOrder = Pick<Order, 'customerIds' | 'customers' | 'cargo' | 'locations' | 'routes'>

/** The drop-offs that an order's proofs of delivery may prove: where, whose goods, and on which of several routes. */
export function proofStops(order: ProvenOrder): ProofStop[] {
  const routeOf = (id: number | null) => order.routes.find((route) => route.id === id)
  return dropOffsToProve(order, null).dropOffs.map((stop) => ({
    id: stop.id,
    position: order.locations.findIndex(({ id }) => id === stop.id) + 1,
    place: stop.city ?? stop.companyTitle ?? stop.country.title,
    note: [
      order.routes.length > 1 ? routeOf(stop.routeId)?.number : undefined,
      ...(order.customerIds.length > 1 ? customersAt(order, stop) : []),
    ]
      .filter(Boolean)
      .join(', '),
  }))
}

/** Those of one file, by its assignment if it is about one, and whether a person must choose among them. */
export function proofChoice(
  order: ProvenOrder,
  orderCarrier: number | null,
): { ids: readonly number[]; isAsked: boolean } {
  const route = order.routes.find(({ assignment }) => orderCarrier !== null && assignment?.id === orderCarrier)
  const { dropOffs, isAsked } = dropOffsToProve(order, route?.id ?? null)
  return { ids: dropOffs.map(({ id }) => id), isAsked }
}

// Cargo without a customer of its own is the first one's.
function customersAt({ cargo, customers }: ProvenOrder, { cargoActions }: Order['locations'][number]): string[] {
  const dropped = new Set(cargoActions.filter(({ action }) => action === 'DROP_OFF').map(({ cargoId }) => cargoId))
  const titles = cargo.filter(({ id }) => dropped.has(id)).map(({ customer }) => (customer ?? customers[0])?.title)
  return [...new Set(titles.filter((title) => title !== undefined))]
}

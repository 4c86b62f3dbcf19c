import type { Order } from '@waybill/contract/order/order'
import { dropOffsToProve } from '@waybill/contract/order/papers/pod'
import type { Proofs } from '../../document/proofs-section.ts'

type ProvenOrder = Pick<Order, 'customerIds' | 'customers' | 'cargo' | 'locations' | 'routes'>

/** The drop-offs that an order's proofs of delivery may prove: where, whose goods, and on which of several routes. */
export function proofsOf(order: ProvenOrder): Proofs {
  const routeOf = (id: number | null) => order.routes.find((route) => route.id === id)
  return {
    stops: dropOffsToProve(order, null).dropOffs.map((stop) => ({
      id: stop.id,
      position: order.locations.findIndex(({ id }) => id === stop.id) + 1,
      place: stop.city ?? stop.companyTitle ?? stop.country.title,
      note: [
        order.routes.length > 1 ? routeOf(stop.routeId)?.number : undefined,
        ...(order.customerIds.length > 1 ? customersAt(order, stop) : []),
      ]
        .filter(Boolean)
        .join(', '),
    })),
    choiceOf: (orderCarrier) => {
      const route = order.routes.find(({ assignment }) => orderCarrier !== null && assignment?.id === orderCarrier)
      const { dropOffs, isAsked } = dropOffsToProve(order, route?.id ?? null)
      return { ids: dropOffs.map(({ id }) => id), isAsked }
    },
  }
}

// Cargo without a customer of its own is the first one's.
function customersAt({ cargo, customers }: ProvenOrder, { cargoActions }: Order['locations'][number]): string[] {
  const dropped = new Set(cargoActions.filter(({ action }) => action === 'DROP_OFF').map(({ cargoId }) => cargoId))
  const titles = cargo.filter(({ id }) => dropped.has(id)).map(({ customer }) => (customer ?? customers[0])?.title)
  return [...new Set(titles.filter((title) => title !== undefined))]
}

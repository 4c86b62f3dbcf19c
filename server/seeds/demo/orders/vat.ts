import { proposeVat } from '@waybill/contract/invoice/vat'
import type { PlannedOrder } from './order-model.ts'
import type { World } from '../world.ts'

/**
 * The rate that a case worker saves with an order. The customers of the demo have goods of their own: asked whether
 * they are sender or recipient of them, staff say yes.
 */
export function vatBpOf(
  world: World,
  { customer, department, stops }: Pick<PlannedOrder, 'customer' | 'department' | 'stops'>,
) {
  const home = world.countries.get(customer.countryCode)!
  const { vatBp, warning } = proposeVat({
    company: department.company,
    buyer: {
      countryCode: home.code,
      isEu: home.isEu,
      hasVatNumber: customer.hasVatNumber,
      isForwarder: false,
    },
    stopsOutsideEu: stops.some(({ place }) => !world.countries.get(place.countryCode)!.isEu),
  })
  return warning === 'recipient_only' ? 0 : vatBp
}

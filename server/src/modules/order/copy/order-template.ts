import { OrderWrite, type Order, type OrderInput } from '@waybill/contract/order/order'
import { isCanceled } from '@waybill/contract/order/status'
import { parseInput } from '../../../kit/http/validation.ts'
import { copyOf, drivenStops } from './duplicate-order.ts'

const keyOf = (stopId: number): string => `l${stopId}`

/** Routes with who drives them and what that costs; drivers, plates and who signed are those of one day. */
function routesOf(order: Order, driven: ReadonlySet<number>): OrderInput['routes'] {
  return order.routes.flatMap(
    ({ status, distanceKm, isDistanceEstimated, customerPriceCents, locationIds, assignment }) => {
      const locationKeys = locationIds.filter((id) => driven.has(id)).map(keyOf)
      if (isCanceled(status) || locationKeys.length === 0) return []
      return [
        {
          distanceKm,
          isDistanceEstimated,
          customerPriceCents,
          locationKeys,
          assignment: assignment && {
            carrierCompanyId: assignment.carrierCompanyId,
            ownFleet: assignment.ownFleet,
            disponentName: assignment.disponentName,
            disponentPhone: assignment.disponentPhone,
            disponentEmail: assignment.disponentEmail,
            costCents: assignment.costCents,
            vatBp: assignment.vatBp,
            paymentPeriodDays: assignment.paymentPeriodDays,
            vehicleTypeId: assignment.vehicleTypeId,
            extraData: assignment.extraData,
          },
        },
      ]
    },
  )
}

/**
 * What the next orders of an order begin with: as a copy (decision 032), with its dates, remarks and prices at stops,
 * and with its routes where they are wanted (decision 114). Error: `validation` where it was stored under an older
 * rule.
 */
export function templateOf(order: Order, { withRoutes }: { withRoutes: boolean }): OrderWrite {
  const driven = drivenStops(order)
  const copy = copyOf(order, { mode: 'copy', dates: 'keep', shiftDays: 0 })
  return parseInput(OrderWrite, {
    ...copy,
    internalComments: order.internalComments,
    locations: copy.locations!.map((stop, place) => ({
      ...stop,
      key: keyOf(driven[place]!.id),
      customerPriceCents: driven[place]!.customerPriceCents,
      carrierPriceCents: withRoutes ? driven[place]!.carrierPriceCents : null,
    })),
    routes: withRoutes ? routesOf(order, new Set(driven.map(({ id }) => id))) : [],
  })
}

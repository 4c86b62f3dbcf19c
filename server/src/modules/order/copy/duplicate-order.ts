import type { z } from 'zod'
import type { duplicateOrder as endpoint } from '@waybill/contract/order/copy'
import { addDays } from '@waybill/contract/kit/local-time'
import { OrderWrite, type Order, type OrderInput } from '@waybill/contract/order/order'
import { isCanceled } from '@waybill/contract/order/status'
import type { Termin } from '@waybill/contract/order/termin/termin'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { parseInput } from '../../../kit/http/validation.ts'
import { loadOrder } from '../order-view.query.ts'
import { orderService } from '../order.service.ts'

type Wish = z.output<typeof endpoint.body>
type Stop = Order['locations'][number]

const TURNED = {
  loading: 'unloading',
  unloading: 'loading',
  customs: 'customs',
  other: 'other',
  PICK_UP: 'DROP_OFF',
  DROP_OFF: 'PICK_UP',
} as const

/** The stops that were to be driven; of an order that was canceled as a whole, all of them. */
export function drivenStops({ locations, routes }: Order): Stop[] {
  const canceled = new Set(routes.flatMap(({ id, status }) => (isCanceled(status) ? [id] : [])))
  const isGone = (stop: Stop) =>
    stop.canceledAt !== null || (canceled.size < routes.length && canceled.has(stop.routeId ?? 0))
  return locations.filter((stop) => !isGone(stop))
}

function shifted(termin: Termin | null, { dates, shiftDays }: Wish): Termin | null {
  if (termin === null || dates === 'drop') return null
  const moved = {
    ...termin,
    dateFrom: addDays(termin.dateFrom, shiftDays),
    dateTo: termin.dateTo && addDays(termin.dateTo, shiftDays),
  }
  // A shift of years back leaves the years that a date can have.
  if ([moved.dateFrom, moved.dateTo].some((date) => date !== null && !/^[12]\d{3}-/.test(date)))
    throw fieldError('shiftDays', 'invalid_value')
  return moved
}

/** What of an order the next one begins with (decision 032). */
export function copyOf(order: Order, wish: Wish): OrderInput {
  const isReturn = wish.mode === 'return'
  const driven = drivenStops(order)
  const stops = isReturn ? driven.toReversed() : driven
  const {
    customerIds,
    contactPersonId,
    billingCustomerId,
    departmentId,
    caseWorkerId,
    managerIds,
    invoiceText,
    description,
    customerVatBp,
    paymentPeriodDays,
    vehicleTypeId,
    isLiftRequired,
    isTransshipmentForbidden,
  } = order
  return {
    customerIds,
    contactPersonId,
    billingCustomerId,
    departmentId,
    caseWorkerId,
    managerIds,
    invoiceText,
    description,
    customerVatBp,
    paymentPeriodDays,
    vehicleTypeId,
    isLiftRequired,
    isTransshipmentForbidden,
    customerPriceCents: isReturn ? null : order.customerPriceCents,
    cargo: order.cargo.map(
      ({ id, customer: _customer, unitType: _unit, cargoType: _kind, sourceOrder: _source, ...line }) => ({
        ...line,
        key: `c${id}`,
      }),
    ),
    locations: stops.map((stop, place) => {
      const {
        kind,
        timeZone,
        companyTitle,
        address,
        countryId,
        postal,
        city,
        latitude,
        longitude,
        contactPerson,
        phone,
        comment,
        specialInstructions,
        cargoActions,
      } = stop
      return {
        timeZone,
        companyTitle,
        address,
        countryId,
        postal,
        city,
        latitude,
        longitude,
        contactPerson,
        phone,
        comment,
        specialInstructions,
        kind: isReturn ? TURNED[kind] : kind,
        termin: shifted(driven[place]!.termin, wish),
        cargoActions: cargoActions.map(({ cargoId, action }) => ({
          cargoKey: `c${cargoId}`,
          action: isReturn ? TURNED[action] : action,
        })),
      }
    }),
  }
}

/**
 * A new order from one that the caller may know of. Errors: `not_found`, `stale_version`, `validation` where the old
 * one was stored under an older rule.
 */
export async function duplicateOrder(ctx: Ctx, id: number, version: number, wish: Wish): Promise<Order> {
  const order = await loadOrder(ctx, id)
  if (order.version !== version) throw new AppError('stale_version', { current: order })
  return orderService.create(ctx, parseInput(OrderWrite, copyOf(order, wish)))
}

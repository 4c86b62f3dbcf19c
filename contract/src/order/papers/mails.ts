import type { FormErrorCode } from '../../errors.ts'
import { isDropOff } from '../schedule.ts'
import { isCanceled, type OrderStatus } from '../status.ts'
import { missingForCertificate, type CertifiedStop } from './certificate.ts'

interface MailedRoute {
  readonly id: number
  readonly status: OrderStatus
  readonly locationIds: readonly number[]
  readonly assignment: { readonly carrierCompanyId: number | null } | null
}

/** As much of an order as decides which mails can be written about it. */
export interface MailedOrder {
  readonly customerIds: readonly number[]
  readonly cargo: readonly { readonly id: number }[]
  readonly locations: readonly CertifiedStop[]
  readonly routes: readonly MailedRoute[]
  /** a proof of delivery counts; unknown where it is left out */
  readonly hasPod?: boolean
}

// Types of mails stand here by their names: the contract of mails knows orders as little as this one knows mails.

/** These speak of one route; the others of the order, or of a route where one is named. */
const ON_A_ROUTE: readonly string[] = [
  'order_resolved',
  'driver_information',
  'loading_confirmation',
  'unloading_confirmation',
  'before_arriving',
]

export const needsRoute = (type: string): boolean => ON_A_ROUTE.includes(type)

const dropOffsOf = ({ locations }: MailedOrder, route: MailedRoute) =>
  locations.filter((stop) => !stop.canceledAt && isDropOff(stop) && route.locationIds.includes(stop.id))

/**
 * The routes that a mail of this type can be about, as they stand in the order. A transport order that is taken back
 * (`withdrawn`) may be about a canceled one.
 */
export function routesForMail<Route extends MailedRoute>(
  type: string,
  order: Omit<MailedOrder, 'routes'> & { readonly routes: readonly Route[] },
): Route[] {
  const driven = order.routes.filter(({ status }) => !isCanceled(status))
  if (type === 'order_resolved') return order.routes.filter(({ assignment }) => assignment?.carrierCompanyId != null)
  if (type === 'before_arriving') return driven.filter((route) => dropOffsOf(order, route).length > 0)
  return driven
}

/** Why no mail of this type can be written about an order, or null. */
export function hindranceOf(type: string, order: MailedOrder): FormErrorCode | null {
  if (type === 'invoice' || type === 'invoice_correction') return 'mail_of_invoice'
  if (type !== 'order_resolved' && type !== 'other_emails' && order.customerIds.length === 0) return 'customer_missing'
  if (type === 'export_certificate' && missingForCertificate('ORDER_EXPORT_CERTIFICATE', order, null) === 'no_export')
    return 'no_export'
  if (type === 'pods' && order.hasPod === false) return 'pod_not_accepted'
  if (!needsRoute(type) || routesForMail(type, order).length > 0) return null
  if (order.routes.every(({ status }) => isCanceled(status)) && type !== 'order_resolved') return 'route_missing'
  if (order.routes.length === 0) return 'route_missing'
  return type === 'order_resolved' ? 'carrier_missing' : 'drop_off_missing'
}

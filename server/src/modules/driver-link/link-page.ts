import type { DriverPage } from '@waybill/contract/public/driver-link'
import type { Ctx } from '../../kit/context/context.ts'
import type { DriverLink } from './driver-link.repository.ts'
import { driverPage } from './driver-page.query.ts'
import type { TruckLink } from './truck-link.repository.ts'
import { truckPage } from './truck-page.query.ts'

/** A link by which a driver tells: of a route, or of a truck. */
export type AnyLink = DriverLink | TruckLink

export const isOfTruck = (link: AnyLink): link is TruckLink => 'vehicleId' in link

/** What the page of a link shows. Error: `not_found` where what it is about is gone. */
export const pageOf = (ctx: Ctx, link: AnyLink): Promise<DriverPage> =>
  isOfTruck(link) ? truckPage(ctx, link) : driverPage(ctx, link)

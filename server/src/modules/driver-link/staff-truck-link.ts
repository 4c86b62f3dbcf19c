import type { TruckLink } from '@waybill/contract/public/driver-link'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { instantText } from '../../kit/database/db.ts'
import { audit } from '../../kit/records/audit.ts'
import { insertTruckLink, isDayOver, revokeTruckLinks, truckUrlOf, workingTruckLink } from './truck-link.repository.ts'
import { transportsOfTruck } from './truck-page.query.ts'

/** The plate of an active truck of ours, held for who changes its links. Error: `not_found`. */
async function plateOf(ctx: Ctx, vehicleId: number, isHeld: boolean): Promise<string> {
  const truck = await ctx.db
    .selectFrom('vehicle')
    .select('title')
    .where('id', '=', vehicleId)
    .where('kind', '=', 'truck')
    .where('state', '=', 'active')
    .$if(isHeld, (query) => query.forUpdate())
    .executeTakeFirst()
  if (truck === undefined) throw new AppError('not_found')
  return truck.title
}

async function shown(ctx: Ctx, vehicleId: number, day: string, plate: string): Promise<TruckLink> {
  const link = await workingTruckLink(ctx, vehicleId, day)
  const transports = await transportsOfTruck(ctx, { vehicleId, day })
  return {
    link: link && {
      id: link.id,
      url: truckUrlOf(ctx, link),
      createdAt: instantText(link.createdAt),
      endsAt: instantText(link.endsAt),
    },
    plate,
    routes: transports.map(({ order, route, stops }) => ({
      orderId: order.id,
      number: route.number,
      places: stops.map(({ city, companyTitle, countryCode }) => city ?? companyTitle ?? countryCode),
    })),
  }
}

/** The link of a truck from a day on, and what it drives then. Error: `not_found`. */
export const showTruckLink = async (ctx: Ctx, vehicleId: number, day: string): Promise<TruckLink> =>
  shown(ctx, vehicleId, day, await plateOf(ctx, vehicleId, false))

const told = (ctx: Ctx, vehicleId: number, what: string, action: string): Promise<void> =>
  audit(ctx, { ownerKind: 'vehicle', ownerId: vehicleId, action, after: { title: what } })

/** Makes a link; the one before stops working. Errors: as `renewTruckLink` of the contract names them. */
export async function renewTruckLink(
  ctx: Ctx,
  vehicleId: number,
  day: string,
  seenId: number | null,
): Promise<TruckLink> {
  const plate = await plateOf(ctx, vehicleId, true)
  if (await isDayOver(ctx, day)) throw fieldError('day', 'in_the_past')
  // Two people who renew at once would make the first one's message useless without knowing.
  if (((await workingTruckLink(ctx, vehicleId, day))?.id ?? null) !== seenId) throw new AppError('conflict')
  await insertTruckLink(ctx, { vehicleId, day })
  await told(ctx, vehicleId, `${plate} · ${day}`, seenId === null ? 'driverLinkMade' : 'driverLinkRenewed')
  return shown(ctx, vehicleId, day, plate)
}

/** The link stops working. Error: `not_found`. */
export async function revokeTruckLink(ctx: Ctx, vehicleId: number, day: string): Promise<void> {
  const plate = await plateOf(ctx, vehicleId, true)
  if (!(await revokeTruckLinks(ctx, vehicleId, day))) throw new AppError('not_found')
  await told(ctx, vehicleId, `${plate} · ${day}`, 'driverLinkRevoked')
}

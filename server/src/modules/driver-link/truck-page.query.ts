import { sql } from 'kysely'
import type { OrderLocation } from '@waybill/contract/order/order'
import { terminRange } from '@waybill/contract/order/termin/termin'
import type { DrivenStop, DriverPage } from '@waybill/contract/public/driver-link'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { instantText } from '../../kit/database/db.ts'
import { exchangeTypes } from '../load-carrier/index.ts'
import { orderAsItIs, routesOfTruck } from '../order/index.ts'
import { drivenStops, factsOf, transportIn, type Facts, type Transport } from './driver-page.query.ts'
import type { TruckLink } from './truck-link.repository.ts'

/** What a truck drives from a day on, in the order in which it begins. */
export async function transportsOfTruck(ctx: Ctx, truck: Pick<TruckLink, 'vehicleId' | 'day'>): Promise<Transport[]> {
  const transports: Transport[] = []
  for (const route of await routesOfTruck(ctx, truck))
    transports.push(transportIn(await orderAsItIs(ctx, route.orderId), route))
  return transports
}

/** Who we are to the driver of a truck that drives nothing: the company of its driver, else the first one. */
async function ourselves(ctx: Ctx, { vehicleId }: TruckLink): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select co.title as company, co.phone as "companyPhone", null as "contactName", null as "contactPhone",
      coalesce(k.language, 'en') as language
    from company co join country k on k.id = co."countryId"
    order by exists (select 1 from vehicle v join "user" u on u.id = v."driverId"
        join department d on d.id = u."departmentId" where v.id = ${vehicleId} and d."companyId" = co.id) desc, co.id
    limit 1
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

/** When a stop is due: as planned, else by its appointment; nothing where neither is known. */
function dueOf({ plannedAt, termin, timeZone }: OrderLocation): number {
  const due =
    plannedAt ??
    (termin === null ? null : (terminRange(termin, timeZone).startAt ?? terminRange(termin, timeZone).endAt))
  return due === null ? Number.NEGATIVE_INFINITY : Date.parse(due)
}

const isOpen = ({ stops }: Transport): boolean =>
  stops.some(({ arrivedAt, loadedAt, unloadedAt }) => arrivedAt === null && loadedAt === null && unloadedAt === null)

/** The stops of all routes as they come one after the other; those of one route keep their order. */
async function stopsInTurn(ctx: Ctx, transports: readonly Transport[]): Promise<DrivenStop[]> {
  const placed: { due: number; stop: DrivenStop }[] = []
  for (const transport of transports) {
    let due = Number.NEGATIVE_INFINITY
    for (const [place, stop] of (await drivenStops(ctx, transport)).entries()) {
      due = Math.max(due, dueOf(transport.stops[place]!))
      placed.push({ due, stop })
    }
  }
  return placed.toSorted((one, other) => Math.sign(one.due - other.due) || 0).map(({ stop }) => stop)
}

/** What the page of a truck's link shows: all that it drives in its days, with whom to call about the next of it. */
export async function truckPage(ctx: Ctx, link: TruckLink): Promise<DriverPage> {
  const transports = await transportsOfTruck(ctx, link)
  const next = transports.find(isOpen) ?? transports.at(-1)
  const facts =
    next === undefined
      ? await ourselves(ctx, link)
      : await factsOf(ctx, { orderId: next.order.id, carrierCompanyId: null })
  return {
    language: link.language ?? facts.language,
    number: link.plate,
    plateNumber: link.plate,
    day: link.day,
    isCanceled: false,
    stops: await stopsInTurn(ctx, transports),
    loadCarrierTypes: await exchangeTypes(ctx),
    contact: { name: facts.contactName, phone: facts.contactPhone },
    company: { title: facts.company, phone: facts.companyPhone },
    at: nowOf(ctx),
    endsAt: instantText(link.endsAt),
  }
}

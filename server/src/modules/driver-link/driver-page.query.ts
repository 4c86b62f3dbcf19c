import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { Order, OrderLocation, OrderRoute } from '@waybill/contract/order/order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { isCanceled } from '@waybill/contract/order/status'
import type { DrivenGoods, DrivenStop, DriverPage } from '@waybill/contract/public/driver-link'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { instantText } from '../../kit/database/db.ts'
import { contactOf } from '../../kit/records/contact.ts'
import { exchangeTypes } from '../load-carrier/index.ts'
import { orderAsItIs } from '../order/index.ts'
import { reportsOf, type DriverLink, type DriverReport, type RouteRef } from './driver-link.repository.ts'

/** A route that a driver is shown. */
export interface Transport {
  order: Order
  route: OrderRoute
  /** in the order in which they are driven; canceled ones are none */
  stops: OrderLocation[]
}

/** A route in its order. Error: `not_found` where it is gone. */
export function transportIn(order: Order | undefined, { routeId }: Pick<RouteRef, 'routeId'>): Transport {
  const route = order?.routes.find(({ id }) => id === routeId)
  if (order === undefined || route === undefined) throw new AppError('not_found')
  const stops = route.locationIds.flatMap((id) => order.locations.find((stop) => stop.id === id) ?? [])
  return { order, route, stops: stops.filter(({ canceledAt }) => canceledAt === null) }
}

/** Who we are to a driver, and whom to call. */
export interface Facts {
  company: string
  companyPhone: string | null
  contactName: string | null
  contactPhone: string | null
  language: Language
}

/** Error: `not_found` where the order is gone. */
export async function factsOf(
  ctx: Ctx,
  { orderId, carrierCompanyId }: Pick<DriverLink, 'orderId' | 'carrierCompanyId'>,
): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select co.title as company, co.phone as "companyPhone", contact.name as "contactName",
      contact.phone as "contactPhone",
      coalesce(c.language, ck.language, k.language, 'en') as language
    from "order" o
      join department d on d.id = o."departmentId"
      join company co on co.id = d."companyId"
      join country k on k.id = co."countryId"
      ${contactOf('o')}
      left join carrier_company c on c.id = ${carrierCompanyId}::bigint
      left join country ck on ck.id = c."countryId"
    where o.id = ${orderId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

const kindOf = (stop: OrderLocation): DrivenStop['kind'] => {
  if (isPickUp(stop) && isDropOff(stop)) return 'both'
  if (isPickUp(stop)) return 'loading'
  return isDropOff(stop) ? 'unloading' : (stop.kind as 'customs' | 'other')
}

/** Lines as who carries them must know them: not whose they are, nor what they are worth. */
const goodsAt = ({ cargoActions }: OrderLocation, { cargo }: Order): DrivenGoods[] =>
  cargoActions.flatMap(({ cargoId, action }) => {
    const line = cargo.find(({ id }) => id === cargoId)
    if (line === undefined) return []
    const { title, quantity, packages, weightKg, ldm, marks, instructions, temperatureFrom, temperatureTo, adr } = line
    return {
      action,
      title,
      quantity,
      unit: line.unitType?.title ?? null,
      packages,
      weightKg,
      ldm,
      marks,
      instructions,
      temperatureFrom,
      temperatureTo,
      adr,
    }
  })

function drivenStop(stop: OrderLocation, { order, route }: Transport, reports: readonly DriverReport[]): DrivenStop {
  const { comment, specialInstructions, kind: _kind, ...known } = stop
  return {
    id: known.id,
    number: route.number,
    kind: kindOf(stop),
    companyTitle: known.companyTitle,
    address: known.address,
    postal: known.postal,
    city: known.city,
    countryCode: known.countryCode,
    latitude: known.latitude,
    longitude: known.longitude,
    timeZone: known.timeZone,
    termin: known.termin,
    plannedAt: known.plannedAt,
    reference: known.reference,
    contactPerson: known.contactPerson,
    phone: known.phone,
    notes: [comment, specialInstructions].filter((note) => note !== null),
    goods: goodsAt(stop, order),
    arrivedAt: known.arrivedAt,
    loadedAt: known.loadedAt,
    unloadedAt: known.unloadedAt,
    told: reports
      .filter(({ locationId }) => locationId === stop.id)
      .map(({ key, kind, at, exchange }) => ({ key, kind, at: instantText(at), exchange })),
  }
}

/** The stops of a route as its driver sees them, with what was told of each. */
export async function drivenStops(ctx: Ctx, transport: Transport): Promise<DrivenStop[]> {
  const reports = await reportsOf(ctx, transport.route.id)
  return transport.stops.map((stop) => drivenStop(stop, transport, reports))
}

/** What the page of a route's link shows: what its driver must know, and no more. Error: `not_found`. */
export async function driverPage(ctx: Ctx, link: DriverLink): Promise<DriverPage> {
  const transport = transportIn(await orderAsItIs(ctx, link.orderId), link)
  const { route } = transport
  const facts = await factsOf(ctx, link)
  const isOver = isCanceled(route.status)
  return {
    language: facts.language,
    number: route.number,
    plateNumber: route.assignment?.plateNumber ?? null,
    day: null,
    isCanceled: isOver,
    stops: isOver ? [] : await drivenStops(ctx, transport),
    loadCarrierTypes: await exchangeTypes(ctx),
    contact: { name: facts.contactName, phone: facts.contactPhone },
    company: { title: facts.company, phone: facts.companyPhone },
    at: nowOf(ctx),
    endsAt: instantText(link.endsAt),
  }
}

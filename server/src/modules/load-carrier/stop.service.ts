import { sql } from 'kysely'
import type { StopLoadCarriers, StopLoadCarriersWrite } from '@waybill/contract/load-carrier/stop'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Order, OrderLocation } from '@waybill/contract/order/order'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { admitToOwner } from '../../kit/records/owners.ts'
import { loadOrder } from '../order/index.ts'
import { namedTypes } from './account.query.ts'
import { refuseFuture, refuseUnknownTypes } from './movement.service.ts'
import './load-carrier.table.ts'

interface Typed {
  version: number
  partner: StopLoadCarriers['partner']
  movements: {
    typeId: number
    typeTitle: string
    customerId: number | null
    customerTitle: string | null
    movedOn: string
    noteNumber: string | null
    note: string | null
    given: number
    received: number
    damaged: number
  }[]
}

async function typedAt(ctx: Ctx, stopId: number): Promise<Typed | undefined> {
  const { rows } = await sql<Typed>`
    select s.version, s.partner, coalesce((select json_agg(json_build_object('typeId', m."typeId",
        'typeTitle', t.title, 'customerId', m."customerId",
        'customerTitle', (select c.title from customer c where c.id = m."customerId"), 'movedOn', m."movedOn",
        'noteNumber', m."noteNumber", 'note', m.note, 'given', m.given, 'received', m.received,
        'damaged', m.damaged) order by m."typeId")
      from load_carrier_movement m join load_carrier_type t on t.id = m."typeId"
      where m."locationId" = s."locationId"), '[]') as movements
    from load_carrier_stop s where s."locationId" = ${stopId}
  `.execute(ctx.db)
  return rows[0]
}

/** A stop of an order that the caller may see. Error: `not_found`. */
async function stopOf(ctx: Ctx, orderId: number, stopId: number): Promise<{ order: Order; stop: OrderLocation }> {
  const order = await loadOrder(ctx, orderId)
  const stop = order.locations.find(({ id }) => id === stopId)
  if (!stop) throw new AppError('not_found')
  return { order, stop }
}

/** On which day something was exchanged there, as far as the stop says: when it was done, else when it was to be. */
function dayOf(ctx: Ctx, { timeZone, loadedAt, unloadedAt, arrivedAt, termin }: OrderLocation): string {
  const today = localOf(nowOf(ctx), timeZone).date
  const done = unloadedAt ?? loadedAt ?? arrivedAt
  if (done !== null) return localOf(done, timeZone).date
  return termin !== null && termin.dateFrom < today ? termin.dateFrom : today
}

/** What was exchanged at a stop, or what is proposed where nobody has typed it. Error: `not_found`. */
export async function stopLoadCarriers(ctx: Ctx, orderId: number, stopId: number): Promise<StopLoadCarriers> {
  const { order, stop } = await stopOf(ctx, orderId, stopId)
  const typed = await typedAt(ctx, stopId)
  const first = typed?.movements[0]
  const isFormer = first !== undefined && first.customerId !== null && !order.customerIds.includes(first.customerId)
  const carrier = order.routes.find(({ id }) => id === stop.routeId)?.assignment?.carrierCompany ?? null
  return {
    version: typed?.version ?? 0,
    partner: typed?.partner ?? (stop.companyTitle === null ? 'customer' : 'place'),
    customerId: first?.customerId ?? (stop.companyTitle === null ? (order.customerIds[0] ?? null) : null),
    movedOn: first?.movedOn ?? dayOf(ctx, stop),
    noteNumber: first?.noteNumber ?? null,
    note: first?.note ?? null,
    lines: (typed?.movements ?? []).map(({ typeId, given, received, damaged }) => ({
      typeId,
      given,
      received,
      damaged,
    })),
    types: await namedTypes(ctx),
    place:
      stop.companyTitle === null ? null : [stop.companyTitle, stop.city].filter((part) => part !== null).join(', '),
    customers: order.customers.map(({ id, title }) => ({ id, title })),
    formerCustomer: isFormer ? { id: first.customerId!, title: first.customerTitle! } : null,
    carrier: carrier === null ? null : { id: carrier.id, title: carrier.title },
  }
}

type Address = Pick<OrderLocation, 'companyTitle' | 'address' | 'postal' | 'city' | 'countryId'>

/** The place of a stop, made where it is met for the first time. */
async function placeOf(ctx: Ctx, { companyTitle, address, postal, city, countryId }: Address): Promise<number> {
  const title = companyTitle!
  const find = () =>
    sql<{ id: number }>`select id from load_carrier_place where "countryId" = ${countryId}
      and "placeKey" = search_key(${title}) || '|' || search_key(${postal ?? ''}) || '|' || search_key(${city ?? ''})
    `.execute(ctx.db)
  const known = (await find()).rows[0]
  if (known) return known.id
  const made = await ctx.db
    .insertInto('load_carrier_place')
    .values({ title, address, postal, city, countryId, email: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  // Somebody else has met it in the same moment.
  if (!made) return (await find()).rows[0]!.id
  await audit(ctx, { ownerKind: 'loadCarrierPlace', ownerId: made.id, action: 'created' })
  return made.id
}

async function partnerOf(
  ctx: Ctx,
  order: Order,
  stop: OrderLocation,
  { partner, customerId }: StopLoadCarriersWrite,
): Promise<{ customerId: number | null; placeId: number | null }> {
  if (partner === 'place') {
    if (stop.companyTitle === null) throw fieldError('partner', 'required')
    return { customerId: null, placeId: await placeOf(ctx, stop) }
  }
  if (customerId === null) throw fieldError('customerId', 'required')
  if (!order.customerIds.includes(customerId)) throw fieldError('customerId', 'unknown_reference')
  return { customerId, placeId: null }
}

/** What the history of the order says of a stop: pieces by type, as they were typed. */
const inHistory = (typed: Typed | undefined) => ({
  loadCarriers: Object.fromEntries(
    (typed?.movements ?? []).map(({ typeTitle, given, received, damaged }) => [
      typeTitle,
      `+${given} −${received}${damaged > 0 ? ` (${damaged})` : ''}`,
    ]),
  ),
})

/** Takes the stop's version that was read, and gives it the next. Error: `stale_version`. */
async function takeVersion(
  ctx: Ctx,
  {
    orderId,
    stopId,
    version,
    partner,
  }: { orderId: number; stopId: number; version: number; partner: Typed['partner'] },
): Promise<void> {
  const taken =
    version === 0
      ? await ctx.db
          .insertInto('load_carrier_stop')
          .values({ locationId: stopId, partner })
          .onConflict((conflict) => conflict.doNothing())
          .returning('version')
          .executeTakeFirst()
      : await ctx.db
          .updateTable('load_carrier_stop')
          .set({ version: version + 1, partner })
          .where('locationId', '=', stopId)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  if (!taken) throw new AppError('stale_version', { current: await stopLoadCarriers(ctx, orderId, stopId) })
}

/** Writes what was exchanged at a stop, in the place of what was typed before. Errors: the contract's. */
export async function saveStopLoadCarriers(
  ctx: Ctx,
  { orderId, stopId, version }: { orderId: number; stopId: number; version: number },
  body: StopLoadCarriersWrite,
): Promise<StopLoadCarriers> {
  await admitToOwner(ctx, 'order', orderId, 'write')
  const { order, stop } = await stopOf(ctx, orderId, stopId)
  const typeIds = body.lines.map(({ typeId }) => typeId)
  const twice = typeIds.findIndex((id, index) => typeIds.indexOf(id) < index)
  if (twice >= 0) throw fieldError(`lines.${twice}.typeId`, 'taken')
  await refuseUnknownTypes(ctx, typeIds, (index) => `lines.${index}.typeId`)
  refuseFuture(ctx, body.movedOn)
  const before = await typedAt(ctx, stopId)
  await takeVersion(ctx, { orderId, stopId, version, partner: body.partner })
  await ctx.db.deleteFrom('load_carrier_movement').where('locationId', '=', stopId).execute()
  if (body.lines.length > 0) {
    const holder = await partnerOf(ctx, order, stop, body)
    const { movedOn, noteNumber, note } = body
    const by = { createdById: ctx.actor?.userId ?? null, createdAt: nowOf(ctx) }
    await ctx.db
      .insertInto('load_carrier_movement')
      .values(
        body.lines.map((line) => ({
          ...line,
          ...holder,
          ...by,
          carrierCompanyId: null,
          movedOn,
          noteNumber,
          note,
          locationId: stopId,
        })),
      )
      .execute()
  }
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: 'loadCarriersAtStop',
    before: inHistory(before),
    after: inHistory(await typedAt(ctx, stopId)),
  })
  return stopLoadCarriers(ctx, orderId, stopId)
}

const addressOf = ({ companyTitle, postal, city, countryId }: OrderLocation): string =>
  JSON.stringify([companyTitle, postal, city, countryId])

/**
 * Reaction to `order.written`: what a stop moved stands in the account of the place that it is at now, or of the
 * customer that the order is of now. A stop without a name keeps its account.
 */
export async function followStops(ctx: Ctx, { before, after }: { before: Order | null; after: Order }): Promise<void> {
  if (before === null) return
  await followPlaces(ctx, before, after)
  await followCustomers(ctx, before, after)
}

async function followPlaces(ctx: Ctx, before: Order, after: Order): Promise<void> {
  const was = new Map(before.locations.map((stop) => [stop.id, addressOf(stop)]))
  const moved = after.locations.filter(
    (stop) => stop.companyTitle !== null && was.has(stop.id) && was.get(stop.id) !== addressOf(stop),
  )
  // Of nearly all saves no stop has moved: nobody is asked then.
  if (moved.length === 0) return
  const typed = await ctx.db
    .selectFrom('load_carrier_stop')
    .select('locationId')
    .where(
      'locationId',
      'in',
      moved.map(({ id }) => id),
    )
    .where('partner', '=', 'place')
    .execute()
  for (const { locationId } of typed) {
    const placeId = await placeOf(ctx, moved.find(({ id }) => id === locationId)!)
    await ctx.db
      .updateTable('load_carrier_movement')
      .set((eb) => ({ placeId, version: eb('version', '+', 1) }))
      .where('locationId', '=', locationId)
      .where('placeId', '<>', placeId)
      .execute()
  }
}

/**
 * Who has taken the place of a customer that the order is no longer of: its only one, or the only one that came as the
 * other went. Null where nobody can say; the window of the stop asks then.
 */
function successorOf(customerId: number, before: Order, after: Order): number | null {
  if (after.customerIds.length === 1) return after.customerIds[0]!
  const gone = before.customerIds.filter((id) => !after.customerIds.includes(id))
  const come = after.customerIds.filter((id) => !before.customerIds.includes(id))
  return gone.length === 1 && gone[0] === customerId && come.length === 1 ? come[0]! : null
}

async function followCustomers(ctx: Ctx, before: Order, after: Order): Promise<void> {
  const isSame = before.customerIds.length === after.customerIds.length
  if (isSame && before.customerIds.every((id) => after.customerIds.includes(id))) return
  if (after.locations.length === 0 || after.customerIds.length === 0) return
  const left = await ctx.db
    .selectFrom('load_carrier_movement as movement')
    .innerJoin('customer', 'customer.id', 'movement.customerId')
    .select(['customer.id', 'customer.title'])
    .distinct()
    .where(
      'movement.locationId',
      'in',
      after.locations.map(({ id }) => id),
    )
    .where('movement.customerId', 'not in', after.customerIds)
    .orderBy('customer.id')
    .execute()
  for (const { id, title } of left) {
    const customerId = successorOf(id, before, after)
    if (customerId === null) continue
    await ctx.db
      .updateTable('load_carrier_movement')
      .set((eb) => ({ customerId, version: eb('version', '+', 1) }))
      .where(
        'locationId',
        'in',
        after.locations.map((stop) => stop.id),
      )
      .where('customerId', '=', id)
      .execute()
    await audit(ctx, {
      ownerKind: 'order',
      ownerId: after.id,
      action: 'loadCarriersFollowed',
      before: { loadCarriers: title },
      after: { loadCarriers: after.customers.find((one) => one.id === customerId)!.title },
    })
  }
}

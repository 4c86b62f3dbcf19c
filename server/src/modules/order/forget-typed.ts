import { sql } from 'kysely'
import { EMPTIED } from '@waybill/contract/audit/audit-entry'
import type { Ctx } from '../../kit/context/context.ts'
import { audit } from '../../kit/records/audit.ts'
import { writeSearchKeys } from './order.repository.ts'
import './order.table.ts'

const AT_ROUTE = ['driverText', 'disponentName', 'disponentPhone', 'disponentEmail', 'signedBy'] as const
const AT_STOP = ['contactPerson', 'phone'] as const

interface Typed {
  /** of the route or the stop */
  id: number
  orderId: number
}

/** Where the history of an order tells of what was forgotten. */
interface Told {
  ownerKind: 'order'
  ownerId: number
  paths: string[]
}

/** Empties who was typed at these routes of orders: drivers, dispatchers, who signed. In the caller's transaction. */
export async function forgetAtRoutes(ctx: Ctx, routes: readonly Typed[]): Promise<Told[]> {
  const ids = routes.map(({ id }) => id)
  const before = await ctx.db
    .selectFrom('assignment')
    .select(['routeId', ...AT_ROUTE])
    .where('routeId', 'in', ids)
    .execute()
  await ctx.db.updateTable('assignment').set(emptied(AT_ROUTE, null)).where('routeId', 'in', ids).execute()
  const was = new Map(before.map(({ routeId, ...values }) => [routeId, values]))
  await noteInOrders(ctx, routes, (told, value) => ({
    routes: told.map(({ id }) => ({ id, assignment: emptied(filledOf(AT_ROUTE, was.get(id)!), value) })),
  }))
  return routes.map(({ id, orderId }) => toldAt(orderId, `routes.${id}.assignment`, AT_ROUTE))
}

/** Empties contacts and telephone numbers of these stops of orders. In the caller's transaction. */
export async function forgetAtStops(ctx: Ctx, stops: readonly Typed[]): Promise<Told[]> {
  const ids = stops.map(({ id }) => id)
  const before = await ctx.db
    .selectFrom('location')
    .select(['id', ...AT_STOP])
    .where('id', 'in', ids)
    .execute()
  // Also of merged orders, of which else nothing may be written.
  await sql`select set_config('waybill.forgets', 'on', true)`.execute(ctx.db)
  await ctx.db.updateTable('location').set(emptied(AT_STOP, null)).where('id', 'in', ids).execute()
  await sql`select set_config('waybill.forgets', '', true)`.execute(ctx.db)
  const was = new Map(before.map(({ id, ...values }) => [id, values]))
  await noteInOrders(ctx, stops, (told, value) => ({
    locations: told.map(({ id }) => ({ id, ...emptied(filledOf(AT_STOP, was.get(id)!), value) })),
  }))
  return stops.map(({ id, orderId }) => toldAt(orderId, `locations.${id}`, AT_STOP))
}

type Value = typeof EMPTIED | null

const emptied = <Field extends string, Into extends Value>(fields: readonly Field[], value: Into) =>
  Object.fromEntries(fields.map((field) => [field, value])) as Record<Field, Into>

const filledOf = <Field extends string>(fields: readonly Field[], values: Readonly<Record<Field, unknown>>): Field[] =>
  fields.filter((field) => values[field] !== null)

const toldAt = (ownerId: number, at: string, fields: readonly string[]): Told => ({
  ownerKind: 'order',
  ownerId,
  paths: fields.map((field) => `${at}.${field}`),
})

/**
 * A new version and an entry for each order, which is found by these words no more. Merged ones keep their version:
 * nobody can save one.
 */
async function noteInOrders(
  ctx: Ctx,
  typed: readonly Typed[],
  pictureOf: (ofOrder: readonly Typed[], value: Value) => unknown,
): Promise<void> {
  const byOrder = Map.groupBy(typed, ({ orderId }) => orderId)
  const ids = [...byOrder.keys()]
  await ctx.db
    .updateTable('order')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', 'in', ids)
    .where('mergedIntoId', 'is', null)
    .execute()
  await writeSearchKeys(ctx.db, ids)
  for (const [orderId, ofOrder] of byOrder)
    await audit(ctx, {
      ownerKind: 'order',
      ownerId: orderId,
      action: 'madeAnonymous',
      before: pictureOf(ofOrder, EMPTIED),
      after: pictureOf(ofOrder, null),
    })
}

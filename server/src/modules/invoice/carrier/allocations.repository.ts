import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Allocation, Invoice, InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { sumCents } from '@waybill/contract/kit/money'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../../kit/context/errors.ts'
import { wasGivenTo } from './carrier-route.query.ts'

type Body = Pick<InvoiceWrite, 'allocations' | 'routeId' | 'orderIds' | 'carrierCompanyId' | 'amountCents'>
type Before = Pick<Invoice, 'allocations' | 'routeId' | 'orderIds'>

const sameIds = (some: readonly number[], others: readonly number[]): boolean =>
  isDeepStrictEqual(new Set(some), new Set(others))

const areOthers = (orderIds: readonly number[], before: Before): boolean =>
  orderIds.length > 0 && !sameIds(orderIds, before.orderIds)

/**
 * What was written. Of an invoice for one route, or none, the allocations that came back as they were read follow the
 * amount; null, as left out, where orders or route say something else.
 */
function writtenIn({ allocations, amountCents, routeId, orderIds }: Body, before: Before | null): Allocation[] | null {
  if (!before || before.allocations.length > 1 || !isDeepStrictEqual(allocations, before.allocations))
    return allocations
  if ((routeId !== null && routeId !== before.routeId) || areOthers(orderIds, before)) return null
  return before.allocations.map((only) => ({ ...only, netCents: amountCents! }))
}

/** The route that was named; one that came back as it was read beside other orders was not. */
const routeIn = ({ routeId, orderIds }: Body, before: Before | null): number | null =>
  before && routeId === before.routeId && areOthers(orderIds, before) ? null : routeId

interface GivenRoute {
  id: number
  orderId: number
}

/** Routes that this carrier has or had, by their ids. */
async function givenRoutes(ctx: Ctx, carrierId: number, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<GivenRoute>`select r.id, r."orderId" from route r
    where r.id = any(${ids}::bigint[]) and ${wasGivenTo(carrierId, sql`r.id`)}`.execute(ctx.db)
  return new Map(rows.map(({ id, orderId }) => [id, orderId]))
}

/** The only route of an order that the carrier drives; null where it drives none of it, or several. */
async function onlyRoute(ctx: Ctx, carrierId: number, orderIds: readonly number[]): Promise<number | null> {
  if (orderIds.length !== 1) return null
  const { rows } = await sql<{ id: number }>`select r.id from route r join assignment a on a."routeId" = r.id
    where r."orderId" = ${orderIds[0]} and a."carrierCompanyId" = ${carrierId} limit 2`.execute(ctx.db)
  return rows.length === 1 ? rows[0]!.id : null
}

/**
 * For which routes a carrier's invoice is, and of which orders these are. Errors: `duplicate_key`, `not_of_carrier`
 * and `allocations_sum` at the allocations; `read_only` at orders or route that say something else.
 */
export async function allocationsOf(
  ctx: Ctx,
  body: Body,
  before: Before | null,
): Promise<{ allocations: Allocation[]; orderIds: number[]; routeId: number | null }> {
  const carrierId = body.carrierCompanyId!
  const amountCents = body.amountCents!
  let allocations = writtenIn(body, before)
  let pathOf = (index: number) => `allocations.${index}.routeId`
  if (allocations === null) {
    const named = routeIn(body, before)
    const isKept =
      named === null && before !== null && before.allocations.length > 1 && !areOthers(body.orderIds, before)
    const routeId = named ?? (await onlyRoute(ctx, carrierId, body.orderIds))
    allocations = isKept ? before.allocations : routeId === null ? [] : [{ routeId, netCents: amountCents }]
    pathOf = () => 'routeId'
  }
  if (allocations.length === 0) {
    if (body.routeId !== null && body.routeId !== before?.routeId) throw fieldError('routeId', 'read_only')
    return { allocations: [], orderIds: body.orderIds, routeId: null }
  }

  const ids = allocations.map(({ routeId }) => routeId)
  const given = await givenRoutes(ctx, carrierId, ids)
  const fields = ids.flatMap((id, index): FieldFault[] => {
    if (ids.indexOf(id) < index) return [{ path: pathOf(index), code: 'duplicate_key' }]
    return given.has(id) ? [] : [{ path: pathOf(index), code: 'not_of_carrier' }]
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  if (sumCents(allocations.map(({ netCents }) => netCents)) !== amountCents)
    throw fieldError('allocations', 'allocations_sum')

  const orderIds = [...new Set(ids.map((id) => given.get(id)!))]
  const routeId = ids.length === 1 ? ids[0]! : null
  const areWritten = before === null ? body.orderIds.length > 0 : areOthers(body.orderIds, before)
  if (areWritten && !sameIds(body.orderIds, orderIds)) throw fieldError('orderIds', 'read_only')
  if (body.routeId !== null && body.routeId !== routeId && body.routeId !== before?.routeId)
    throw fieldError('routeId', 'read_only')
  return { allocations: [...allocations], orderIds, routeId }
}

/** Makes the stored allocations of an invoice these. */
export async function saveAllocations(ctx: Ctx, invoiceId: number, allocations: readonly Allocation[]): Promise<void> {
  const ids = allocations.map(({ routeId }) => routeId)
  const nets = allocations.map(({ netCents }) => netCents)
  await sql`
    delete from invoice_allocation where "invoiceId" = ${invoiceId} and "routeId" <> all(${ids}::bigint[])
  `.execute(ctx.db)
  await sql`
    insert into invoice_allocation ("invoiceId", position, "routeId", "netCents")
    select ${invoiceId}, place - 1, route, net
    from unnest(${ids}::bigint[], ${nets}::bigint[]) with ordinality as given(route, net, place)
    on conflict ("invoiceId", "routeId") do update set position = excluded.position, "netCents" = excluded."netCents"
  `.execute(ctx.db)
}

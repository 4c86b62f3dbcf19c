import { sql } from 'kysely'
import {
  EXTRA_OF_CANCELED,
  isOpenExtra,
  isApprovedExtra,
  MOST_EXTRAS,
  type Extra,
  type ExtraState,
  type ExtraWrite,
} from '@waybill/contract/order/extra'
import { lineNetCents } from '@waybill/contract/invoice/totals'
import { isCanceled, type OrderStatus } from '@waybill/contract/order/status'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { admitToOwner } from '../../../kit/records/owners.ts'
import { bumpVersion } from '../../../kit/records/table-service.ts'
import { orderWithId } from '../order.policy.ts'
import { lockOrders } from '../order.repository.ts'
import { refreshExtraSums } from './extra-sums.ts'
import { extraView } from './order-extra.query.ts'

/** Its parts are told one by one, as of a record that was empty. */
export const NO_EXTRA = { extra: {} }

/** An extra as the history tells it. */
export const extraInHistory = (extra: Extra) => ({
  extra: {
    kind: extra.kind,
    text: extra.text,
    quantity: extra.quantity,
    unit: extra.unit,
    netPriceCents: extra.netPriceCents,
    netCostCents: extra.netCostCents,
    route: extra.route?.title ?? null,
    sourceOrder: extra.sourceOrder?.title ?? null,
    state: extra.state,
    note: extra.note,
  },
})

const conflictAt = (path: string, code: FieldFault['code']): AppError =>
  new AppError('conflict', { fields: [{ path, code }] })

interface Facts {
  status: OrderStatus
  isMergeResult: boolean
  count: number
  routes: { id: number; hasCarrier: boolean }[]
  sourceIds: number[]
}

async function factsOf(ctx: Ctx, orderId: number): Promise<Facts> {
  const { rows } = await sql<Facts>`
    select o.status, o."isMergeResult",
      (select count(*)::int from order_extra e where e."orderId" = o.id) as count,
      coalesce((select json_agg(json_build_object('id', r.id, 'hasCarrier', a."carrierCompanyId" is not null))
        from route r left join assignment a on a."routeId" = r.id where r."orderId" = o.id), '[]') as routes,
      coalesce((select json_agg(s.id) from "order" s where s."mergedIntoId" = o.id), '[]') as "sourceIds"
    from "order" o where o.id = ${orderId}
  `.execute(ctx.db)
  return rows[0]!
}

// Beyond it no invoice could bill the line.
const MAX_NET_CENTS = 1_000_000_000_000

function refuseWrong(body: ExtraWrite, facts: Facts, before: Extra | null): void {
  if (isCanceled(facts.status) && body.kind !== EXTRA_OF_CANCELED && body.kind !== before?.kind)
    throw conflictAt('kind', 'extra_of_canceled')
  const fields: FieldFault[] = []
  if (body.priceCents === null && body.costCents === null)
    fields.push({ path: 'priceCents', code: 'price_or_cost_missing' })
  for (const path of ['priceCents', 'costCents'] as const) {
    const unitPriceCents = body[path]
    if (unitPriceCents === null) continue
    if (Math.abs(body.quantity * unitPriceCents) > MAX_NET_CENTS)
      fields.push({ path, code: 'too_big', params: { max: MAX_NET_CENTS / 100 } })
    else lineNetCents({ quantity: body.quantity, unitPriceCents })
  }
  const carried = facts.routes.filter(({ hasCarrier }) => hasCarrier)
  if (body.routeId !== null && !facts.routes.some(({ id }) => id === body.routeId))
    fields.push({ path: 'routeId', code: 'unknown_reference' })
  if (body.routeId === null && body.costCents !== null && carried.length > 1)
    fields.push({ path: 'routeId', code: 'required' })
  // A merge's result is not billed itself (domain, Merge).
  const isToBill = facts.sourceIds.length > 0 && body.priceCents !== null
  if (body.sourceOrderId === null && isToBill) fields.push({ path: 'sourceOrderId', code: 'required' })
  if (body.sourceOrderId !== null && !facts.sourceIds.includes(body.sourceOrderId))
    fields.push({ path: 'sourceOrderId', code: 'unknown_reference' })
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/** Holds the order, so that its extras and their sums change one after the other. */
async function admitAndLock(ctx: Ctx, orderId: number, purpose: 'write' | 'check'): Promise<void> {
  await admitToOwner(ctx, 'order', orderId, purpose)
  await lockOrders(ctx, orderWithId(orderId))
  // It may have been merged while this one waited.
  await ctx.owners.order!.refuseClosed?.(ctx, orderId)
}

export async function createExtra(ctx: Ctx, orderId: number, body: ExtraWrite): Promise<Extra> {
  await admitAndLock(ctx, orderId, 'write')
  const facts = await factsOf(ctx, orderId)
  if (facts.count >= MOST_EXTRAS) throw fieldError('', 'too_many', { max: MOST_EXTRAS })
  refuseWrong(body, facts, null)
  const { id } = await ctx.db
    .insertInto('order_extra')
    .values({
      ...body,
      orderId,
      decidedById: null,
      decidedAt: null,
      bookedByInvoiceId: null,
      createdById: actorOf(ctx).userId,
      createdAt: nowOf(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const extra = await extraView(ctx, orderId, id)
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: 'extraAdded',
    before: NO_EXTRA,
    after: extraInHistory(extra),
  })
  return extra
}

async function readExtra(ctx: Ctx, orderId: number, extraId: number, version: number): Promise<Extra> {
  const extra = await extraView(ctx, orderId, extraId)
  if (extra.version !== version) throw new AppError('stale_version', { current: extra })
  return extra
}

const refuseBilled = (extra: Extra): void => {
  if (extra.isBilled) throw conflictAt('state', 'extra_billed')
}

export async function changeExtra(
  ctx: Ctx,
  orderId: number,
  extraId: number,
  version: number,
  body: ExtraWrite,
): Promise<Extra> {
  await admitAndLock(ctx, orderId, 'write')
  const before = await readExtra(ctx, orderId, extraId, version)
  refuseBilled(before)
  if (!isOpenExtra(before.state)) throw conflictAt('state', 'extra_decided')
  refuseWrong(body, await factsOf(ctx, orderId), before)
  await bumpVersion(ctx, 'order_extra', extraId, version, body)
  const after = await extraView(ctx, orderId, extraId)
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: 'extraChanged',
    before: extraInHistory(before),
    after: extraInHistory(after),
  })
  return after
}

export async function removeExtra(ctx: Ctx, orderId: number, extraId: number, version: number): Promise<void> {
  await admitAndLock(ctx, orderId, 'write')
  const before = await readExtra(ctx, orderId, extraId, version)
  refuseBilled(before)
  if (isApprovedExtra(before.state)) throw conflictAt('state', 'extra_decided')
  await ctx.db.deleteFrom('order_extra').where('id', '=', extraId).execute()
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: 'extraRemoved',
    before: extraInHistory(before),
    after: NO_EXTRA,
  })
}

const DECIDED = { open: 'extraReopened', approved: 'extraApproved', refused: 'extraRefused' } as const

/** Approves or refuses an extra, or takes that back; the sums of its order follow. */
export async function decideExtra(
  ctx: Ctx,
  orderId: number,
  extraId: number,
  version: number,
  to: ExtraState,
): Promise<Extra> {
  await admitAndLock(ctx, orderId, 'check')
  const before = await extraView(ctx, orderId, extraId)
  if (before.state === to) return before
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  refuseBilled(before)
  // What was left open may need a route by now.
  if (isApprovedExtra(to)) refuseWrong(before, await factsOf(ctx, orderId), before)
  const decided = isOpenExtra(to)
    ? { decidedById: null, decidedAt: null }
    : { decidedById: actorOf(ctx).userId, decidedAt: nowOf(ctx) }
  await bumpVersion(ctx, 'order_extra', extraId, version, { state: to, ...decided })
  await refreshExtraSums(ctx, [orderId])
  const after = await extraView(ctx, orderId, extraId)
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: DECIDED[to],
    before: { extra: { ...extraInHistory(after).extra, state: before.state } },
    after: extraInHistory(after),
  })
  return after
}

import { localOf } from '@waybill/contract/kit/local-time'
import type { Order, orderApi, OrderWrite } from '@waybill/contract/order/order'
import { mayDelete } from '@waybill/contract/order/status'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { ServiceOf } from '../../kit/http/routes.ts'
import { newChildren, settle, type Settled } from './order-children.rules.ts'
import { checkOrderReferences, factsOf } from './entry/order-references.query.ts'
import { orderWithId, scopeOf } from './order.policy.ts'
import { listOrders, listOrderTitles } from './order-list.query.ts'
import { loadOrder, viewOrders } from './order-view.query.ts'
import { STATUS_COLUMNS } from './order.table.ts'
import {
  deleteOrder,
  insertOrder,
  isReferredTo,
  nextNumber,
  saveChildren,
  takeIds,
  updateOrder,
  writeSearchKeys,
  type OrderValues,
} from './order.repository.ts'
import { customersOf, derivedColumns, historyOf, refuseWrongOrder, type SaveFacts } from './order.rules.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    'order.created': { orderId: number }
    'order.changed': { orderId: number }
    'order.deleted': { orderId: number }
  }
}

/** The columns that a body writes as they are. */
function ownColumns({
  customerIds: _customers,
  managerIds: _managers,
  cargo: _cargo,
  locations: _locations,
  routes: _routes,
  ...columns
}: OrderWrite) {
  return columns
}

interface Prepared {
  settled: Settled
  facts: SaveFacts
  columns: OrderValues
}

/** Everything that is checked and worked out before a save writes: four statements, however many children. */
async function prepare(ctx: Ctx, body: OrderWrite, before: Order | null): Promise<Prepared> {
  await checkOrderReferences(ctx, body)
  const facts = await factsOf(ctx, body, before)
  refuseWrongOrder(body, before, facts)
  // Creator and case worker become managers (domain, People and rights).
  const managers = [body.caseWorkerId, before ? null : actorOf(ctx).userId]
  const settled = settle({
    body,
    before,
    facts,
    managers,
    ids: await takeIds(ctx, newChildren(body, before)),
    now: nowOf(ctx),
  })
  const [customerId] = customersOf(body)
  const columns = {
    ...ownColumns(body),
    ...derivedColumns(settled.picture),
    billingCustomerId: body.billingCustomerId ?? customerId,
    customerId,
    lastRouteN: settled.lastRouteN,
    ...settled.parties,
  }
  return { settled, facts, columns }
}

/** The answer to a save: the caller may have taken themself off the order, and still learns what was saved. */
async function saved(ctx: Ctx, id: number): Promise<Order> {
  const [order] = await viewOrders(ctx, orderWithId(id))
  return order!
}

/** Stores a new order with everything that belongs to it, and gives its id. `made` are columns that no body writes. */
export async function storeNewOrder(
  ctx: Ctx,
  body: OrderWrite,
  made: { isMergeResult?: boolean } = {},
): Promise<number> {
  const { settled, facts, columns } = await prepare(ctx, body, null)
  const now = nowOf(ctx)
  const year = Number(localOf(now, facts.timeZone).date.slice(0, 4))
  const first = {
    number: await nextNumber(ctx, year),
    creatorId: actorOf(ctx).userId,
    createdAt: now,
    [STATUS_COLUMNS.new]: now,
    ...made,
  }
  const id = await insertOrder(ctx, { ...columns, ...first }, settled.parties)
  await saveChildren(ctx, id, settled.children)
  await writeSearchKeys(ctx.db, [id])
  return id
}

async function createOrder(ctx: Ctx, body: OrderWrite): Promise<Order> {
  const id = await storeNewOrder(ctx, body)
  await audit(ctx, { ownerKind: 'order', ownerId: id, action: 'created' })
  await tell(ctx, { type: 'order.created', orderId: id })
  return saved(ctx, id)
}

async function updateWholeOrder(ctx: Ctx, id: number, version: number, body: OrderWrite): Promise<Order> {
  const before = await loadOrder(ctx, id)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  const { settled, columns } = await prepare(ctx, body, before)
  const { status } = settled
  const reached = status === before.status ? {} : { status, [STATUS_COLUMNS[status]]: settled.statusSince }
  if (!(await updateOrder(ctx, before, { ...columns, ...reached }, settled.parties)))
    throw new AppError('stale_version', { current: await loadOrder(ctx, id) })
  await saveChildren(ctx, id, settled.children)
  await writeSearchKeys(ctx.db, [id])
  const after = await saved(ctx, id)
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: id,
    action: 'updated',
    before: historyOf(before),
    after: historyOf(after),
  })
  await tell(ctx, { type: 'order.changed', orderId: id })
  return after
}

async function removeOrder(ctx: Ctx, id: number, version: number | null): Promise<void> {
  const before = await loadOrder(ctx, id)
  if (version !== null && before.version !== version) throw new AppError('stale_version', { current: before })
  if (
    !mayDelete(before.status) ||
    before.routes.some((route) => !mayDelete(route.status)) ||
    (await isReferredTo(ctx, id))
  )
    throw new AppError('in_use')
  if (!(await deleteOrder(ctx, before))) throw new AppError('stale_version', { current: await loadOrder(ctx, id) })
  await audit(ctx, { ownerKind: 'order', ownerId: id, action: 'deleted', before: historyOf(before), after: {} })
  await tell(ctx, { type: 'order.deleted', orderId: id })
}

export const orderService: ServiceOf<typeof orderApi> = {
  list: (ctx, query) => listOrders(ctx, scopeOf(ctx), query),
  compact: (ctx, query) => listOrderTitles(ctx, scopeOf(ctx), query),
  get: (ctx, id) => loadOrder(ctx, id),
  create: createOrder,
  update: updateWholeOrder,
  remove: removeOrder,
}

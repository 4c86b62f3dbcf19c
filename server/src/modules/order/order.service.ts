import { localOf } from '@waybill/contract/kit/local-time'
import type { Order, orderApi, OrderWrite } from '@waybill/contract/order/order'
import { mayDelete } from '@waybill/contract/order/status'
import { audit, auditCreated } from '../../kit/records/audit.ts'
import { actorOf, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { ServiceOf } from '../../kit/http/routes.ts'
import { newChildren, settle, type Settled } from './order-children.rules.ts'
import { checkOrderReferences, factsOf } from './entry/order-references.query.ts'
import { refuseUnclearedSave } from './clearance/clearance.query.ts'
import { ordersWithIds, orderWithId, scopeOf } from './order.policy.ts'
import { listOrders, listOrderTitles } from './order-list.query.ts'
import { loadOrder, viewOrders } from './order-view.query.ts'
import { STATUS_COLUMNS } from './order.table.ts'
import {
  deleteOrder,
  insertOrders,
  isReferredTo,
  saveChildren,
  takeIds,
  takeNumbers,
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
    /**
     * An order stands as `after` now: made by a person, saved, moved, undone, merged; of an import only where it is
     * asked to tell its customers. `before` is null where it is new. Pictures, because nobody can look up what was.
     * `isQuiet`: its customers are not told that it was made.
     */
    'order.written': { orderId: number; before: Order | null; after: Order; isQuiet?: boolean }
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

/**
 * Everything that is checked and worked out before a save writes: a handful of statements, however many children.
 * `before` is the order that is changed; several bodies are new orders.
 */
async function prepare(ctx: Ctx, bodies: readonly OrderWrite[], before: Order | null): Promise<Prepared[]> {
  await checkOrderReferences(ctx, bodies)
  const known = await factsOf(ctx, bodies, before)
  for (const [index, body] of bodies.entries()) refuseWrongOrder(body, before, known[index]!)
  const wanted = bodies.map((body) => newChildren(body, before))
  const sum = (part: keyof (typeof wanted)[number]) => wanted.reduce((total, one) => total + one[part], 0)
  const ids = await takeIds(ctx, {
    cargo: sum('cargo'),
    location: sum('location'),
    route: sum('route'),
    assignment: sum('assignment'),
  })
  return bodies.map((body, index) => {
    const facts = known[index]!
    // Creator and case worker become managers (domain, People and rights).
    const managers = [body.caseWorkerId, before ? null : actorOf(ctx).userId]
    const settled = settle({ body, before, facts, managers, ids, now: nowOf(ctx) })
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
  })
}

/** The answer to a save: the caller may have taken themself off the order, and still learns what was saved. */
async function saved(ctx: Ctx, id: number): Promise<Order> {
  const [order] = await viewOrders(ctx, orderWithId(id))
  return order!
}

/**
 * Stores new orders with everything that belongs to them, and gives their ids. `made` are columns that no body writes.
 */
async function storeNewOrders(
  ctx: Ctx,
  bodies: readonly OrderWrite[],
  made: { isMergeResult?: boolean } = {},
): Promise<number[]> {
  const prepared = await prepare(ctx, bodies, null)
  const now = nowOf(ctx)
  const numbers = await takeNumbers(
    ctx,
    prepared.map(({ facts }) => Number(localOf(now, facts.timeZone).date.slice(0, 4))),
    prepared.map(({ settled }) => settled.parties),
  )
  const orders = prepared.map(({ settled, columns }, index) => {
    const { id, number } = numbers[index]!
    const first = { number, creatorId: actorOf(ctx).userId, createdAt: now, [STATUS_COLUMNS.new]: now, ...made }
    return { id, row: { ...columns, ...first }, children: settled.children }
  })
  await insertOrders(ctx, orders)
  return numbers.map(({ id }) => id)
}

/** Stores a new order with everything that belongs to it, and gives its id. */
export async function storeNewOrder(ctx: Ctx, body: OrderWrite, made: { isMergeResult?: boolean }): Promise<number> {
  const [id] = await storeNewOrders(ctx, [body], made)
  return id!
}

// A statement of so many orders stays below a megabyte, and what is worked out for them below a tenth of a second.
const BATCH = 100

/**
 * Makes new orders, each with its entry of history, in a handful of statements for a hundred; gives their ids. Must
 * run inside a transaction. Errors: those of one new order, paths without saying which of them it is.
 */
export async function createOrders(ctx: Ctx, bodies: readonly OrderWrite[]): Promise<number[]> {
  const made: number[] = []
  for (let start = 0; start < bodies.length; start += BATCH) {
    const ids = await storeNewOrders(ctx, bodies.slice(start, start + BATCH))
    await auditCreated(ctx, 'order', ids)
    for (const orderId of ids) await tell(ctx, { type: 'order.created', orderId })
    made.push(...ids)
  }
  return made
}

/** Tells of orders that were just made as if a person had saved each: their customers hear of them. */
export async function tellOfNew(ctx: Ctx, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += BATCH)
    for (const after of await viewOrders(ctx, ordersWithIds(ids.slice(start, start + BATCH))))
      await tell(ctx, { type: 'order.written', orderId: after.id, before: null, after })
}

/** Makes a new order. Must run inside a transaction. Errors: those of the order's rules. */
export async function createOrder(ctx: Ctx, body: OrderWrite, { isQuiet = false } = {}): Promise<Order> {
  const [id] = await createOrders(ctx, [body])
  const after = await saved(ctx, id!)
  await tell(ctx, { type: 'order.written', orderId: id!, before: null, after, isQuiet })
  return after
}

async function updateWholeOrder(ctx: Ctx, id: number, version: number, body: OrderWrite): Promise<Order> {
  const before = await loadOrder(ctx, id)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  const [prepared] = await prepare(ctx, [body], before)
  const { settled, columns } = prepared!
  await refuseUnclearedSave(
    ctx,
    body,
    before,
    settled.children.routes.map((route) => route.status),
  )
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
  await tell(ctx, { type: 'order.written', orderId: id, before, after })
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
  create: (ctx, body) => createOrder(ctx, body),
  update: updateWholeOrder,
  remove: removeOrder,
}

import { sql } from 'kysely'
import type { z } from 'zod'
import { localOf } from '@waybill/contract/kit/local-time'
import type { OrderWrite } from '@waybill/contract/order/order'
import { laneOfStops } from '@waybill/contract/order/recurring/pattern'
import type {
  createRecurringOrder as createEndpoint,
  RecurringOrder,
  RecurringState,
  ScheduleWrite,
} from '@waybill/contract/order/recurring/recurring-order'
import { isDropOff, isPickUp } from '@waybill/contract/order/schedule'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { loadOrder, templateOf } from '../order/index.ts'
import { lockRecurring, planNext, type RecurringRowRead } from './recurring-day.ts'
import { makeDay } from './make-orders.ts'
import { recurringOrderView } from './recurring-order.query.ts'

interface Source {
  orderId: number
  withRoutes: boolean
}

/** The columns of a template that is taken from an order. Errors: the contract's. */
async function templateColumns(ctx: Ctx, { orderId, withRoutes }: Source) {
  const order = await loadOrder(ctx, orderId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? fieldError('orderId', 'unknown_reference') : error
  })
  const template: OrderWrite = templateOf(order, { withRoutes })
  const codes = new Map(order.locations.map(({ countryId, countryCode }) => [countryId, countryCode]))
  const stops = template.locations.map((stop) => ({ ...stop, countryCode: codes.get(stop.countryId)! }))
  const [from, to, lane] = [stops.find(isPickUp), stops.findLast(isDropOff), laneOfStops(stops)]
  if (from === undefined || to === undefined || lane === null)
    throw fieldError('orderId', 'pick_up_and_drop_off_missing')
  return {
    customerId: template.customerIds[0]!,
    departmentId: template.departmentId,
    template: JSON.stringify(template),
    lane: JSON.stringify(lane),
    fromCountryCode: from.countryCode,
    fromPostal: from.postal,
    fromCity: from.city,
    toCountryCode: to.countryCode,
    toPostal: to.postal,
    toCity: to.city,
    sourceOrderId: order.id,
    sourceNumber: order.number,
  }
}

/** What the history says of it. */
const historyOf = (one: RecurringOrder) => ({
  title: one.title,
  weekdays: one.weekdays.join(','),
  fromDay: one.fromDay,
  untilDay: one.untilDay,
  everyWeeks: one.everyWeeks,
  daysAhead: one.daysAhead,
  skipsHolidays: one.skipsHolidays,
  tellsCustomer: one.tellsCustomer,
  leftOut: one.leftOut.join(','),
  keeper: one.keeper.title,
})

/** The caller may have given it away, and still learns what was saved. */
const seeingAll = (ctx: Ctx): Ctx => ({
  ...ctx,
  companyFilter: null,
  actor: { ...actorOf(ctx), permissions: [...actorOf(ctx).permissions, 'ORDERS_MANAGEMENT'] },
})

/** What is due by now is made at once, behind the answer. */
const wake = (ctx: Ctx, recurringOrderId: number): Promise<void> =>
  ctx.ports.jobs.enqueue(ctx, 'make_recurring_orders', { recurringOrderId }, { key: `recurring-${recurringOrderId}` })

/** A recurring order that the caller may see, locked, and of the version that was read. */
async function lockForChange(ctx: Ctx, id: number, version: number): Promise<RecurringRowRead> {
  const row = await lockRecurring(ctx, id)
  const before = await recurringOrderView(ctx, id)
  if (row === undefined || row.version !== version) throw new AppError('stale_version', { current: before })
  if (row.state === 'ended') throw new AppError('conflict')
  return row
}

type Columns = Partial<
  ScheduleWrite & Awaited<ReturnType<typeof templateColumns>> & { state: RecurringState; keeperId: number; fault: null }
>

/** Writes a change of one that is locked, works out its next day, and tells the history. */
async function write(ctx: Ctx, row: RecurringRowRead, columns: Columns, action: string): Promise<RecurringOrder> {
  const before = await recurringOrderView(seeingAll(ctx), row.id)
  await ctx.db
    .updateTable('recurring_order')
    .set({ ...columns, fault: null, version: row.version + 1, nextDay: null, dueOn: null })
    .where('id', '=', row.id)
    .execute()
  await planNext(ctx, row.id)
  const after = await recurringOrderView(seeingAll(ctx), row.id)
  await audit(ctx, {
    ownerKind: 'recurringOrder',
    ownerId: row.id,
    action,
    ...(action === 'updated' && { before: historyOf(before), after: historyOf(after) }),
    ...(columns.sourceNumber !== undefined && { after: { order: columns.sourceNumber } }),
  })
  await wake(ctx, row.id)
  return after
}

/** Errors: the contract's. */
export async function createRecurringOrder(
  ctx: Ctx,
  { orderId, withRoutes, ...schedule }: z.output<typeof createEndpoint.body>,
): Promise<RecurringOrder> {
  const { userId } = actorOf(ctx)
  const columns = await templateColumns(ctx, { orderId, withRoutes })
  const { id } = await ctx.db
    .insertInto('recurring_order')
    .values({
      ...schedule,
      ...columns,
      keeperId: userId,
      createdById: userId,
      createdAt: nowOf(ctx),
      nextDay: null,
      dueOn: null,
      fault: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await planNext(ctx, id)
  await audit(ctx, {
    ownerKind: 'recurringOrder',
    ownerId: id,
    action: 'created',
    after: { order: columns.sourceNumber },
  })
  await wake(ctx, id)
  return recurringOrderView(seeingAll(ctx), id)
}

/** Errors: the contract's. */
export async function changeRecurringOrder(
  ctx: Ctx,
  id: number,
  version: number,
  body: ScheduleWrite,
): Promise<RecurringOrder> {
  return write(ctx, await lockForChange(ctx, id, version), body, 'updated')
}

/** Errors: the contract's. */
export async function changeRecurringTemplate(
  ctx: Ctx,
  id: number,
  version: number,
  source: Source,
): Promise<RecurringOrder> {
  const row = await lockForChange(ctx, id, version)
  return write(ctx, row, await templateColumns(ctx, source), 'recurringTemplateTaken')
}

const MOVES = { active: 'recurringResumed', paused: 'recurringPaused', ended: 'recurringEnded' } as const

/** Errors: the contract's. */
export async function moveRecurringOrder(
  ctx: Ctx,
  id: number,
  version: number,
  to: RecurringState,
): Promise<RecurringOrder> {
  const row = await lockForChange(ctx, id, version)
  if (row.state === to) throw new AppError('conflict')
  return write(ctx, row, { state: to }, MOVES[to])
}

/** Errors: the contract's. */
export async function takeOverRecurringOrder(ctx: Ctx, id: number, version: number): Promise<RecurringOrder> {
  const row = await lockForChange(ctx, id, version)
  const { userId } = actorOf(ctx)
  if (row.keeperId === userId) throw new AppError('conflict')
  return write(ctx, row, { keeperId: userId }, 'recurringTakenOver')
}

/** Errors: the contract's. */
export async function makeRecurringDay(ctx: Ctx, id: number, version: number, day: string): Promise<RecurringOrder> {
  const row = await lockForChange(ctx, id, version)
  if (day < localOf(nowOf(ctx), row.zone).date) throw fieldError('day', 'invalid_value')
  const { rows } = await sql<{ isMade: boolean }>`select exists (select 1 from recurring_day d
    where d."recurringOrderId" = ${id} and d.day = ${day} and d."orderId" is not null) as "isMade"`.execute(ctx.db)
  if (rows[0]!.isMade) throw new AppError('conflict')
  await makeDay(ctx, row, day)
  await ctx.db
    .updateTable('recurring_order')
    .set({ version: row.version + 1, fault: null })
    .where('id', '=', id)
    .execute()
  await planNext(ctx, id)
  return recurringOrderView(seeingAll(ctx), id)
}

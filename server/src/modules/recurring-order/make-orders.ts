import { sql } from 'kysely'
import { localOf } from '@waybill/contract/kit/local-time'
import { OrderWrite } from '@waybill/contract/order/order'
import { stopsOnDay } from '@waybill/contract/order/recurring/pattern'
import type { Permission } from '@waybill/contract/permissions'
import type { Language } from '@waybill/contract/errors'
import { inTransaction, nowOf, type Actor, type Ctx } from '../../kit/context/context.ts'
import { AppError, fromDatabase } from '../../kit/context/errors.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { parseInput } from '../../kit/http/validation.ts'
import { audit } from '../../kit/records/audit.ts'
import { createOrder } from '../order/index.ts'
import { lockRecurring, planNext, type RecurringRowRead } from './recurring-day.ts'
import { isKept } from './recurring-order.policy.ts'
import type { StoredFault } from './recurring-order.table.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    /** gives a job to every recurring order that is due */
    find_recurring_orders: object
    make_recurring_orders: { recurringOrderId: number }
  }
}

/**
 * Makes the order of a day by the service of orders, and notes the day, in one transaction: the database takes no
 * second order for it. The row is locked by the caller. Errors: those of making an order.
 */
export async function makeDay(ctx: Ctx, row: RecurringRowRead, day: string): Promise<void> {
  // A template of an older version gets what was added since.
  const body = parseInput(OrderWrite, { ...row.template, locations: stopsOnDay(row.template.locations, day) })
  const order = await createOrder(ctx, body, { isQuiet: !row.tellsCustomer })
  const { rows } = await sql`
    insert into recurring_day as d ("recurringOrderId", day, "orderId", "orderNumber", "madeAt")
    values (${row.id}, ${day}, ${order.id}, ${order.number}, ${nowOf(ctx)})
    on conflict on constraint "conflict__recurring_day"
      do update set "orderId" = excluded."orderId", "orderNumber" = excluded."orderNumber", "madeAt" = excluded."madeAt"
      where d."orderId" is null
    returning d.day
  `.execute(ctx.db)
  if (rows.length === 0) throw new AppError('conflict')
  await audit(ctx, {
    ownerKind: 'recurringOrder',
    ownerId: row.id,
    action: 'recurringMade',
    after: { order: order.number, day },
  })
}

/** In the name of who keeps it, with the rights that this person has now; null where these are not enough. */
async function asKeeper(ctx: Ctx, row: RecurringRowRead): Promise<Ctx | null> {
  const { rows } = await sql<{
    fullName: string
    isAdmin: boolean
    permissions: Permission[] | null
    language: Language
    isKept: boolean
  }>`
    select keeper."fullName", keeper."isAdmin", role.permissions, keeper."defaultLanguage" as language,
        ${isKept} as "isKept"
      from recurring_order join "user" keeper on keeper.id = recurring_order."keeperId"
        left join user_role role on role.id = keeper."roleId"
      where recurring_order.id = ${row.id}
  `.execute(ctx.db)
  const [keeper] = rows
  if (!keeper?.isKept) return null
  const actor: Actor = {
    userId: row.keeperId,
    // no session of its own
    sessionId: 0,
    fullName: keeper.fullName,
    isAdmin: keeper.isAdmin,
    permissions: keeper.permissions ?? [],
  }
  return { ...ctx, actor, language: keeper.language }
}

/** What somebody is told; null for what is nobody's fault and is tried again with the whole job. */
function faultOf(error: unknown, day: string): StoredFault | null {
  const known = error instanceof AppError ? error : fromDatabase(error)
  if (known?.code === 'unavailable' || known?.code === 'conflict') return null
  return { day, code: known?.code ?? 'internal', fields: known?.details.fields ?? [] }
}

/**
 * Makes the next order of a recurring order, where one is due: a transaction of its own. False where there is nothing
 * to do any more; another node may have done it, the person who keeps it may be gone.
 */
async function makeNext(ctx: Ctx, id: number): Promise<boolean> {
  let day: string | null = null
  try {
    return await inTransaction(ctx, async (inner) => {
      const row = await lockRecurring(inner, id)
      if (!row || row.state !== 'active') return false
      // A server that was away makes nothing for days that are over.
      const { nextDay, dueOn } = await planNext(inner, id)
      const today = localOf(nowOf(inner), row.zone).date
      if (nextDay === null || dueOn === null || dueOn > today) return false
      const acting = await asKeeper(inner, row)
      if (acting === null) return false
      day = nextDay
      await makeDay(acting, row, nextDay)
      await sql`update recurring_order set fault = null where id = ${id}`.execute(inner.db)
      await planNext(inner, id)
      return true
    })
  } catch (error) {
    const fault = day === null ? null : faultOf(error, day)
    if (fault === null) throw error
    if (fault.code === 'internal') ctx.log.error({ err: error, id }, 'an order of a recurring order was not made')
    await sql`update recurring_order set fault = ${JSON.stringify(fault)}::jsonb where id = ${id}`.execute(ctx.db)
    return false
  }
}

/** Makes all orders of one recurring order that are due: those of a day each, the nearest first. */
export const makeRecurringOrders: JobDefinition<'make_recurring_orders'> = {
  async handle(ctx, { recurringOrderId }) {
    // As many days as one can look ahead, and today.
    while (await makeNext(ctx, recurringOrderId));
  },
}

/** Those that may be due somewhere on earth; which ones are, by the clock of their company, is looked at again. */
const DUE_AT_A_TIME = 1000

/**
 * Each hour, because night falls at another hour in each zone, and a server that was away is to make up for it. What
 * was refused is tried again: somebody may have mended the customer or the carrier meanwhile.
 */
export const findRecurringOrders: JobDefinition<'find_recurring_orders'> = {
  async handle(ctx) {
    for (let last = 0; ; ) {
      const { rows } = await sql<{ id: number }>`
        select id from recurring_order
          where "dueOn" <= (${nowOf(ctx)}::timestamptz at time zone 'Pacific/Kiritimati')::date and id > ${last}
          order by id limit ${sql.lit(DUE_AT_A_TIME)}
      `.execute(ctx.db)
      for (const { id } of rows)
        await ctx.ports.jobs.enqueue(ctx, 'make_recurring_orders', { recurringOrderId: id }, { key: `recurring-${id}` })
      if (rows.length < DUE_AT_A_TIME) return
      last = rows.at(-1)!.id
    }
  },
  timetable: { cron: '7 * * * *', data: {}, atStart: {} },
}

import { sql, type Selectable } from 'kysely'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { nextDayOf } from '@waybill/contract/order/recurring/pattern'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { Tables } from '../../kit/database/db.ts'
import './recurring-order.table.ts'

/** A recurring order as it is stored, with the zone of its department's company. */
export type RecurringRowRead = Selectable<Tables['recurring_order']> & { zone: string }

/** The row, locked until the transaction ends: of two that make orders of it, one waits for the other. */
export async function lockRecurring(ctx: Ctx, id: number): Promise<RecurringRowRead | undefined> {
  const { rows } = await sql<RecurringRowRead>`
    select recurring_order.*, (select co."timeZone" from department d join company co on co.id = d."companyId"
        where d.id = recurring_order."departmentId") as zone
      from recurring_order where id = ${id} for no key update of recurring_order
  `.execute(ctx.db)
  return rows[0]
}

/**
 * Works out for which day the next order is made: the first from today on that is driven and has had none, whatever
 * became of that. One that is not active has none.
 */
export async function planNext(ctx: Ctx, id: number): Promise<{ nextDay: string | null; dueOn: string | null }> {
  const row = (await lockRecurring(ctx, id))!
  const today = localOf(nowOf(ctx), row.zone).date
  const { rows } = await sql<{ day: string }>`select day from recurring_day
    where "recurringOrderId" = ${id} and day >= ${today}`.execute(ctx.db)
  const nextDay = row.state === 'active' ? nextDayOf(row, row.lane, today, new Set(rows.map(({ day }) => day))) : null
  const dueOn = nextDay === null ? null : addDays(nextDay, -row.daysAhead)
  await ctx.db.updateTable('recurring_order').set({ nextDay, dueOn }).where('id', '=', id).execute()
  return { nextDay, dueOn }
}

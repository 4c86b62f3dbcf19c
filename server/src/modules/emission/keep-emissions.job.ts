import { sql } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'
import { inTransaction } from '../../kit/context/context.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { insertRows } from '../../kit/database/insert-rows.ts'
import { emissionParts, MOST_AT_ONCE } from './order-picture.query.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    keep_emissions: { isStart?: true }
  }
}

/**
 * Works out anew the orders of the next notes after the note `after`, and takes all notes of these orders. The last
 * note that it went by; null where there is none left. One job at a time does it.
 */
const keepSome =
  (after: number) =>
  async (ctx: Ctx): Promise<number | null> => {
    const { rows: locked } = await sql<{ is: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('keep_emissions')) as is
  `.execute(ctx.db)
    if (!locked[0]!.is) return null
    const { rows: taken } = await sql<{ last: number | null; ids: number[] | null }>`
    with noted as (
      select id, "orderId" from emission_due where id > ${after} order by id limit ${sql.lit(MOST_AT_ONCE)}
    ), taken as (delete from emission_due where "orderId" = any(array(select "orderId" from noted)))
    select max(id) as last, array_agg(distinct "orderId") as ids from noted
  `.execute(ctx.db)
    const { last, ids } = taken[0]!
    if (last === null || ids === null) return null
    const parts = await emissionParts(ctx, ids)
    await sql`delete from order_emission where "orderId" = any(${ids}::bigint[])`.execute(ctx.db)
    await insertRows(ctx, 'order_emission', parts)
    return last
  }

/** Keeps what the CO₂e report adds up, batch by batch, each a transaction of its own. */
export const keepEmissions: JobDefinition<'keep_emissions'> = {
  async handle(ctx) {
    // Each batch begins where the one before ended: what that one took still lies in the index.
    for (let at: number | null = 0; at !== null; ) at = await inTransaction(ctx, keepSome(at))
  },
  timetable: { cron: '* * * * *', data: {}, atStart: { isStart: true } },
  longestSeconds: 1800,
}

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

/** Works some of the noted orders out anew; how many notes were taken. One at a time does it. */
async function keepSome(ctx: Ctx): Promise<number> {
  const { rows: locked } = await sql<{ is: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('keep_emissions')) as is
  `.execute(ctx.db)
  if (!locked[0]!.is) return 0
  const { rows: noted } = await sql<{ orderId: number }>`
    delete from emission_due where id in (select id from emission_due order by id limit ${sql.lit(MOST_AT_ONCE)})
    returning "orderId"
  `.execute(ctx.db)
  if (noted.length === 0) return 0
  const ids = [...new Set(noted.map(({ orderId }) => orderId))]
  const parts = await emissionParts(ctx, ids)
  await sql`delete from order_emission where "orderId" = any(${ids}::bigint[])`.execute(ctx.db)
  await insertRows(ctx, 'order_emission', parts)
  return noted.length
}

/** Keeps what the CO₂e report adds up, batch by batch, each a transaction of its own. */
export const keepEmissions: JobDefinition<'keep_emissions'> = {
  async handle(ctx) {
    for (let taken = MOST_AT_ONCE; taken === MOST_AT_ONCE; ) taken = await inTransaction(ctx, keepSome)
  },
  timetable: { cron: '* * * * *', data: {}, atStart: { isStart: true } },
  longestSeconds: 1800,
}

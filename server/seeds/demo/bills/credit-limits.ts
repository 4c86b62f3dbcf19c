import { sql } from 'kysely'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { customerCredit } from '../../../src/modules/credit/index.ts'

/** How much of their limit those who use most of it use: one is over it, two are near it. */
const USED = [1.03, 0.95, 0.86, 0.74, 0.69, 0.55, 0.6, 0.44, 0.7, 0.37]
/** Large limits are agreed in thousands of euros; in cents. */
const STEP = 100_000

/** Limits of the customers that owe most. */
export async function seedCreditLimits(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: number }>`select "customerId" as id from receivable where "openCents" > 0
    group by 1 order by sum("openCents") desc, 1 limit ${sql.lit(USED.length)}`.execute(ctx.db)
  for (const [index, { id }] of rows.entries()) {
    const { usedCents } = await customerCredit(ctx, id)
    const limit = Math.round(usedCents / USED[index]!)
    const creditLimitCents = limit < 10 * STEP ? limit : Math.floor(limit / STEP) * STEP
    await ctx.db.updateTable('customer').set({ creditLimitCents }).where('id', '=', id).execute()
  }
}

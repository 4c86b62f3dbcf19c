import { isPolishWorkingDay } from '@waybill/contract/invoice/ksef/rate'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../../../kit/context/context.ts'
import type { JobDefinition } from '../../../../kit/context/jobs.ts'
import '../ksef.table.ts'
import './nbp.ts'

declare module '../../../../kit/context/jobs.ts' {
  interface JobData {
    fetch_nbp_rates: { isStart?: boolean }
  }
}

/** Invoices are seldom written later than that; what is older is fetched with the invoice that needs it. */
const DAYS_BACK = 60

/**
 * Asks NBP for the euro rates of these days and keeps those that are not known; what somebody typed stays. Without an
 * answer nothing changes. Call it outside of any transaction.
 */
export async function fetchRates(ctx: Ctx, from: string, to: string): Promise<void> {
  const rates = (await ctx.ports.nbp?.ratesBetween(from, to)) ?? []
  const asked = rates.filter(({ day }) => from <= day && day <= to)
  if (asked.length === 0) return
  const enteredAt = nowOf(ctx)
  await ctx.db
    .insertInto('nbp_rate')
    .values(asked.map((rate) => ({ ...rate, enteredById: null, enteredAt })))
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
}

/** Fetches what the invoices of the next hours will need, where we have a company that issues in KSeF. */
export const fetchNbpRates: JobDefinition<'fetch_nbp_rates'> = {
  async handle(ctx) {
    if (ctx.ports.nbp === null) return
    const inPoland = await ctx.db
      .selectFrom('company')
      .select('id')
      .where('ksefMode', '<>', 'off')
      .limit(1)
      .executeTakeFirst()
    if (inPoland === undefined) return
    // The table of a day counts from the next one on.
    const until = addDays(localOf(nowOf(ctx), 'Europe/Warsaw').date, -1)
    const known = await ctx.db
      .selectFrom('nbp_rate')
      .select('day')
      .where('day', '>', addDays(until, -DAYS_BACK))
      .execute()
    const days = new Set(known.map(({ day }) => day))
    const missing = Array.from({ length: DAYS_BACK }, (_, back) => addDays(until, -back)).filter(
      (day) => isPolishWorkingDay(day) && !days.has(day),
    )
    if (missing.length > 0) await fetchRates(ctx, missing.at(-1)!, missing[0]!)
  },
  timetable: { cron: '20 * * * *', data: {}, atStart: { isStart: true } },
}

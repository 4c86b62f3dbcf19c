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

/** So many days NBP gives at once. */
const DAYS_AT_ONCE = 93

/**
 * Asks NBP for the euro rates of these days and keeps those that are not known; what somebody typed stays. Without an
 * answer nothing changes. Call it outside of any transaction.
 */
export async function fetchRates(ctx: Ctx, days: readonly string[]): Promise<void> {
  const spans: [from: string, to: string][] = []
  for (const day of days.toSorted()) {
    const span = spans.at(-1)
    if (span !== undefined && day < addDays(span[0], DAYS_AT_ONCE)) span[1] = day
    else spans.push([day, day])
  }
  for (const [from, to] of spans) {
    const rates = (await ctx.ports.nbp?.ratesBetween(from, to)) ?? []
    const asked = rates.filter(({ day }) => from <= day && day <= to)
    if (asked.length === 0) continue
    const enteredAt = nowOf(ctx)
    await ctx.db
      .insertInto('nbp_rate')
      .values(asked.map((rate) => ({ ...rate, enteredById: null, enteredAt })))
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute()
  }
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
    await fetchRates(ctx, missing)
  },
  timetable: { cron: '20 * * * *', data: {}, atStart: { isStart: true } },
}

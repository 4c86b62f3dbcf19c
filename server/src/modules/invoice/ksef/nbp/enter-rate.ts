import type { NbpRate } from '@waybill/contract/invoice/ksef/rate'
import { isPolishWorkingDay } from '@waybill/contract/invoice/ksef/rate'
import { actorOf, nowOf, type Ctx } from '../../../../kit/context/context.ts'
import { fieldError } from '../../../../kit/context/errors.ts'
import '../ksef.table.ts'

/**
 * The euro rate of a day as somebody reads it in NBP's table A; invoices that were sent keep the one that they took.
 * Errors: `invalid_value` for a day on which NBP publishes none, or a table of another year.
 */
export async function enterNbpRate(ctx: Ctx, rate: NbpRate): Promise<NbpRate> {
  const { day, tableNumber, rateE4 } = rate
  if (!isPolishWorkingDay(day)) throw fieldError('day', 'invalid_value')
  if (!tableNumber.endsWith(`/${day.slice(0, 4)}`)) throw fieldError('tableNumber', 'invalid_value')
  const row = { tableNumber, rateE4, enteredById: actorOf(ctx).userId, enteredAt: nowOf(ctx) }
  await ctx.db
    .insertInto('nbp_rate')
    .values({ day, ...row })
    .onConflict((conflict) => conflict.column('day').doUpdateSet(row))
    .execute()
  return rate
}

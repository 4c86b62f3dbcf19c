import type { Ctx } from '../../../kit/context/context.ts'
import './ksef.table.ts'

/** What became of an invoice in KSeF, the newest try; null where it was never on its way there. */
export async function submissionOf(ctx: Ctx, invoiceId: number) {
  const found = await ctx.db
    .selectFrom('ksef_submission')
    .selectAll()
    .where('invoiceId', '=', invoiceId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** The number that an invoice keeps which KSeF rejected. */
export async function reservedNumber(ctx: Ctx, invoiceId: number): Promise<string | null> {
  const found = await ctx.db
    .selectFrom('ksef_reserved_number')
    .select('number')
    .where('invoiceId', '=', invoiceId)
    .executeTakeFirst()
  return found?.number ?? null
}

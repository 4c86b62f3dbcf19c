import type { Ctx } from '../../../kit/context/context.ts'

/** Keeps on the record what the electronic invoice that came for it says, in the caller's transaction. */
export async function keepCurrency(ctx: Ctx, invoiceId: number, currency: string): Promise<void> {
  await ctx.db
    .updateTable('invoice')
    .set({ currency })
    .where('id', '=', invoiceId)
    .where('entityType', '=', 'carrier')
    .where('currency', '<>', currency)
    .execute()
}

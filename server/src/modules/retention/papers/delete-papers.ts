import { sql } from 'kysely'
import { inTransaction, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { deleteFiles, removeStray } from '../../document/index.ts'
import { deleteEmails } from '../../email/index.ts'
import { deleteIntakeMails } from '../../intake/index.ts'
import { addPassedMails } from '../../order/index.ts'
import { duePapers, type PaperSource, type PaymentSource } from './due-papers.query.ts'

/** In one transaction; of what has many rows each, fewer. */
const AT_ONCE = 500
const FEWER: Partial<Record<PaperSource, number>> = { bankStatement: 20, paymentRun: 20, bookingBatch: 5 }

/** They lie in the database, which alone may change them, by this function. */
function wordsOf(source: PaymentSource) {
  return async (ctx: Ctx, ids: readonly number[]): Promise<string[]> => {
    await sql`select forget_payments(${source}, ${[...ids]}::bigint[], ${nowOf(ctx)}::timestamptz)`.execute(ctx.db)
    return []
  }
}

/** Gives the keys of the files that go with them. */
const DELETE: Readonly<Record<PaperSource, (ctx: Ctx, ids: readonly number[]) => Promise<string[]>>> = {
  async email(ctx, ids) {
    await addPassedMails(ctx, await deleteEmails(ctx, ids))
    return []
  },
  intakeMail: deleteIntakeMails,
  orderFile: deleteFiles,
  orderInvoice: deleteFiles,
  invoiceFile: deleteFiles,
  bankStatement: wordsOf('bankStatement'),
  paymentRun: wordsOf('paymentRun'),
  bookingBatch: wordsOf('bookingBatch'),
  payment: wordsOf('payment'),
}

/** Deletes the next of a source whose period is over, so many at most. Gives how many there were. */
export async function deleteNextPapers(
  ctx: Ctx,
  source: PaperSource,
  asked: { countryId: number; years: number },
): Promise<number> {
  const gone = await inTransaction(ctx, async (inner) => {
    await sql`set local statement_timeout = '10min'`.execute(inner.db)
    const ids = await duePapers(inner, source, { ...asked, most: FEWER[source] ?? AT_ONCE })
    return { count: ids.length, keys: ids.length === 0 ? [] : await DELETE[source](inner, ids) }
  })
  // Only after the rows are gone for good.
  for (const key of gone.keys) await removeStray(ctx, key)
  return gone.count
}

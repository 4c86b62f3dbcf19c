import { sql } from 'kysely'
import { inTransaction, type Ctx } from '../../../kit/context/context.ts'
import { deleteFiles, removeStray } from '../../document/index.ts'
import { deleteEmails } from '../../email/index.ts'
import { deleteIntakeMails } from '../../intake/index.ts'
import { addPassedMails } from '../../order/index.ts'
import { duePapers, type PaperSource } from './due-papers.query.ts'

/** In one transaction. */
const AT_ONCE = 500

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
}

/** Deletes the next of a source whose period is over, at most 500. Gives how many there were. */
export async function deleteNextPapers(
  ctx: Ctx,
  source: PaperSource,
  asked: { countryId: number; years: number },
): Promise<number> {
  const gone = await inTransaction(ctx, async (inner) => {
    await sql`set local statement_timeout = '10min'`.execute(inner.db)
    const ids = await duePapers(inner, source, { ...asked, most: AT_ONCE })
    return { count: ids.length, keys: ids.length === 0 ? [] : await DELETE[source](inner, ids) }
  })
  // Only after the rows are gone for good.
  for (const key of gone.keys) await removeStray(ctx, key)
  return gone.count
}

import { sql } from 'kysely'
import { mayReopenEntry, maySettleEntry } from '@waybill/contract/bank-statement/bank-statement'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { reversePayment } from '../payment/index.ts'
import { forgetPayer, lockEntries, settleEntry, type LockedEntry } from './bank-statement.repository.ts'
import { statementView } from './statement-view.ts'

interface Settled {
  id: number
  version: number
}

/** The entry, locked. Errors: `not_found`, `stale_version`. */
async function entryToChange(ctx: Ctx, id: number, version: number): Promise<LockedEntry> {
  const [entry] = await lockEntries(ctx, [id])
  if (!entry) throw new AppError('not_found')
  if (entry.version !== version) {
    const { entries } = await statementView(ctx, entry.statementId)
    throw new AppError('stale_version', { current: entries.find((one) => one.id === id) })
  }
  return entry
}

/** Nothing of an entry is booked. Errors: those of `entryToChange`, `conflict` where something is already. */
export async function setEntryAside(ctx: Ctx, id: number, version: number, reason: string): Promise<Settled> {
  const entry = await entryToChange(ctx, id, version)
  if (!maySettleEntry(entry.status)) throw new AppError('conflict')
  return { id, version: await settleEntry(ctx, entry, { status: 'set_aside', reason }) }
}

/**
 * Opens an entry again; its payment is reversed, and the account that was learned by it is forgotten. Errors: those of
 * `entryToChange` and of reversing, `conflict` where it is open or of a run.
 */
export async function reopenEntry(ctx: Ctx, id: number, version: number, reason: string): Promise<Settled> {
  const entry = await entryToChange(ctx, id, version)
  if (!mayReopenEntry({ status: entry.status, paymentFile: entry.paymentFileId })) throw new AppError('conflict')
  if (entry.paymentId !== null) {
    const { rows } = await sql`select 1 from payment where "reversesId" = ${entry.paymentId}`.execute(ctx.db)
    if (rows.length === 0) await reversePayment(ctx, entry.paymentId, reason)
    await forgetPayer(ctx, id)
  }
  return { id, version: await settleEntry(ctx, entry, { status: 'open' }) }
}

import { sql } from 'kysely'
import { maySettleEntry, type BookedEntry } from '@waybill/contract/bank-statement/bank-statement'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { bookPayment } from '../payment/index.ts'
import { confirmPaymentFile, returnPayment, runView } from '../payment-file/index.ts'
import { learnPayer, lockEntries, settleEntry, type LockedEntry } from './bank-statement.repository.ts'
import { statementRow } from './bank-statement.query.ts'
import { runsNamed } from './known.query.ts'
import { matchRun } from './match-runs.rules.ts'

const MOST_PAYER = 140
const MOST_REFERENCE = 500

async function bookCustomer(
  ctx: Ctx,
  entry: LockedEntry,
  { customerId, shares }: Extract<BookedEntry, { action: 'payment' }>,
): Promise<void> {
  if (entry.amountCents < 0) throw fieldError('action', 'invalid_value')
  const { companyId, valueDate, amountCents, partnerName, remittance } = entry
  const payment = await bookPayment(
    ctx,
    {
      companyId,
      customerId,
      valueDate,
      amountCents,
      payer: partnerName?.slice(0, MOST_PAYER) ?? null,
      reference: remittance.slice(0, MOST_REFERENCE) || null,
      shares,
    },
    'statement',
  )
  await settleEntry(ctx, entry, { status: 'booked', paymentId: payment.id })
  await learnPayer(ctx, entry, customerId)
}

/** What an entry says of the run that the caller means. Errors: `unknown_reference`, `conflict`. */
async function runOf(ctx: Ctx, entry: LockedEntry, wanted: Extract<BookedEntry, { action: 'run' | 'return' }>) {
  const { messageId, endToEndId, companyId } = entry
  const runs = await runsNamed(ctx, companyId, {
    messageIds: messageId === null ? [] : [messageId],
    endToEndIds: endToEndId === null ? [] : [endToEndId],
  })
  const match = matchRun(entry, runs)
  if (match?.run.id !== wanted.paymentFileId) throw fieldError('paymentFileId', 'unknown_reference')
  if (match.run.needsSecondPerson && match.run.status === 'made' && wanted.action === 'run')
    throw new AppError('run_second_person_needed')
  if (match.action !== wanted.action) throw new AppError('conflict')
  return match
}

/** All of a run has left our account, by this entry and those before. */
async function hasLeft(ctx: Ctx, paymentFileId: number, totalCents: number): Promise<boolean> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(-sum("amountCents"), 0)::bigint as cents from bank_entry
      where "paymentFileId" = ${paymentFileId} and "returnedPaymentId" is null
  `.execute(ctx.db)
  return rows[0]!.cents >= totalCents
}

async function bookRun(
  ctx: Ctx,
  entry: LockedEntry,
  wanted: Extract<BookedEntry, { action: 'run' | 'return' }>,
): Promise<void> {
  const { run, payment } = await runOf(ctx, entry, wanted)
  // Two who book payments of one run wait for each other, so that one of them sees all of it.
  await sql`select id from payment_file where id = ${run.id} for update`.execute(ctx.db)
  await settleEntry(ctx, entry, {
    status: 'booked',
    paymentFileId: run.id,
    returnedPaymentId: wanted.action === 'return' ? payment!.id : null,
  })
  const { version, status, totalCents, payments } = await runView(ctx, run.id)
  if (wanted.action === 'return') {
    const [invoice] = payments.find(({ id }) => id === payment!.id)!.invoices
    await returnPayment(ctx, run.id, version, { invoiceId: invoice!.id, reason: entry.returnReason ?? 'RTR' })
  } else if (status === 'made' && (await hasLeft(ctx, run.id, totalCents)))
    await confirmPaymentFile(ctx, run.id, version)
}

/** A refusal of one entry, with the place of the entry before the place in it. */
function placed(error: unknown, index: number): unknown {
  if (!(error instanceof AppError) || error.code !== 'validation') return error
  const fields = (error.details?.fields ?? []).map(
    (fault: FieldFault): FieldFault => ({ ...fault, path: `entries.${index}.${fault.path}` }),
  )
  return new AppError('validation', { fields })
}

/**
 * Books entries as a person has confirmed them; all are in this transaction, and one that is refused refuses all.
 * Errors: as the contract names them, `not_found` for the statement.
 */
export async function bookEntries(
  ctx: Ctx,
  statementId: number,
  wanted: readonly BookedEntry[],
): Promise<{ bookedCount: number }> {
  await statementRow(ctx, statementId)
  const locked = new Map(
    (
      await lockEntries(
        ctx,
        wanted.map(({ id }) => id),
      )
    ).map((entry) => [entry.id, entry]),
  )
  const fields = wanted.flatMap(({ id, version }, index): FieldFault[] => {
    const at = (path: string, code: FieldFault['code']): FieldFault[] => [{ path: `entries.${index}.${path}`, code }]
    const entry = locked.get(id)
    if (entry?.statementId !== statementId) return at('id', 'unknown_reference')
    if (wanted.findIndex((other) => other.id === id) < index) return at('id', 'duplicate_key')
    return entry.version !== version || !maySettleEntry(entry.status) ? at('version', 'entry_changed') : []
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  for (const [index, one] of wanted.entries()) {
    const entry = locked.get(one.id)!
    try {
      await (one.action === 'payment' ? bookCustomer(ctx, entry, one) : bookRun(ctx, entry, one))
    } catch (error) {
      throw placed(error, index)
    }
  }
  return { bookedCount: wanted.length }
}

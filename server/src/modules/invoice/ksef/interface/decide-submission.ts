import { inTransaction, nowOf, tell, type Ctx } from '../../../../kit/context/context.ts'
import { audit } from '../../../../kit/records/audit.ts'
import { keepFile, removeStray, storeDocument } from '../../../document/index.ts'
import { afterSent } from '../../after-sent.ts'
import { insertPaper, lockInvoice } from '../../invoice.repository.ts'
import { STATUS_COLUMNS } from '../../invoice.rules.ts'
import { scheduleMaking } from '../../make-paper.ts'
import { submissionOf } from '../submission.query.ts'

declare module '../../../../kit/context/events.ts' {
  interface Events {
    /** KSeF rejected an invoice: it is a draft again, and what waited to go with it does not go */
    'invoice.ksefRejected': { invoiceId: number }
  }
}

/** The invoice and its submission, locked, while KSeF has not decided; null where it has. */
async function lockUndecided(ctx: Ctx, invoiceId: number) {
  const invoice = await lockInvoice(ctx, invoiceId)
  const submission = await submissionOf(ctx, invoiceId)
  return invoice && submission?.state === 'submitted' ? { invoice, submission } : null
}

type Found = NonNullable<Awaited<ReturnType<typeof lockUndecided>>>

const raiseVersion = (ctx: Ctx, { id, version }: Found['invoice']): Promise<unknown> =>
  ctx.db
    .updateTable('invoice')
    .set({ version: version + 1 })
    .where('id', '=', id)
    .execute()

/**
 * An invoice that KSeF has accepted, or that is given out while KSeF is away, is sent, in the caller's transaction:
 * with its paper, and what follows of it.
 */
export async function giveOut(
  ctx: Ctx,
  invoice: Found['invoice'],
  { printed, logoHash, language, title }: Found['submission'],
): Promise<void> {
  const { id: invoiceId, version } = invoice
  const at = nowOf(ctx)
  await insertPaper(ctx, { invoiceId, printed: printed as never, logoHash, language: language!, title: title! })
  await ctx.db
    .updateTable('invoice')
    .set({ status: 'sent', statusDate: at, [STATUS_COLUMNS.sent]: at, version: version + 1 })
    .where('id', '=', invoiceId)
    .execute()
  await scheduleMaking(ctx, invoiceId)
  await afterSent(ctx, invoice)
}

/**
 * KSeF has accepted an invoice: it gets its number there, is sent, and what waited for that happens, in one commit.
 * Call it outside of any transaction.
 */
export async function acceptInvoice(
  ctx: Ctx,
  invoiceId: number,
  { number, upo }: { number: string; upo: Buffer | null },
): Promise<void> {
  const kept = upo === null ? null : await keepFile(ctx, upo)
  const isKept = await inTransaction(ctx, async (inner) => {
    const found = await lockUndecided(inner, invoiceId)
    if (found === null) return false
    const { invoice, submission } = found
    const at = nowOf(inner)
    const upoDocumentId =
      kept === null
        ? null
        : await storeDocument(inner, {
            owner: { kind: 'invoice', id: invoiceId },
            documentType: 'CUSTOMER_INVOICE',
            title: `UPO ${number}.xml`,
            contentType: 'application/xml',
            kept,
            eInvoice: 'ksef',
          })
    await inner.db
      .updateTable('ksef_submission')
      .set({ state: 'accepted', number, upoDocumentId, decidedAt: at, trouble: null })
      .where('id', '=', submission.id)
      .execute()
    const isOut = submission.offlineAt !== null
    if (isOut) await raiseVersion(inner, invoice)
    else await giveOut(inner, invoice, submission)
    await audit(inner, {
      ownerKind: 'invoice',
      ownerId: invoiceId,
      action: isOut ? 'ksefNumbered' : 'sent',
      before: { ...(!isOut && { status: 'created' }), ksefNumber: null },
      after: { ...(!isOut && { status: 'sent' }), ksefNumber: number },
    })
    return true
  })
  if (!isKept && kept !== null) await removeStray(ctx, kept.fileKey)
}

const decideRejected = (ctx: Ctx, submissionId: number, reason: string): Promise<unknown> =>
  ctx.db
    .updateTable('ksef_submission')
    .set({ state: 'rejected', reason, decidedAt: nowOf(ctx), trouble: null })
    .where('id', '=', submissionId)
    .execute()

/**
 * KSeF has rejected an invoice, in the caller's transaction: it is a draft again, to be mended or canceled, and keeps
 * the number that it was given. One that was given out before stays as it is.
 */
export async function rejectInvoice(ctx: Ctx, invoiceId: number, reason: string): Promise<void> {
  const found = await lockUndecided(ctx, invoiceId)
  if (found === null) return
  const { invoice, submission } = found
  if (submission.offlineAt !== null) {
    await decideRejected(ctx, submission.id, reason)
    await raiseVersion(ctx, invoice)
    await audit(ctx, { ownerKind: 'invoice', ownerId: invoiceId, action: 'ksefRejected', reason })
    return
  }
  await ctx.db
    .insertInto('ksef_reserved_number')
    .values({ invoiceId, companyId: invoice.companyId!, number: invoice.number! })
    .onConflict((conflict) => conflict.column('invoiceId').doNothing())
    .execute()
  await decideRejected(ctx, submission.id, reason)
  await ctx.db
    .updateTable('invoice')
    .set({ frozenAt: null, number: null, invoiceDate: null, dueDate: null, version: invoice.version + 1 })
    .where('id', '=', invoiceId)
    .execute()
  await tell(ctx, { type: 'invoice.ksefRejected', invoiceId })
  await audit(ctx, { ownerKind: 'invoice', ownerId: invoiceId, action: 'ksefRejected', reason })
}

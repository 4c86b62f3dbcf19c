import {
  mayConfirmRun,
  mayReturnPayment,
  mayVoidRun,
  type PaymentFile,
  type PaymentFileStatus,
} from '@waybill/contract/payment-file/payment-file'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { withdrawConfirmation } from '../carrier-company/index.ts'
import { moveInvoicesTogether } from '../invoice/index.ts'
import { freeItems, lockRun, paymentHolding, validInvoices } from './payment-file.repository.ts'
import { runView } from './payment-file.query.ts'

/** The run, locked. Errors: `not_found`, `stale_version`, `conflict` where its status does not let it. */
export async function runToChange(ctx: Ctx, id: number, version: number, may: (status: PaymentFileStatus) => boolean) {
  const run = await lockRun(ctx, id)
  if (!run) throw new AppError('not_found')
  if (run.version !== version) throw new AppError('stale_version', { current: await runView(ctx, id) })
  if (!may(run.status)) throw new AppError('conflict')
  return run
}

/**
 * The bank has paid: the invoices of a run become paid, all in this transaction, but for those that came back. Errors:
 * those of `runToChange`, `run_second_person_needed` for who made it, where the company wants four eyes.
 */
export async function confirmPaymentFile(ctx: Ctx, id: number, version: number): Promise<PaymentFile> {
  const run = await runToChange(ctx, id, version, mayConfirmRun)
  if ((await runView(ctx, id)).needsSecondPerson) throw new AppError('run_second_person_needed')
  await ctx.db
    .updateTable('payment_file')
    .set({
      status: 'confirmed',
      confirmedAt: nowOf(ctx),
      confirmedById: actorOf(ctx).userId,
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
  await moveInvoicesTogether(ctx, await validInvoices(ctx, id), { to: 'paid', reason: run.number })
  await audit(ctx, { ownerKind: 'paymentFile', ownerId: id, action: 'confirmed' })
  return runView(ctx, id)
}

/** Gives up a run before the bank has paid it: its invoices are free for another. */
export async function voidPaymentFile(ctx: Ctx, id: number, version: number, reason: string): Promise<PaymentFile> {
  await runToChange(ctx, id, version, mayVoidRun)
  await ctx.db
    .updateTable('payment_file')
    .set({
      status: 'voided',
      voidedAt: nowOf(ctx),
      voidedById: actorOf(ctx).userId,
      voidReason: reason,
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
  await freeItems(ctx, { paymentFileId: id })
  await audit(ctx, { ownerKind: 'paymentFile', ownerId: id, action: 'voided', reason })
  return runView(ctx, id)
}

/**
 * A payment came back: it is marked, the invoices that it holds are approved again and free, and its account waits for
 * a second person once more. Errors: those of `runToChange`, `unknown_reference` at `invoiceId`, `conflict` for a
 * payment that came back before.
 */
export async function returnPayment(
  ctx: Ctx,
  id: number,
  version: number,
  { invoiceId, reason }: { invoiceId: number; reason: string },
): Promise<PaymentFile> {
  const run = await runToChange(ctx, id, version, mayReturnPayment)
  const payment = await paymentHolding(ctx, id, invoiceId)
  if (!payment) throw fieldError('invoiceId', 'unknown_reference')
  if (payment.returnedAt !== null) throw new AppError('conflict')
  await ctx.db
    .updateTable('payment_file_payment')
    .set({ returnedAt: nowOf(ctx), returnedById: actorOf(ctx).userId, returnReason: reason })
    .where('id', '=', payment.id)
    .execute()
  const freed = await freeItems(ctx, { paymentId: payment.id })
  await ctx.db
    .updateTable('payment_file')
    .set({
      returnedCount: run.returnedCount + 1,
      returnedCents: run.returnedCents + payment.amountCents,
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
  if (!mayConfirmRun(run.status)) await moveInvoicesTogether(ctx, freed, { to: 'approved', reason })
  await withdrawConfirmation(ctx, payment.carrierCompanyId, payment.iban)
  await audit(ctx, {
    ownerKind: 'paymentFile',
    ownerId: id,
    action: 'returned',
    after: { invoiceIds: freed, amountCents: payment.amountCents },
    reason,
  })
  return runView(ctx, id)
}

import { sql } from 'kysely'
import { isApprovedInvoice, isPaidInvoice } from '@waybill/contract/invoice/status'
import { mayTakeReturnBack, type PaymentFile } from '@waybill/contract/payment-file/payment-file'
import { audit } from '../../kit/records/audit.ts'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { moveInvoicesTogether } from '../invoice/index.ts'
import { findPayables, type FoundPayable } from './payable.query.ts'
import { lockInvoices, paymentHolding } from './payment-file.repository.ts'
import { runView } from './payment-file.query.ts'
import { runToChange } from './settle-payment-file.ts'

interface Item {
  invoiceId: number
  amountCents: number
}

/** Why an invoice cannot be paid again by the payment that it was freed of; null where it can. */
function whyNotAgain(
  found: FoundPayable | undefined,
  item: Item,
  paid: { companyId: number; carrierCompanyId: number },
): FieldFault['code'] | null {
  if (found === undefined) return 'pay_changed'
  if (found.paymentFile !== null) return 'in_payment_run'
  if (isPaidInvoice(found.status)) return 'paid_otherwise'
  if (!isApprovedInvoice(found.status)) return 'pay_not_approved'
  const isSame =
    found.totalCents === item.amountCents &&
    found.companyId === paid.companyId &&
    found.carrierCompanyId === paid.carrierCompanyId
  return isSame ? null : 'pay_changed'
}

/**
 * A return was noted by mistake: the payment counts again, and its invoices are paid. The invoices are locked first, as
 * a new run locks them, so that of two who want the same one the second sees what the first has done; the database
 * holds the same. Errors: those of `runToChange`, `unknown_reference` at `invoiceId`, `conflict` for a payment that did
 * not come back, or at `invoiceId` with the reason.
 */
export async function takeReturnBack(
  ctx: Ctx,
  id: number,
  version: number,
  { invoiceId, reason }: { invoiceId: number; reason: string },
): Promise<PaymentFile> {
  const run = await runToChange(ctx, id, version, mayTakeReturnBack)
  const payment = await paymentHolding(ctx, id, invoiceId)
  if (!payment) throw fieldError('invoiceId', 'unknown_reference')
  if (payment.returnedAt === null) throw new AppError('conflict')
  const items = await ctx.db
    .selectFrom('payment_file_item')
    .select(['invoiceId', 'amountCents'])
    .where('paymentId', '=', payment.id)
    .execute()
  const ids = items.map((item) => item.invoiceId)
  await lockInvoices(ctx, ids)
  const found = new Map(
    (await findPayables(ctx, sql`i.id = any(${ids}::bigint[]) and i.state = 'active'`, ids.length)).map((one) => [
      one.id,
      one,
    ]),
  )
  const paid = { companyId: run.companyId, carrierCompanyId: payment.carrierCompanyId }
  const reasons = items.flatMap((item) => whyNotAgain(found.get(item.invoiceId), item, paid) ?? [])
  if (reasons.length > 0)
    throw new AppError('conflict', { fields: [...new Set(reasons)].map((code) => ({ path: 'invoiceId', code })) })

  await ctx.db
    .updateTable('payment_file_payment')
    .set({ returnedAt: null, returnedById: null, returnReason: null })
    .where('id', '=', payment.id)
    .execute()
  await ctx.db.updateTable('payment_file_item').set({ isValid: true }).where('paymentId', '=', payment.id).execute()
  await ctx.db
    .updateTable('payment_file')
    .set({
      returnedCount: run.returnedCount - 1,
      returnedCents: run.returnedCents - payment.amountCents,
      version: version + 1,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
  await moveInvoicesTogether(ctx, ids, { to: 'paid', reason })
  await audit(ctx, {
    ownerKind: 'paymentFile',
    ownerId: id,
    action: 'returnTakenBack',
    after: { invoiceIds: ids, amountCents: payment.amountCents },
    reason,
  })
  return runView(ctx, id)
}

import { isCanceledInvoice, type InvoiceStatus } from '@waybill/contract/invoice/status'
import { mayReverse, type Payment } from '@waybill/contract/payment/payment'
import { localOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { finishBooking } from './book-payment.ts'
import { paymentView } from './payment.query.ts'
import { insertBooking, lockAccount, lockOwed, readBooking, type Share } from './payment.repository.ts'

/**
 * What takes shares back. What paid an invoice that was canceled since came onto the account then, and leaves it; a
 * Skonto that a correction has taken back since is not taken back again.
 */
async function mirrored(ctx: Ctx, shares: readonly Share[]): Promise<Share[]> {
  const ids = shares.flatMap(({ invoiceId }) => (invoiceId === null ? [] : [invoiceId]))
  const owed = new Map((await lockOwed(ctx, ids)).map((one) => [one.id, one]))
  return shares.map(({ invoiceId, amountCents, skontoCents }) => {
    const one = invoiceId === null ? undefined : owed.get(invoiceId)
    const isOnAccount = one === undefined || isCanceledInvoice(one.status as InvoiceStatus)
    return {
      invoiceId: isOnAccount ? null : invoiceId,
      amountCents: -amountCents,
      skontoCents: isOnAccount ? 0 : -Math.min(skontoCents, one.skontoCents),
    }
  })
}

/**
 * Takes a booking back by a row of its own, which the database allows once. Errors: `not_found`, `conflict`, with
 * `reason` `credit_used` where the account does not hold any more what came onto it.
 */
export async function reversePayment(ctx: Ctx, id: number, reason: string): Promise<Payment> {
  const view = await paymentView(ctx, id)
  if (!mayReverse(view)) throw new AppError('conflict')
  const { kind, source, companyId, customerId, amountCents, shares: booked } = (await readBooking(ctx, id))!
  const shares = await mirrored(ctx, booked)
  const onAccount = shares
    .filter(({ invoiceId }) => invoiceId === null)
    .reduce((sum, share) => sum + share.amountCents, 0)
  if ((await lockAccount(ctx, { companyId, customerId })) + onAccount < 0)
    throw new AppError('conflict', { fields: [{ path: 'reason', code: 'credit_used' }] })
  const { timeZone } = await ctx.db
    .selectFrom('company')
    .select('timeZone')
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()
  const reversalId = await insertBooking(
    ctx,
    {
      kind,
      source: source === 'earlier' ? 'hand' : source,
      companyId,
      customerId,
      valueDate: localOf(nowOf(ctx), timeZone).date,
      amountCents: amountCents === 0 ? 0 : -amountCents,
      payer: null,
      reference: null,
      reversesId: id,
      reason,
    },
    shares,
  )
  if (kind === 'credit_write_off')
    await audit(ctx, {
      ownerKind: 'customer',
      ownerId: customerId,
      action: 'creditWriteOffReversed',
      after: { writtenOffCents: -amountCents },
      reason,
    })
  await finishBooking(ctx, shares, { action: kind === 'write_off' ? 'writeOffReversed' : 'paymentReversed', reason })
  return paymentView(ctx, reversalId)
}

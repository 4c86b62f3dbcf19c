import { mayReverseClaim, type Claim } from '@waybill/contract/claim/claim'
import { sumCents } from '@waybill/contract/kit/money'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { lockAccount } from '../payment/index.ts'
import { moveFromAccount, tellClaim } from './book-claim.ts'
import { claimView } from './claim.query.ts'
import { insertClaimBooking, isClaimReversed, lockClaim, readClaimBooking } from './claim.repository.ts'

/**
 * Takes back that claims were paid or waived, by a row of its own, which the database allows once; what was paid is on
 * the customer's account again. Errors: `not_found`, `conflict`.
 */
export async function reverseClaim(ctx: Ctx, id: number, reason: string): Promise<Claim> {
  const booking = await readClaimBooking(ctx, id)
  const claim = booking === null ? null : await lockClaim(ctx, booking.invoiceId)
  if (booking === null || claim === null) throw new AppError('not_found')
  const { invoiceId, kind, paymentId, reversesId } = booking
  if (!mayReverseClaim({ reversesId, isReversed: await isClaimReversed(ctx, id) })) throw new AppError('conflict')
  const back = { invoiceId, feeCents: 0 - booking.feeCents, interestCents: 0 - booking.interestCents }
  if (paymentId !== null) await lockAccount(ctx, claim.owed)
  await insertClaimBooking(ctx, {
    ...back,
    kind,
    paymentId:
      paymentId === null
        ? null
        : await moveFromAccount(ctx, claim.owed, sumCents([back.feeCents, back.interestCents]), {
            reversesId: paymentId,
            reason,
          }),
    reversesId: id,
    reason,
  })
  await tellClaim(ctx, 'claimReversed', back, reason)
  return claimView(ctx, invoiceId)
}

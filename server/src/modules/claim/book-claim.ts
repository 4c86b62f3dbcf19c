import type { z } from 'zod'
import type { Claim, payClaim as payEndpoint, waiveClaim as waiveEndpoint } from '@waybill/contract/claim/claim'
import { localOf } from '@waybill/contract/kit/local-time'
import { sumCents } from '@waybill/contract/kit/money'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { insertBooking, lockAccount, type Owed } from '../payment/index.ts'
import { claimView } from './claim.query.ts'
import { insertClaimBooking, lockClaim } from './claim.repository.ts'

interface Asked {
  invoiceId: number
  feeCents: number
  interestCents: number
}

/** The invoice with claims of which as much is open. Errors: as the contract names them. */
async function lockOpen(ctx: Ctx, { invoiceId, feeCents, interestCents }: Asked): Promise<Owed> {
  const claim = await lockClaim(ctx, invoiceId)
  if (claim === null) throw fieldError('invoiceId', 'unknown_reference')
  const fields: FieldFault[] = []
  if (feeCents > claim.openFeeCents) fields.push({ path: 'feeCents', code: 'exceeds_claim' })
  if (interestCents > claim.openInterestCents) fields.push({ path: 'interestCents', code: 'exceeds_claim' })
  if (fields.length > 0) throw new AppError('validation', { fields })
  return claim.owed
}

/** Moves an amount between a customer's account and the claims beside an invoice; negative: back onto the account. */
export const moveFromAccount = (
  ctx: Ctx,
  { companyId, customerId, timeZone }: Owed,
  amountCents: number,
  reversal: { reversesId: number; reason: string } | null,
): Promise<number> =>
  insertBooking(
    ctx,
    {
      kind: 'claim',
      source: 'hand',
      companyId,
      customerId,
      valueDate: localOf(nowOf(ctx), timeZone).date,
      amountCents: 0,
      payer: null,
      reference: null,
      ...reversal,
    },
    [{ invoiceId: null, amountCents: -amountCents, skontoCents: 0 }],
  )

/** Tells in the invoice's history what came of its claims. */
export async function tellClaim(
  ctx: Ctx,
  action: 'claimPaid' | 'claimWaived' | 'claimReversed',
  { invoiceId, feeCents, interestCents }: Asked,
  reason: string | null,
): Promise<void> {
  await audit(ctx, {
    ownerKind: 'invoice',
    ownerId: invoiceId,
    action,
    after: { ...(feeCents !== 0 && { feeCents }), ...(interestCents !== 0 && { interestCents }) },
    reason,
  })
}

/** Books claims as paid from the customer's account. Errors: as the contract names them. */
export async function payClaim(ctx: Ctx, asked: z.output<typeof payEndpoint.body>): Promise<Claim> {
  const { invoiceId, feeCents, interestCents } = asked
  const owed = await lockOpen(ctx, asked)
  const amountCents = sumCents([feeCents, interestCents])
  if ((await lockAccount(ctx, owed)) < amountCents) throw fieldError('feeCents', 'credit_too_small')
  const paymentId = await moveFromAccount(ctx, owed, amountCents, null)
  await insertClaimBooking(ctx, {
    invoiceId,
    kind: 'paid',
    feeCents,
    interestCents,
    paymentId,
    reversesId: null,
    reason: null,
  })
  await tellClaim(ctx, 'claimPaid', asked, null)
  return claimView(ctx, invoiceId)
}

/** Gives claims up, with the reason. Errors: as the contract names them. */
export async function waiveClaim(ctx: Ctx, asked: z.output<typeof waiveEndpoint.body>): Promise<Claim> {
  const { invoiceId, feeCents, interestCents, reason } = asked
  await lockOpen(ctx, asked)
  await insertClaimBooking(ctx, {
    invoiceId,
    kind: 'waived',
    feeCents,
    interestCents,
    paymentId: null,
    reversesId: null,
    reason,
  })
  await tellClaim(ctx, 'claimWaived', asked, reason)
  return claimView(ctx, invoiceId)
}

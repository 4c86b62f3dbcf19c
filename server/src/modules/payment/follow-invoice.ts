import { isPaidInvoice, isSentInvoice, type InvoiceStatus } from '@waybill/contract/invoice/status'
import { localOf } from '@waybill/contract/kit/local-time'
import { roundHalfAwayFromZero, sumCents } from '@waybill/contract/kit/money'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import {
  insertBooking,
  lockOwed,
  newestOf,
  openCorrectionsOf,
  takenBackOf,
  type Owed,
  type Share,
} from './payment.repository.ts'
import { reversePayment } from './reverse-payment.ts'

const headOf = ({ companyId, customerId }: Owed) => ({ companyId, customerId, payer: null, reference: null })

async function payOpenAmount(ctx: Ctx, owed: Owed): Promise<void> {
  if (owed.openCents === 0) return
  const { paidAt } = await ctx.db
    .selectFrom('invoice')
    .select('paidAt')
    .where('id', '=', owed.id)
    .executeTakeFirstOrThrow()
  await insertBooking(
    ctx,
    {
      ...headOf(owed),
      kind: owed.openCents > 0 ? 'payment' : 'refund',
      source: 'status',
      valueDate: localOf(paidAt ?? nowOf(ctx), owed.timeZone).date,
      amountCents: owed.openCents,
    },
    [{ invoiceId: owed.id, amountCents: owed.openCents, skontoCents: 0 }],
  )
}

/**
 * Reaction to `invoice.moved` of a customer's invoice that a person moved: marked as paid, what is open is booked as
 * paid; moved back, the newest of its payments is reversed. Moved by a payment, there is nothing left to do.
 * Errors: those of `reversePayment`, `conflict` where nothing but corrections has paid it.
 */
export async function bookMoved(
  ctx: Ctx,
  { invoiceId, from, to, reason }: { invoiceId: number; from: InvoiceStatus; to: InvoiceStatus; reason: string | null },
): Promise<void> {
  if (!isPaidInvoice(to) && !isPaidInvoice(from)) return
  const [owed] = await lockOwed(ctx, [invoiceId])
  if (owed === undefined) return
  if (isPaidInvoice(to)) await payOpenAmount(ctx, owed)
  if (!isSentInvoice(to) || owed.openCents !== 0 || owed.totalCents === 0) return
  const newest = await newestOf(ctx, invoiceId)
  if (newest === null) throw new AppError('conflict')
  await reversePayment(ctx, newest, reason ?? '')
}

/** What an amount pays of these, one after the other. */
function inOrder(owed: readonly Owed[], amountCents: number): Share[] {
  let left = amountCents
  return owed.map(({ id, openCents }) => {
    const share = Math.min(left, Math.max(openCents, 0))
    left -= share
    return { invoiceId: id, amountCents: share, skontoCents: 0 }
  })
}

/**
 * Reaction to `invoice.corrected`: the correction is set off against its original, then against what other corrections
 * of it have billed more, the rest is on the customer's account. Of a Skonto that was taken, the part of what is
 * corrected is taken back.
 */
export async function setOffCorrection(
  ctx: Ctx,
  { invoiceId, originalId }: { invoiceId: number; originalId: number },
): Promise<void> {
  const beside = await openCorrectionsOf(ctx, { originalId, exceptId: invoiceId })
  const found = await lockOwed(ctx, [invoiceId, originalId, ...beside])
  const correction = found.find(({ id }) => id === invoiceId)!
  const original = found.find(({ id }) => id === originalId)!
  // One that bills more is owed for itself.
  if (correction.totalCents >= 0) return
  const corrected = -correction.totalCents
  const onOriginal = Math.min(corrected, Math.max(original.openCents, 0))
  const billed = original.totalCents - (await takenBackOf(ctx, { originalId, exceptId: invoiceId }))
  const skonto =
    billed <= 0
      ? 0
      : Math.min(
          corrected - onOriginal,
          roundHalfAwayFromZero(BigInt(original.skontoCents) * BigInt(Math.min(corrected, billed)), BigInt(billed)),
        )
  const onOthers = inOrder(
    found.filter(({ id }) => beside.includes(id)),
    corrected - onOriginal - skonto,
  )
  const placed = sumCents([onOriginal, skonto, ...onOthers.map(({ amountCents }) => amountCents)])
  await insertBooking(
    ctx,
    {
      ...headOf(correction),
      kind: 'correction',
      source: 'correction',
      valueDate: correction.invoiceDate,
      amountCents: 0,
      correctionId: invoiceId,
    },
    [
      { invoiceId, amountCents: correction.totalCents, skontoCents: 0 },
      { invoiceId: originalId, amountCents: onOriginal + skonto, skontoCents: skonto === 0 ? 0 : -skonto },
      ...onOthers,
      { invoiceId: null, amountCents: corrected - placed, skontoCents: 0 },
    ],
  )
}

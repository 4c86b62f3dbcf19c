import type { z } from 'zod'
import {
  isSmallRest,
  MOST_WRITTEN_OFF_CENTS,
  type Payment,
  type writeOff as writeOffEndpoint,
} from '@waybill/contract/payment/payment'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, type FieldFault } from '../../kit/context/errors.ts'
import { finishBooking, todayOf } from './book-payment.ts'
import { paymentView } from './payment.query.ts'
import { insertBooking, lockOwed } from './payment.repository.ts'

const WHOLE_EUROS = MOST_WRITTEN_OFF_CENTS / 100

/** Writes off small rests of invoices of one customer. Errors: as the contract names them. */
export async function writeOff(ctx: Ctx, body: z.output<typeof writeOffEndpoint.body>): Promise<Payment> {
  const { companyId, customerId, shares: asked } = body
  const valueDate = await todayOf(ctx, body)
  const ids = asked.map(({ invoiceId }) => invoiceId)
  const owed = new Map((await lockOwed(ctx, ids)).map((one) => [one.id, one]))
  const fields = asked.flatMap(({ invoiceId, amountCents }, index): FieldFault[] => {
    const at = (field: string, code: FieldFault['code'], params?: FieldFault['params']): FieldFault[] => [
      { path: `shares.${index}.${field}`, code, ...(params && { params }) },
    ]
    const one = owed.get(invoiceId)
    if (one?.companyId !== companyId || one.customerId !== customerId) return at('invoiceId', 'unknown_reference')
    if (ids.indexOf(invoiceId) < index) return at('invoiceId', 'duplicate_key')
    if (amountCents !== one.openCents) return at('amountCents', 'rest_changed')
    return isSmallRest(one) ? [] : at('amountCents', 'rest_too_large', { max: WHOLE_EUROS })
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  const shares = asked.map(({ invoiceId, amountCents }) => ({ invoiceId, amountCents: 0, skontoCents: amountCents }))
  const id = await insertBooking(
    ctx,
    {
      kind: 'write_off',
      source: 'hand',
      companyId,
      customerId,
      valueDate,
      amountCents: 0,
      payer: null,
      reference: null,
    },
    shares,
  )
  await finishBooking(ctx, shares, { action: 'writtenOff', reason: null })
  return paymentView(ctx, id)
}

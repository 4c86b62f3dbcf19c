import type { z } from 'zod'
import {
  isSmallCredit,
  isSmallRest,
  MOST_WRITTEN_OFF_CENTS,
  type Payment,
  type writeOff as writeOffEndpoint,
  type writeOffCredit as creditEndpoint,
} from '@waybill/contract/payment/payment'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { giveUpRests, todayOf } from './book-payment.ts'
import { paymentView } from './payment.query.ts'
import { insertBooking, lockAccount, lockOwed } from './payment.repository.ts'

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
  const rests = asked.map(({ invoiceId, amountCents }) => ({ invoiceId, cents: amountCents }))
  return paymentView(ctx, await giveUpRests(ctx, { companyId, customerId, valueDate }, rests))
}

/** Books a small credit of a customer out, all of it. Errors: as the contract names them. */
export async function writeOffCredit(ctx: Ctx, body: z.output<typeof creditEndpoint.body>): Promise<Payment> {
  const { companyId, customerId, amountCents } = body
  const valueDate = await todayOf(ctx, body)
  // Who presses at the same time waits here, and finds nothing.
  if ((await lockAccount(ctx, body)) !== amountCents) throw fieldError('amountCents', 'credit_changed')
  if (!isSmallCredit(amountCents)) throw fieldError('amountCents', 'credit_too_large', { max: WHOLE_EUROS })
  const id = await insertBooking(
    ctx,
    {
      kind: 'credit_write_off',
      source: 'hand',
      companyId,
      customerId,
      valueDate,
      amountCents: -amountCents,
      payer: null,
      reference: null,
    },
    [{ invoiceId: null, amountCents: -amountCents, skontoCents: 0 }],
  )
  await audit(ctx, {
    ownerKind: 'customer',
    ownerId: customerId,
    action: 'creditWrittenOff',
    after: { writtenOffCents: amountCents },
  })
  return paymentView(ctx, id)
}

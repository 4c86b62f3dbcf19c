import { sql } from 'kysely'
import type { z } from 'zod'
import { localOf } from '@waybill/contract/kit/local-time'
import { ibanTail } from '@waybill/contract/kit/bank/bank'
import { OPEN_INVOICE_STATUSES } from '@waybill/contract/invoice/status'
import {
  LEFT_OUT_REASONS,
  type getPaymentProposal,
  type LeftOut,
  type LeftOutReason,
  type PaymentProposal,
  type ProposedInvoice,
} from '@waybill/contract/payment-file/payment-file'
import { targetDayFrom } from '@waybill/contract/payment-file/sepa'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { payerOf } from './debtor-bank.query.ts'
import { findPayables, whyNot, type FoundPayable } from './payable.query.ts'
import { heldByCredits, setOffsOf } from './plan-payments.rules.ts'
import { countryOf } from './sepa-file.rules.ts'
import { shownSetOff, whyNoSetOff } from './set-off.rules.ts'

// As many as a file holds, and as many left out.
const MOST_ROWS = 4000

const shown = (found: FoundPayable, today: string): ProposedInvoice => ({
  id: found.id,
  number: found.number,
  carrierCompany: { id: found.carrierCompanyId, title: found.title },
  orders: found.orders,
  dueDate: found.dueDate,
  isLate: found.dueDate !== null && found.dueDate < today,
  ibanCountryCode: found.iban === null ? null : countryOf(found.iban),
  ibanTail: found.iban === null ? null : ibanTail(found.iban),
  totalCents: found.totalCents,
  currency: found.currency,
})

/** What can be paid from an account of ours, and what cannot and why. Errors: those of `payerOf`. */
export async function proposePayments(
  ctx: Ctx,
  { debtorBankId, companyId: asked, dueUntil }: z.output<typeof getPaymentProposal.query>,
): Promise<PaymentProposal> {
  const { companyId, timeZone } = await payerOf(ctx, debtorBankId)
  if (asked !== undefined && asked !== companyId) throw fieldError('companyId', 'invalid_value')
  const today = localOf(nowOf(ctx), timeZone).date
  const firstDay = targetDayFrom(today)
  const open = sql`i."entityType" = 'carrier' and i.state = 'active'
    and i.status = any(${OPEN_INVOICE_STATUSES.carrier}::text[])`
  const ours =
    ctx.companyFilter === null
      ? sql`(i."companyId" = ${companyId} or i."companyId" is null)`
      : sql`i."companyId" = ${companyId}`
  const found = await findPayables(
    ctx,
    sql`${open} and ${ours} and (i."dueDate" is null or i."dueDate" <= ${dueUntil}::date or i."totalCents" < 0)`,
    MOST_ROWS,
  )

  const reasons = new Map<number, LeftOutReason>()
  for (const one of found) {
    const reason = whyNot(one, companyId, firstDay)
    if (reason !== null) reasons.set(one.id, reason)
  }
  const payable = found.filter(({ id }) => !reasons.has(id))
  for (const ofCarrier of Map.groupBy(payable, ({ carrierCompanyId }) => carrierCompanyId).values()) {
    for (const { id } of heldByCredits(ofCarrier.map((one) => ({ ...one, reference: one.number }))))
      reasons.set(id, 'credit_balance')
  }
  const apart = Map.groupBy(
    found.filter((one) => reasons.has(one.id) && whyNoSetOff(one) === null && one.companyId === companyId),
    ({ carrierCompanyId }) => carrierCompanyId,
  )
  const leftOut = found.flatMap((one): LeftOut[] => {
    const reason = reasons.get(one.id)
    return reason === undefined ? [] : [{ ...shown(one, today), reason, paymentFile: one.paymentFile }]
  })
  const { rows: later } = await sql<PaymentProposal['later']>`
    select count(*)::int as count,
        coalesce(sum(i."totalCents") filter (where i.currency = 'EUR'), 0)::bigint as "totalCents"
      from invoice i
      where ${open} and i."companyId" = ${companyId} and i."dueDate" > ${dueUntil}::date and i."totalCents" >= 0
  `.execute(ctx.db)
  return {
    items: found.filter(({ id }) => !reasons.has(id)).map((one) => shown(one, today)),
    leftOut: leftOut.toSorted((a, b) => LEFT_OUT_REASONS.indexOf(a.reason) - LEFT_OUT_REASONS.indexOf(b.reason)),
    setOffs: [...apart.values()].flatMap((ofCarrier) => setOffsOf(ofCarrier).map(shownSetOff)),
    later: later[0]!,
    firstDay,
  }
}

import { isAwaited } from '@waybill/contract/e-invoice/ksef-states'
import { isKsefNumber } from '@waybill/contract/invoice/ksef/numbers'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { actorOf, nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { invoiceView } from '../invoice.query.ts'
import { lockInvoice } from '../invoice.repository.ts'
import { fixedKsef } from './ksef-facts.query.ts'
import { submissionOf } from './submission.query.ts'

interface Decision {
  state: 'accepted' | 'without'
  number: string | null
  reason: string | null
}

/** Ends the wait for the number of KSeF. Errors: `not_found`, `stale_version`, `conflict` where nothing waits. */
async function decide(ctx: Ctx, id: number, version: number, decisionOf: () => Promise<Decision>): Promise<Invoice> {
  const visible = visibleInvoices(ctx)
  await invoiceView(ctx, visible, id)
  const invoice = await lockInvoice(ctx, id)
  if (invoice?.version !== version)
    throw new AppError('stale_version', { current: await invoiceView(ctx, visible, id) })
  const submission = await submissionOf(ctx, id)
  if (submission === null || !isAwaited(submission.state) || submission.documentId === null)
    throw new AppError('conflict')
  const decision = await decisionOf()
  await ctx.db
    .updateTable('ksef_submission')
    .set({ ...decision, decidedAt: nowOf(ctx), decidedById: actorOf(ctx).userId })
    .where('id', '=', submission.id)
    .execute()
  await ctx.db
    .updateTable('invoice')
    .set({ version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
  await audit(ctx, {
    ownerKind: 'invoice',
    ownerId: id,
    action: decision.state === 'accepted' ? 'ksefNumbered' : 'ksefLeftOut',
    before: { ksefNumber: null },
    after: { ksefNumber: decision.number },
    reason: decision.reason,
  })
  return invoiceView(ctx, visible, id)
}

/**
 * The number that KSeF gave to an invoice whose file somebody handed over. Errors: see `decide`; `invalid_ksef_number`
 * where it is of another seller, `taken` where another invoice has it.
 */
export const typeNumber = (ctx: Ctx, id: number, version: number, number: string): Promise<Invoice> =>
  decide(ctx, id, version, async () => {
    const fixed = await fixedKsef(ctx, id)
    if (!isKsefNumber(number, fixed?.ksef?.sellerNip)) throw fieldError('number', 'invalid_ksef_number')
    return { state: 'accepted', number, reason: null }
  })

/** Sends an invoice without its number, with the reason. Errors: see `decide`. */
export const goWithout = (ctx: Ctx, id: number, version: number, reason: string): Promise<Invoice> =>
  decide(ctx, id, version, () => Promise.resolve({ state: 'without', number: null, reason }))

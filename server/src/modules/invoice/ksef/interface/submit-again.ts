import type { Invoice } from '@waybill/contract/invoice/invoice'
import { nowOf, type Ctx } from '../../../../kit/context/context.ts'
import { AppError } from '../../../../kit/context/errors.ts'
import { audit } from '../../../../kit/records/audit.ts'
import { visibleInvoices } from '../../invoice.policy.ts'
import { invoiceView } from '../../invoice.query.ts'
import { lockInvoice } from '../../invoice.repository.ts'
import { submissionOf } from '../submission.query.ts'
import { scheduleSubmission } from './submit-to-ksef.ts'

/**
 * Hands an invoice over again that was given out offline and then rejected: the same content in a file of its own, as
 * the ministry's technical correction. Errors: `not_found`, `stale_version`, `conflict` for any other invoice.
 */
export async function submitAgain(ctx: Ctx, id: number, version: number): Promise<Invoice> {
  const visible = visibleInvoices(ctx)
  await invoiceView(ctx, visible, id)
  const invoice = await lockInvoice(ctx, id)
  if (invoice?.version !== version)
    throw new AppError('stale_version', { current: await invoiceView(ctx, visible, id) })
  const rejected = await submissionOf(ctx, id)
  if (rejected?.state !== 'rejected' || rejected.offlineAt === null) throw new AppError('conflict')
  const { mode, printed, logoHash, language, title, offlineAt, certificateUrl, submitBy } = rejected
  await ctx.db
    .insertInto('ksef_submission')
    .values({
      invoiceId: id,
      mode,
      state: 'queued',
      printed: JSON.stringify(printed),
      logoHash,
      language,
      title,
      offlineAt,
      certificateUrl,
      submitBy,
      correctsSha256: rejected.correctsSha256 ?? rejected.sha256,
      createdAt: nowOf(ctx),
    })
    .execute()
  await ctx.db
    .updateTable('invoice')
    .set({ version: version + 1 })
    .where('id', '=', id)
    .execute()
  await audit(ctx, { ownerKind: 'invoice', ownerId: id, action: 'ksefAgain' })
  await scheduleSubmission(ctx, id)
  return invoiceView(ctx, visible, id)
}

import type { Invoice } from '@waybill/contract/invoice/invoice'
import { nextPolishWorkingDay } from '@waybill/contract/invoice/ksef/rate'
import { isHandedOver } from '@waybill/contract/e-invoice/ksef-states'
import { nowOf, type Ctx } from '../../../../kit/context/context.ts'
import { AppError } from '../../../../kit/context/errors.ts'
import { audit } from '../../../../kit/records/audit.ts'
import { visibleInvoices } from '../../invoice.policy.ts'
import { invoiceView } from '../../invoice.query.ts'
import { lockInvoice, readInvoice } from '../../invoice.repository.ts'
import { submissionOf } from '../submission.query.ts'
import { keepXml } from '../make-ksef-xml.ts'
import { certificateLink } from '../qr-links.rules.ts'
import { offlineKeyOf } from './certificates.ts'
import { giveOut } from './decide-submission.ts'
import { fixedOf } from './fixed-of.ts'

type Submission = NonNullable<Awaited<ReturnType<typeof submissionOf>>>

/** It is numbered, KSeF does not have it, and nobody else has. */
const isInHand = (submission: Submission | null): submission is Submission =>
  submission?.state === 'queued' && submission.offlineAt === null

/**
 * Before an invoice is given out while KSeF is away: its XML, which both codes speak of. Call it outside of any
 * transaction. Errors: `not_found`, `conflict` for one that is not on its way, `ksef_no_offline_certificate`.
 */
export async function proveOffline(ctx: Ctx, id: number): Promise<void> {
  const { company } = await invoiceView(ctx, visibleInvoices(ctx), id)
  const submission = await submissionOf(ctx, id)
  if (!isInHand(submission)) throw new AppError('conflict')
  if ((await offlineKeyOf(ctx, company!.id)) === null) throw new AppError('ksef_no_offline_certificate')
  await keepXml(ctx, id, fixedOf((await readInvoice(ctx, id))!, submission))
}

/**
 * Gives an invoice out that KSeF does not have yet, in the caller's transaction: it is sent, with both codes, and stays
 * as it is; the job hands it over later. Errors: as `proveOffline`.
 */
export async function giveOutOffline(ctx: Ctx, invoice: NonNullable<Awaited<ReturnType<typeof lockInvoice>>>) {
  const { id, companyId, invoiceDate } = invoice
  const submission = await submissionOf(ctx, id)
  if (!isInHand(submission) || submission.sha256 === null || !isHandedOver(submission.mode))
    throw new AppError('conflict')
  const key = await offlineKeyOf(ctx, companyId!)
  if (key === null) throw new AppError('ksef_no_offline_certificate')
  const { mode, sha256 } = submission
  const { sellerNip } = fixedOf(invoice, submission).facts
  await ctx.db
    .updateTable('ksef_submission')
    .set({
      offlineAt: nowOf(ctx),
      certificateUrl: certificateLink({ mode, sellerNip, sha256 }, key),
      submitBy: nextPolishWorkingDay(invoiceDate!),
    })
    .where('id', '=', submission.id)
    .execute()
  await giveOut(ctx, invoice, submission)
  await audit(ctx, {
    ownerKind: 'invoice',
    ownerId: id,
    action: 'ksefOffline',
    before: { status: 'created' },
    after: { status: 'sent' },
  })
}

/** The same by a person. Errors: `not_found`, `stale_version`, and those of `giveOutOffline`. */
export async function issueOffline(ctx: Ctx, id: number, version: number): Promise<Invoice> {
  const visible = visibleInvoices(ctx)
  await invoiceView(ctx, visible, id)
  const invoice = await lockInvoice(ctx, id)
  if (invoice?.version !== version)
    throw new AppError('stale_version', { current: await invoiceView(ctx, visible, id) })
  await giveOutOffline(ctx, invoice)
  return invoiceView(ctx, visible, id)
}

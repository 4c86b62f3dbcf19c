import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../kit/context/context.ts'
import { queueMail, releaseMails } from '../email/index.ts'
import { loadInvoice, type InvoiceMail } from '../invoice/index.ts'
import { mailSourceOf } from './invoice-mail.query.ts'

/**
 * Reaction to `invoice.sent`: the mail as the preview page held it into the outbox of the same transaction, where it
 * waits for the PDF.
 */
export async function queueInvoiceMail(
  ctx: Ctx,
  { invoiceId, mail }: { invoiceId: number; mail: InvoiceMail | null },
): Promise<void> {
  if (mail === null) return
  const invoice = await loadInvoice(ctx, invoiceId)
  const { senderLines } = await mailSourceOf(ctx, invoice)
  await queueMail(ctx, {
    owner: { kind: 'invoice', id: invoiceId },
    type: invoice.correctionOfId === null ? 'invoice' : 'invoice_correction',
    ...mail,
    frame: { language: invoice.language as Language, sender: invoice.seller?.title ?? '', footer: senderLines },
    documentIds: 'later',
  })
}

/** Reaction to `invoice.paperMade`: the mail that waits for the PDF may go. */
export const releaseInvoiceMail = (
  ctx: Ctx,
  { invoiceId, documentId }: { invoiceId: number; documentId: number },
): Promise<void> => releaseMails(ctx, { kind: 'invoice', id: invoiceId }, [documentId])

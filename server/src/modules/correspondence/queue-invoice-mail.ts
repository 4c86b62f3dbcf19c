import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../kit/context/context.ts'
import { queueMail } from '../email/index.ts'
import { loadInvoice, type InvoiceMail } from '../invoice/index.ts'
import { mailSourceOf } from './invoice-mail.query.ts'

/**
 * Reaction to `invoice.sent`: the mail as the preview page held it, with the frozen PDF, into the outbox of the same
 * transaction.
 */
export async function queueInvoiceMail(
  ctx: Ctx,
  { invoiceId, documentId, mail }: { invoiceId: number; documentId: number; mail: InvoiceMail | null },
): Promise<void> {
  if (mail === null) return
  const invoice = await loadInvoice(ctx, invoiceId)
  const { senderLines } = await mailSourceOf(ctx, invoice)
  await queueMail(ctx, {
    owner: { kind: 'invoice', id: invoiceId },
    type: invoice.correctionOfId === null ? 'invoice' : 'invoice_correction',
    ...mail,
    frame: { language: invoice.language as Language, sender: invoice.seller?.title ?? '', footer: senderLines },
    documentIds: [documentId],
  })
}

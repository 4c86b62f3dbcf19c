import type { Ctx } from '../../kit/context/context.ts'
import { dropWaitingMails, fillWaitingMails, releaseMails } from '../email/index.ts'
import type { InvoiceMail } from '../invoice/index.ts'
import { queueSending, wordsForMarks } from './by-hand/invoice-mail.ts'

/**
 * Reaction to `invoice.sent`: the mail as its page held it, or as the department's text says, into the outbox of the
 * same transaction, where it waits for the PDF.
 */
export async function queueInvoiceMail(
  ctx: Ctx,
  { invoiceId, mail, isByRun }: { invoiceId: number; mail: InvoiceMail | null; isByRun: boolean },
): Promise<void> {
  if (mail !== null) await queueSending(ctx, invoiceId, { mail, isByRun })
}

/** Reaction to `invoice.numbered`: the mail says the number and the dates that the invoice was given. */
export const fillInvoiceMail = (
  ctx: Ctx,
  { invoiceId, ...given }: { invoiceId: number; number: string; invoiceDate: string; dueDate: string },
): Promise<void> => fillWaitingMails(ctx, { kind: 'invoice', id: invoiceId }, wordsForMarks(given))

/** Reaction to `invoice.paperMade`: the mail that waits for what the invoice is may go. */
export const releaseInvoiceMail = (
  ctx: Ctx,
  { invoiceId, documentIds }: { invoiceId: number; documentIds: number[] },
): Promise<void> => releaseMails(ctx, { kind: 'invoice', id: invoiceId }, documentIds)

/** Reaction to `invoice.ksefRejected`: the mail is written anew once the invoice is mended. */
export const dropInvoiceMail = (ctx: Ctx, { invoiceId }: { invoiceId: number }): Promise<void> =>
  dropWaitingMails(ctx, { kind: 'invoice', id: invoiceId })

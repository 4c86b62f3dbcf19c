import type { z } from 'zod'
import type { Email } from '@waybill/contract/email'
import type {
  EmailDraft,
  previewEmail as previewEndpoint,
  writeEmail as writeEndpoint,
} from '@waybill/contract/email/by-hand'
import type { Ctx } from '../../../kit/context/context.ts'
import { admitToOwner } from '../../../kit/records/owners.ts'
import { emailView } from '../../email/index.ts'
import { previewOrderMail, writeOrderMail } from './order-mail.ts'
import { previewInvoiceMail, writeInvoiceMail } from './invoice-mail.ts'

/** What a mail would say now, for who may read its record. */
export async function previewEmail(
  ctx: Ctx,
  { orderId, invoiceId, ...wish }: z.output<typeof previewEndpoint.body>,
): Promise<EmailDraft> {
  if (orderId === undefined) {
    await admitToOwner(ctx, 'invoice', invoiceId!, 'read')
    return previewInvoiceMail(ctx, invoiceId!, wish)
  }
  await admitToOwner(ctx, 'order', orderId, 'read')
  return previewOrderMail(ctx, orderId, wish)
}

/** Sends a mail as it was written, for who may write to its record. */
export async function writeEmail(ctx: Ctx, mail: z.output<typeof writeEndpoint.body>): Promise<Email> {
  const { orderId, invoiceId } = mail
  if (orderId === undefined) {
    await admitToOwner(ctx, 'invoice', invoiceId!, 'write')
    return emailView(ctx, await writeInvoiceMail(ctx, invoiceId!, mail))
  }
  await admitToOwner(ctx, 'order', orderId, 'write')
  return emailView(ctx, await writeOrderMail(ctx, orderId, mail))
}

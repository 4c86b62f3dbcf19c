import type { EmailType } from '@waybill/contract/email'
import type { EmailDraft } from '@waybill/contract/email/by-hand'
import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../../kit/context/context.ts'
import { fieldError } from '../../../kit/context/errors.ts'
import { sanitise } from '../../../kit/mail/mail-html.ts'
import { admitToOwner } from '../../../kit/records/owners.ts'
import { fileNameOf, loadInvoice } from '../../invoice/index.ts'
import { mailSourceOf } from '../invoice-mail.query.ts'
import { invoiceMail } from '../invoice.mail.ts'

/**
 * What the mail of an invoice would say, to whom, and with which file. An empty `to` is to be filled in by the sender
 * (domain, Emails).
 */
export async function previewInvoiceMail(ctx: Ctx, invoiceId: number, type: EmailType): Promise<EmailDraft> {
  await admitToOwner(ctx, 'invoice', invoiceId, 'read')
  const invoice = await loadInvoice(ctx, invoiceId)
  if (invoice.entityType !== 'customer') throw fieldError('invoiceId', 'invalid_value')
  const isCorrection = invoice.correctionOfId !== null
  if (type !== (isCorrection ? 'invoice_correction' : 'invoice')) throw fieldError('type', 'invalid_value')
  const source = await mailSourceOf(ctx, invoice)
  const { subject, html } = invoiceMail(invoice, source)
  return {
    to: source.recipient === null ? [] : [source.recipient],
    cc: [],
    subject,
    // As it will be queued: what the page shows is what goes out.
    html: await sanitise(html),
    attachments: [{ title: fileNameOf({ ...invoice, isCorrection }, invoice.language as Language) }],
    page: null,
  }
}

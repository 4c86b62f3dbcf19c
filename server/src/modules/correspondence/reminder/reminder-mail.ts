import type { z } from 'zod'
import { REMINDER_VARIANTS } from '@waybill/contract/email/email-rules'
import type { Language } from '@waybill/contract/errors'
import type { previewReminder, ReminderPreview } from '@waybill/contract/reminder/reminder'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { LOGO_SOURCE, wrapMail } from '../../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../../kit/texts/texts.ts'
import { storeDocument } from '../../document/index.ts'
import { queueMail, type HeldReminder } from '../../email/index.ts'
import { loadInvoice } from '../../invoice/index.ts'
import { textToSend } from '../../mail-template/index.ts'
import { wantedReminder, type Reminder, type ReminderFile } from '../../reminder/index.ts'
import { replyToOf } from '../by-hand/mail-page.ts'
import { formatDay } from '../document-words.ts'
import { invoiceMailData } from '../mail/invoice-data.mail.ts'
import { invoiceFactsOf } from '../mail/invoice-facts.query.ts'
import { footerLines, given, money } from '../mail/mail-data.mail.ts'
import { mailText, type MailData } from '../mail/mail-text.mail.ts'
import { letterName } from './reminder.document.ts'

const WORDS = textsOf('reminder')

/** What a reminder may say beside what the mail of an invoice says. */
function reminderValues(reminder: Reminder, language: Language): MailData['values'] {
  const words = WORDS[language]
  const isMixed = new Set(reminder.items.map(({ level }) => level)).size > 1
  const lines = reminder.items.map(({ invoice, dueDate, openCents, level }) =>
    filled(isMixed ? words.invoiceWithLevel : words.invoice, {
      number: invoice.title,
      due: formatDay(dueDate, language),
      open: money(openCents, language)!,
      level: words.levels[`${level}` as '1'],
    }),
  )
  return given({
    'reminder.invoices': lines.join('\n'),
    'reminder.open': money(reminder.openCents, language),
    'reminder.fee': reminder.feeCents === 0 ? null : money(reminder.feeCents, language),
    'reminder.interest': reminder.interestCents === 0 ? null : money(reminder.interestCents, language),
    'reminder.total': money(reminder.totalCents, language),
    'reminder.payUntil': formatDay(reminder.payUntil, language),
  })
}

/** The text of the highest level, of the department of the invoice that it is for, in the customer's language. */
export async function reminderWords(ctx: Ctx, reminder: Reminder) {
  const language = reminder.language as Language
  const invoice = await loadInvoice(ctx, reminder.items[0]!.invoice.id)
  const facts = await invoiceFactsOf(ctx, invoice)
  const variant = REMINDER_VARIANTS[reminder.level - 1]!
  // Without an order there is no department, and without one the standard is sent.
  const wanted = { type: 'other_emails' as const, variant, name: null, language }
  const { text } = (await textToSend(ctx, facts.departmentId ?? 0, wanted))!
  const data = invoiceMailData({ invoice, facts, language, later: {} })
  const values = { ...data.values, ...reminderValues(reminder, language) }
  const frame = { language, sender: facts.us.title, footer: footerLines(facts) }
  return { said: mailText(text, { ...data, values }, language), text, facts, values, variant, frame }
}

/** A reminder as it would be sent; nothing is written. Error: `reminder_changed`. */
export async function reminderMail(ctx: Ctx, wanted: z.output<typeof previewReminder.body>): Promise<ReminderPreview> {
  const reminder = await wantedReminder(ctx, wanted)
  if (reminder === null) throw fieldError('invoiceIds', 'reminder_changed')
  const { said, facts, frame } = await reminderWords(ctx, reminder)
  const { files, asOf: _asOf, ...shown } = reminder
  const { html } = await wrapMail({ ...frame, title: said.subject, html: said.html })
  return {
    ...shown,
    subject: said.subject,
    // A page shows the logo from where it stands, a mail from among its own parts.
    html: facts.logo
      ? html.replaceAll(LOGO_SOURCE, `data:image/png;base64,${Buffer.from(facts.logo).toString('base64')}`)
      : html,
    attachments: [{ documentId: null, title: letterName(reminder) }, ...files],
    holes: said.holes,
  }
}

/**
 * Reaction to `reminder.sent`: its mail, with its letter and the invoices' PDFs, in the same transaction; one that was
 * held becomes it. Error: `value_missing`.
 */
export async function queueReminderMail(
  ctx: Ctx,
  {
    reminder,
    to,
    letter,
    held,
  }: { reminder: Reminder; to: readonly string[]; letter: ReminderFile; held: HeldReminder | null },
): Promise<void> {
  const { said, text, facts, variant, frame } = await reminderWords(ctx, reminder)
  if (said.holes.length > 0)
    throw new AppError('validation', {
      fields: said.holes.map((variable) => ({ path: 'invoiceIds', code: 'value_missing', params: { variable } })),
    })
  const owner = { kind: 'invoice' as const, id: reminder.items[0]!.invoice.id }
  const letterId = await storeDocument(ctx, {
    ...letter,
    owner,
    documentType: 'PAYMENT_REMINDER',
    contentType: 'application/pdf',
  })
  await queueMail(ctx, {
    owner,
    type: 'other_emails',
    variant,
    to: [...to],
    cc: [],
    subject: said.subject,
    html: said.html,
    frame,
    documentIds: [letterId, ...reminder.files.map(({ documentId }) => documentId)],
    customerId: reminder.customer.id,
    replyTo: replyToOf(text.replyTo, facts),
    hasLogo: said.html.includes(LOGO_SOURCE),
    inPlaceOf: held?.emailId ?? null,
    createdById: held?.createdById ?? null,
  })
}

import { ACCOUNT_EMAIL_TYPES, type Email } from '@waybill/contract/email'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { admittedEmail, emailView } from './email.query.ts'
import { queueMail } from './queue-mail.ts'

const forOneReader: readonly string[] = ACCOUNT_EMAIL_TYPES

/**
 * Queues a copy of a mail with its attachments: to the same people, or to others alone.
 * Errors: `conflict` while the first is still on its way to the same people or waits for its document, and for the
 * mail of an account, whose link is for one reader.
 */
export async function resendEmail(ctx: Ctx, id: number, to: string[] | undefined): Promise<Email> {
  const mail = await admittedEmail(ctx, id, 'write')
  if (forOneReader.includes(mail.type)) throw new AppError('conflict')
  // It has no words yet.
  if (mail.status === 'planned' || mail.status === 'held' || mail.status === 'suppressed')
    throw new AppError('conflict')
  if (to === undefined && (mail.status === 'queued' || mail.status === 'waiting')) throw new AppError('conflict')
  const attachments = await ctx.db
    .selectFrom('email_attachment')
    .select('documentId')
    .where('emailId', '=', id)
    .orderBy('position')
    .execute()
  const { type, subject, html, frame } = mail
  const copyId = await queueMail(ctx, {
    owner: { kind: mail.ownerKind, id: mail.ownerId },
    type,
    variant: mail.variant,
    to: to ?? mail.to,
    cc: to === undefined ? mail.cc : [],
    subject,
    html,
    frame,
    documentIds: attachments.map((attachment) => attachment.documentId),
  })
  return emailView(ctx, copyId)
}

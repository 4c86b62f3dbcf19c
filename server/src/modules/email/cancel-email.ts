import type { Email } from '@waybill/contract/email'
import { mayCancel } from '@waybill/contract/email/may-send'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { admittedEmail, emailView } from './email.query.ts'

/**
 * Takes back a mail that has not left. Errors: `conflict` where it has, is leaving at this moment, or is the one of a
 * sent invoice, which would be without a mail.
 */
export async function cancelEmail(ctx: Ctx, id: number): Promise<Email> {
  const mail = await admittedEmail(ctx, id, 'write')
  if (!mayCancel({ ...mail, isWritten: mail.subject !== '', owner: { kind: mail.ownerKind } }))
    throw new AppError('conflict')
  const canceled = await ctx.db
    .updateTable('email')
    .set({ status: 'suppressed', waitsFor: null, reason: 'canceled', settledAt: nowOf(ctx) })
    .where('id', '=', id)
    .where('status', 'in', ['planned', 'held', 'waiting', 'queued'])
    .where('tries', '=', 0)
    .returning('id')
    .executeTakeFirst()
  if (!canceled) throw new AppError('conflict')
  await audit(ctx, {
    ownerKind: mail.ownerKind,
    ownerId: mail.ownerId,
    action: 'mailCanceled',
    after: { type: mail.type },
  })
  return emailView(ctx, id)
}

import { WRITTEN_STATUSES, type Email, type resendEmails as several } from '@waybill/contract/email'
import { mayResend, mayResendElsewhere } from '@waybill/contract/email/may-send'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { admittedEmail, emailView } from './email.query.ts'
import { queueMail } from './queue-mail.ts'
import { refuseTwin } from './refuse-twin.ts'

/**
 * Queues a copy of a mail with its attachments: to the same people, or to others alone.
 * Errors: `conflict` while the first is still on its way to the same people or waits for its document, where somebody
 * has pressed at the same moment, and for mails of accounts and requests for prices, whose link is for one reader.
 */
export async function resendEmail(ctx: Ctx, id: number, to: string[] | undefined): Promise<Email> {
  const mail = await admittedEmail(ctx, id, 'write')
  const may = to === undefined ? mayResend : mayResendElsewhere
  if (!may({ ...mail, isWritten: mail.subject !== '' })) throw new AppError('conflict')
  const attachments = await ctx.db
    .selectFrom('email_attachment')
    .select('documentId')
    .where('emailId', '=', id)
    .orderBy('position')
    .execute()
  const { type, variant, subject, html, frame, replyTo, hasLogo, companyId, isAutomatic } = mail
  // Its links are those of this customer, and it is shown among the mails of this customer or route.
  const { customerId, routeId, locationId } = mail
  const copy = {
    owner: { kind: mail.ownerKind, id: mail.ownerId },
    type,
    variant,
    customerId,
    routeId,
    locationId,
    isAutomatic,
    to: to ?? mail.to,
    cc: to === undefined ? mail.cc : [],
    subject,
    html,
    frame,
    replyTo,
    hasLogo,
    companyId,
    documentIds: attachments.map((attachment) => attachment.documentId),
  }
  await refuseTwin(ctx, copy, id)
  const copyId = await queueMail(ctx, copy)
  if (to !== undefined && type === 'order_resolved' && variant !== 'withdrawn')
    await noteReceiver(ctx, mail.ownerId, routeId, id, to[0]!)
  return emailView(ctx, copyId)
}

/** A transport order that is sent again elsewhere: its withdrawal goes there, whichever copy of it this is. */
async function noteReceiver(ctx: Ctx, orderId: number, routeId: number | null, id: number, email: string) {
  await sql`
    update email set told = (told::jsonb || jsonb_build_object('email', ${email}::text))::text
    where told is not null and id = (
      select id from email where "ownerKind" = 'order' and "ownerId" = ${orderId} and type = 'order_resolved'
        and "routeId" = ${routeId} and "causeKey" is not null and variant <> 'withdrawn'
        and status in (${sql.join(WRITTEN_STATUSES)}) and coalesce("settledAt", "createdAt")
          <= (select coalesce(sent."settledAt", sent."createdAt") from email sent where sent.id = ${id})
      order by coalesce("settledAt", "createdAt") desc, id desc limit 1
    )`.execute(ctx.db)
}

type Resent = z.output<typeof several.reply>
type Refusal = NonNullable<Resent['items'][number]['code']>

const REFUSALS: readonly Refusal[] = ['not_found', 'forbidden', 'conflict', 'validation']

/** Queues a copy of each mail, in the given order. What is refused is refused before anything of it is written. */
export async function resendEmails(ctx: Ctx, ids: readonly number[]): Promise<Resent> {
  const items: Resent['items'] = []
  for (const id of new Set(ids)) {
    try {
      const copy = await resendEmail(ctx, id, undefined)
      items.push({ id, copyId: copy.id, code: null })
    } catch (error) {
      const code = error instanceof AppError ? REFUSALS.find((one) => one === error.code) : undefined
      if (code === undefined) throw error
      items.push({ id, copyId: null, code })
    }
  }
  return { items }
}

import { inTransaction, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import type { z } from 'zod'
import type { Email, OpenedEmail, renderEmail } from '@waybill/contract/email'
import { LOGO_SOURCE, wrapMail } from '../../../kit/mail/mail-html.ts'
import { admittedEmail, emailView, logoOfEmail, plannedEmail, type Frame } from '../../email/index.ts'
import { orderAsItIs } from '../../order/index.ts'
import { toldTo } from '../mail/carrier-told.rules.ts'
import { heldNow, sendHeldNow, type HeldNow } from '../reminder/send-held.ts'
import { reminderWords } from '../reminder/reminder-mail.ts'
import { arrivalTold } from './arrival-told.query.ts'
import { undoOf } from './undo-cancel.ts'
import { composeMail, composeToSend, expectAsWritten, filesFor, fixWithFiles, onOrderAsItIs } from './render-mails.ts'

/** What a reminder that is held would say now; undefined of other mails, and where nothing of it is due any more. */
async function heldWords(ctx: Ctx, now: HeldNow | undefined) {
  if (!now?.reminder) return undefined
  const { said, frame } = await reminderWords(ctx, now.reminder)
  const { subject, html, holes } = said
  return { to: now.reminder.to, subject, html, holes, frame }
}

/** A mail as it is; one that has no words yet with those that it would have now. */
export async function showEmail(ctx: Ctx, id: number): Promise<OpenedEmail> {
  await admittedEmail(ctx, id, 'read')
  const email = await emailView(ctx, id)
  const planned = await plannedEmail(ctx, id)
  const order = planned && (await orderAsItIs(ctx, planned.orderId))
  const undo = await undoOf(ctx, email)
  if (!planned || !order) {
    const shown = { ...email, arrival: null, withoutAddress: null, undo }
    const words = await heldWords(ctx, await heldNow(ctx, id))
    if (words === undefined) return shown
    const { to, subject, html, holes } = words
    return { ...shown, to: to === null ? [] : [to], subject, html, missing: holes }
  }
  const { to, words, holes, withoutAddress } = await composeMail(ctx, order, planned)
  const { subject, html } = words
  return {
    ...email,
    to: to === null ? [] : [to],
    subject,
    html,
    missing: holes,
    arrival: await arrivalTold(ctx, order, planned),
    withoutAddress,
    undo,
  }
}

/** The whole mail, as it left or would leave now. */
export async function renderMail(ctx: Ctx, id: number): Promise<z.output<typeof renderEmail.reply>> {
  const mail = await admittedEmail(ctx, id, 'read')
  const planned = await plannedEmail(ctx, id)
  const order = mail.ownerKind === 'order' ? await orderAsItIs(ctx, mail.ownerId) : undefined
  const words =
    planned && order ? (await composeMail(ctx, order, planned)).words : await heldWords(ctx, await heldNow(ctx, id))
  const { subject, html, frame } = words ?? mail
  const { sender, footer, language } = frame as Frame
  const whole = await wrapMail({ language, sender, footer, title: subject, html })
  if (!whole.html.includes(LOGO_SOURCE)) return whole
  const logo = await logoOfEmail(ctx, id)
  // A page shows the logo from where it stands, a mail from among its own parts.
  return logo
    ? { ...whole, html: whole.html.replaceAll(LOGO_SOURCE, `data:image/png;base64,${logo.toString('base64')}`) }
    : whole
}

/**
 * Sends a planned mail at once, or one that was held or let go, whatever spoke against it: the person who presses has
 * seen that. Errors: `conflict` where it has left, `recipient_missing`, `value_missing` with the variables, and
 * `reminder_changed` of a reminder of which nothing is due any more.
 */
export async function sendNow(ctx: Ctx, id: number, to: readonly string[] | undefined): Promise<Email> {
  await admittedEmail(ctx, id, 'write')
  const held = await heldNow(ctx, id)
  if (held !== undefined) {
    await sendHeldNow(ctx, held, to)
    return inTransaction(ctx, (inner) => emailView(inner, id))
  }
  const mail = await plannedEmail(ctx, id)
  if (!mail) throw new AppError('conflict')
  const isSent = await onOrderAsItIs(
    ctx,
    mail.orderId,
    async (order) => {
      const planned = (await plannedEmail(ctx, id)) ?? mail
      const composed = await composeToSend(ctx, order, planned)
      const receivers = to ?? (composed.to === null ? [] : [composed.to])
      if (receivers.length === 0) throw fieldError('to', 'recipient_missing')
      if (composed.holes.length > 0)
        throw new AppError('validation', {
          fields: composed.holes.map((variable) => ({
            path: 'variables',
            code: 'value_missing',
            params: { variable },
          })),
        })
      const { told } = composed.words
      const isToCarrier = planned.type === 'order_resolved'
      const words = { ...composed.words, to: [...receivers], told: isToCarrier ? toldTo(told, receivers) : told }
      return { kind: 'fix' as const, planned, words, ...(await filesFor(ctx, order, planned, composed)) }
    },
    async (inner, _order, { planned, ...made }) => {
      const claimed = await inner.db
        .selectFrom('email')
        .select('told')
        .where('id', '=', id)
        .where('status', 'in', ['planned', 'held', 'suppressed'])
        .forUpdate()
        .executeTakeFirst()
      if (!claimed) return false
      expectAsWritten(planned, claimed)
      await fixWithFiles(inner, planned, made)
      return true
    },
  )
  if (!isSent) throw new AppError('conflict')
  return inTransaction(ctx, (inner) => emailView(inner, id))
}

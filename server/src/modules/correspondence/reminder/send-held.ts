import { inTransaction, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import type { JobDefinition } from '../../../kit/context/jobs.ts'
import { removeStray } from '../../document/index.ts'
import { heldReminders, noteHeld, suppressEmail, type HeldReminder } from '../../email/index.ts'
import { sendHeldReminder, wantedReminder, type Reminder } from '../../reminder/index.ts'
import { letterToKeep } from './reminder-letter.ts'
import { letterName } from './reminder.document.ts'
import { reminderWords } from './reminder-mail.ts'

declare module '../../../kit/context/jobs.ts' {
  interface JobData {
    send_held_reminders: Record<string, never>
  }
}

/** A reminder that is held, and what it would say now: null where nothing of it is due any more. */
export interface HeldNow {
  held: HeldReminder
  reminder: Reminder | null
}

/** The reminder that a mail holds; undefined where it is another mail. */
export async function heldNow(ctx: Ctx, emailId: number): Promise<HeldNow | undefined> {
  const [held] = await heldReminders(ctx, { emailId })
  return held && { held, reminder: await wantedReminder(ctx, held, { heldMailId: emailId }) }
}

/** Draws the letter, and writes reminder and mail in one transaction; false where somebody was faster. */
async function send(ctx: Ctx, held: HeldReminder, shown: Reminder, to: readonly string[]): Promise<boolean> {
  const kept = await letterToKeep(ctx, shown)
  const file = { title: letterName(shown), kept }
  let isNamed = false
  try {
    return await inTransaction(ctx, async (inner) => {
      isNamed = await sendHeldReminder(inner, held, { shown, to, file })
      return isNamed
    })
  } finally {
    // Where it is not known what became of the transaction the file stays.
    if (!isNamed) await removeStray(ctx, kept.fileKey)
  }
}

/**
 * Sends a reminder that is held at once, to the customer's address or to these. Errors: `conflict` where somebody was
 * faster, `recipient_missing`, `value_missing`; `reminder_changed` where nothing of it is due any more.
 */
export async function sendHeldNow(ctx: Ctx, { held, reminder }: HeldNow, to: readonly string[] | undefined) {
  if (reminder === null) throw fieldError('invoiceIds', 'reminder_changed')
  const receivers = to ?? (reminder.to === null ? [] : [reminder.to])
  if (receivers.length === 0) throw fieldError('to', 'recipient_missing')
  if (!(await send(ctx, held, reminder, receivers))) throw new AppError('conflict')
}

/** What becomes of one that may leave by itself. */
async function settle(ctx: Ctx, emailId: number): Promise<void> {
  const now = await heldNow(ctx, emailId)
  if (now === undefined) return
  const { held, reminder } = now
  if (reminder === null) await inTransaction(ctx, (inner) => suppressEmail(inner, emailId, 'overtaken'))
  else if (reminder.to !== null) {
    const { holes } = (await reminderWords(ctx, reminder)).said
    if (holes.length > 0) await inTransaction(ctx, (inner) => noteHeld(inner, emailId, 'valueMissing', holes))
    else await send(ctx, held, reminder, [reminder.to])
  }
}

/** Sends the reminders that waited for an address, once there is one; what hinders one hinders no other. */
export const sendHeldReminders: JobDefinition<'send_held_reminders'> = {
  async handle(ctx) {
    for (const { emailId } of await heldReminders(ctx, { mayMove: true }))
      try {
        await settle(ctx, emailId)
      } catch (error) {
        // It is still held, and tried again with the next run.
        ctx.log.warn({ err: error, emailId }, 'a reminder that was held could not be sent')
      }
  },
  timetable: { cron: '* * * * *', data: {}, atStart: {} },
}

import type { z } from 'zod'
import type { sendReminder as endpoint, SentReminder } from '@waybill/contract/reminder/reminder'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { heldReminders, holdReminder, type HeldReminder } from '../email/index.ts'
import { wantedReminder, type Reminder } from './due-reminders.ts'
import { reminderView } from './reminder.query.ts'

/** The letter of a reminder, in the store. */
export interface ReminderFile {
  title: string
  kept: { fileKey: string; sizeBytes: number; sha256: string }
}

declare module '../../kit/context/events.ts' {
  interface Events {
    /**
     * a customer is reminded; the slice that writes mails queues the one that says so, in the place of the one that was
     * held
     */
    'reminder.sent': { reminder: Reminder; to: readonly string[]; letter: ReminderFile; held: HeldReminder | null }
  }
}

const isSame = (one: Reminder, other: Reminder): boolean => JSON.stringify(one) === JSON.stringify(other)

const changed = () => fieldError('invoiceIds', 'reminder_changed')

/** Writes what a reminder claims, and tells who writes its mail. */
async function writeReminder(
  ctx: Ctx,
  reminder: Reminder,
  mail: { to: readonly string[]; letter: ReminderFile; held: HeldReminder | null },
): Promise<number> {
  const { company, customer, items, booked, level, asOf, payUntil, openCents, feeCents, interestCents } = reminder
  const { id } = await ctx.db
    .insertInto('reminder')
    .values({
      companyId: company.id,
      customerId: customer.id,
      level,
      asOf,
      payUntil,
      openCents,
      feeCents,
      interestCents,
      mailInvoiceId: items[0]!.invoice.id,
      createdAt: nowOf(ctx),
      createdById: ctx.actor?.userId ?? mail.held?.createdById ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('reminder_item')
    .values(
      items.map((item, index) => ({
        reminderId: id,
        invoiceId: item.invoice.id,
        level: item.level,
        daysLate: item.daysLate,
        openCents: item.openCents,
        feeCents: item.feeCents,
        interestCents: item.interestCents,
        bookedFeeCents: booked[index]!.feeCents,
        bookedInterestCents: booked[index]!.interestCents,
      })),
    )
    .execute()
  for (const item of items)
    await audit(ctx, {
      ownerKind: 'invoice',
      ownerId: item.invoice.id,
      action: 'reminded',
      after: {
        reminderLevel: item.level,
        ...(item.feeCents > 0 && { feeCents: item.feeCents }),
        ...(item.interestCents > 0 && { interestCents: item.interestCents }),
      },
    })
  await tell(ctx, { type: 'reminder.sent', reminder, ...mail })
  return id
}

/**
 * Writes a reminder with its mail, as it was seen and as its letter shows it; to a customer without an address it is
 * held, and there is no letter. The second of two people waits for the first, and finds nothing due any more. Errors:
 * the contract’s.
 */
export async function sendReminder(
  ctx: Ctx,
  { totalCents, ...wanted }: z.output<typeof endpoint.body>,
  letter: { shown: Reminder; file: ReminderFile | null },
): Promise<SentReminder> {
  const reminder = await wantedReminder(ctx, wanted, { isLocking: true })
  if (reminder?.totalCents !== totalCents || !isSame(reminder, letter.shown)) throw changed()
  if (reminder.to !== null && letter.file !== null)
    return reminderView(ctx, await writeReminder(ctx, reminder, { to: [reminder.to], letter: letter.file, held: null }))
  const { company, customer, level, payUntil, openCents, feeCents, interestCents, items } = reminder
  const heldMailId = await holdReminder(ctx, {
    companyId: company.id,
    customerId: customer.id,
    invoiceIds: items.map(({ invoice }) => invoice.id),
    level,
    ownerId: items[0]!.invoice.id,
  })
  return {
    id: null,
    heldMailId,
    company,
    customer,
    level,
    payUntil,
    openCents,
    feeCents,
    interestCents,
    totalCents,
    items,
  }
}

/**
 * Sends a reminder that was held, with what is due now, as its letter shows it. False where it is not held any more:
 * somebody was faster. Error: `reminder_changed`.
 */
export async function sendHeldReminder(
  ctx: Ctx,
  held: HeldReminder,
  { shown, to, file }: { shown: Reminder; to: readonly string[]; file: ReminderFile },
): Promise<boolean> {
  // In the order of a press: first what is owed, then the mail, so that nobody waits for the other in a circle.
  const reminder = await wantedReminder(ctx, held, { isLocking: true, heldMailId: held.emailId })
  const [claimed] = await heldReminders(ctx, { emailId: held.emailId, isLocking: true })
  if (claimed === undefined) return false
  if (reminder === null || !isSame(reminder, shown)) throw changed()
  await writeReminder(ctx, reminder, { to, letter: file, held: claimed })
  return true
}

import type { z } from 'zod'
import type { sendReminder as endpoint, SentReminder } from '@waybill/contract/reminder/reminder'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { wantedReminder, type Reminder } from './due-reminders.ts'
import { reminderView } from './reminder.query.ts'

/** The letter of a reminder, in the store. */
export interface ReminderFile {
  title: string
  kept: { fileKey: string; sizeBytes: number; sha256: string }
}

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a customer is reminded; the slice that writes mails queues the one that says so */
    'reminder.sent': { reminder: Reminder; letter: ReminderFile }
  }
}

const isSame = (one: Reminder, other: Reminder): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Writes a reminder with its mail, as it was seen and as its letter shows it. The second of two people waits for the
 * first, and finds nothing due any more. Errors: the contract’s.
 */
export async function sendReminder(
  ctx: Ctx,
  { totalCents, ...wanted }: z.output<typeof endpoint.body>,
  letter: { shown: Reminder; file: ReminderFile },
): Promise<SentReminder> {
  const reminder = await wantedReminder(ctx, wanted, { isLocking: true })
  if (reminder?.totalCents !== totalCents || !isSame(reminder, letter.shown))
    throw fieldError('invoiceIds', 'reminder_changed')
  const { items, booked, level, asOf, payUntil, openCents, feeCents, interestCents } = reminder
  const { id } = await ctx.db
    .insertInto('reminder')
    .values({
      companyId: wanted.companyId,
      customerId: wanted.customerId,
      level,
      asOf,
      payUntil,
      openCents,
      feeCents,
      interestCents,
      mailInvoiceId: items[0]!.invoice.id,
      createdAt: nowOf(ctx),
      createdById: ctx.actor?.userId ?? null,
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
  await tell(ctx, { type: 'reminder.sent', reminder, letter: letter.file })
  return reminderView(ctx, id)
}

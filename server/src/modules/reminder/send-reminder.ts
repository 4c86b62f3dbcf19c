import type { z } from 'zod'
import type { sendReminder as endpoint, SentReminder } from '@waybill/contract/reminder/reminder'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { wantedReminder, type Reminder } from './due-reminders.ts'
import { reminderView } from './reminder.query.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** a customer is reminded; the slice that writes mails queues the one that says so */
    'reminder.sent': { reminder: Reminder }
  }
}

/**
 * Writes a reminder with its mail, as it was seen. The second of two people waits for the first, and finds nothing due
 * any more. Errors: the contract’s.
 */
export async function sendReminder(
  ctx: Ctx,
  { totalCents, ...wanted }: z.output<typeof endpoint.body>,
): Promise<SentReminder> {
  const reminder = await wantedReminder(ctx, wanted, { isLocking: true })
  if (reminder?.totalCents !== totalCents) throw fieldError('invoiceIds', 'reminder_changed')
  const { items, level, asOf, payUntil, openCents, feeCents, interestCents } = reminder
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
      items.map((item) => ({
        reminderId: id,
        invoiceId: item.invoice.id,
        level: item.level,
        daysLate: item.daysLate,
        openCents: item.openCents,
        feeCents: item.feeCents,
        interestCents: item.interestCents,
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
  await tell(ctx, { type: 'reminder.sent', reminder })
  return reminderView(ctx, id)
}

import { addDays, instantOf } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../../src/kit/context/context.ts'
import { reminderWords } from '../../../src/modules/correspondence/index.ts'
import { lateInvoices, reminderOf } from '../../../src/modules/reminder/index.ts'
import { insertRows, takeIds } from '../bulk.ts'
import type { NewMail } from '../mails.ts'
import type { World } from '../world.ts'

/** The accountant reminds the day after an invoice reaches a level, if there was time to pay since. */
const AFTER = [8, 22] as const
const SINCE_THEN = 8

/** What late customers were reminded of, each invoice by itself; what is due today is left to be sent. */
export async function seedReminders(ctx: Ctx, world: World): Promise<NewMail[]> {
  const accountant = world.users.find((user) => user.job === 'accountant')!
  const zones = new Map(Object.values(world.departments).map(({ company }) => [company.id, company.timeZone]))
  const all = await lateInvoices(ctx, {})
  // One of them is called, not written to.
  const spokenToId = all.find(({ daysLate, isDisputed }) => daysLate > AFTER[0] && !isDisputed)?.customerId
  await ctx.db
    .updateTable('customer')
    .set({ remindersOff: true })
    .where('id', '=', spokenToId ?? 0)
    .execute()
  const late = all.filter(({ customerId }) => customerId !== spokenToId)
  const sent = late
    .filter((one) => !one.isDisputed && !one.remindersOff && one.to !== null && one.documentId !== null)
    .flatMap((one) =>
      AFTER.flatMap((daysLate, index) =>
        one.daysLate < daysLate + SINCE_THEN
          ? []
          : [{ late: { ...one, daysLate, asOf: addDays(one.dueDate, daysLate) }, level: index + 1 }],
      ),
    )
    .toSorted((one, other) => (one.late.asOf < other.late.asOf ? -1 : 1))
  const ids = await takeIds(ctx.db, 'reminder', sent.length)
  const itemIds = await takeIds(ctx.db, 'reminder_item', sent.length)
  const rows: Record<string, unknown>[] = []
  const items: Record<string, unknown>[] = []
  const mails: NewMail[] = []
  for (const [index, due] of sent.entries()) {
    const reminder = reminderOf([due])
    const [item] = reminder.items as [(typeof reminder.items)[number]]
    const at = instantOf(reminder.asOf, '09:20', zones.get(reminder.company.id) ?? 'UTC')
    const { level, asOf, payUntil, openCents, feeCents, interestCents } = reminder
    rows.push({
      id: ids[index],
      companyId: reminder.company.id,
      customerId: reminder.customer.id,
      level,
      asOf,
      payUntil,
      openCents,
      feeCents,
      interestCents,
      mailInvoiceId: item.invoice.id,
      createdAt: at,
      createdById: accountant.id,
    })
    const { daysLate } = item
    items.push({
      id: itemIds[index],
      reminderId: ids[index],
      invoiceId: item.invoice.id,
      level,
      daysLate,
      openCents,
      feeCents,
      interestCents,
    })
    const { said, frame, variant } = await reminderWords(ctx, reminder)
    mails.push({
      ownerKind: 'invoice',
      ownerId: item.invoice.id,
      type: 'other_emails',
      variant,
      to: [due.late.to!],
      subject: said.subject,
      html: said.html,
      frame,
      createdById: accountant.id,
      queuedAt: at,
      documentIds: reminder.files.map(({ documentId }) => documentId),
    })
    world.journal.push({
      at,
      actorId: accountant.id,
      ownerKind: 'invoice',
      ownerId: item.invoice.id,
      action: 'reminded',
      changes: [
        { path: 'reminderLevel', from: null, to: level },
        ...(feeCents > 0 ? [{ path: 'feeCents', from: null, to: feeCents }] : []),
        ...(interestCents > 0 ? [{ path: 'interestCents', from: null, to: interestCents }] : []),
      ],
      reason: null,
    })
  }
  await insertRows(ctx.db, 'reminder', rows)
  await insertRows(ctx.db, 'reminder_item', items)
  return mails
}

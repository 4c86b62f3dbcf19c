import type { z } from 'zod'
import type { Language } from '@waybill/contract/errors'
import type { ReminderLetter, sendReminder as endpoint, SentReminder } from '@waybill/contract/reminder/reminder'
import type { Ctx } from '../../../kit/context/context.ts'
import { fieldError } from '../../../kit/context/errors.ts'
import { keepFile, removeStray, type KeptFile } from '../../document/index.ts'
import { billingCustomer, sellingCompany } from '../../invoice/index.ts'
import { paperToPrint } from '../../mail-template/index.ts'
import { sendReminder, wantedReminder, type Reminder } from '../../reminder/index.ts'
import { countryName } from '../document-words.ts'
import { ownBlocks } from '../own-text/own-text.document.ts'
import { reminderWords } from './reminder-mail.ts'
import { letterName, renderReminder } from './reminder.document.ts'

type Wanted = Omit<z.output<typeof endpoint.body>, 'totalCents'>

async function letterOf(ctx: Ctx, reminder: Reminder): Promise<Buffer> {
  const language = reminder.language as Language
  const { seller } = (await sellingCompany(ctx, reminder.company.id))!
  const { buyer } = (await billingCustomer(ctx, reminder.customer.id))!
  const { facts, values } = await reminderWords(ctx, reminder)
  // Without an order there is no department, and without one the standard is printed.
  const own = await paperToPrint(ctx, facts.departmentId ?? 0, { type: 'PAYMENT_REMINDER', language })
  return renderReminder(
    ctx.ports.pdf,
    {
      ...reminder,
      seller: { ...seller, country: countryName(seller.countryCode, language), logo: facts.logo },
      buyer: { ...buyer, country: countryName(buyer.countryCode, language) },
      own: own && { mode: own.mode, blocks: ownBlocks(own.body, values) },
    },
    language,
  )
}

async function dueNow(ctx: Ctx, wanted: Wanted): Promise<Reminder> {
  const reminder = await wantedReminder(ctx, wanted)
  if (reminder === null) throw fieldError('invoiceIds', 'reminder_changed')
  return reminder
}

/** The letter as it would go along; nothing is stored. Error: `reminder_changed`. */
export async function previewReminderLetter(ctx: Ctx, wanted: Wanted): Promise<ReminderLetter> {
  const reminder = await dueNow(ctx, wanted)
  return { title: letterName(reminder), pdf: (await letterOf(ctx, reminder)).toString('base64') }
}

/** A letter in the store, and the reminder that it shows; null where the reminder is held. */
export interface DrawnLetter {
  reminder: Reminder
  kept: KeptFile | null
}

/** The letter of a reminder, drawn into the store; no row names it yet. */
export const letterToKeep = async (ctx: Ctx, reminder: Reminder): Promise<KeptFile> =>
  keepFile(ctx, await letterOf(ctx, reminder))

/**
 * Draws the letter that goes with a reminder; one that is held has its letter drawn when it leaves. Error:
 * `reminder_changed`.
 */
export async function drawReminderLetter(ctx: Ctx, wanted: Wanted): Promise<DrawnLetter> {
  const reminder = await dueNow(ctx, wanted)
  return { reminder, kept: reminder.to === null ? null : await letterToKeep(ctx, reminder) }
}

/** Sends the reminder with the letter drawn of it; where nothing is sent the letter goes. Errors: the contract’s. */
export async function sendWithLetter(
  ctx: Ctx,
  body: z.output<typeof endpoint.body>,
  { reminder, kept }: DrawnLetter,
): Promise<SentReminder> {
  try {
    const file = kept && { title: letterName(reminder), kept }
    return await sendReminder(ctx, body, { shown: reminder, file })
  } catch (error) {
    if (kept !== null) await removeStray(ctx, kept.fileKey)
    throw error
  }
}

import type { IntakeMail } from '@waybill/contract/intake/intake'
import type { Reading } from '@waybill/contract/intake/reading'
import type { OrderWrite } from '@waybill/contract/order/order'
import type { Ctx } from '../../../kit/context/context.ts'
import { customerOfSender, knownWords } from '../draft/known.query.ts'
import { draftAt } from '../draft/mail-drafts.ts'
import type { LockedMail } from '../intake.repository.ts'
import { learnFrom } from '../reading/read-mail.ts'
import { ownText } from '../text/mail-text.rules.ts'
import { correctionsOf } from './corrections.ts'
import { keepRule } from './learned-rules.ts'

/**
 * Learns where values stand in the mails of a customer, from what a person saved otherwise than it was proposed. Only
 * where the mail's sender is the customer's whose order it becomes. Must run inside a transaction.
 */
export async function learnFromDraft(ctx: Ctx, mail: LockedMail, body: OrderWrite): Promise<void> {
  const reading = mail.reading as Reading
  if (reading.orders.length !== 1) return
  const { fromName, fromAddress: address, subject, sentAt } = mail
  const customerId = await customerOfSender(ctx, address)
  if (customerId === null || !body.customerIds.includes(customerId)) return
  const { values } = await draftAt(ctx, { reading, address, known: await knownWords(ctx), position: 0 })
  const corrections = correctionsOf(reading, values, body)
  if (corrections.length === 0) return
  const whole = { text: mail.text, parts: mail.parts as IntakeMail['parts'] }
  const own = ownText(whole)
  // Attachments are read only where they say more than the mail's own text.
  const isOwn = Object.values(reading.spans).every(([, to, of]) => of !== undefined || to <= own.length)
  const from = address === null ? null : { name: fromName, address }
  const rules = learnFrom({ text: isOwn ? own : mail.text, subject, from, sentAt }, reading, corrections)
  for (const rule of rules) await keepRule(ctx, customerId, rule)
}

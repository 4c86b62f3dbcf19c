import type { Reading } from '@waybill/contract/intake/reading'
import type { OrderWrite } from '@waybill/contract/order/order'
import type { Ctx } from '../../../kit/context/context.ts'
import { customerOfSender, knownWords } from '../draft/known.query.ts'
import { draftAt } from '../draft/mail-drafts.ts'
import type { LockedMail } from '../intake.repository.ts'
import { learnFrom } from '../reading/read-mail.ts'
import { correctionsOf } from './corrections.ts'
import { fieldsLearned, keepRule } from './learned-rules.ts'
import { textRead, tryRules } from './try-rule.ts'

/**
 * Learns where values stand in the mails of a customer, from what a person saved otherwise than it was proposed. Only
 * where the mail's sender is the customer's whose order it becomes, and nothing that would have read an earlier mail
 * wrongly; a correction of what was learned before counts more than that. Must run inside a transaction.
 */
export async function learnFromDraft(ctx: Ctx, mail: LockedMail, body: OrderWrite): Promise<void> {
  const reading = mail.reading as Reading
  if (reading.orders.length !== 1) return
  const { fromAddress: address } = mail
  const customerId = await customerOfSender(ctx, address)
  if (customerId === null || !body.customerIds.includes(customerId)) return
  const { values } = await draftAt(ctx, { reading, address, known: await knownWords(ctx), position: 0 })
  const corrections = correctionsOf(reading, values, body)
  if (corrections.length === 0) return
  const of = { customerId, mailId: mail.id }
  const before = await fieldsLearned(ctx, customerId)
  for (const { rule, tried } of await tryRules(ctx, of, learnFrom(textRead(mail, reading), reading, corrections)))
    if (!tried.isWrong || before.includes(rule.field)) await keepRule(ctx, of, rule, tried)
}

import type { IntakeMail } from '@waybill/contract/intake/intake'
import type { LearnedRule, MailText, Reading } from '@waybill/contract/intake/reading'
import type { Ctx } from '../../../kit/context/context.ts'
import { loadOrder, visibleOrders } from '../../order/index.ts'
import { customerOfSender } from '../draft/known.query.ts'
import { readWith } from '../reading/read-mail.ts'
import { lettersOf } from '../reading/text/letters.rules.ts'
import { ownText } from '../text/mail-text.rules.ts'
import { savedValue } from './corrections.ts'
import '../intake.table.ts'

/** On how many mails a rule was tried, and in how many it found what was saved; `isWrong`: in one something else. */
export interface Tried {
  triedCount: number
  foundCount: number
  isWrong: boolean
}

const MOST_TRIED = 20

interface KeptMail {
  text: string
  parts: unknown
  subject: string | null
  fromName: string | null
  fromAddress: string | null
  sentAt: string
}

/** The text that a mail's only order was read in: its own words, or those of its attachments too. */
export function textRead(
  { text, parts, subject, fromName, fromAddress, sentAt }: KeptMail,
  reading: Reading,
): MailText {
  const own = ownText({ text, parts: parts as IntakeMail['parts'] })
  // Attachments are read only where they say more than the mail's own text.
  const isOwn = Object.values(reading.spans).every(([, to, of]) => of !== undefined || to <= own.length)
  const from = fromAddress === null ? null : { name: fromName, address: fromAddress }
  return { text: isOwn ? own : text, subject, from, sentAt }
}

/** The newest mails of the customer's own senders that became one order each, but for this one. */
async function earlierMails(ctx: Ctx, customerId: number, mailId: number) {
  const mails = await ctx.db
    .selectFrom('intake_mail')
    .innerJoin('intake_order', 'intake_order.mailId', 'intake_mail.id')
    .innerJoin('order', (join) => join.onRef('order.id', '=', 'intake_order.orderId').on(visibleOrders(ctx)))
    .select([
      'intake_mail.text',
      'intake_mail.parts',
      'intake_mail.subject',
      'intake_mail.sentAt',
      'intake_mail.reading',
    ])
    .select(['intake_mail.fromName', 'intake_mail.fromAddress', 'intake_order.orderId'])
    .where('intake_mail.customerId', '=', customerId)
    .where('intake_mail.id', '<>', mailId)
    .where('intake_order.position', '=', 0)
    .where('intake_order.isFiled', '=', false)
    .orderBy('intake_mail.id', 'desc')
    .limit(MOST_TRIED)
    .execute()
  const senders = new Map<string | null, boolean>()
  for (const { fromAddress } of mails)
    if (!senders.has(fromAddress)) senders.set(fromAddress, (await customerOfSender(ctx, fromAddress)) === customerId)
  return mails
    .map(({ reading, ...mail }) => ({ ...mail, reading: reading as unknown as Reading }))
    .filter(({ reading, fromAddress }) => reading.orders.length === 1 && senders.get(fromAddress) === true)
}

/**
 * Tries rules on the customer's last mails, against the orders that these became. A field that was left empty there
 * proves nothing.
 */
export async function tryRules(
  ctx: Ctx,
  { customerId, mailId }: { customerId: number; mailId: number },
  rules: readonly LearnedRule[],
): Promise<{ rule: LearnedRule; tried: Tried }[]> {
  if (rules.length === 0) return []
  const mails = await earlierMails(ctx, customerId, mailId)
  const results = rules.map((rule) => ({ rule, tried: { triedCount: mails.length, foundCount: 0, isWrong: false } }))
  for (const { reading, orderId, ...mail } of mails) {
    const text = textRead(mail, reading)
    const found = results.flatMap((result) => {
      const value = readWith(text, reading, result.rule)
      return value === null ? [] : { ...result, value }
    })
    if (found.length === 0) continue
    const order = await loadOrder(ctx, orderId)
    for (const { rule, tried, value } of found) {
      const saved = savedValue(order, rule.field)
      if (saved === null) continue
      if (lettersOf(String(saved)) === lettersOf(String(value))) tried.foundCount += 1
      else tried.isWrong = true
    }
  }
  return results
}

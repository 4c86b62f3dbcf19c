import type { KnownOrder } from '@waybill/contract/order/intake/mail-draft'
import type { Order, OrderWrite } from '@waybill/contract/order/order'
import type { IntakeMail } from '@waybill/contract/intake/intake'
import type { Reading } from '@waybill/contract/intake/reading'
import { actorOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { learnFromDraft } from '../learned/learn-from-draft.ts'
import { createOrder } from '../../order/index.ts'
import {
  insertOrderOf,
  lockMail,
  refuseInHand,
  refuseSaved,
  refuseSettled,
  updateMail,
  type LockedMail,
} from '../intake.repository.ts'
import { settledOf } from '../intake.query.ts'
import { ownText } from '../text/mail-text.rules.ts'
import { asOrder, draftCount } from './draft-order.rules.ts'
import { isNumberPlaced, lockNumber, orderOfNumber } from './known.query.ts'

// As long as an order's field for it.
const MOST_OF_MESSAGE = 50_000

interface Wish {
  mailId: number
  position: number
  body: OrderWrite
  /** a person has said that it is another order under a number that was used */
  isSecond: boolean
}

/** Error: `conflict` with `order_known`, and as `current` the order where the caller may know of it. */
async function refuseKnown(ctx: Ctx, number: string, customerIds: readonly number[]): Promise<void> {
  // Of two mails with one number, as an original and its forwarded copy, the second one sees the order of the first.
  await lockNumber(ctx, number, customerIds)
  if (!(await isNumberPlaced(ctx, number, customerIds))) return
  const known = await orderOfNumber(ctx, { number, customerIds })
  const current: KnownOrder | null =
    known === null ? null : { order: { id: known.id, title: known.number }, createdAt: known.createdAt }
  throw new AppError('conflict', { fields: [{ path: 'customerOrderNumber', code: 'order_known' }], current })
}

/** What an order keeps of its mail: of one whose orders stand in attachments its own one alone. */
function messageOf({ text, parts, reading }: LockedMail, position: number): string {
  const whole = { text, parts: parts as IntakeMail['parts'] }
  const { ofParts } = asOrder(reading as Reading)
  const part = ofParts?.[position]
  if (part === undefined) return text
  const own = ownText(whole).trimEnd()
  if (part === null) return own
  const { name, from, to } = whole.parts[part]!
  return `${own}${own === '' ? '' : '\n\n'}--- ${name} ---\n${text.slice(from, to)}`
}

/**
 * Saves one draft of a mail as an order, by the order's own rules, and learns from what a person has corrected. Errors:
 * as the contract names them.
 */
export async function saveDraft(ctx: Ctx, { mailId, position, body, isSecond }: Wish): Promise<Order> {
  const mail = await lockMail(ctx, mailId)
  const before = await settledOf(ctx, mailId)
  refuseSaved(before, position)
  refuseSettled(mail)
  await refuseInHand(ctx, mail)
  const count = draftCount(asOrder(mail.reading as Reading))
  if (position >= count) throw new AppError('not_found')
  const { customerOrderNumber: number, customerIds } = body
  if (!isSecond && number !== null) await refuseKnown(ctx, number, customerIds)
  const originalMessage = body.originalMessage ?? messageOf(mail, position).slice(0, MOST_OF_MESSAGE).toWellFormed()
  const order = await createOrder(ctx, { ...body, originalMessage })
  await insertOrderOf(ctx, { mailId, position, orderId: order.id, isFiled: false })
  await learnFromDraft(ctx, mail, body)
  await updateMail(ctx, mail, {
    state: before.length + 1 >= count ? 'saved' : 'drafted',
    assignedToId: actorOf(ctx).userId,
  })
  return order
}

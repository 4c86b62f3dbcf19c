import { isOpenMail, type IntakeMail } from '@waybill/contract/intake/intake'
import type { Reading } from '@waybill/contract/intake/reading'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { changedMail, mailToRead, settledOf } from './intake.query.ts'
import {
  deleteFiled,
  insertOrderOf,
  lockVersion,
  refuseInHand,
  refuseSaved,
  refuseSettled,
  updateMail,
  type LockedMail,
} from './intake.repository.ts'
import { countUses, rulesOfSender } from './learned/learned-rules.ts'
import { visibleOrders } from '../order/index.ts'
import { asOrder, draftCount, isReopenable } from './draft/draft-order.rules.ts'
import { isFiledWithAll, lookThrough } from './draft/mail-drafts.ts'
import { readAgain } from './text/ask-reader.ts'

/** The caller works on a mail now. Errors: as the contract names them. */
export async function takeMail(ctx: Ctx, id: number, version: number): Promise<IntakeMail> {
  const mail = await lockVersion(ctx, id, version)
  refuseSettled(mail)
  await refuseInHand(ctx, mail)
  await updateMail(ctx, mail, { state: 'drafted', assignedToId: actorOf(ctx).userId })
  return changedMail(ctx, id)
}

/** A mail waits for one person, or for all. Errors: as the contract names them. */
export async function assignMail(ctx: Ctx, id: number, version: number, userId: number | null): Promise<IntakeMail> {
  const mail = await lockVersion(ctx, id, version)
  refuseSettled(mail)
  if (userId !== null) {
    const person = await ctx.db
      .selectFrom('user')
      .select('id')
      .where('id', '=', userId)
      .where('state', '=', 'active')
      .executeTakeFirst()
    if (!person) throw fieldError('userId', 'unknown_reference')
  }
  await updateMail(ctx, mail, { state: 'new', assignedToId: userId })
  return changedMail(ctx, id)
}

/** Nothing more is to be done with a mail. Errors: as the contract names them. */
export async function closeMail(ctx: Ctx, id: number, version: number, reason: string | null): Promise<IntakeMail> {
  const mail = await lockVersion(ctx, id, version)
  refuseSettled(mail)
  await refuseInHand(ctx, mail)
  const hasOrders = (await settledOf(ctx, id)).length > 0
  await updateMail(ctx, mail, {
    state: hasOrders ? 'saved' : 'not_order',
    reason,
    assignedToId: mail.assignedToId ?? actorOf(ctx).userId,
  })
  return changedMail(ctx, id)
}

/** A mail that was closed, or filed with the wrong order, is worked on again. Errors: as the contract names them. */
export async function reopenMail(ctx: Ctx, id: number, version: number): Promise<IntakeMail> {
  const mail = await lockVersion(ctx, id, version)
  if (isOpenMail(mail.state) || !isReopenable(mail.reading as Reading, await settledOf(ctx, id)))
    throw new AppError('conflict', { fields: [{ path: 'state', code: 'mail_settled' }] })
  for (const orderId of await deleteFiled(ctx, id)) await noteFiling(ctx, mail, 'mailUnfiled', orderId)
  await updateMail(ctx, mail, { state: 'new', reason: null, assignedToId: null })
  return changedMail(ctx, id)
}

/** The history of an order says that a mail is with it, or no longer. */
const noteFiling = (ctx: Ctx, mail: LockedMail, action: 'mailFiled' | 'mailUnfiled', orderId: number) =>
  audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action,
    after: { subject: mail.subject, from: mail.fromAddress ?? mail.fromName },
  })

/** A mail, or one draft of it, is about an order and becomes none. Errors: as the contract names them. */
export async function fileMail(
  ctx: Ctx,
  id: number,
  version: number,
  { orderId, position }: { orderId: number; position: number | null },
): Promise<IntakeMail> {
  const mail = await lockVersion(ctx, id, version)
  refuseSettled(mail)
  await refuseInHand(ctx, mail)
  const order = await ctx.db
    .selectFrom('order')
    .select('order.id')
    .where('order.id', '=', orderId)
    .where(visibleOrders(ctx))
    .executeTakeFirst()
  if (!order) throw fieldError('orderId', 'unknown_reference')
  const reading = mail.reading as Reading
  const isChange = position === null && (reading.kind === 'change' || reading.kind === 'cancel')
  const count = isChange ? 1 : draftCount(asOrder(reading))
  const settled = await settledOf(ctx, id)
  if (position === null && count > 1) throw fieldError('position', 'required')
  if (position !== null && position >= count) throw fieldError('position', 'invalid_value')
  if (position !== null) refuseSaved(settled, position)
  await insertOrderOf(ctx, { mailId: id, position, orderId, isFiled: true })
  await noteFiling(ctx, mail, 'mailFiled', orderId)
  const isDone =
    position === null
      ? await isFiledWithAll(ctx, mail, [orderId, ...settled.flatMap((one) => one.orderId ?? [])])
      : settled.length + 1 >= count
  await updateMail(ctx, mail, { state: isDone ? 'saved' : 'drafted', assignedToId: actorOf(ctx).userId })
  return changedMail(ctx, id)
}

/** What a mail says, read anew before the transaction begins. Errors: `not_found`, `unavailable`. */
export async function rereadMail(ctx: Ctx, id: number): Promise<Reading> {
  return readAgain(await mailToRead(ctx, id), rulesOfSender(ctx))
}

/** Keeps a new reading. Errors: as the contract names them. */
export async function keepReading(ctx: Ctx, id: number, version: number, reading: Reading): Promise<IntakeMail> {
  const mail = await lockVersion(ctx, id, version)
  refuseSettled(mail)
  await refuseInHand(ctx, mail)
  const { customerId, summary } = await lookThrough(ctx, reading, mail.fromAddress)
  await updateMail(ctx, mail, {
    kind: reading.kind,
    reading: JSON.stringify(reading),
    summary: JSON.stringify(summary),
    customerId,
  })
  await countUses(ctx, { address: mail.fromAddress, reading, before: mail.reading as Reading })
  return changedMail(ctx, id)
}

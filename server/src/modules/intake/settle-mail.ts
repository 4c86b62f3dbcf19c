import type { IntakeMail } from '@waybill/contract/intake/intake'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { changedMail } from './intake.query.ts'
import { countOrdersOf, lockVersion, refuseSettled, updateMail, type LockedMail } from './intake.repository.ts'

/** Error: `conflict` at `assignedTo` with `mail_in_hand` where a colleague has the mail in hand. */
async function refuseInHand(ctx: Ctx, { state, assignedToId }: LockedMail): Promise<void> {
  if (state !== 'drafted' || assignedToId === actorOf(ctx).userId) return
  const other = await ctx.db.selectFrom('user').select('fullName').where('id', '=', assignedToId).executeTakeFirst()
  throw new AppError('conflict', {
    fields: [{ path: 'assignedTo', code: 'mail_in_hand', params: { name: other?.fullName ?? '' } }],
  })
}

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
  const hasOrders = (await countOrdersOf(ctx, id)) > 0
  await updateMail(ctx, mail, {
    state: hasOrders ? 'saved' : 'not_order',
    reason,
    assignedToId: mail.assignedToId ?? actorOf(ctx).userId,
  })
  return changedMail(ctx, id)
}

/** A mail that was closed without an order is worked on again. Errors: as the contract names them. */
export async function reopenMail(ctx: Ctx, id: number, version: number): Promise<IntakeMail> {
  const mail = await lockVersion(ctx, id, version)
  const isClosed = mail.state !== 'new' && mail.state !== 'drafted'
  if (!isClosed || (await countOrdersOf(ctx, id)) > 0)
    throw new AppError('conflict', { fields: [{ path: 'state', code: 'mail_settled' }] })
  await updateMail(ctx, mail, { state: 'new', reason: null, assignedToId: null })
  return changedMail(ctx, id)
}

import type { Insertable, Updateable } from 'kysely'
import { isOpenMail } from '@waybill/contract/intake/intake'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { Tables } from '../../kit/database/db.ts'
import { visibleMails } from './intake.policy.ts'
import { changedMail } from './intake.query.ts'
import './intake.table.ts'

type NewMail = Insertable<Tables['intake_mail']>

/** Keeps a mail; null where it is there already, by its Message-ID or by all that it says. */
export async function insertMail(ctx: Ctx, mail: NewMail): Promise<number | null> {
  const made = await ctx.db
    .insertInto('intake_mail')
    .values(mail)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

/** The same mail, where the caller may know of it; else null. */
export async function knownMail(
  ctx: Ctx,
  { messageId, sameKey }: { messageId: string | null; sameKey: string | null },
): Promise<number | null> {
  const found = await ctx.db
    .selectFrom('intake_mail')
    .select('id')
    .where((eb) => eb.or([eb('messageId', '=', messageId), eb('sameKey', '=', sameKey)]))
    .where(visibleMails(ctx))
    .executeTakeFirst()
  return found?.id ?? null
}

/**
 * The newest mail with the words of a pasted text, and whether the caller may know of it; null where there is none.
 * What header lines were pasted with it has to be that mail's, too.
 */
export async function mailOfWords(
  ctx: Ctx,
  pasted: { textHash: string; subject: string | null; fromAddress: string | null; sentAt: string | null },
): Promise<{ id: number; isVisible: boolean } | null> {
  let mails = ctx.db
    .selectFrom('intake_mail')
    .select(['id', visibleMails(ctx).as('isVisible')])
    .where('textHash', '=', pasted.textHash)
  for (const name of ['subject', 'fromAddress', 'sentAt'] as const) {
    const said = pasted[name]
    if (said !== null) mails = mails.where(name, '=', said)
  }
  return (await mails.orderBy('id', 'desc').limit(1).executeTakeFirst()) ?? null
}

/** A mail that the caller may change, locked until the transaction ends. Errors: `not_found`. */
export async function lockMail(ctx: Ctx, id: number) {
  const mail = await ctx.db
    .selectFrom('intake_mail')
    .select([
      'id',
      'version',
      'state',
      'assignedToId',
      'customerId',
      'text',
      'subject',
      'fromName',
      'fromAddress',
      'sentAt',
      'parts',
      'reading',
    ])
    .where('id', '=', id)
    .where(visibleMails(ctx))
    .forUpdate()
    .executeTakeFirst()
  if (!mail) throw new AppError('not_found')
  return mail
}
export type LockedMail = Awaited<ReturnType<typeof lockMail>>

/** The same at the version that was read. Errors: `not_found`, `stale_version`. */
export async function lockVersion(ctx: Ctx, id: number, version: number): Promise<LockedMail> {
  const mail = await lockMail(ctx, id)
  if (mail.version !== version) throw new AppError('stale_version', { current: await changedMail(ctx, id) })
  return mail
}

/** Refuses a mail of which nothing more is to be done. Error: `conflict` at `state` with `mail_settled`. */
export function refuseSettled({ state }: Pick<LockedMail, 'state'>): void {
  if (!isOpenMail(state)) throw new AppError('conflict', { fields: [{ path: 'state', code: 'mail_settled' }] })
}

/** Changes a locked mail. */
export async function updateMail(
  ctx: Ctx,
  { id, version }: LockedMail,
  change: Pick<
    Updateable<Tables['intake_mail']>,
    'state' | 'reason' | 'assignedToId' | 'kind' | 'reading' | 'summary' | 'customerId'
  >,
): Promise<void> {
  await ctx.db
    .updateTable('intake_mail')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .execute()
}

/** Error: `conflict` at `position` with `draft_saved`. */
export function refuseSaved(settled: readonly { position: number | null }[], position: number): void {
  if (settled.some((one) => one.position === position))
    throw new AppError('conflict', { fields: [{ path: 'position', code: 'draft_saved' }] })
}

/** Takes a mail away from the orders that it was filed with. */
export async function deleteFiled(ctx: Ctx, mailId: number): Promise<number[]> {
  const rows = await ctx.db
    .deleteFrom('intake_order')
    .where('mailId', '=', mailId)
    .where('isFiled', '=', true)
    .returning('orderId')
    .execute()
  return [...new Set(rows.map(({ orderId }) => orderId))]
}

/** Error: `conflict` at `assignedTo` with `mail_in_hand` where a colleague has the mail in hand. */
export async function refuseInHand(ctx: Ctx, { state, assignedToId }: LockedMail): Promise<void> {
  if (state !== 'drafted' || assignedToId === actorOf(ctx).userId) return
  const other = await ctx.db.selectFrom('user').select('fullName').where('id', '=', assignedToId).executeTakeFirst()
  throw new AppError('conflict', {
    fields: [{ path: 'assignedTo', code: 'mail_in_hand', params: { name: other?.fullName ?? '' } }],
  })
}

/** Says what a mail became, or which order it is about; the database refuses a second order of one draft. */
export async function insertOrderOf(
  ctx: Ctx,
  row: { mailId: number; position: number | null; orderId: number; isFiled: boolean },
): Promise<void> {
  await ctx.db
    .insertInto('intake_order')
    .values({ ...row, createdAt: nowOf(ctx), createdById: ctx.actor?.userId ?? null })
    .execute()
}

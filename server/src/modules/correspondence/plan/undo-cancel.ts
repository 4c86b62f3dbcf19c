import type { Email, OpenedEmail } from '@waybill/contract/email'
import { mayUndoCancel } from '@waybill/contract/email/may-send'
import type { Order } from '@waybill/contract/order/order'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import {
  admittedEmail,
  claimCanceled,
  emailView,
  movePlanned,
  requeueEmail,
  scheduleRendering,
  unwriteEmail,
} from '../../email/index.ts'
import { orderAsItIs } from '../../order/index.ts'
import { againstWritten, plannedAgain } from './mail-plan.rules.ts'
import { holdMails, planFactsOf, planMails } from './plan-mails.ts'

/*
 * A mail that somebody has let go comes back. One that leaves by itself is planned again, if the order calls for it as
 * it is now; one that a person wrote leaves with the words it has.
 */

type Way =
  | { way: 'plan'; dueAt: string; said: Pick<Parameters<typeof movePlanned>[2], 'variant' | 'told' | 'routeId'> }
  | { way: 'requeue' }
  | { way: 'none'; against: NonNullable<NonNullable<OpenedEmail['undo']>['against']> }

async function wayBack(ctx: Ctx, order: Order, id: number): Promise<Way> {
  const facts = await planFactsOf(ctx, order)
  const mail = facts.known.find((one) => one.id === id)
  // Copies and letters of a person are for nothing that the order counts.
  if (mail === undefined) return { way: 'requeue' }
  if (!mail.isAutomatic) {
    const against = againstWritten(facts, mail)
    return against === null ? { way: 'requeue' } : { way: 'none', against }
  }
  const again = plannedAgain(facts, mail)
  if ('against' in again) return { way: 'none', ...again }
  const { variant, told, routeId } = again.mail
  return { way: 'plan', dueAt: new Date(again.dueAt).toISOString(), said: { variant, told, routeId } }
}

/** What would become of a mail whose cancellation is undone; null of one that nobody has canceled. */
export async function undoOf(ctx: Ctx, mail: Email): Promise<OpenedEmail['undo']> {
  if (!mayUndoCancel(mail)) return null
  const order = await orderAsItIs(ctx, mail.owner.id)
  if (!order) return null
  const found = await wayBack(ctx, order, mail.id)
  if (found.way === 'none') return { against: found.against, leavesAt: null }
  return { against: null, leavesAt: found.way === 'plan' ? found.dueAt : null }
}

/**
 * Takes back that a mail was canceled. Errors: `conflict` where it was not, or is taken up by somebody else at this
 * moment, `mail_not_wanted`.
 */
export async function undoCancel(ctx: Ctx, id: number): Promise<Email> {
  const mail = await admittedEmail(ctx, id, 'write')
  if (!mayUndoCancel({ ...mail, owner: { kind: mail.ownerKind } })) throw new AppError('conflict')
  // The order first, as everywhere: what is planned here is so until it has been.
  await holdMails(ctx, mail.ownerId)
  const order = await orderAsItIs(ctx, mail.ownerId)
  if (!order || !(await claimCanceled(ctx, id))) throw new AppError('conflict')
  const found = await wayBack(ctx, order, id)
  if (found.way === 'none') throw new AppError('mail_not_wanted')
  if (found.way === 'requeue') await requeueEmail(ctx, id)
  else {
    await unwriteEmail(ctx, id)
    await movePlanned(ctx, id, { dueAt: found.dueAt, ...found.said })
    await scheduleRendering(ctx, order.id, found.dueAt)
  }
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: order.id,
    action: 'mailUncanceled',
    after: { type: mail.type },
  })
  // What waits in its place goes, and what it tells a carrier asks for what a save would ask for.
  await planMails(ctx, { before: order, after: order })
  return emailView(ctx, id)
}

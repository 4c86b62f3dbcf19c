import { sql } from 'kysely'
import {
  WRITTEN_STATUSES,
  type Email,
  type EmailType,
  type HeldReason,
  type SuppressedReason,
} from '@waybill/contract/email'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import type { JobData } from '../../kit/context/jobs.ts'
import { notHeld } from '../../kit/database/restore-hold.ts'
import { audit } from '../../kit/records/audit.ts'
import { sanitise } from '../../kit/mail/mail-html.ts'
import type { Frame } from './email.table.ts'
import { attach, messageIdOf, readyStatus, scheduleDelivery } from './queue-mail.ts'

/*
 * Mails that wait for their time. Who plans them says what each is for; their words are made when they are due, and
 * fixed then.
 */

/** A mail of an order, as it is planned. */
export interface PlannedEmail {
  orderId: number
  type: EmailType
  variant: string
  causeKey: string
  told: string | null
  routeId: number | null
  locationId: number | null
  customerId: number | null
  /** it is due then: an instant */
  dueAt: string
}

/** One that was planned, whatever became of it. */
export interface KnownEmail {
  id: number
  causeKey: string
  type: EmailType
  variant: string | null
  told: string | null
  routeId: number | null
  customerId: number | null
  notBefore: string
  isAutomatic: boolean
  status: Email['status']
  reason: Email['reason']
}

const EMPTY_FRAME: Frame = { language: 'en', sender: '', footer: [] }

/**
 * Plans mails, in the transaction that causes them; of one cause there is one, however many plan it at once. Gives the
 * ids of those that were new.
 */
export async function planEmails(ctx: Ctx, mails: readonly PlannedEmail[]): Promise<number[]> {
  if (mails.length === 0) return []
  const at = nowOf(ctx)
  const made = await ctx.db
    .insertInto('email')
    .values(
      mails.map(({ orderId, dueAt, ...mail }) => ({
        ...mail,
        ownerKind: 'order' as const,
        ownerId: orderId,
        status: 'planned' as const,
        waitsFor: 'time' as const,
        isAutomatic: true,
        to: [],
        cc: [],
        subject: '',
        html: '',
        frame: JSON.stringify(EMPTY_FRAME),
        messageId: messageIdOf(),
        lastError: null,
        notBefore: dueAt,
        createdById: ctx.actor?.userId ?? null,
        createdAt: at,
        sentAt: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return made.map(({ id }) => id)
}

/** The mails of a record in the order in which they were settled; those of before that was kept as they came. */
export const AS_SETTLED = sql`coalesce("settledAt", "createdAt"), id`

/** What the carriers of an order's routes were told, the oldest first. */
export const sentToCarriers = (ctx: Ctx, orderId: number) =>
  ctx.db
    .selectFrom('email')
    .select(['routeId', 'variant', 'told', sql<string>`coalesce("settledAt", "createdAt")`.as('toldAt')])
    .where('ownerKind', '=', 'order')
    .where('ownerId', '=', orderId)
    .where('type', '=', 'order_resolved')
    .where('causeKey', 'is not', null)
    .where('status', 'in', WRITTEN_STATUSES)
    .orderBy(AS_SETTLED)
    .execute()

/** Moves one that is still planned, or takes up one that was let go: when it is due, what it tells, of which route. */
export async function movePlanned(
  ctx: Ctx,
  id: number,
  { dueAt, variant, told, routeId }: Pick<PlannedEmail, 'dueAt' | 'variant' | 'told' | 'routeId'>,
): Promise<void> {
  await ctx.db
    .updateTable('email')
    .set({
      status: 'planned',
      waitsFor: 'time',
      reason: null,
      missing: [],
      notBefore: dueAt,
      settledAt: null,
      variant,
      told,
      routeId,
    })
    .where('id', '=', id)
    .where('status', 'in', ['planned', 'suppressed', 'held'])
    .execute()
}

/**
 * Forgets the words of one that was written and let go before it left: they are made anew when it is due. The files
 * that it would have carried stay with the order.
 */
export async function unwriteEmail(ctx: Ctx, id: number): Promise<void> {
  await ctx.db
    .updateTable('email')
    .set({ to: [], cc: [], subject: '', html: '', frame: JSON.stringify(EMPTY_FRAME), replyTo: null, hasLogo: false })
    .where('id', '=', id)
    .execute()
  await ctx.db.deleteFrom('email_attachment').where('emailId', '=', id).execute()
}

/** Hands one that was written, and let go before it left, to delivery with the words that it has. */
export async function requeueEmail(ctx: Ctx, id: number): Promise<void> {
  const at = nowOf(ctx)
  await ctx.db
    .updateTable('email')
    .set({ status: readyStatus(ctx), reason: null, notBefore: at, settledAt: at })
    .where('id', '=', id)
    .execute()
  if (ctx.ports.mailer) await scheduleDelivery(ctx, id, at)
}

/** Locks one that a person has let go; false where somebody else has taken it up. */
export async function claimCanceled(ctx: Ctx, id: number): Promise<boolean> {
  const claimed = await ctx.db
    .selectFrom('email')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'suppressed')
    .where('reason', '=', 'canceled')
    .forUpdate()
    .executeTakeFirst()
  return claimed !== undefined
}

/** Keeps another word of what one told that has left. */
export async function noteTold(ctx: Ctx, id: number, told: string): Promise<void> {
  await ctx.db.updateTable('email').set({ told }).where('id', '=', id).execute()
}

/** Lets one go that has not left, and says why. */
export async function suppressEmail(ctx: Ctx, id: number, reason: SuppressedReason): Promise<void> {
  await ctx.db
    .updateTable('email')
    .set({ status: 'suppressed', waitsFor: null, reason, settledAt: nowOf(ctx) })
    .where('id', '=', id)
    .where('status', 'in', ['planned', 'held'])
    .execute()
}

/** Keeps one back until somebody sees to what is missing. */
export async function holdEmail(ctx: Ctx, id: number, reason: HeldReason, missing: readonly string[]): Promise<void> {
  await ctx.db
    .updateTable('email')
    .set({ status: 'held', waitsFor: null, reason, missing: [...missing] })
    .where('id', '=', id)
    .where('status', '=', 'planned')
    .execute()
}

/** Keeps the words of a try at writing a mail that went wrong; gives how many there were. */
export async function noteFault(ctx: Ctx, id: number, words: string): Promise<number> {
  await ctx.db
    .insertInto('email_try')
    .values({ emailId: id, at: nowOf(ctx), isSent: false, response: words })
    .execute()
  const { count } = await ctx.db
    .selectFrom('email_try')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('emailId', '=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The words of a mail whose time has come. */
export interface FixedEmail {
  to: string[]
  subject: string
  html: string
  frame: Frame
  replyTo: string | null
  hasLogo: boolean
  told: string | null
  documentIds: number[]
}

/** Fixes the words of a planned mail and hands it to delivery, in the caller's transaction. */
export async function fixEmail(
  ctx: Ctx,
  { id, orderId, type }: { id: number; orderId: number; type: EmailType },
  { documentIds, frame, html, ...words }: FixedEmail,
): Promise<void> {
  await ctx.db
    .updateTable('email')
    .set({
      ...words,
      html: await sanitise(html),
      frame: JSON.stringify(frame),
      status: readyStatus(ctx),
      // Sent before its time, it does not wait for that; one that is late keeps its place among the others.
      notBefore: sql`least("notBefore", ${nowOf(ctx)}::timestamptz)`,
      waitsFor: null,
      reason: null,
      settledAt: nowOf(ctx),
    })
    .where('id', '=', id)
    .execute()
  await attach(ctx, id, documentIds)
  await audit(ctx, {
    ownerKind: 'order',
    ownerId: orderId,
    action: 'mailQueued',
    after: { type, to: words.to, subject: words.subject },
  })
  if (ctx.ports.mailer) await scheduleDelivery(ctx, id, nowOf(ctx))
}

/** Locks a mail that is due now and gives what it tells; undefined where it is not, or somebody else has it in hand. */
export async function claimDue(ctx: Ctx, id: number): Promise<{ told: string | null } | undefined> {
  const { rows } = await sql<{ told: string | null }>`
    select told from email where id = ${id} and status = 'planned' and "waitsFor" = 'time'
      and "notBefore" <= ${nowOf(ctx)} and ${notHeld('email', sql`email.id`)} for update skip locked
  `.execute(ctx.db)
  return rows[0]
}

export interface DueEmail extends Omit<PlannedEmail, 'dueAt'> {
  id: number
}

const dueColumns = [
  'id',
  'ownerId as orderId',
  'type',
  'variant',
  'causeKey',
  'told',
  'routeId',
  'locationId',
  'customerId',
] as const

/** One mail of an order that was planned and has no words yet, whatever it waits for; undefined where it has. */
export const plannedEmail = async (ctx: Ctx, id: number): Promise<DueEmail | undefined> =>
  (await ctx.db
    .selectFrom('email')
    .select(dueColumns)
    .where('id', '=', id)
    .where('ownerKind', '=', 'order')
    .where('causeKey', 'is not', null)
    .where('status', 'in', ['planned', 'held', 'suppressed'])
    .where('subject', '=', '')
    .executeTakeFirst()) as DueEmail | undefined

/** The mails of an order whose time has come, in the order of their time. */
export async function dueEmails(ctx: Ctx, orderId: number): Promise<DueEmail[]> {
  const rows = await ctx.db
    .selectFrom('email')
    .select(dueColumns)
    .where('ownerKind', '=', 'order')
    .where('ownerId', '=', orderId)
    .where('status', '=', 'planned')
    .where('waitsFor', '=', 'time')
    .where('notBefore', '<=', nowOf(ctx))
    .orderBy('notBefore')
    .orderBy('id')
    .execute()
  return rows as DueEmail[]
}

/** Orders that have mails whose time has come, the longest waiting first. */
export async function ordersWithDueEmails(ctx: Ctx, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select "ownerId" as id from email where status = 'planned' and "waitsFor" = 'time' and "notBefore" <= ${nowOf(ctx)}
        and ${notHeld('email', sql`email.id`)}
      group by "ownerId" order by min("notBefore"), 1 limit ${sql.lit(limit)}
  `.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** What was planned for an order that is gone goes with it. */
export async function removePlanned(ctx: Ctx, orderId: number): Promise<void> {
  await ctx.db.deleteFrom('email').where('ownerKind', '=', 'order').where('ownerId', '=', orderId).execute()
}

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    render_emails: { orderId: number }
    find_due_emails: Record<string, never>
  }
}

/** Writes the job that renders the mails of an order at a time, in the caller's transaction. */
export const scheduleRendering = (ctx: Ctx, orderId: number, dueAt: string): Promise<void> =>
  ctx.ports.jobs.enqueue(ctx, 'render_emails', { orderId } satisfies JobData['render_emails'], {
    // A later time must not stand in the way of an earlier one.
    key: `order-${orderId}-${dueAt}`,
    ...(Date.parse(dueAt) > ctx.clock.now().getTime() && { startAt: dueAt }),
  })

import { randomUUID } from 'node:crypto'
import { sql, type Insertable } from 'kysely'
import type { Email, EmailOwner, HeldReason, SuppressedReason } from '@waybill/contract/email'
import type { Language } from '@waybill/contract/errors'
import type { Tables } from '../../kit/database/db.ts'
import { audit } from '../../kit/records/audit.ts'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { escapeHtml, sanitise } from '../../kit/mail/mail-html.ts'
import type { Frame } from './email.table.ts'

/** Label and address of the button, and until when it leads anywhere. */
export interface SecretButton {
  label: string
  url: string
  expiresAt: string
}

/** What the vault seals it for: it is opened in no other mail. */
export const sealContext = (messageId: string): string => `button of ${messageId}`

type Stays =
  | { status: 'suppressed'; reason: SuppressedReason }
  | { status: 'held'; reason: HeldReason; missing: readonly string[] }

export interface NewMail {
  owner: EmailOwner
  type: Email['type']
  variant?: string | null
  /** bare addresses */
  to: string[]
  cc: string[]
  subject: string
  /** the body as written; what a mail may not hold is taken out */
  html: string
  frame: Frame
  /** a link that nobody but the recipient may see: kept sealed, put in at delivery, then forgotten (decision 015) */
  secretButton?: SecretButton
  /** files that go with it, in this order; `later`: it waits until `releaseMails` names them */
  documentIds: number[] | 'later'
  /** of one that waits: files that go behind those */
  filesBehind?: number[]
  /** of one that waits: the customer wants none of this kind, so it is let go once it could leave */
  isUnwanted?: boolean
  /** it leaves no earlier than this; at once where left out */
  notBefore?: string
  /** what of an order it is about */
  routeId?: number | null
  locationId?: number | null
  customerId?: number | null
  /** what it is for, once in its order (null: often), and what it tells: see `mail-plan.rules.ts` */
  cause?: { key: string | null; told: string }
  /** one of that cause that has not left: it becomes this one */
  inPlaceOf?: number | null
  /** a copy of one that nobody wrote: it says so to mail programs that answer by themselves */
  isAutomatic?: boolean
  /** whose it is where nobody is signed in */
  createdById?: number | null
  /** an address of ours */
  replyTo?: string | null
  /** the company's logo travels with it */
  hasLogo?: boolean
  /** whose logo that is, where neither order nor invoice says so */
  companyId?: number | null
  /** it is written although it does not go, so that somebody sees it: why not, and without which variables */
  stays?: Stays | null
}

const MAX_SUBJECT = 250
/** The files that a mail waits for, an XML and a PDF at most, stand before these. */
const FILES_BEHIND = 2

// A line break in a header would begin another one (design §9, rule 7).
const LINE_BREAK = /[\r\n\0]/

export const readyStatus = (ctx: Ctx) => (ctx.ports.mailer ? 'queued' : 'waiting')

/** The same for every try of one mail, so that a receiver recognises a second copy. */
export const messageIdOf = (): string => `<${randomUUID()}@waybill.mail>`

export async function attach(ctx: Ctx, emailId: number, documentIds: readonly number[], from = 0): Promise<void> {
  if (documentIds.length === 0) return
  await ctx.db
    .insertInto('email_attachment')
    .values(documentIds.map((documentId, index) => ({ emailId, position: from + index, documentId })))
    .execute()
}

/**
 * Writes a mail into the outbox, in the caller's transaction: it exists if that commits, and a job delivers it
 * (domain, Emails). Without a mail server it waits, and goes once there is one. Returns its id. Errors:
 * `recipient_missing`, `invalid_text`.
 */
export async function queueMail(ctx: Ctx, mail: NewMail): Promise<number> {
  if (mail.to.length === 0 && !mail.stays) throw fieldError('to', 'recipient_missing')
  if (LINE_BREAK.test(mail.subject)) throw fieldError('subject', 'invalid_text')
  for (const [path, addresses] of [
    ['to', mail.to],
    ['cc', mail.cc],
  ] as const)
    if (addresses.some((address) => LINE_BREAK.test(address))) throw fieldError(path, 'invalid_email')

  const at = nowOf(ctx)
  const notBefore = mail.notBefore ?? at
  const messageId = messageIdOf()
  const values: Insertable<Tables['email']> = {
    ownerKind: mail.owner.kind,
    ownerId: mail.owner.id,
    type: mail.type,
    variant: mail.variant ?? null,
    status: mail.stays?.status ?? (mail.documentIds === 'later' ? 'planned' : readyStatus(ctx)),
    waitsFor: mail.documentIds === 'later' ? 'document' : null,
    reason: mail.stays?.reason ?? (mail.isUnwanted ? 'preference' : null),
    missing: mail.stays?.status === 'held' ? [...mail.stays.missing] : [],
    to: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    html: await sanitise(mail.html),
    frame: JSON.stringify(mail.frame),
    messageId,
    sealedButton: mail.secretButton
      ? ctx.ports.vault.seal(JSON.stringify(mail.secretButton), sealContext(messageId))
      : null,
    causeKey: mail.cause?.key ?? null,
    told: mail.cause?.told ?? null,
    routeId: mail.routeId ?? null,
    locationId: mail.locationId ?? null,
    customerId: mail.customerId ?? null,
    isAutomatic: mail.isAutomatic ?? false,
    replyTo: mail.replyTo ?? null,
    hasLogo: mail.hasLogo ?? false,
    companyId: mail.companyId ?? null,
    lastError: null,
    notBefore,
    createdById: ctx.actor?.userId ?? mail.createdById ?? null,
    createdAt: at,
    sentAt: null,
    settledAt: mail.documentIds === 'later' || mail.stays?.status === 'held' ? null : at,
  }
  const { id } = await (mail.inPlaceOf
    ? ctx.db.updateTable('email').set(values).where('id', '=', mail.inPlaceOf).returning('id')
    : ctx.db.insertInto('email').values(values).returning('id')
  ).executeTakeFirstOrThrow()
  if (mail.documentIds === 'later') {
    // Its history is written with its last words: see `fillWaitingMails`.
    await attach(ctx, id, mail.filesBehind ?? [], FILES_BEHIND)
    return id
  }
  await attach(ctx, id, mail.documentIds)
  if (mail.stays) return id
  await noteQueued(ctx, mail)
  if (ctx.ports.mailer) await scheduleDelivery(ctx, id, notBefore)
  return id
}

const UNWANTED = 'suppressed' as const satisfies Email['status']

const noteQueued = (ctx: Ctx, { owner, type, to, subject }: Pick<NewMail, 'owner' | 'type' | 'to' | 'subject'>) =>
  audit(ctx, { ownerKind: owner.kind, ownerId: owner.id, action: 'mailQueued', after: { type, to, subject } })

/**
 * Gives the mails of a record that wait for their files the words that were not known as they were written:
 * `wordsFor` says, by language, what comes in the place of which mark. In the caller's transaction.
 */
export async function fillWaitingMails(
  ctx: Ctx,
  owner: EmailOwner,
  wordsFor: (language: Language) => readonly (readonly [mark: string, words: string])[],
): Promise<void> {
  const mails = await ctx.db
    .selectFrom('email')
    .select(['id', 'type', 'to', 'subject', 'html', 'frame', 'reason'])
    .where('ownerKind', '=', owner.kind)
    .where('ownerId', '=', owner.id)
    .where('status', '=', 'planned')
    .where('waitsFor', '=', 'document')
    .execute()
  for (const { id, type, to, frame, reason, ...mail } of mails) {
    const filled = wordsFor(frame.language).reduce(
      ({ subject, html }, [mark, words]) => ({
        subject: subject.replaceAll(mark, () => words),
        html: html.replaceAll(mark, () => escapeHtml(words)),
      }),
      mail,
    )
    const subject = filled.subject.slice(0, MAX_SUBJECT).toWellFormed()
    await ctx.db.updateTable('email').set({ subject, html: filled.html }).where('id', '=', id).execute()
    if (reason === null) await noteQueued(ctx, { owner, type, to, subject })
  }
}

/**
 * Lets the mails of a record go that wait for their files: now there are these. One that its customer does not want
 * keeps them, and stays. In the caller's transaction.
 */
export async function releaseMails(ctx: Ctx, owner: EmailOwner, documentIds: readonly number[]): Promise<void> {
  const mails = await ctx.db
    .updateTable('email')
    .set({
      status: sql`case when reason is null then ${readyStatus(ctx)} else ${UNWANTED} end`,
      waitsFor: null,
    })
    .where('ownerKind', '=', owner.kind)
    .where('ownerId', '=', owner.id)
    .where('status', '=', 'planned')
    .where('waitsFor', '=', 'document')
    .returning(['id', 'notBefore', 'status'])
    .execute()
  for (const { id, notBefore, status } of mails) {
    await attach(ctx, id, documentIds)
    if (ctx.ports.mailer && status !== UNWANTED) await scheduleDelivery(ctx, id, notBefore)
  }
}

/** Lets the mails of a record go that wait for its document: what they were about was not issued. */
export async function dropWaitingMails(ctx: Ctx, owner: EmailOwner): Promise<void> {
  await ctx.db
    .updateTable('email')
    .set({ status: 'suppressed', waitsFor: null, reason: 'overtaken' })
    .where('ownerKind', '=', owner.kind)
    .where('ownerId', '=', owner.id)
    .where('status', '=', 'planned')
    .where('waitsFor', '=', 'document')
    .execute()
}

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    deliver_email: { emailId: number }
    wake_emails: { isStart?: boolean }
  }
}

/** Writes the job that delivers a mail, in the caller's transaction. */
export const scheduleDelivery = (ctx: Ctx, emailId: number, startAt: string): Promise<void> =>
  ctx.ports.jobs.enqueue(
    ctx,
    'deliver_email',
    { emailId },
    { key: `email-${emailId}`, ...(Date.parse(startAt) > ctx.clock.now().getTime() && { startAt }) },
  )

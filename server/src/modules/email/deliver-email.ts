import { sql } from 'kysely'
import { SENT_EMAIL } from '@waybill/contract/email'
import { inTransaction, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { notHeld } from '../../kit/database/restore-hold.ts'
import { paperToken, trackingToken, uploadToken } from '../../kit/context/vault.ts'
import { linkPlacesIn, withLinks } from '../../kit/mail/link-places.ts'
import { wrapMail } from '../../kit/mail/mail-html.ts'
import type { MailError, RejectedRecipient } from '../../kit/mail/mailer.ts'
import { logoOfEmail } from './logo.query.ts'
import { scheduleDelivery, sealContext, type SecretButton } from './queue-mail.ts'
import { forgetRefusals, noteRefusals } from './refused-addresses.ts'
import type { Frame } from './email.table.ts'

// Pauses in minutes before the second try, the third …; after the last the mail has failed. About a day and a half,
// as mail servers do.
const PAUSES = [1, 5, 15, 60, 240, 720, 1080]

interface Due {
  id: number
  ownerKind: string
  ownerId: number
  customerId: number | null
  to: string[]
  cc: string[]
  subject: string
  html: string
  frame: Frame
  messageId: string
  replyTo: string | null
  isAutomatic: boolean
  hasLogo: boolean
  inReplyTo: string | null
  sealedButton: Buffer | null
  tries: number
  notBefore: string
}

// A job may be a moment early by the clock of another machine.
const EARLY_MS = 1000

const soonOf = (ctx: Ctx): string => new Date(ctx.clock.now().getTime() + EARLY_MS).toISOString()

/** Writes the job of a mail anew that is held back further than when this job was written. */
async function postpone(ctx: Ctx, id: number): Promise<void> {
  const held = await ctx.db
    .selectFrom('email')
    .select('notBefore')
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('notBefore', '>', soonOf(ctx))
    .executeTakeFirst()
  if (held) await scheduleDelivery(ctx, id, held.notBefore)
}

/**
 * The mail whose turn it is, locked until the transaction ends: a second job for it finds nothing and goes home. That
 * is what makes a job run twice send once. Those that were never tried leave in the order of their time, whichever of
 * their jobs comes first, so a job whose own mail is held back must serve another one: that one's job may have served
 * this. A repeat belongs to the job that was written for it.
 */
async function claim(ctx: Ctx, id: number): Promise<Due | undefined> {
  const now = soonOf(ctx)
  const { rows } = await sql<Due>`
    select id, "ownerKind", "ownerId", "customerId", "to", cc, subject, html, frame, "messageId", "sealedButton",
      tries, "notBefore", "replyTo", "isAutomatic", "hasLogo",
      -- the first mail of the same record to the same reader: mail programs show them together
      case when "ownerKind" = 'order' then (select first."messageId" from email first
        where first."ownerKind" = email."ownerKind" and first."ownerId" = email."ownerId"
          and first.status = ${SENT_EMAIL}
          and first."customerId" is not distinct from email."customerId"
          and (email."customerId" is not null or first."routeId" is not distinct from email."routeId")
          and first.id < email.id order by first.id limit 1) end as "inReplyTo"
    from email
    where id = coalesce(
        (select own.id from email own where own.id = ${id} and ${notHeld('email', sql`own.id`)}
          and (own.status = 'waiting' or (own.status = 'queued' and own.tries > 0 and own."notBefore" <= ${now}))),
        (select next.id from email next where next.status = 'queued' and next.tries = 0 and next."notBefore" <= ${now}
            and ${notHeld('email', sql`next.id`)}
          order by next."notBefore", next.id limit 1 for update skip locked))
      and status in ('queued', 'waiting') for update skip locked
  `.execute(ctx.db)
  return rows[0]
}

interface Outcome {
  status: 'queued' | 'waiting' | 'sent' | 'failed'
  tries: number
  lastError: string | null
  notBefore: string
  sentAt: string
  failedAt: string
  mimeSizeBytes: number | null
  /** forgotten once the mail has left, or never will */
  sealedButton: null
}

interface Attachment {
  filename: string
  contentType: string
  content: Buffer
}

/** The files that go with a mail, or the name of the first whose bytes are no longer there: no try brings them back. */
async function attachmentsOf(ctx: Ctx, id: number): Promise<{ files: Attachment[] } | { missing: string }> {
  const rows = await ctx.db
    .selectFrom('email_attachment as link')
    .innerJoin('document', 'document.id', 'link.documentId')
    .select(['document.title as filename', 'document.contentType', 'document.fileKey'])
    .where('link.emailId', '=', id)
    .orderBy('link.position')
    .execute()
  const files: Attachment[] = []
  for (const { filename, contentType, fileKey } of rows) {
    if (fileKey === null) return { missing: filename }
    try {
      files.push({ filename, contentType, content: await ctx.ports.files.read(fileKey) })
    } catch (error) {
      if (error instanceof AppError && error.code === 'file_missing') return { missing: filename }
      throw error
    }
  }
  return { files }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The logo as a part of the mail. */
async function logoPart(ctx: Ctx, id: number) {
  const png = await logoOfEmail(ctx, id)
  return png === null ? [] : [{ cid: 'logo', content: png, contentType: 'image/png' }]
}

const refusals = (rejected: readonly RejectedRecipient[]): string | null =>
  rejected.length === 0 ? null : rejected.map(({ address, response }) => `${address}: ${response}`).join('\n')

const isMailError = (error: unknown): error is MailError => error instanceof Error && error.name === 'MailError'

/**
 * The link that only the recipient sees; undefined where there is none, null where this SECRET_KEY does not open it.
 */
function buttonOf(ctx: Ctx, { sealedButton, messageId }: Due): SecretButton | undefined | null {
  if (sealedButton === null) return undefined
  const opened = ctx.ports.vault.open(sealedButton, sealContext(messageId))
  return opened === null ? null : (JSON.parse(opened) as SecretButton)
}

/** By their rows. */
interface SentLinks {
  uploadLinkIds: number[]
  trackingLinkIds: number[]
}

declare module '../../kit/context/events.ts' {
  interface Events {
    /** links of these rows have left with a mail */
    'email.linksSent': SentLinks
  }
}

/** Upload links of the order that the mail is about, or of the carrier in the orders of its invoice. */
async function uploadLinksFor(ctx: Ctx, { html, ownerKind, ownerId }: Due): Promise<Map<number, string>> {
  const places = linkPlacesIn(html, 'upload')
  if (places.length === 0 || (ownerKind !== 'order' && ownerKind !== 'invoice')) return new Map()
  const links = await ctx.db
    .selectFrom('upload_link')
    .select(['id', 'assignmentId', 'nonce', 'tokenHash'])
    .where('id', 'in', places)
    .where(
      ownerKind === 'order'
        ? sql<boolean>`"orderId" = ${ownerId}`
        : sql<boolean>`exists (select 1 from invoice i join invoice_order link on link."invoiceId" = i.id
            where i.id = ${ownerId} and link."orderId" = upload_link."orderId"
              and i."carrierCompanyId" = upload_link."carrierCompanyId")`,
    )
    .execute()
  return new Map(links.map((link) => [link.id, uploadToken(ctx.ports.vault, link)]))
}

/** Links for new papers of the carrier that the mail is for. */
async function paperLinksFor(ctx: Ctx, { html, ownerKind, ownerId }: Due): Promise<Map<number, string>> {
  const places = linkPlacesIn(html, 'paper')
  if (places.length === 0 || ownerKind !== 'carrierCompany') return new Map()
  const links = await ctx.db
    .selectFrom('paper_link')
    .select(['id', 'carrierCompanyId', 'documentType', 'nonce', 'tokenHash'])
    .where('id', 'in', places)
    .where('carrierCompanyId', '=', ownerId)
    .execute()
  const { vault } = ctx.ports
  return new Map(links.map((link) => [link.id, paperToken(vault, [link.carrierCompanyId, link.documentType], link)]))
}

/** Tracking links of the order and of the customer that the mail is for. */
async function trackingLinksFor(ctx: Ctx, { html, ownerKind, ownerId, customerId }: Due): Promise<Map<number, string>> {
  const places = linkPlacesIn(html, 'tracking')
  if (places.length === 0 || ownerKind !== 'order' || customerId === null) return new Map()
  const links = await ctx.db
    .selectFrom('tracking_link')
    .select(['id', 'orderId', 'customerId', 'nonce', 'tokenHash'])
    .where('id', 'in', places)
    .where('orderId', '=', ownerId)
    .where('customerId', '=', customerId)
    .execute()
  const { vault } = ctx.ports
  return new Map(links.map((link) => [link.id, trackingToken(vault, [link.orderId, link.customerId], link)]))
}

/** The body with the links that it names by their places: who writes another's place gets nothing of it. */
async function linked(ctx: Ctx, mail: Due): Promise<{ html: string; links: SentLinks }> {
  const [uploads, trackings] = [await uploadLinksFor(ctx, mail), await trackingLinksFor(ctx, mail)]
  const html = withLinks(withLinks(mail.html, 'upload', uploads), 'tracking', trackings)
  return {
    html: withLinks(html, 'paper', await paperLinksFor(ctx, mail)),
    links: { uploadLinkIds: [...uploads.keys()], trackingLinkIds: [...trackings.keys()] },
  }
}

/**
 * One try. The connection to the mail server is made while the row is locked, and the outcome is written before the
 * lock goes: only a crash between the server's word and our commit can send twice, under the same Message-ID.
 */
async function deliver(ctx: Ctx, jobFor: number): Promise<void> {
  await postpone(ctx, jobFor)
  const mail = await claim(ctx, jobFor)
  if (!mail) return
  const { id: emailId } = mail
  const { mailer } = ctx.ports
  const change = (values: Partial<Outcome>) =>
    ctx.db.updateTable('email').set(values).where('id', '=', emailId).execute()
  const fail = (tries: number, lastError: string) =>
    change({ status: 'failed', tries, lastError, failedAt: nowOf(ctx), sealedButton: null })
  if (!mailer) {
    await change({ status: 'waiting' })
    return
  }
  const tries = mail.tries + 1
  const button = buttonOf(ctx, mail)
  if (button === null) {
    await fail(mail.tries, 'SECRET_KEY was changed: please send a new one')
    return
  }
  // It waited too long, for a mail server or for a receiver: a link that leads nowhere helps nobody.
  if (button && Date.parse(button.expiresAt) <= ctx.clock.now().getTime()) {
    await fail(mail.tries, 'The link has expired: please send a new one')
    return
  }
  const attachments = await attachmentsOf(ctx, emailId)
  if ('missing' in attachments) {
    await fail(mail.tries, `The attachment ${attachments.missing} is missing: please write a new mail`)
    return
  }
  const record = (isSent: boolean, response: string) =>
    ctx.db
      .insertInto('email_try')
      .values({ emailId, at: nowOf(ctx), isSent, response })
      .execute()
  try {
    const body = await linked(ctx, mail)
    const { html, text } = await wrapMail({
      ...mail.frame,
      title: mail.subject,
      html: body.html,
      ...(button && { button }),
    })
    const { to, cc, subject, messageId, replyTo, inReplyTo, isAutomatic } = mail
    const delivery = await mailer.send({
      to,
      cc,
      subject,
      html,
      text,
      messageId,
      replyTo,
      inReplyTo,
      isAutomatic,
      ...(mail.frame.sender && { fromName: oneLine(mail.frame.sender) }),
      attachments: attachments.files,
      parts: mail.hasLogo ? await logoPart(ctx, emailId) : [],
    })
    await record(true, delivery.response)
    await noteRefusals(ctx, delivery.rejected)
    await forgetRefusals(ctx, delivery.accepted)
    // Accepted for some: it is on its way, and who was refused stays visible.
    await change({
      status: 'sent',
      tries,
      lastError: refusals(delivery.rejected),
      sentAt: nowOf(ctx),
      mimeSizeBytes: delivery.sizeBytes,
      sealedButton: null,
    })
    if (body.html !== mail.html) await tell(ctx, { type: 'email.linksSent', ...body.links })
  } catch (error) {
    if (!isMailError(error)) throw error
    const said = refusals(error.rejected) ?? error.message
    await record(false, said)
    await noteRefusals(ctx, error.rejected)
    const pause = PAUSES[tries - 1]
    if (!error.transient || pause === undefined) {
      await fail(tries, said)
      return
    }
    const notBefore = new Date(ctx.clock.now().getTime() + pause * 60_000).toISOString()
    await change({ status: 'queued', tries, lastError: said, notBefore })
    await scheduleDelivery(ctx, emailId, notBefore)
  }
}

export const deliverEmail: JobDefinition<'deliver_email'> = {
  handle: (ctx, { emailId }) => inTransaction(ctx, (inner) => deliver(inner, emailId)),
  concurrency: 2,
}

// A mail in hand is locked, and of the jobs of one only one waits: none of this sends twice. But what fails for want of
// the store would gather jobs if this came often.
const LOST_AFTER_MS = 10 * 60_000
const MOST_WOKEN = 1000

/** One transaction's worth of them behind `after`; the last one's id, null where no more are left. */
async function wakeSome(ctx: Ctx, lostBefore: string, after: number): Promise<number | null> {
  const { rows } = await sql<{ id: number; notBefore: string }>`
    update email set status = 'queued' where id in (
      select id from email where id > ${after} and ${notHeld('email', sql`email.id`)}
          and (status = 'waiting' or (status = 'queued' and "notBefore" <= ${lostBefore}))
        order by id limit ${MOST_WOKEN} for update skip locked
    ) returning id, "notBefore"
  `.execute(ctx.db)
  for (const { id, notBefore } of rows) await scheduleDelivery(ctx, id, notBefore)
  if (rows.length > 0) ctx.log.info({ mails: rows.length }, 'woke mails')
  return rows.length < MOST_WOKEN ? null : Math.max(...rows.map(({ id }) => id))
}

/**
 * Gives a job to every mail that has none: those that waited for a mail server, once there is one, and those whose
 * job was lost (a restored database). At the start those, too, that were in hand when the server was killed: their
 * jobs count as running for minutes. A mail whose job still waits gets no second one.
 */
export const wakeEmails: JobDefinition<'wake_emails'> = {
  async handle(ctx, { isStart = false }) {
    if (!ctx.ports.mailer) return
    const lostBefore = new Date(ctx.clock.now().getTime() - (isStart ? 0 : LOST_AFTER_MS)).toISOString()
    let after: number | null = 0
    while (after !== null) {
      const behind: number = after
      after = await inTransaction(ctx, (inner) => wakeSome(inner, lostBefore, behind))
    }
  },
  timetable: { cron: '*/10 * * * *', data: {}, atStart: { isStart: true } },
}

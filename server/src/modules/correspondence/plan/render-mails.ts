import { sql } from 'kysely'
import type { CopyPart, HeldReason, SuppressedReason } from '@waybill/contract/email'
import { EMAIL_RULES, POD_REFUSED } from '@waybill/contract/email/email-rules'
import type { Language } from '@waybill/contract/errors'
import type { TemplateWrite } from '@waybill/contract/email/template'
import { variablesOfLine } from '@waybill/contract/kit/rich-text'
import { variablesOfBlocks } from '@waybill/contract/mail-blocks'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { inTransaction, type Ctx } from '../../../kit/context/context.ts'
import { LOGO_SOURCE } from '../../../kit/mail/mail-html.ts'
import type { JobDefinition } from '../../../kit/context/jobs.ts'
import { removeStray, storeDocument } from '../../document/index.ts'
import {
  claimDue,
  dueEmails,
  fixEmail,
  holdEmail,
  noteFault,
  ordersWithDueEmails,
  plannedEmail,
  scheduleRendering,
  suppressEmail,
  type DueEmail,
  type FixedEmail,
} from '../../email/index.ts'
import { textToSend } from '../../mail-template/index.ts'
import { orderAsItIs, withdrawalReason } from '../../order/index.ts'
import { makeTrackingLinkFor } from '../../tracking-link/index.ts'
import { makeLinkFor } from '../../upload-link/index.ts'
import { drawTransportOrder, type KeptPaper } from '../generate-order-paper.ts'
import { footerLines, orderMailData, type MailSubject } from '../mail/mail-data.mail.ts'
import {
  isWanted,
  mailFactsOf,
  trackingPlaceOf,
  uploadPlaceToBe,
  withoutAddress,
  type MailFacts,
} from '../mail/mail-facts.query.ts'
import { mailText } from '../mail/mail-text.mail.ts'
import { podsTold, reasonAgainst, refusalTold } from './mail-plan.rules.ts'
import { planFactsOf } from './plan-mails.ts'
import { carrierTold, partsThatDiffer, readCarrierTold, toldTo } from '../mail/carrier-told.rules.ts'

/** A mail as it would leave at this moment, and what speaks against it. */
export interface Composed {
  /** the department sends mails of this type by itself */
  isOn: boolean
  /** the customer wants to hear of this */
  isWanted: boolean
  to: string | null
  /** the contact person who has no address, where it is for one */
  withoutAddress: { id: number; title: string } | null
  /** what has no value and no other words in its place */
  holes: string[]
  words: Omit<FixedEmail, 'to' | 'documentIds'>
  language: Language
  /** the route whose transport order goes with it */
  paperOf: OrderRoute | null
  /** the customer whose tracking link the text speaks of and who has none */
  untracked: number | null
}

type Outcome =
  | { kind: 'suppress'; reason: SuppressedReason }
  | { kind: 'hold'; reason: HeldReason; missing: string[] }
  | { kind: 'fix'; words: Omit<FixedEmail, 'documentIds'>; documentIds: number[]; paper: KeptPaper | null }

const TRIES = 5

/** The order moved on while its mail was being written: it is written anew. */
class MovedOn extends Error {}

/** Who hears it, in which language, and what of the order it is about. */
function addressed(order: Order, facts: MailFacts, mail: DueEmail): { subject: MailSubject; to: string | null } {
  const route = order.routes.find(({ id }) => id === mail.routeId) ?? null
  const stop = order.locations.find(({ id }) => id === mail.locationId) ?? null
  if (mail.variant === POD_REFUSED) {
    const carrier = facts.carriers.find(({ id }) => id === route?.assignment?.carrierCompanyId)
    const refusal = refusalTold(mail.told)
    return {
      subject: { order, facts, reader: null, route, stop, language: carrier?.language ?? 'en', told: null, refusal },
      to: route?.assignment?.disponentEmail ?? null,
    }
  }
  if (EMAIL_RULES[mail.type].receiver === 'disponent') {
    const told = readCarrierTold(mail.told)
    return {
      subject: { order, facts, reader: null, route, stop, language: told?.language ?? 'en', told },
      to: told?.email ?? null,
    }
  }
  const reader = facts.readers.find(({ customerId }) => customerId === mail.customerId) ?? null
  return {
    subject: { order, facts, reader, route, stop, language: reader?.language ?? 'en', told: null },
    to: reader?.contact?.email ?? null,
  }
}

/** A mail to a carrier keeps whom it told, so that a withdrawal reaches the same person later. */
function withCarrier(order: Order, facts: MailFacts, mail: DueEmail): DueEmail {
  if (mail.type !== 'order_resolved' || mail.variant === 'withdrawn') return mail
  const route = order.routes.find(({ id }) => id === mail.routeId)
  const carrier = facts.carriers.find(({ id }) => id === route?.assignment?.carrierCompanyId)
  if (!route?.assignment || !carrier) return mail
  const told = carrierTold(order, route, route.assignment, carrier)
  // Without an address on record a change goes where the transport order went.
  const before = route.assignment.disponentEmail === null ? (readCarrierTold(mail.told)?.email ?? null) : null
  return { ...mail, told: before === null ? told : toldTo(told, [before]) }
}

/** What differs between what a carrier was told before and is told now. */
function changesOf(before: string | null, now: string | null): CopyPart[] {
  const [was, is] = [readCarrierTold(before), readCarrierTold(now)]
  return was === null || is === null ? [] : partsThatDiffer(was, is.copy)
}

/** True of a mail that asks the carrier for its papers. */
const carriesLink = ({ type, variant }: Pick<DueEmail, 'type' | 'variant'>): boolean =>
  variant === POD_REFUSED || (type === 'order_resolved' && variant !== 'withdrawn')

const isWithdrawal = ({ type, variant }: Pick<DueEmail, 'type' | 'variant'>): boolean =>
  type === 'order_resolved' && variant === 'withdrawn'

/** True of a text that speaks of the tracking link, in its words or by a button. */
const mentionsTracking = ({ subject, blocks }: Pick<TemplateWrite, 'subject' | 'blocks'>): boolean =>
  blocks.some((block) => block.kind === 'button' && block.target === 'tracking_link') ||
  [...variablesOfLine(subject, []), ...variablesOfBlocks(blocks, [])].some(({ key }) => key === 'link.tracking')

/** Puts a mail together from the order as it is now. Nothing is written. */
export async function composeMail(ctx: Ctx, order: Order, planned: DueEmail): Promise<Composed> {
  const facts = await mailFactsOf(ctx, order)
  const mail = withCarrier(order, facts, planned)
  const isChange = mail.type === 'order_resolved' && mail.variant === 'changed'
  const changes = isChange ? changesOf(planned.told, mail.told) : []
  const { subject, to } = addressed(order, facts, mail)
  const withdrawnFor = isWithdrawal(mail) ? await withdrawalReason(ctx, order.id, mail.routeId) : null
  const { type, variant } = mail
  const { text } = (await textToSend(ctx, order.departmentId, {
    type,
    variant,
    name: null,
    language: subject.language,
  }))!
  const uploadUrl = carriesLink(mail) ? uploadPlaceToBe(ctx, facts, subject.route) : null
  const said = mailText(text, orderMailData({ ...subject, changes, uploadUrl, withdrawnFor }), subject.language)
  const { department, caseWorker, us } = facts
  const customerId = subject.reader?.customerId ?? null
  return {
    isOn: text.isOn,
    isWanted: isWanted(type, subject.reader),
    to,
    withoutAddress: to === null ? withoutAddress(subject.reader) : null,
    holes: said.holes,
    language: subject.language,
    paperOf: type === 'order_resolved' && variant !== 'withdrawn' ? subject.route : null,
    untracked: mentionsTracking(text) && trackingPlaceOf(facts, subject.reader) === null ? customerId : null,
    words: {
      subject: said.subject,
      html: said.html,
      frame: { language: subject.language, sender: us.title, footer: footerLines(facts) },
      replyTo:
        (text.replyTo === 'department' ? department.email : null) ?? caseWorker?.email ?? department.email ?? us.email,
      hasLogo: said.html.includes(LOGO_SOURCE),
      told: mail.told,
    },
  }
}

/** The same for a mail that is about to leave: a link is made with the mail that brings it. */
export async function composeToSend(ctx: Ctx, order: Order, planned: DueEmail): Promise<Composed> {
  const route = order.routes.find(({ id }) => id === planned.routeId)
  if (route && carriesLink(planned)) await makeLinkFor(ctx, order, route)
  const composed = await composeMail(ctx, order, planned)
  if (composed.untracked === null) return composed
  await makeTrackingLinkFor(ctx, order, composed.untracked)
  return composeMail(ctx, order, planned)
}

/** The files that go with a composed mail: what was accepted, and the transport order, drawn anew. */
export async function filesFor(ctx: Ctx, order: Order, mail: DueEmail, { paperOf, language }: Composed) {
  return {
    documentIds: mail.type === 'pods' ? podsTold(mail.told) : [],
    paper: paperOf === null ? null : await drawTransportOrder(ctx, order, paperOf, language),
  }
}

/** What becomes of a due mail, with everything slow done: nothing is written yet. */
async function decide(ctx: Ctx, order: Order, mail: DueEmail): Promise<Outcome> {
  const reason = reasonAgainst(await planFactsOf(ctx, order), mail)
  if (reason !== null) return { kind: 'suppress', reason }
  const composed = await composeToSend(ctx, order, mail)
  const { to, holes, words } = composed
  if (!composed.isOn) return { kind: 'suppress', reason: 'typeOff' }
  if (!composed.isWanted) return { kind: 'suppress', reason: 'preference' }
  if (to === null)
    return EMAIL_RULES[mail.type].withoutAddress === 'held'
      ? { kind: 'hold', reason: 'noAddress', missing: [] }
      : { kind: 'suppress', reason: 'noAddress' }
  if (holes.length > 0) return { kind: 'hold', reason: 'valueMissing', missing: holes }
  return { kind: 'fix', words: { ...words, to: [to] }, ...(await filesFor(ctx, order, mail, composed)) }
}

/** Locks the order as it was read, so that a save that is about to change it waits, and plans anew afterwards. */
async function lockAsRead(ctx: Ctx, { id, version }: Order): Promise<void> {
  const { rows } = await sql<{ version: number }>`select version from "order" where id = ${id} for share`.execute(
    ctx.db,
  )
  if (rows[0]?.version !== version) throw new MovedOn()
}

/** Fixes the words of a mail with its files, in the caller's transaction. */
export async function fixWithFiles(
  ctx: Ctx,
  mail: DueEmail,
  { words, documentIds, paper }: Extract<Outcome, { kind: 'fix' }>,
): Promise<void> {
  const made =
    paper === null
      ? []
      : [
          await storeDocument(ctx, {
            owner: { kind: 'order', id: mail.orderId },
            documentType: 'ORDER_RESOLVED_DOCUMENT',
            title: paper.title,
            contentType: 'application/pdf',
            kept: paper.kept,
            orderCarrier: paper.assignmentId,
            source: paper.source,
          }),
        ]
  await fixEmail(ctx, mail, { ...words, documentIds: [...documentIds, ...made] })
}

/** What a mail is about may have been planned anew while it was written: a proof of delivery more, another driver. */
export function expectAsWritten({ told }: DueEmail, now: { told: string | null }): void {
  if (told !== now.told) throw new MovedOn()
}

async function write(ctx: Ctx, mail: DueEmail, outcome: Outcome): Promise<boolean> {
  const claimed = await claimDue(ctx, mail.id)
  if (!claimed) return false
  expectAsWritten(mail, claimed)
  if (outcome.kind === 'suppress') await suppressEmail(ctx, mail.id, outcome.reason)
  else if (outcome.kind === 'hold') await holdEmail(ctx, mail.id, outcome.reason, outcome.missing)
  else await fixWithFiles(ctx, mail, outcome)
  return true
}

/** What `work` makes of the order as it is, anew while somebody saves it in between. */
export async function onOrderAsItIs<Made extends { paper?: KeptPaper | null }>(
  ctx: Ctx,
  orderId: number,
  compose: (order: Order) => Promise<Made>,
  keep: (inner: Ctx, order: Order, made: Made) => Promise<boolean>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const order = await orderAsItIs(ctx, orderId)
    if (!order) return false
    const made = await compose(order)
    const dropPaper = async () => {
      if (made.paper) await removeStray(ctx, made.paper.kept.fileKey)
    }
    try {
      const isKept = await inTransaction(ctx, async (inner) => {
        await lockAsRead(inner, order)
        return keep(inner, order, made)
      })
      if (!isKept) await dropPaper()
      return isKept
    } catch (error) {
      await dropPaper()
      if (!(error instanceof MovedOn) || attempt === TRIES) throw error
    }
  }
}

/** Renders one due mail: slow work first, without a connection; then one short transaction. */
const renderMail = (ctx: Ctx, mail: DueEmail): Promise<boolean> =>
  onOrderAsItIs(
    ctx,
    mail.orderId,
    async (order) => {
      const planned = (await plannedEmail(ctx, mail.id)) ?? mail
      const outcome = await decide(ctx, order, planned)
      return { planned, outcome, paper: outcome.kind === 'fix' ? outcome.paper : null }
    },
    (inner, _order, { planned, outcome }) => write(inner, planned, outcome),
  )

/** The job comes back at least once a minute. */
const MOST_FAULTS = 10
const MOST_WORDS = 500

/** Somebody must see to a mail that cannot be written again and again: it waits for them, with the words. */
async function keepFault(ctx: Ctx, id: number, error: unknown): Promise<void> {
  const words = (error instanceof Error ? error.message : String(error)).slice(0, MOST_WORDS).toWellFormed()
  if ((await noteFault(ctx, id, words)) >= MOST_FAULTS) await holdEmail(ctx, id, 'notWritten', [])
}

/** Makes the mails of an order whose time has come, and hands them to delivery. */
export const renderEmails: JobDefinition<'render_emails'> = {
  async handle(ctx, { orderId }) {
    const faults: unknown[] = []
    for (const mail of await dueEmails(ctx, orderId)) {
      try {
        await renderMail(ctx, mail)
      } catch (error) {
        // It stands in the way of no other mail; the job comes back to it.
        faults.push(error)
        if (!(error instanceof MovedOn)) await keepFault(ctx, mail.id, error)
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, 'mails of an order that cannot be written')
  },
  concurrency: 2,
}

const MOST_ORDERS = 1000

/** Finds mails whose job was lost, as after a restored database. */
export const findDueEmails: JobDefinition<'find_due_emails'> = {
  async handle(ctx) {
    const now = ctx.clock.now().toISOString()
    for (const orderId of await ordersWithDueEmails(ctx, MOST_ORDERS)) await scheduleRendering(ctx, orderId, now)
  },
  timetable: { cron: '* * * * *', data: {}, atStart: {} },
}

import { sql } from 'kysely'
import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { Language } from '@waybill/contract/errors'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { inTransaction, type Ctx } from '../../../kit/context/context.ts'
import type { JobDefinition } from '../../../kit/context/jobs.ts'
import { removeStray, storeDocument, type KeptFile } from '../../document/index.ts'
import {
  claimDue,
  dueEmails,
  fixEmail,
  holdEmail,
  ordersWithDueEmails,
  scheduleRendering,
  suppressEmail,
  type DueEmail,
} from '../../email/index.ts'
import { textToSend } from '../../mail-template/index.ts'
import { orderAsItIs } from '../../order/index.ts'
import { drawTransportOrder } from '../generate-order-paper.ts'
import { footerLines, orderMailData, type MailSubject } from '../mail/mail-data.builder.ts'
import { mailFactsOf, type MailFacts } from '../mail/mail-facts.query.ts'
import { mailText } from '../mail/mail-text.builder.ts'
import { podsTold, reasonAgainst } from './mail-plan.rules.ts'
import { planFactsOf } from './plan-mails.ts'
import { carrierTold, readCarrierTold } from './carrier-told.ts'

type Outcome =
  | { kind: 'suppress'; reason: Parameters<typeof suppressEmail>[2] }
  | { kind: 'hold'; reason: Parameters<typeof holdEmail>[2]; missing: string[] }
  | {
      kind: 'fix'
      words: Omit<Parameters<typeof fixEmail>[2], 'documentIds'>
      documentIds: number[]
      paper: Paper | null
    }

/** A transport order that was drawn for this mail and lies in the store; no row names it yet. */
interface Paper {
  title: string
  kept: KeptFile
  assignmentId: number
}

const TRIES = 5

/** The order moved on while its mail was being written: it is written anew. */
class MovedOn extends Error {}

interface Addressed {
  subject: MailSubject
  to: string | null
}

/** Who hears it, in which language, and what of the order it is about. */
function addressed(order: Order, facts: MailFacts, mail: DueEmail): Addressed {
  const route = order.routes.find(({ id }) => id === mail.routeId) ?? null
  const stop = order.locations.find(({ id }) => id === mail.locationId) ?? null
  if (EMAIL_RULES[mail.type].receiver === 'disponent') {
    const told = readCarrierTold(mail.told)
    const carrier = facts.carriers.find(({ id }) => id === told?.carrierCompanyId)
    const language: Language = told?.language ?? carrier?.language ?? 'en'
    return { subject: { order, facts, reader: null, route, stop, language, told }, to: told?.email ?? null }
  }
  const reader = facts.readers.find(({ customerId }) => customerId === mail.customerId) ?? null
  return {
    subject: { order, facts, reader, route, stop, language: reader?.language ?? 'en', told: null },
    to: reader?.contact?.email ?? null,
  }
}

/** What becomes of a due mail, with everything slow done: nothing is written yet. */
async function decide(ctx: Ctx, order: Order, mail: DueEmail): Promise<Outcome> {
  const reason = reasonAgainst(await planFactsOf(ctx, order), mail)
  if (reason !== null) return { kind: 'suppress', reason }
  const facts = await mailFactsOf(ctx, order)
  const { subject, to } = addressed(order, facts, withCarrier(order, facts, mail))
  const { preference, withoutAddress } = EMAIL_RULES[mail.type]
  const template = await textToSend(ctx, order.departmentId, {
    type: mail.type,
    variant: mail.variant,
    name: null,
    language: subject.language,
  })
  if (template === null || !template.text.isOn) return { kind: 'suppress', reason: 'typeOff' }
  if (preference !== null && subject.reader !== null && !subject.reader.emailPreferences[preference])
    return { kind: 'suppress', reason: 'preference' }
  if (to === null)
    return withoutAddress === 'held'
      ? { kind: 'hold', reason: 'noAddress', missing: [] }
      : { kind: 'suppress', reason: 'noAddress' }
  const data = orderMailData(subject)
  const said = mailText(template.text, data, subject.language)
  if (said.holes.length > 0) return { kind: 'hold', reason: 'valueMissing', missing: said.holes }
  const paper = await paperFor(ctx, order, mail, subject)
  const replyTo =
    template.text.replyTo === 'department' && facts.department.email !== null
      ? facts.department.email
      : (facts.caseWorker?.email ?? facts.department.email ?? facts.us.email)
  return {
    kind: 'fix',
    paper,
    documentIds: mail.type === 'pods' ? podsTold(mail.told) : [],
    words: {
      to: [to],
      subject: said.subject,
      html: said.html,
      frame: { language: subject.language, sender: facts.us.title, footer: footerLines(facts) },
      replyTo,
      hasLogo: said.html.includes('cid:logo'),
      told: withCarrier(order, facts, mail).told,
    },
  }
}

/** A mail to a carrier keeps whom it told, so that a withdrawal reaches the same person later. */
function withCarrier(order: Order, facts: MailFacts, mail: DueEmail): DueEmail {
  if (mail.type !== 'order_resolved' || mail.variant === 'withdrawn') return mail
  const route = order.routes.find(({ id }) => id === mail.routeId)
  const carrier = facts.carriers.find(({ id }) => id === route?.assignment?.carrierCompanyId)
  return route?.assignment && carrier ? { ...mail, told: carrierTold(route.assignment, carrier) } : mail
}

async function paperFor(
  ctx: Ctx,
  order: Order,
  mail: DueEmail,
  { route, language }: MailSubject,
): Promise<Paper | null> {
  if (mail.type !== 'order_resolved' || mail.variant === 'withdrawn' || route === null) return null
  return drawTransportOrder(ctx, order, route as OrderRoute, language)
}

async function write(ctx: Ctx, order: Order, mail: DueEmail, outcome: Outcome): Promise<void> {
  // The order first, as saves lock it: one that is about to change what is written here waits, and plans anew then.
  const { rows } = await sql<{ version: number }>`
    select version from "order" where id = ${order.id} for share`.execute(ctx.db)
  if (rows[0]?.version !== order.version) throw new MovedOn()
  if (!(await claimDue(ctx, mail.id))) {
    if (outcome.kind === 'fix' && outcome.paper) await removeStray(ctx, outcome.paper.kept.fileKey)
    return
  }
  if (outcome.kind === 'suppress') return suppressEmail(ctx, mail.id, outcome.reason)
  if (outcome.kind === 'hold') return holdEmail(ctx, mail.id, outcome.reason, outcome.missing)
  const { paper, words } = outcome
  const documentIds = [...outcome.documentIds]
  if (paper !== null)
    documentIds.push(
      await storeDocument(ctx, {
        owner: { kind: 'order', id: order.id },
        documentType: 'ORDER_RESOLVED_DOCUMENT',
        title: paper.title,
        contentType: 'application/pdf',
        kept: paper.kept,
        orderCarrier: paper.assignmentId,
      }),
    )
  await fixEmail(ctx, mail, { ...words, documentIds })
}

/** Renders one due mail: slow work first, without a connection; then one short transaction. */
async function renderMail(ctx: Ctx, mail: DueEmail): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const order = await orderAsItIs(ctx, mail.orderId)
    if (!order) return
    const outcome = await decide(ctx, order, mail)
    try {
      return await inTransaction(ctx, (inner) => write(inner, order, mail, outcome))
    } catch (error) {
      if (outcome.kind === 'fix' && outcome.paper) await removeStray(ctx, outcome.paper.kept.fileKey)
      if (!(error instanceof MovedOn) || attempt === TRIES) throw error
    }
  }
}

/** Makes the mails of an order whose time has come, and hands them to delivery. */
export const renderEmails: JobDefinition<'render_emails'> = {
  async handle(ctx, { orderId }) {
    for (const mail of await dueEmails(ctx, orderId)) await renderMail(ctx, mail)
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

import type { z } from 'zod'
import { INVOICE_PROBLEM } from '@waybill/contract/email/email-rules'
import type { getProblemMail, InvoiceCheck, ProblemKind } from '@waybill/contract/invoice/checking'
import type { Language } from '@waybill/contract/errors'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { LOGO_SOURCE, sanitise } from '../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { queueMail } from '../email/index.ts'
import { checkInvoice, drivenRoute, type ProblemMail } from '../invoice/index.ts'
import { textToSend } from '../mail-template/index.ts'
import { orderAsItIs } from '../order/index.ts'
import { entrustInvoice, makeLinkFor } from '../upload-link/index.ts'
import { replyToOf } from './by-hand/mail-page.ts'
import { footerLines, money, orderMailData, type MailSubject } from './mail/mail-data.mail.ts'
import { mailFactsOf, uploadPlaceOf } from './mail/mail-facts.query.ts'
import { mailText } from './mail/mail-text.mail.ts'

const REASONS = textsOf('invoice-problem')

interface About {
  orderId: number
  routeId: number
  /** of the carrier's invoice */
  number: string
}

/** The department's text about a problem, with what it speaks of. Error: `not_found` where the transport has gone. */
async function subjectOf(ctx: Ctx, { orderId, routeId, number }: About) {
  const order = await orderAsItIs(ctx, orderId)
  const route = order?.routes.find(({ id }) => id === routeId)
  if (!order || !route) throw new AppError('not_found')
  const facts = await mailFactsOf(ctx, order)
  const carrier = facts.carriers.find(({ id }) => id === route.assignment?.carrierCompanyId)
  const language: Language = carrier?.language ?? 'en'
  const { text } = (await textToSend(ctx, order.departmentId, {
    type: 'other_emails',
    variant: INVOICE_PROBLEM,
    name: null,
    language,
  }))!
  const wordsFor = (reason: string) => {
    const subject: MailSubject = { order, facts, reader: null, route, stop: null, language, told: null }
    const problem = { invoice: number, reason }
    return mailText(text, orderMailData({ ...subject, problem, uploadUrl: uploadPlaceOf(facts, route) }), language)
  }
  return { order, route, facts, language, text, wordsFor }
}

/** What is wrong, in the carrier's language; of an account its last four digits alone. */
function reasonFor({ checks }: InvoiceCheck, kind: ProblemKind, language: Language): string {
  const words = REASONS[language]
  const amount = checks.find(({ key }) => key === 'amount')!
  const { agreedCents } = amount.expected.values
  const found = money(amount.found as number, language)!
  if (kind === 'amount' && typeof agreedCents !== 'number') return filled(words.amountOpen, { found })
  const account = String(checks.find(({ key }) => key === 'iban')?.found ?? '').slice(-4) || '–'
  const agreed = typeof agreedCents === 'number' ? money(agreedCents, language)! : ''
  return filled(words[kind], { found, agreed, account })
}

/** The mail about a problem of this kind, as it would be sent; nothing is written. Error: `not_found`. */
export async function problemMail(
  ctx: Ctx,
  invoiceId: number,
  kind: ProblemKind,
): Promise<z.input<(typeof getProblemMail)['reply']>> {
  const check = await checkInvoice(ctx, invoiceId)
  const route = await drivenRoute(ctx, invoiceId)
  if (route === null) return { mail: null }
  const about = { orderId: route.orderId, routeId: route.id, number: check.number ?? check.innerNumber }
  const { route: driven, language, wordsFor } = await subjectOf(ctx, about)
  const text = reasonFor(check, kind, language)
  const { subject, html } = wordsFor(text)
  return {
    mail: { to: driven.assignment?.disponentEmail ?? null, language, subject, text, html: await sanitise(html) },
  }
}

/** Reaction to `invoice.problem`: the mail to the carrier, with its upload link, in the same transaction. */
export async function queueProblemMail(
  ctx: Ctx,
  { invoiceId, orderId, routeId, number, mail }: About & { invoiceId: number; mail: ProblemMail },
): Promise<void> {
  const about = { orderId, routeId, number }
  const { order, route } = await subjectOf(ctx, about)
  await makeLinkFor(ctx, order, route)
  if (route.assignment) await entrustInvoice(ctx, route.assignment.id, invoiceId)
  // Read again, with the link.
  const { facts, language, text, wordsFor } = await subjectOf(ctx, about)
  const { html } = wordsFor(mail.text)
  await queueMail(ctx, {
    owner: { kind: 'invoice', id: invoiceId },
    type: 'other_emails',
    variant: INVOICE_PROBLEM,
    to: [mail.to],
    cc: [],
    subject: mail.subject,
    html,
    frame: { language, sender: facts.us.title, footer: footerLines(facts) },
    documentIds: [],
    routeId,
    replyTo: replyToOf(text.replyTo, facts),
    hasLogo: html.includes(LOGO_SOURCE),
  })
}

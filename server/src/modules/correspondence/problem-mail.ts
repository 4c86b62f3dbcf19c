import type { z } from 'zod'
import { INVOICE_PROBLEM } from '@waybill/contract/email/email-rules'
import type { getProblemMail, InvoiceCheck, ProblemKind } from '@waybill/contract/invoice/checking'
import type { Language } from '@waybill/contract/errors'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { LOGO_SOURCE, sanitise } from '../../kit/mail/mail-html.ts'
import { filled, textsOf } from '../../kit/texts/texts.ts'
import { queueMail } from '../email/index.ts'
import { checkInvoice, invoicedRoute, type InvoicedRoute, type ProblemMail } from '../invoice/index.ts'
import { textToSend } from '../mail-template/index.ts'
import { orderAsItIs } from '../order/index.ts'
import { entrustInvoice, makeLinkFor } from '../upload-link/index.ts'
import { replyToOf } from './by-hand/mail-page.ts'
import { footerLines, money, orderMailData, type MailSubject } from './mail/mail-data.mail.ts'
import { invoiceReaderOf, mailFactsOf, uploadPlaceOf } from './mail/mail-facts.query.ts'
import { mailText } from './mail/mail-text.mail.ts'

const REASONS = textsOf('invoice-problem')

interface About {
  carrierCompanyId: number
  transport: InvoicedRoute
  /** of the carrier's invoice */
  number: string
}

/**
 * What a carrier may read of a transport that is another one's by now: nothing of who drives it, and of when it was
 * driven.
 */
const withoutOthers = (order: Order, route: OrderRoute): { order: Order; route: OrderRoute } => ({
  order: {
    ...order,
    locations: order.locations.map((stop) => ({
      ...stop,
      plannedAt: null,
      arrivedAt: null,
      loadedAt: null,
      unloadedAt: null,
    })),
  },
  route: { ...route, assignment: null },
})

/** The department's text about a problem, with what it speaks of. Error: `not_found` where the transport has gone. */
async function subjectOf(ctx: Ctx, { carrierCompanyId, transport, number }: About) {
  const order = await orderAsItIs(ctx, transport.orderId)
  const route = order?.routes.find(({ id }) => id === transport.id)
  if (!order || !route) throw new AppError('not_found')
  const facts = await mailFactsOf(ctx, order)
  const told = transport.isDriven ? null : await invoiceReaderOf(ctx, carrierCompanyId)
  const carrier = told ?? facts.carriers.find(({ id }) => id === route.assignment?.carrierCompanyId)
  const language: Language = carrier?.language ?? 'en'
  const { text } = (await textToSend(ctx, order.departmentId, {
    type: 'other_emails',
    variant: INVOICE_PROBLEM,
    name: null,
    language,
  }))!
  const shown = transport.isDriven ? { order, route } : withoutOthers(order, route)
  const wordsFor = (reason: string) => {
    const subject: MailSubject = { ...shown, facts, reader: null, stop: null, language, told }
    const problem = { invoice: number, reason }
    return mailText(
      text,
      orderMailData({ ...subject, problem, uploadUrl: uploadPlaceOf(facts, shown.route) }),
      language,
    )
  }
  const to = told === null ? (route.assignment?.disponentEmail ?? null) : told.email
  return { order, route, facts, language, text, to, wordsFor }
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

const aboutOf = ({ carrierCompany, number, innerNumber }: InvoiceCheck, transport: InvoicedRoute): About => ({
  carrierCompanyId: carrierCompany!.id,
  transport,
  number: number ?? innerNumber,
})

/** The mail about a problem of this kind, as it would be sent; nothing is written. Error: `not_found`. */
export async function problemMail(
  ctx: Ctx,
  invoiceId: number,
  kind: ProblemKind,
): Promise<z.input<(typeof getProblemMail)['reply']>> {
  const check = await checkInvoice(ctx, invoiceId)
  const transport = await invoicedRoute(ctx, invoiceId)
  if (transport === null) return { mail: null }
  const { language, to, wordsFor } = await subjectOf(ctx, aboutOf(check, transport))
  const text = reasonFor(check, kind, language)
  const { subject, html } = wordsFor(text)
  return { mail: { to, language, subject, text, hasLink: transport.isDriven, html: await sanitise(html) } }
}

/**
 * Reaction to `invoice.problem`: the mail to the carrier, in the same transaction. Its upload link goes with it where
 * it drives the transport still; the link of another one never does.
 */
export async function queueProblemMail(
  ctx: Ctx,
  { invoiceId, route: transport, mail }: { invoiceId: number; route: InvoicedRoute; mail: ProblemMail },
): Promise<void> {
  const about = aboutOf(await checkInvoice(ctx, invoiceId), transport)
  if (transport.isDriven) {
    const { order, route } = await subjectOf(ctx, about)
    await makeLinkFor(ctx, order, route)
    if (route.assignment) await entrustInvoice(ctx, route.assignment.id, invoiceId)
  }
  // Read after the link was made.
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
    routeId: transport.isDriven ? transport.id : null,
    replyTo: replyToOf(text.replyTo, facts),
    hasLogo: html.includes(LOGO_SOURCE),
  })
}

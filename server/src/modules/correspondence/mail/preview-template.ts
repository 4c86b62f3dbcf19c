import { sql } from 'kysely'
import type { RenderedMail, Template, TemplateWrite } from '@waybill/contract/email/template'
import { receiverOf, scopesOf } from '@waybill/contract/email/email-rules'
import { VARIABLES, variablesOf, type VariableKey } from '@waybill/contract/email/variables'
import type { Language } from '@waybill/contract/errors'
import type { Reference } from '@waybill/contract/kit/fields'
import { ORDER_ACCESS, mayAccess } from '@waybill/contract/permissions'
import type { Order } from '@waybill/contract/order/order'
import { actorOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { newLinkPlace } from '../../../kit/mail/link-places.ts'
import { LOGO_SOURCE, wrapMail } from '../../../kit/mail/mail-html.ts'
import { queueMail } from '../../email/index.ts'
import { checkedText, templateAt } from '../../mail-template/index.ts'
import { loadOrder } from '../../order/index.ts'
import { formatCents, invoiceKind } from '../document-words.ts'
import { exampleOf } from '../example-value.ts'
import { arrivalOf } from '../plan/mail-plan.rules.ts'
import { footerLines, orderMailData } from './mail-data.mail.ts'
import { mailFactsOf, type MailFacts } from './mail-facts.query.ts'
import { mailText, type MailData } from './mail-text.mail.ts'
import { sampleOrders } from './sample-orders.query.ts'

/** What a text is looked at with. */
interface Sample {
  data: MailData
  order: Reference | null
  to: string | null
  facts: MailFacts | null
}

/** What the catalogue's example of an invoice is where it corrects another one. */
const ofCorrection = (language: Language): Partial<Record<VariableKey, string>> => ({
  'invoice.kind': invoiceKind({ correction: {}, isCombined: false }, language),
  'invoice.net': `${formatCents(-14_500, language)} EUR`,
  'invoice.vat': `${formatCents(-2_755, language)} EUR`,
  'invoice.total': `${formatCents(-17_255, language)} EUR`,
})

/** The catalogue's example of a value in a mail of this type. */
const exampleIn = ({ type, language }: Template, key: VariableKey): string =>
  (type === 'invoice_correction' ? ofCorrection(language)[key] : undefined) ?? exampleOf(key, language)

/** The examples of the catalogue: for who may open no order, or where there is none. */
function exampleData(template: Template): MailData {
  const { type, variant, language } = template
  const values = Object.fromEntries(
    variablesOf(type, variant).map((key) => [key, exampleIn(template, key)]),
  ) as Partial<Record<VariableKey, string>>
  return {
    values,
    stops: [],
    cargo: [],
    cargoTotals: null,
    signature: {
      caseWorker: exampleOf('caseWorker.name', language),
      phone: exampleOf('caseWorker.phone', language),
      email: exampleOf('caseWorker.email', language),
      department: exampleOf('department.title', language),
    },
    links: linksIn(values),
    logoOf: null,
  }
}

/** The order that is named, which the caller must be allowed to open, or the latest that fits, or the example. */
async function sampleOf(ctx: Ctx, template: Template, orderId: number | null): Promise<Sample> {
  const mayOpen = mayAccess(ORDER_ACCESS, ctx.actor)
  if (orderId !== null && !mayOpen) throw new AppError('not_found')
  const [latest] =
    orderId !== null || !mayOpen ? [] : await sampleOrders(ctx, template.department.id, template, undefined, 1)
  const chosen = orderId ?? latest?.id
  if (chosen === undefined) return { data: exampleData(template), order: null, to: null, facts: null }
  const order = await loadOrder(ctx, chosen)
  const facts = await mailFactsOf(ctx, order)
  const { data, to } = dataFor(ctx, template, order, facts)
  return { data, to, order: { id: order.id, title: order.number }, facts }
}

/** The first receiver whom a mail of this type and order would have. */
function dataFor(ctx: Ctx, template: Template, order: Order, facts: MailFacts): { data: MailData; to: string | null } {
  const { type, variant, language } = template
  const scopes = scopesOf(type, variant)
  const route = scopes.includes('route') || scopes.includes('carrier') ? (order.routes[0] ?? null) : null
  const unloading = order.locations.filter(({ kind, canceledAt }) => kind === 'unloading' && canceledAt === null)
  // A mail before an arrival leaves for a stop whose arrival is known.
  const stop = scopes.includes('stop')
    ? (unloading.findLast((one) => arrivalOf(one) !== null) ?? unloading.at(-1) ?? null)
    : null
  const reader = scopes.includes('customer') ? (facts.readers[0] ?? null) : null
  const known = new Set(variablesOf(type, variant))
  // A place alone: the link is made with the mail that brings it, and a withdrawal brings none.
  const uploadUrl =
    known.has('link.upload') && variant !== 'withdrawn' ? newLinkPlace(ctx.ports.publicUrl, 'upload') : null
  const data = orderMailData({ order, facts, reader, route, stop, language, told: null, uploadUrl })
  // What comes from elsewhere (an invoice, a reminder) is shown by its example.
  const values = Object.fromEntries(
    [...known].flatMap((key) => {
      const value = data.values[key] ?? (isOfOrder(key) ? undefined : exampleIn(template, key))
      return value === undefined ? [] : [[key, value]]
    }),
  )
  const to =
    receiverOf(type, variant) === 'disponent'
      ? (route?.assignment?.disponentEmail ?? null)
      : (reader?.contact?.email ?? null)
  return { data: { ...data, values, links: linksIn(values) }, to }
}

/** A button leads where the text beside it says. */
const linksIn = (values: MailData['values']): MailData['links'] => ({
  ...(values['link.upload'] && { upload_link: values['link.upload'] }),
  ...(values['link.tracking'] && { tracking_link: values['link.tracking'] }),
})

const FROM_ELSEWHERE: readonly string[] = [
  'invoice',
  'reminder',
  'renewal',
  'priceRequest',
  'delay',
  'tracking',
  'refusal',
  'problem',
]
const isOfOrder = (key: VariableKey): boolean => !FROM_ELSEWHERE.includes(VARIABLES[key].scope)

interface Wish {
  text: TemplateWrite
  orderId: number | null
}

async function renderedFor(ctx: Ctx, departmentId: number, key: string, { text, orderId }: Wish) {
  const template = await templateAt(ctx, departmentId, key)
  const checked = checkedText(key, text)
  const sample = await sampleOf(ctx, template, orderId)
  const said = mailText(checked, sample.data, template.language)
  const sender = sample.facts ? sample.facts.us.title : exampleOf('company.title', template.language)
  return { template, sample, said, sender, footer: footerOf(sample) }
}

/** Who we are, below every mail. */
const footerOf = ({ facts, data }: Sample): string[] =>
  facts === null
    ? [data.values['company.title'], data.values['company.address']].flatMap((line) => line ?? [])
    : footerLines(facts)

/**
 * What a text says of an order, rendered by what also sends. Errors: `not_found` for an order that the caller may not
 * open, `unknown_variable` at its place.
 */
export async function previewTemplate(ctx: Ctx, departmentId: number, key: string, wish: Wish): Promise<RenderedMail> {
  const { template, sample, said, sender, footer } = await renderedFor(ctx, departmentId, key, wish)
  const { html, text } = await wrapMail({
    language: template.language,
    title: said.subject,
    sender,
    html: said.html,
    footer,
  })
  const { facts, data, order, to } = sample
  return {
    to,
    from: sender,
    subject: said.subject,
    // A page shows the logo from where it stands, a mail from among its own parts.
    html: facts?.logo
      ? html.replaceAll(LOGO_SOURCE, `data:image/png;base64,${Buffer.from(facts.logo).toString('base64')}`)
      : html,
    text,
    holes: said.holes,
    leftOut: said.leftOut,
    values: data.values as Record<string, string>,
    order,
  }
}

/** Sends a text, as its preview shows it, to the caller. Errors as `previewTemplate`. */
export async function testTemplate(ctx: Ctx, departmentId: number, key: string, wish: Wish): Promise<{ to: string }> {
  const { userId } = actorOf(ctx)
  const { template, sample, said, sender, footer } = await renderedFor(ctx, departmentId, key, wish)
  const { rows } = await sql<{ email: string }>`select email from "user" where id = ${userId}`.execute(ctx.db)
  const to = rows[0]!.email
  await queueMail(ctx, {
    owner: { kind: 'user', id: userId },
    type: template.type,
    to: [to],
    cc: [],
    subject: said.subject,
    html: said.html,
    frame: { language: template.language as Language, sender, footer },
    documentIds: [],
    hasLogo: said.html.includes(LOGO_SOURCE),
    companyId: sample.facts?.companyId ?? null,
  })
  return { to }
}

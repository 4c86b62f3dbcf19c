import { sql } from 'kysely'
import type { EmailType } from '@waybill/contract/email'
import { readPaperKey, type PaperType } from '@waybill/contract/email/paper-key'
import {
  variablesOfPaperType,
  type DrawnPaper,
  type PaperTemplate,
  type PaperWrite,
} from '@waybill/contract/email/paper-template'
import type { Language } from '@waybill/contract/errors'
import { vatOf } from '@waybill/contract/kit/money'
import { localOf } from '@waybill/contract/kit/local-time'
import { generateOrderPaper } from '@waybill/contract/document'
import { drivenRoutes, missingForPaper } from '@waybill/contract/order/consignment'
import type { Order, OrderRoute } from '@waybill/contract/order/order'
import { isCertificate, usualCertified, type Certificate } from '@waybill/contract/order/papers/certificate'
import { mayAccess, ORDER_ACCESS } from '@waybill/contract/permissions'
import type { Reference } from '@waybill/contract/kit/fields'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { AppError, fieldError } from '../../../kit/context/errors.ts'
import { sellingCompany } from '../../invoice/index.ts'
import { checkedPaper, paperTemplateAt } from '../../mail-template/index.ts'
import { loadOrder } from '../../order/index.ts'
import { countryName } from '../document-words.ts'
import { exampleOf } from '../example-value.ts'
import { transportOrderData, transportOrderValues } from '../generate-order-paper.ts'
import { invoiceValues, renderInvoice, type InvoiceDocumentData } from '../invoice.document.ts'
import { mailFactsOf, uploadPlaceToBe, type MailFacts } from '../mail/mail-facts.query.ts'
import { orderMailData } from '../mail/mail-data.mail.ts'
import { sampleOrders } from '../mail/sample-orders.query.ts'
import { paperFactsOf } from '../order-paper.query.ts'
import { renderCertificate, type CertificateData } from '../papers/certificate.document.ts'
import { certificateData, certificateValues, usualCertificate } from '../papers/certificate.ts'
import { renderReminder } from '../reminder/reminder.document.ts'
import { renderTransportOrder } from '../transport-order.document.ts'
import { EXAMPLE_CERTIFICATES, EXAMPLE_INVOICE, EXAMPLE_REMINDER, EXAMPLE_TRANSPORT_ORDER } from './example-papers.ts'
import { holesOf, ownBlocks, type PaperValues } from './own-text.document.ts'

/** The mail that goes when a document is made: the same orders are likely examples of both. */
const MAIL_OF: Readonly<Record<PaperType, EmailType>> = {
  ORDER_RESOLVED_DOCUMENT: 'order_resolved',
  ORDER_ARRIVAL_CERTIFICATE: 'unloading_confirmation',
  ORDER_EXPORT_CERTIFICATE: 'unloading_confirmation',
  CUSTOMER_INVOICE: 'invoice',
  COMBINED_INVOICE: 'invoice',
  PAYMENT_REMINDER: 'invoice',
}

/** Orders of a department that a document of this key can be looked at with. Error: `not_found`. */
export async function listPaperOrders(
  ctx: Ctx,
  departmentId: number,
  key: string,
  q: string | undefined,
): Promise<{ items: Reference[] }> {
  const { type } = await paperTemplateAt(ctx, departmentId, key)
  return { items: await sampleOrders(ctx, departmentId, { type: MAIL_OF[type], variant: null }, q) }
}

interface Wish {
  text: PaperWrite
  orderId: number | null
}

/** The route that a document is drawn of; null where it needs none. Errors at `orderId`: `route_missing`, … */
function routeOf(order: Order, type: PaperType): OrderRoute | null {
  const routes = drivenRoutes(order.routes)
  if (type !== 'ORDER_RESOLVED_DOCUMENT') return routes[0] ?? null
  const route = routes.find((one) => missingForPaper(type, order, one) === null) ?? routes[0] ?? null
  const missing = missingForPaper(type, order, route)
  if (missing !== null) throw fieldError('orderId', missing)
  return route
}

async function isFit(ctx: Ctx, order: Order, type: PaperType): Promise<boolean> {
  if (isCertificate(type)) return 'wish' in usualCertificate(ctx, order, await paperFactsOf(ctx, order), type)
  if (type !== 'ORDER_RESOLVED_DOCUMENT') return true
  return drivenRoutes(order.routes).some((route) => missingForPaper(type, order, route) === null)
}

/** The order that is named, else the latest that fits; null: the example. Errors: `not_found`, see `routeOf`. */
async function orderOf(ctx: Ctx, { department, type }: PaperTemplate, orderId: number | null): Promise<Order | null> {
  const mayOpen = mayAccess(ORDER_ACCESS, ctx.actor)
  if (orderId !== null) {
    if (!mayOpen) throw new AppError('not_found')
    return loadOrder(ctx, orderId)
  }
  for (const { id } of await sampleOrders(ctx, department.id, { type: MAIL_OF[type], variant: null }, undefined)) {
    const order = await loadOrder(ctx, id)
    if (await isFit(ctx, order, type)) return order
  }
  return null
}

interface Drawn {
  pdf: Buffer
  values: PaperValues
}

/** What the order would be billed with, if it were billed as it is. */
async function invoiceFrom(
  ctx: Ctx,
  order: Order,
  facts: MailFacts,
  language: Language,
  text: PaperWrite,
): Promise<InvoiceDocumentData> {
  const { rows } = await sql<{ companyId: number }>`
    select "companyId" from department where id = ${order.department.id}
  `.execute(ctx.db)
  const { seller } = (await sellingCompany(ctx, rows[0]!.companyId))!
  const customer = facts.customers.find(({ id }) => id === order.customerIds[0])
  const { values } = orderMailData({ order, facts, reader: null, route: null, stop: null, language, told: null })
  const netCents = order.customerPriceCents ?? EXAMPLE_INVOICE.amountCents
  const vatBp = order.customerVatBp ?? EXAMPLE_INVOICE.lines[0]!.vatBp
  const vatCents = vatOf(netCents, vatBp)
  const vatCategory = vatBp === 0 ? 'AE' : 'S'
  const invoiceDate = localOf(nowOf(ctx), facts.us.timeZone).date
  const lineText = order.invoiceText ?? [order.number, values['order.relation']].filter(Boolean).join(', ')
  const department = {
    'department.title': facts.department.title,
    ...(facts.department.phone !== null && { 'department.phone': facts.department.phone }),
    ...(facts.department.email !== null && { 'department.email': facts.department.email }),
  }
  return {
    ...EXAMPLE_INVOICE,
    seller: { ...seller, country: countryName(seller.countryCode, language), logo: facts.logo },
    buyer: customer ? { ...customer, country: countryName(customer.countryCode, language) } : EXAMPLE_INVOICE.buyer,
    invoiceDate,
    dueDate: new Date(Date.parse(invoiceDate) + 30 * 86_400_000).toISOString().slice(0, 10),
    servicePeriodFrom: invoiceDate,
    servicePeriodTo: invoiceDate,
    orderNumbers: [order.number],
    customerOrderNumber: order.customerOrderNumber,
    lines: [{ text: lineText, quantity: 1, unitPriceCents: netCents, vatBp, vatCategory, netCents }],
    vatGroups: [{ vatBp, vatCategory, netCents, vatCents }],
    amountCents: netCents,
    vatCents,
    totalCents: netCents + vatCents,
    ownText: { ...text, values: department },
  }
}

const printed = (text: PaperWrite): PaperWrite | null => (text.mode === 'standard' ? null : text)

async function drawTransportOrder(
  ctx: Ctx,
  order: Order | null,
  language: Language,
  text: PaperWrite,
  known: PaperValues,
) {
  const draw = (data: typeof EXAMPLE_TRANSPORT_ORDER, values: PaperValues) => {
    const own = printed(text)
    const blocks = own && { mode: own.mode, blocks: ownBlocks(own.body, values) }
    return renderTransportOrder(ctx.ports.pdf, { ...data, own: blocks }, language)
  }
  if (order === null) return { pdf: await draw(EXAMPLE_TRANSPORT_ORDER, known), values: known }
  const facts = await mailFactsOf(ctx, order)
  const route = routeOf(order, 'ORDER_RESOLVED_DOCUMENT')!
  const made = transportOrderData(ctx, order, route, facts, { language, contentMode: 'standard', content: null })
  // The carrier's link is made with the paper that brings it; a preview shows where it will stand.
  const data = { ...made, uploadUrl: made.uploadUrl ?? uploadPlaceToBe(ctx, facts, route) }
  const values = transportOrderValues(facts, order, route, language)
  return { pdf: await draw(data, values), values }
}

async function drawInvoice(ctx: Ctx, order: Order | null, language: Language, text: PaperWrite, known: PaperValues) {
  const data =
    order === null
      ? { ...EXAMPLE_INVOICE, ownText: { ...text, values: known } }
      : await invoiceFrom(ctx, order, await mailFactsOf(ctx, order), language, text)
  const values = invoiceValues(data, language)
  const shown = { ...data, ownText: printed(text) && { ...text, values } }
  return { pdf: await renderInvoice(ctx.ports.pdf, shown, language), values }
}

/** Errors at `orderId`: why the order can have no such certificate. */
async function drawCertificate(
  ctx: Ctx,
  order: Order | null,
  type: Certificate,
  language: Language,
  text: PaperWrite,
  known: PaperValues,
) {
  const draw = (data: CertificateData, values: PaperValues) => {
    const own = printed(text)
    const blocks = own && { mode: own.mode, blocks: ownBlocks(own.body, values) }
    return renderCertificate(ctx.ports.pdf, { ...data, own: blocks }, language)
  }
  if (order === null) return { pdf: await draw(EXAMPLE_CERTIFICATES[type], known), values: known }
  const dropOffId = usualCertified(type, order)?.dropOff.id ?? null
  const asked = generateOrderPaper.body.parse({ documentType: type, dropOffId, language })
  try {
    const draft = certificateData(ctx, order, await paperFactsOf(ctx, order), type, asked)
    const values = await certificateValues(ctx, order, draft)
    return { pdf: await draw(draft.data, values), values }
  } catch (error) {
    const code = error instanceof AppError ? error.details.fields?.[0]?.code : undefined
    if (code === undefined) throw error
    throw fieldError('orderId', code)
  }
}

async function drawReminder(ctx: Ctx, order: Order | null, language: Language, text: PaperWrite, known: PaperValues) {
  const draw = (data: typeof EXAMPLE_REMINDER, values: PaperValues) => {
    const own = printed(text)
    const blocks = own && { mode: own.mode, blocks: ownBlocks(own.body, values) }
    return renderReminder(ctx.ports.pdf, { ...data, own: blocks }, language)
  }
  if (order === null) return { pdf: await draw(EXAMPLE_REMINDER, known), values: known }
  const facts = await mailFactsOf(ctx, order)
  const { seller, buyer } = await invoiceFrom(ctx, order, facts, language, text)
  const reader = facts.readers[0] ?? null
  const { values } = orderMailData({ order, facts, reader, route: null, stop: null, language, told: null })
  // What is late is not the order's: the example's sums stand on it.
  const sums = Object.entries(known).filter(([key]) => key.startsWith('reminder.'))
  const all = { ...values, ...Object.fromEntries(sums) }
  return { pdf: await draw({ ...EXAMPLE_REMINDER, seller, buyer }, all), values: all }
}

/**
 * The PDF that a text would make of an order, drawn by what also makes it in earnest; nothing is stored. Errors:
 * `not_found` for an order that the caller may not open, `unknown_variable` at its place, and those at `orderId`.
 */
export async function previewPaper(ctx: Ctx, departmentId: number, key: string, wish: Wish): Promise<DrawnPaper> {
  const template = await paperTemplateAt(ctx, departmentId, key)
  const { type, language } = readPaperKey(template.key)!
  const text = checkedPaper(key, wish.text)
  const order = await orderOf(ctx, template, wish.orderId)
  const keys = variablesOfPaperType(type)
  const known = Object.fromEntries(keys.map((one) => [one, exampleOf(one, language)])) as PaperValues
  const drawn: Drawn =
    type === 'ORDER_RESOLVED_DOCUMENT'
      ? await drawTransportOrder(ctx, order, language, text, known)
      : type === 'CUSTOMER_INVOICE' || type === 'COMBINED_INVOICE'
        ? await drawInvoice(ctx, order, language, text, known)
        : isCertificate(type)
          ? await drawCertificate(ctx, order, type, language, text, known)
          : await drawReminder(ctx, order, language, text, known)
  const values = Object.fromEntries(keys.flatMap((one) => (drawn.values[one] ? [[one, drawn.values[one]]] : [])))
  return {
    pdf: drawn.pdf.toString('base64'),
    holes: holesOf(text.body, drawn.values),
    values,
    order: order && { id: order.id, title: order.number },
  }
}

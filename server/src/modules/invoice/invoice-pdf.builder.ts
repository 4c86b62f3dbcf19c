import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import { monthOf } from '@waybill/contract/invoice/ksef/rate'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import { countryName } from '@waybill/contract/kit/intl'
import type { Ctx, Ports } from '../../kit/context/context.ts'
import { emissionOfOrders } from '../emission/index.ts'
import { paperToPrint } from '../mail-template/index.ts'
import { billableOrders, isBilledByPeriods, type BillableOrder } from './billing.query.ts'
import { podsInPages, podsOfOrders } from './pods/pods.query.ts'
import { freightText, transportWord } from './invoice.rules.ts'
import { printedCorrection } from './correction/printed-correction.query.ts'
import type { Buyer, Seller } from './invoice.table.ts'

/** What the document shows; its shape is the renderer's. */
export type PdfData = Parameters<Ports['invoicePdf']>[0]

export interface PrintedInvoice {
  /** null: it is not written yet, and `parts` says what is in it */
  id: number | null
  companyId: number | null
  billingCustomerId: number | null
  number: string | null
  innerNumber: string
  invoiceDate: string | null
  dueDate: string | null
  servicePeriodFrom: string | null
  servicePeriodTo: string | null
  amountCents: number
  vatCents: number
  totalCents: number
  vatGroups: (PdfData['vatGroups'][number] & { note: string | null })[]
  notes: string | null
  language: Language
  correctionOfId: number | null
  correctionReason: string | null
  seller: Seller
  buyer: Buyer
}

type PrintedLine = PdfData['lines'][number] & { kind: 'freight' | 'extra'; orderId: number | null }

/** The lines and orders of an invoice, in their order. */
export interface PrintedParts {
  lines: PrintedLine[]
  orderIds: readonly number[]
}

async function storedParts(ctx: Ctx, invoiceId: number): Promise<PrintedParts> {
  const lines = await ctx.db
    .selectFrom('invoice_line')
    .select(['text', 'quantity', 'unitPriceCents', 'vatBp', 'vatCategory', 'netCents', 'kind', 'orderId'])
    .where('invoiceId', '=', invoiceId)
    .orderBy('position')
    .execute()
  const links = await ctx.db.selectFrom('invoice_order').select('orderId').where('invoiceId', '=', invoiceId).execute()
  return { lines, orderIds: links.map(({ orderId }) => orderId) }
}

/** The picture of the company that writes the invoice, as it is now. */
async function logoOf(ctx: Ctx, companyId: number | null): Promise<Buffer | null> {
  const { rows } = await sql<{
    png: Buffer
  }>`select png from company_logo where "companyId" = ${companyId}`.execute(ctx.db)
  return rows[0]?.png ?? null
}

/** What the department of the invoice's first order says below the lines of such a paper, as it is now. */
async function ownTextOf(ctx: Ctx, invoice: PrintedInvoice, orderIds: readonly number[]): Promise<PdfData['ownText']> {
  const { rows } = await sql<{ id: number; title: string; phone: string | null; email: string | null }>`
    select d.id, d.abbreviation as title, d.phone, d.email from "order" o join department d on d.id = o."departmentId"
      where o.id = any(${orderIds}::bigint[]) order by o.id limit 1
  `.execute(ctx.db)
  const [department] = rows
  if (department === undefined) return null
  const type = orderIds.length > 1 && invoice.correctionOfId === null ? 'COMBINED_INVOICE' : 'CUSTOMER_INVOICE'
  const own = await paperToPrint(ctx, department.id, { type, language: invoice.language })
  if (own === null) return null
  const values = {
    'department.title': department.title,
    ...(department.phone !== null && { 'department.phone': department.phone }),
    ...(department.email !== null && { 'department.email': department.email }),
  }
  return { ...own, values }
}

interface Wishes {
  skonto: Skonto
  wantsEmissions: boolean
}

/** What its customer may take off for paying early, and whether it wants to know emissions; nothing of a correction. */
async function wishesOf(ctx: Ctx, { billingCustomerId, correctionOfId }: PrintedInvoice): Promise<Wishes | null> {
  if (correctionOfId !== null) return null
  const { rows } = await sql<Wishes>`
    select skonto, "emissionsOnInvoices" as "wantsEmissions" from customer where id = ${billingCustomerId}
  `.execute(ctx.db)
  return rows[0] ?? null
}

/** A combined invoice has a section for each of its orders, with the lines that bill it. */
function sectionsOf(
  orders: readonly BillableOrder[],
  lines: readonly PrintedLine[],
  { language, correctionOfId }: PrintedInvoice,
): PdfData['sections'] {
  if (orders.length < 2 || correctionOfId !== null) return undefined
  const withLines = orders.map((order) => ({
    order,
    own: lines.flatMap(({ orderId }, index) => (orderId === order.id ? [index] : [])),
  }))
  // As the lines stand, so that their numbers are those of the XML.
  const billed = withLines.filter(({ own }) => own.length > 0).toSorted((a, b) => a.own[0]! - b.own[0]!)
  return billed.map(({ order, own }) => {
    const { number, customerOrderNumber, fromCity, fromCountryCode, toCity, toCountryCode } = order
    const isUsual = (index: number) =>
      lines[index]!.kind === 'freight' && lines[index]!.text === freightText({ ...order, invoiceText: null }, language)
    return {
      number,
      customerOrderNumber,
      from: { city: fromCity, countryCode: fromCountryCode },
      to: { city: toCity, countryCode: toCountryCode },
      loadingDate: order.loadingDate,
      unloadingDate: order.unloadingDate,
      // The head of the section says already what the usual text of a freight says.
      lines: own.map((index) => ({ index, text: isUsual(index) ? transportWord(language) : lines[index]!.text })),
    }
  })
}

/**
 * When what bills each of several orders is due: on its last day, of a customer that is billed by periods at the end of
 * that month (decision 149). Where the invoice names another end than theirs, somebody wrote that, and it holds for all
 * lines.
 */
async function serviceDates(
  ctx: Ctx,
  orders: readonly BillableOrder[],
  { companyId, billingCustomerId: customerId, servicePeriodTo }: PrintedInvoice,
): Promise<Map<number, string>> {
  if (orders.length < 2) return new Map()
  const isByPeriods = companyId !== null && (await isBilledByPeriods(ctx, { companyId, customerId }))
  const dates = orders.flatMap(({ id, loadingDate, unloadingDate }): [number, string][] => {
    const date = unloadingDate ?? loadingDate
    return date === null ? [] : [[id, isByPeriods ? monthOf(date).to : date]]
  })
  const last = dates
    .map(([, date]) => date)
    .sort()
    .at(-1)
  return new Map(last === servicePeriodTo ? dates : [])
}

/** A correction says the days of its original, whatever became of the orders; null where that has no paper. */
async function fixedDates(
  ctx: Ctx,
  originalId: number,
  orders: readonly BillableOrder[],
): Promise<Map<number, string> | null> {
  const paper = await ctx.db
    .selectFrom('invoice_paper')
    .select('printed')
    .where('invoiceId', '=', originalId)
    .executeTakeFirst()
  if (paper === undefined) return null
  const { lines = [] } = paper.printed as Partial<Pick<PdfData, 'lines'>>
  const dateOf = new Map(lines.map(({ orderNumber, serviceDate }) => [orderNumber, serviceDate]))
  return new Map(
    orders.flatMap(({ id, number }): [number, string][] => {
      const date = dateOf.get(number)
      return date ? [[id, date]] : []
    }),
  )
}

/** The proofs of delivery behind the pages, where the customer wants them; none behind a correction. */
async function podsOf(ctx: Ctx, invoice: PrintedInvoice, orderIds: readonly number[]): Promise<PdfData['pods']> {
  if (invoice.correctionOfId !== null) return undefined
  const pods = podsInPages(await podsOfOrders(ctx, invoice.billingCustomerId, orderIds))
  return pods.length === 0 ? undefined : pods
}

/** What the transports emitted that it bills; undefined where it is said of none of them. */
async function emissionOf(ctx: Ctx, lines: readonly PrintedLine[]): Promise<PdfData['emission']> {
  const billed = lines.flatMap(({ kind, orderId }) => (kind === 'freight' && orderId !== null ? [orderId] : []))
  if (billed.length === 0) return undefined
  const emission = await emissionOfOrders(ctx, [...new Set(billed)])
  return emission.complete === 0 ? undefined : emission
}

/** The invoice as its document shows it, in its own language; of one that is not written yet by its `parts`. */
export async function pdfDataOf(ctx: Ctx, invoice: PrintedInvoice, parts?: PrintedParts): Promise<PdfData> {
  const { seller, buyer, language, vatGroups } = invoice
  const { lines, orderIds } = parts ?? (await storedParts(ctx, invoice.id!))
  const orders = (await billableOrders(ctx, orderIds)).toSorted((a, b) => a.id - b.id)
  const numberOf = new Map(orders.map(({ id, number }) => [id, number]))
  const { correctionOfId } = invoice
  const fixed = correctionOfId === null ? null : await fixedDates(ctx, correctionOfId, orders)
  const dateOf = fixed ?? (await serviceDates(ctx, orders, invoice))
  const sections = sectionsOf(orders, lines, invoice)
  const pods = await podsOf(ctx, invoice, orderIds)
  const wishes = await wishesOf(ctx, invoice)
  const emission = wishes?.wantsEmissions ? await emissionOf(ctx, lines) : undefined
  const original =
    correctionOfId === null
      ? null
      : await ctx.db
          .selectFrom('invoice')
          .select(['id', 'number', 'invoiceDate'])
          .where('id', '=', correctionOfId)
          .executeTakeFirstOrThrow()
  const { vatCountryCode: _vatCountry, countryCode, ...address } = buyer
  return {
    seller: {
      ...seller,
      country: countryName(seller.countryCode, language),
      logo: await logoOf(ctx, invoice.companyId),
    },
    buyer: { ...address, country: countryName(countryCode, language) },
    number: invoice.number,
    innerNumber: invoice.innerNumber,
    invoiceDate: invoice.invoiceDate,
    dueDate: invoice.dueDate,
    skonto: wishes === null || invoice.totalCents <= 0 ? [] : wishes.skonto,
    servicePeriodFrom: invoice.servicePeriodFrom,
    servicePeriodTo: invoice.servicePeriodTo,
    orderNumbers: orders.map((order) => order.number),
    customerOrderNumber:
      [...new Set(orders.map((order) => order.customerOrderNumber).filter((number) => number !== null))].join(', ') ||
      null,
    lines: lines.map(({ kind: _kind, orderId, ...line }) => ({
      ...line,
      orderNumber: (orderId !== null && numberOf.get(orderId)) || null,
      ...(orderId !== null && dateOf.has(orderId) && { serviceDate: dateOf.get(orderId)! }),
    })),
    ...(sections && { sections }),
    ...(pods && { pods }),
    ...(emission && { emission }),
    vatGroups: vatGroups.map(({ note: _note, ...group }) => group),
    amountCents: invoice.amountCents,
    vatCents: invoice.vatCents,
    totalCents: invoice.totalCents,
    notes: [
      ...new Set(vatGroups.map((group) => group.note).filter((note) => note !== null)),
      ...(invoice.notes === null ? [] : [invoice.notes]),
    ],
    currency: 'EUR',
    ownText: await ownTextOf(ctx, invoice, orderIds),
    // What is not written yet corrects nothing.
    correctionOf: original && (await printedCorrection(ctx, { ...invoice, id: invoice.id! }, original)),
  }
}

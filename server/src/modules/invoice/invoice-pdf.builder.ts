import { sql } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import type { Ctx, Ports } from '../../kit/context/context.ts'
import { paperToPrint } from '../mail-template/index.ts'
import { printedCorrection } from './correction/printed-correction.query.ts'
import type { Buyer, Seller } from './invoice.table.ts'

/** What the document shows; its shape is the renderer's. */
export type PdfData = Parameters<Ports['invoicePdf']>[0]

export interface PrintedInvoice {
  id: number
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

const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code

async function ordersOn(
  ctx: Ctx,
  invoiceId: number,
): Promise<{ number: string; customerOrderNumber: string | null }[]> {
  const { rows } = await sql<{ number: string; customerOrderNumber: string | null }>`
    select o.number, o."customerOrderNumber" from invoice_order link join "order" o on o.id = link."orderId"
      where link."invoiceId" = ${invoiceId} order by o.id
  `.execute(ctx.db)
  return rows
}

/** The picture of the company that writes the invoice, as it is now. */
async function logoOf(ctx: Ctx, invoiceId: number): Promise<Buffer | null> {
  const { rows } = await sql<{
    png: Buffer
  }>`select logo.png from invoice join company_logo logo on logo."companyId" = invoice."companyId"
    where invoice.id = ${invoiceId}`.execute(ctx.db)
  return rows[0]?.png ?? null
}

/** What the department of the invoice's first order says below the lines of such a paper, as it is now. */
async function ownTextOf(ctx: Ctx, invoice: PrintedInvoice, orderCount: number): Promise<PdfData['ownText']> {
  const { rows } = await sql<{ id: number; title: string; phone: string | null; email: string | null }>`
    select d.id, d.abbreviation as title, d.phone, d.email from invoice_order link
      join "order" o on o.id = link."orderId" join department d on d.id = o."departmentId"
      where link."invoiceId" = ${invoice.id} order by o.id limit 1
  `.execute(ctx.db)
  const [department] = rows
  if (department === undefined) return null
  const type = orderCount > 1 && invoice.correctionOfId === null ? 'COMBINED_INVOICE' : 'CUSTOMER_INVOICE'
  const own = await paperToPrint(ctx, department.id, { type, language: invoice.language })
  if (own === null) return null
  const values = {
    'department.title': department.title,
    ...(department.phone !== null && { 'department.phone': department.phone }),
    ...(department.email !== null && { 'department.email': department.email }),
  }
  return { ...own, values }
}

/** What its customer may take off for paying early; nothing of a correction. */
async function skontoOf(ctx: Ctx, { id, correctionOfId, totalCents }: PrintedInvoice): Promise<Skonto> {
  if (correctionOfId !== null || totalCents <= 0) return []
  const { rows } = await sql<{ skonto: Skonto }>`
    select c.skonto from invoice join customer c on c.id = invoice."billingCustomerId" where invoice.id = ${id}
  `.execute(ctx.db)
  return rows[0]?.skonto ?? []
}

/** The invoice as its document shows it, in its own language. */
export async function pdfDataOf(ctx: Ctx, invoice: PrintedInvoice): Promise<PdfData> {
  const { seller, buyer, language, vatGroups } = invoice
  const lines = await ctx.db
    .selectFrom('invoice_line')
    .select(['text', 'quantity', 'unitPriceCents', 'vatBp', 'vatCategory', 'netCents'])
    .where('invoiceId', '=', invoice.id)
    .orderBy('position')
    .execute()
  const orders = await ordersOn(ctx, invoice.id)
  const original =
    invoice.correctionOfId === null
      ? null
      : await ctx.db
          .selectFrom('invoice')
          .select(['id', 'number', 'invoiceDate'])
          .where('id', '=', invoice.correctionOfId)
          .executeTakeFirstOrThrow()
  const { vatCountryCode: _vatCountry, countryCode, ...address } = buyer
  return {
    seller: { ...seller, country: countryName(seller.countryCode, language), logo: await logoOf(ctx, invoice.id) },
    buyer: { ...address, country: countryName(countryCode, language) },
    number: invoice.number,
    innerNumber: invoice.innerNumber,
    invoiceDate: invoice.invoiceDate,
    dueDate: invoice.dueDate,
    skonto: await skontoOf(ctx, invoice),
    servicePeriodFrom: invoice.servicePeriodFrom,
    servicePeriodTo: invoice.servicePeriodTo,
    orderNumbers: orders.map((order) => order.number),
    customerOrderNumber:
      [...new Set(orders.map((order) => order.customerOrderNumber).filter((number) => number !== null))].join(', ') ||
      null,
    lines,
    vatGroups: vatGroups.map(({ note: _note, ...group }) => group),
    amountCents: invoice.amountCents,
    vatCents: invoice.vatCents,
    totalCents: invoice.totalCents,
    notes: [
      ...new Set(vatGroups.map((group) => group.note).filter((note) => note !== null)),
      ...(invoice.notes === null ? [] : [invoice.notes]),
    ],
    currency: 'EUR',
    ownText: await ownTextOf(ctx, invoice, orders.length),
    correctionOf: original && (await printedCorrection(ctx, invoice, original)),
  }
}

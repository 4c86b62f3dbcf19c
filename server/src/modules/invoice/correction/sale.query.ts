import { sql } from 'kysely'
import { billedLines, groupsTogether, type CountedLine, type Sale } from '@waybill/contract/invoice/correction'
import { CANCELED_INVOICE, UNSENT_INVOICE, type InvoiceStatus } from '@waybill/contract/invoice/status'
import { lineNetCents, type VatGroup } from '@waybill/contract/invoice/totals'
import type { VatCategory } from '@waybill/contract/invoice/vat'
import { sumCents } from '@waybill/contract/kit/money'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { invoiceView } from '../invoice.query.ts'
import { cancelsOut } from '../invoice.rules.ts'

interface SaleDocument {
  id: number
  title: string
  isSent: boolean
  status: InvoiceStatus
  isAtKsef: boolean
  invoiceDate: string | null
  totalCents: number
  reason: string | null
  groups: VatGroup[]
}

/**
 * An invoice and its corrections: the original first, what was sent in the order of its numbers, drafts last. What
 * KSeF has not decided has a number, and is not sent.
 */
async function documentsOf(ctx: Ctx, originalId: number): Promise<SaleDocument[]> {
  const { rows } = await sql<SaleDocument>`
    select id, coalesce(number, "innerNumber") as title, status,
      number is not null and status = ${UNSENT_INVOICE} as "isAtKsef",
      "frozenAt" is not null and status <> ${UNSENT_INVOICE} as "isSent",
      case when status <> ${UNSENT_INVOICE} then "invoiceDate" end as "invoiceDate",
      "totalCents", "correctionReason" as reason, "vatGroups" as groups
    from invoice where id = ${originalId} or ("correctionOfId" = ${originalId} and status <> ${CANCELED_INVOICE})
    order by id = ${originalId} desc, "frozenAt" nulls last, length(number), number, id
  `.execute(ctx.db)
  return rows
}

export interface SaleLine extends CountedLine {
  kind: 'freight' | 'extra'
  text: string
  vatBp: number
  vatCategory: VatCategory
  orderId: number | null
  routeId: number | null
}

async function linesOf(ctx: Ctx, documents: readonly SaleDocument[]): Promise<SaleLine[]> {
  const ids = documents.map(({ id }) => id)
  const rows = await ctx.db
    .selectFrom('invoice_line')
    .select(['id', 'kind', 'text', 'quantity', 'unitPriceCents', 'vatBp', 'vatCategory', 'orderId', 'routeId'])
    .select(['correctsLineId', 'correctedQuantity', 'correctedUnitPriceCents', 'invoiceId'])
    .where('invoiceId', 'in', ids)
    .orderBy('position')
    .execute()
  return ids.flatMap((id) => rows.flatMap(({ invoiceId, ...line }) => (invoiceId === id ? [line] : [])))
}

/** What is billed by an original and the corrections that were sent. */
export interface Billed {
  lines: SaleLine[]
  /** of each document */
  groups: VatGroup[]
}

const whole = (documents: readonly SaleDocument[], originalId: number, correctionId: number | null): SaleDocument[] => {
  const counted = documents.filter(({ isSent, id }) => isSent || id === originalId)
  const at = counted.findIndex(({ id }) => id === correctionId && id !== originalId)
  return at < 0 ? counted : counted.slice(0, at)
}

/** What is billed before a correction: before its number, or now for a draft and for none. */
export async function billedBefore(ctx: Ctx, originalId: number, correctionId: number | null): Promise<Billed> {
  const counted = whole(await documentsOf(ctx, originalId), originalId, correctionId)
  return {
    lines: billedLines(await linesOf(ctx, counted)),
    groups: counted.flatMap(({ groups }) => groups),
  }
}

const sumsOf = (groups: readonly VatGroup[]) => {
  const netCents = sumCents(groups.map((group) => group.netCents))
  const vatCents = sumCents(groups.map((group) => group.vatCents))
  return { netCents, vatCents, totalCents: sumCents([netCents, vatCents]) }
}

/** An invoice with its corrections, seen from one of them. Errors: `not_found`, for a carrier's invoice too. */
export async function showSale(ctx: Ctx, id: number): Promise<Sale> {
  const { entityType, correctionOfId } = await invoiceView(ctx, visibleInvoices(ctx), id)
  if (entityType !== 'customer') throw new AppError('not_found')
  const originalId = correctionOfId ?? id
  const documents = await documentsOf(ctx, originalId)
  const sent = whole(documents, originalId, null)
  const kindOf = ({ id: of, groups }: SaleDocument): Sale['documents'][number]['kind'] => {
    if (of === originalId) return 'invoice'
    const before = whole(documents, originalId, of).flatMap((document) => document.groups)
    return cancelsOut([...before, ...groups]) ? 'full' : 'partial'
  }
  const { lines, groups } = await billedBefore(ctx, originalId, id)
  const together = groupsTogether(groups)
  return {
    documents: documents.map((document) => ({ ...document, kind: kindOf(document) })),
    owedCents: sumCents(sent.map(({ totalCents }) => totalCents)),
    billed: {
      lines: lines.map((line) => ({ ...line, lineId: line.id, netCents: lineNetCents(line) })),
      groups: together,
      ...sumsOf(together),
    },
  }
}

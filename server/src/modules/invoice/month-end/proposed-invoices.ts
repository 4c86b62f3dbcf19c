import { InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { dueDate as dueDateOf } from '@waybill/contract/invoice/totals'
import { localOf } from '@waybill/contract/kit/local-time'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { billableOrders, billingCustomer, sellingCompany } from '../billing.query.ts'
import { customerDraft, vatFor, type Draft } from '../invoice.builder.ts'
import type { PrintedInvoice, PrintedParts } from '../invoice-pdf.builder.ts'

/** As many orders as one invoice takes. */
const MOST_ORDERS = 500

/**
 * The orders of one customer by the invoices that bill them, in their order: what is outside the scope of VAT stands
 * on none with what is not (EN 16931, BR-O-11).
 */
export async function ordersByInvoice(ctx: Ctx, companyId: number, orderIds: readonly number[]): Promise<number[][]> {
  const orders = await billableOrders(ctx, orderIds)
  const customerId = orders[0]?.billingCustomerId ?? null
  const [company, customer] = [
    await sellingCompany(ctx, companyId),
    customerId === null ? null : await billingCustomer(ctx, customerId),
  ]
  if (!company || !customer) return []
  const groups = Map.groupBy(orders, (order) => vatFor(order, company, customer).vatCategory === 'O')
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MOST_ORDERS) }, (_, index) =>
      group.slice(index * MOST_ORDERS, (index + 1) * MOST_ORDERS).map(({ id }) => id),
    ),
  )
}

/** An invoice as it would be written of these orders now. Errors: those of `customerDraft`. */
export const draftOfOrders = (ctx: Ctx, orderIds: readonly number[]): Promise<Draft> =>
  customerDraft(ctx, InvoiceWrite.parse({ entityType: 'customer', orderIds }))

// What sending gives; nothing of it is used up here.
const SHOWN_AS = '–'

/** What the paper of a draft would show today, without it being written. */
export function asPrinted(
  ctx: Ctx,
  { columns, lines, orderIds }: Draft,
  timeZone: string,
): { invoice: PrintedInvoice; parts: PrintedParts } {
  const invoiceDate = localOf(nowOf(ctx), timeZone).date
  return {
    invoice: {
      ...columns,
      id: null,
      companyId: columns.companyId ?? null,
      billingCustomerId: columns.billingCustomerId ?? null,
      number: null,
      innerNumber: SHOWN_AS,
      invoiceDate,
      dueDate: dueDateOf(invoiceDate, columns.paymentPeriodDays!),
      servicePeriodFrom: columns.servicePeriodFrom ?? null,
      servicePeriodTo: columns.servicePeriodTo ?? null,
      vatCents: columns.vatCents ?? 0,
      vatGroups: JSON.parse(columns.vatGroups as string),
      seller: JSON.parse(columns.seller as string),
      buyer: JSON.parse(columns.buyer as string),
      notes: columns.notes ?? null,
      correctionOfId: null,
      correctionReason: null,
    },
    parts: { lines: lines.map((line) => ({ ...line, orderId: line.orderId })), orderIds },
  }
}

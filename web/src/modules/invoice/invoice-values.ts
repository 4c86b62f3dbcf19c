import type { Invoice, InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { invoiceTotals } from '@waybill/contract/invoice/totals'
import type { WaitingExtra } from '@waybill/contract/invoice/waiting-extras'
import { vatOf } from '@waybill/contract/kit/money'
import type { VatCategory } from '@waybill/contract/invoice/vat'
import type { Share } from './carrier/route-shares.ts'

export interface LineValues {
  id?: number
  kind: 'freight' | 'extra'
  text: string | null
  quantity: number | null
  unitPriceCents: number | null
  vatBp: number | null
  vatCategory: VatCategory
  orderId: number | null
  routeId: number | null
  extraId: number | null
  /** of a correction: the line that it makes what follows */
  correctsLineId?: number | null | undefined
  correctedQuantity?: number | null | undefined
  correctedUnitPriceCents?: number | null | undefined
}

/** What the form holds: the write shape, where a figure may be empty while it is typed. */
export type InvoiceValues = Omit<InvoiceWrite, 'lines' | 'allocations'> & {
  lines: LineValues[] | null
  allocations: Share[]
}

export function invoiceValuesOf(view: Invoice): InvoiceValues {
  const isCustomer = view.entityType === 'customer'
  return {
    entityType: view.entityType,
    orderIds: view.orderIds,
    routeId: view.routeId,
    allocations: view.allocations,
    companyId: view.companyId,
    billingCustomerId: view.billingCustomerId,
    carrierCompanyId: view.carrierCompanyId,
    lines: isCustomer ? view.lines.map(({ netCents: _net, ...line }) => line) : null,
    notes: view.notes,
    paymentPeriodDays: view.paymentPeriodDays,
    servicePeriodFrom: view.servicePeriodFrom,
    servicePeriodTo: view.servicePeriodTo,
    // Derived on the customer's side: the lines alone are written (domain, Invoices).
    number: isCustomer ? null : view.number,
    amountCents: isCustomer ? null : view.amountCents,
    vatBp: isCustomer ? null : view.vatBp,
    totalCents: isCustomer ? null : view.totalCents,
    ...(!isCustomer && { currency: view.currency }),
    iban: view.iban,
    documentCreationDate: view.documentCreationDate,
    dueDate: isCustomer ? null : view.dueDate,
    ...(view.correctionOfId !== null && { correctionReason: view.correctionReason }),
    state: view.state,
  }
}

const isFigure = (value: number | null): value is number => value !== null && !Number.isNaN(value)

/** The sums of the lines that are complete, while others are still typed. */
export function sumsOf(lines: readonly LineValues[]) {
  return invoiceTotals(
    lines.flatMap(({ quantity, unitPriceCents, vatBp, vatCategory }) =>
      isFigure(quantity) && isFigure(unitPriceCents) && isFigure(vatBp)
        ? [{ quantity, unitPriceCents, vatBp, vatCategory }]
        : [],
    ),
  )
}

type Amounts = Pick<InvoiceValues, 'amountCents' | 'vatBp' | 'totalCents'>

/** What net and VAT of a carrier's invoice come to; null without a net amount. Without a rate it is the net. */
export const grossOf = ({ amountCents, vatBp }: Pick<Amounts, 'amountCents' | 'vatBp'>): number | null =>
  isFigure(amountCents) ? amountCents + vatOf(amountCents, isFigure(vatBp) ? vatBp : 0) : null

/** A carrier's total after net or VAT was typed: it follows them, until it was typed over. */
export const totalAfter = (before: Amounts, typed: Partial<Amounts>): number | null =>
  before.totalCents === grossOf(before) ? grossOf({ ...before, ...typed }) : before.totalCents

/** The line that bills an extra, with the VAT of what is billed of its order. */
export function extraLine(
  lines: readonly LineValues[],
  { id, orderId, lineText, quantity, priceCents }: WaitingExtra,
): LineValues {
  const like = lines.findLast((line) => line.orderId === orderId)
  return {
    ...newLine(lines, orderId),
    ...(like && { vatBp: like.vatBp, vatCategory: like.vatCategory }),
    text: lineText,
    quantity,
    unitPriceCents: priceCents,
    orderId,
    extraId: id,
  }
}

/** A further line: it takes over the VAT of the one before, as a rule it is the same service to the same customer. */
export function newLine(lines: readonly LineValues[], orderId: number | null): LineValues {
  const last = lines.at(-1)
  return {
    kind: 'extra',
    text: null,
    quantity: 1,
    unitPriceCents: null,
    vatBp: last?.vatBp ?? 0,
    vatCategory: last?.vatCategory ?? 'S',
    orderId: last?.orderId ?? orderId,
    routeId: null,
    extraId: null,
  }
}

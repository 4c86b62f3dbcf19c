import { sql } from 'kysely'
import type { Allocation, Invoice, InvoiceWrite } from '@waybill/contract/invoice/invoice'
import { settledGroups } from '@waybill/contract/invoice/correction'
import { monthOf } from '@waybill/contract/invoice/ksef/rate'
import { invoiceTotals, paymentPeriod, type InvoiceTotals, type VatGroup } from '@waybill/contract/invoice/totals'
import { exemptAtHome, type VatCategory } from '@waybill/contract/invoice/vat'
import { sumCents, vatOf } from '@waybill/contract/kit/money'
import { isCanceled } from '@waybill/contract/order/status'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError, type FieldFault } from '../../kit/context/errors.ts'
import {
  billableExtras,
  billableOrders,
  billingCustomer,
  isBilledByPeriods,
  proposalFor,
  sellingCompany,
  unbilledExtras,
  type BillableOrder,
  type BillingCustomer,
  type SellingCompany,
} from './billing.query.ts'
import { allocationsOf } from './carrier/allocations.repository.ts'
import { dueOf } from './carrier/agreed-due.query.ts'
import { extraText, freightText, notedGroups } from './invoice.rules.ts'
import type { DraftColumns, DraftLine } from './invoice.repository.ts'

/** An invoice as it is about to be written: its header's columns, its lines, its orders. */
export interface Draft {
  columns: DraftColumns
  lines: DraftLine[]
  orderIds: number[]
  /** on the carrier side */
  allocations?: Allocation[]
}

type WrittenLine = NonNullable<InvoiceWrite['lines']>[number]

/** What every order of an invoice has in common; throws `code` at `path` where they differ. */
function common<T>(
  values: readonly T[],
  code: 'different_billing_customers' | 'different_companies',
  path: 'orderIds' | 'allocations' = 'orderIds',
): T | null {
  const different = new Set(values)
  if (different.size > 1) throw fieldError(path, code)
  return values[0] ?? null
}

async function ordersOf(ctx: Ctx, orderIds: readonly number[]): Promise<BillableOrder[]> {
  const orders = await billableOrders(ctx, [...new Set(orderIds)])
  const known = new Set(orders.map((order) => order.id))
  const fields = orderIds.flatMap((id, index): FieldFault[] => {
    if (!known.has(id)) return [{ path: `orderIds.${index}`, code: 'unknown_reference' }]
    return orderIds.indexOf(id) < index ? [{ path: `orderIds.${index}`, code: 'duplicate_key' }] : []
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  return orders
}

const earliest = (dates: readonly (string | null)[]): string | null =>
  dates.filter((date) => date !== null).sort()[0] ?? null
const latest = (dates: readonly (string | null)[]): string | null =>
  dates
    .filter((date) => date !== null)
    .sort()
    .at(-1) ?? null

/**
 * First loading to last unloading, where the body does not say otherwise (domain, Invoices); of a customer that is
 * billed by periods the months in which the carriages ended (decision 149).
 */
function servicePeriod(body: InvoiceWrite, orders: readonly BillableOrder[], isByPeriods = false) {
  const ends = orders.map((order) => order.unloadingDate ?? order.loadingDate)
  const [first, last] = [earliest(ends), latest(ends)]
  const proposed =
    isByPeriods && first !== null && last !== null
      ? { from: monthOf(first).from, to: monthOf(last).to }
      : { from: earliest(orders.map((order) => order.loadingDate ?? order.unloadingDate)), to: last }
  const servicePeriodFrom = body.servicePeriodFrom ?? proposed.from
  const servicePeriodTo = body.servicePeriodTo ?? proposed.to
  if (servicePeriodFrom !== null && servicePeriodTo !== null && servicePeriodTo < servicePeriodFrom)
    throw fieldError('servicePeriodTo', 'ends_before_start')
  return { servicePeriodFrom, servicePeriodTo }
}

/** Why the freight of an order cannot be billed, or null. */
function freightFault(order: BillableOrder): FieldFault['code'] | null {
  if (isCanceled(order.status)) return 'order_canceled'
  if (order.isMergeResult) return 'billed_by_sources'
  return null
}

/**
 * The VAT that the contract's rule proposes for an order, or the rate that staff chose on it (domain, Invoices:
 * always a proposal).
 */
export function vatFor(
  order: BillableOrder,
  company: SellingCompany,
  customer: BillingCustomer,
): { vatBp: number; vatCategory: VatCategory } {
  const home = company.seller.countryCode
  const proposal = proposalFor(company, customer, order.stopsOutsideEu)
  const chosen = order.customerVatBp
  if (chosen === null || chosen === proposal.vatBp) return { vatBp: proposal.vatBp, vatCategory: proposal.category }
  if (chosen > 0) return { vatBp: chosen, vatCategory: 'S' }
  // No VAT was chosen where the rule charges it: abroad the buyer owes it; at home the carriage is exempt, out of the
  // EU by its own rule, because the customer is sender or recipient of the goods.
  if (customer.buyer.vatCountryCode !== home) return { vatBp: 0, vatCategory: 'AE' }
  return { vatBp: 0, vatCategory: order.stopsOutsideEu ? exemptAtHome(home) : 'E' }
}

/**
 * What is billed of these orders: the freight of each in one line, with its price, text and VAT, and after it the
 * approved extras that no invoice bills yet, with the same VAT. Where the freight is billed, or the order was canceled,
 * the extras alone. Errors: `not_invoiceable` without a price, `order_canceled`, `billed_by_sources`.
 */
async function proposedLines(
  ctx: Ctx,
  orders: readonly BillableOrder[],
  company: SellingCompany,
  customer: BillingCustomer,
): Promise<WrittenLine[]> {
  const extras = Map.groupBy(
    await unbilledExtras(
      ctx,
      orders.map(({ id }) => id),
    ),
    ({ orderId }) => orderId,
  )
  const fields: FieldFault[] = []
  const lines = orders.flatMap((order, index): WrittenLine[] => {
    const own = extras.get(order.id) ?? []
    const common = { ...vatFor(order, company, customer), orderId: order.id }
    const extraLines = own.map((extra) => ({
      ...common,
      kind: 'extra' as const,
      text: extraText(extra, order.number, customer.language),
      quantity: extra.quantity,
      unitPriceCents: extra.priceCents,
      routeId: null,
      extraId: extra.id,
    }))
    if (own.length > 0 && (order.isFreightBilled || isCanceled(order.status))) return extraLines
    const code = freightFault(order) ?? (order.customerPriceCents ? null : 'not_invoiceable')
    if (code !== null) {
      fields.push({ path: `orderIds.${index}`, code })
      return []
    }
    const freight = {
      ...common,
      kind: 'freight' as const,
      text: freightText(order, customer.language),
      quantity: 1,
      unitPriceCents: order.customerPriceCents!,
      routeId: null,
      extraId: null,
    }
    return [freight, ...extraLines]
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
  return lines
}

/** Every id in a line is checked: its order is on the invoice, its route is that order's. */
async function checkLines(
  ctx: Ctx,
  lines: readonly WrittenLine[],
  orders: readonly BillableOrder[],
  isCorrection: boolean,
): Promise<void> {
  const byId = new Map(orders.map((order) => [order.id, order]))
  const routes = await routesOf(
    ctx,
    lines.map((line) => line.routeId),
  )
  const extras = await billableExtras(
    ctx,
    lines.flatMap(({ extraId }) => extraId ?? []),
  )
  const fields = lines.flatMap((line, index): FieldFault[] => {
    const at = (field: string, code: FieldFault['code']): FieldFault[] => [{ path: `lines.${index}.${field}`, code }]
    const order = line.orderId === null ? undefined : byId.get(line.orderId)
    if (line.orderId !== null && !order) return at('orderId', 'not_of_invoice')
    if (line.routeId !== null && (!order || routes.get(line.routeId) !== order.id))
      return at('routeId', 'unknown_reference')
    if (line.extraId !== null) {
      if (isCorrection || line.kind !== 'extra' || extras.get(line.extraId) !== order?.id || !order)
        return at('extraId', 'extra_not_approved')
      if (lines.findIndex(({ extraId }) => extraId === line.extraId) < index) return at('extraId', 'duplicate_key')
    }
    if (line.kind === 'freight' && !isCorrection) {
      if (!order) return at('orderId', 'required')
      const code = freightFault(order)
      if (code) return at('orderId', code)
    }
    return []
  })
  if (fields.length > 0) throw new AppError('validation', { fields })
}

/** Whose each route is. */
async function routesOf(ctx: Ctx, ids: readonly (number | null)[]): Promise<Map<number, number>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{
    id: number
    orderId: number
  }>`select id, "orderId" from route where id = any(${wanted}::bigint[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row.orderId]))
}

async function checkRoute(ctx: Ctx, routeId: number | null, orderIds: readonly number[]): Promise<void> {
  if (routeId === null) return
  const owner = (await routesOf(ctx, [routeId])).get(routeId)
  if (owner === undefined || !orderIds.includes(owner)) throw fieldError('routeId', 'unknown_reference')
}

// As far as amounts go in the contract: ten billion euros.
const MAX_CENTS = 1_000_000_000_000

function totalsOf(lines: readonly WrittenLine[]): InvoiceTotals {
  const tooBig = () => fieldError('lines', 'too_big', { max: MAX_CENTS / 100 })
  try {
    const totals = invoiceTotals(lines)
    if ([...totals.netCents, totals.amountCents, totals.totalCents].some((cents) => Math.abs(cents) > MAX_CENTS))
      throw tooBig()
    return totals
  } catch (error) {
    throw error instanceof RangeError ? tooBig() : error
  }
}

/**
 * Sums and notes of lines: derived, never written (domain, Invoices); `before`: of a correction the VAT groups of its
 * original and of the corrections before it.
 */
export function summed(
  lines: readonly WrittenLine[],
  {
    sellerCountryCode,
    language,
    bills,
    before = [],
  }: {
    sellerCountryCode: string
    language: DraftColumns['language']
    bills: boolean
    before?: readonly VatGroup[]
  },
) {
  const { netCents, vatGroups: own, ...totals } = totalsOf(lines)
  const vatGroups = settledGroups(before, own)
  const vatCents = sumCents(vatGroups.map((group) => group.vatCents))
  const sums = { ...totals, vatCents, totalCents: sumCents([totals.amountCents, vatCents]) }
  return {
    lines: lines.map((line, index) => ({
      ...line,
      netCents: netCents[index]!,
      billsFreight: bills && line.kind === 'freight',
      billsExtra: bills && line.extraId !== null,
    })),
    sums: { ...sums, vatGroups: JSON.stringify(notedGroups(vatGroups, sellerCountryCode, language)) },
  }
}

/** A customer's invoice: what the body leaves out is proposed from its orders. */
export async function customerDraft(ctx: Ctx, body: InvoiceWrite): Promise<Draft> {
  if (body.carrierCompanyId !== null) throw fieldError('carrierCompanyId', 'invalid_value')
  if ((body.currency ?? 'EUR') !== 'EUR') throw fieldError('currency', 'invalid_value')
  const orders = await ordersOf(ctx, body.orderIds)
  const unbilled = orders.findIndex((order) => order.billingCustomerId === null)
  if (unbilled >= 0) throw fieldError(`orderIds.${unbilled}`, 'not_invoiceable')
  const companyId =
    common(
      orders.map((order) => order.companyId),
      'different_companies',
    ) ?? body.companyId
  const customerId =
    common(
      orders.map((order) => order.billingCustomerId),
      'different_billing_customers',
    ) ?? body.billingCustomerId
  if (companyId === null) throw fieldError('companyId', 'required')
  if (customerId === null) throw fieldError('billingCustomerId', 'required')
  if (body.companyId !== null && body.companyId !== companyId) throw fieldError('companyId', 'different_companies')
  if (body.billingCustomerId !== null && body.billingCustomerId !== customerId)
    throw fieldError('billingCustomerId', 'different_billing_customers')
  const company = await sellingCompany(ctx, companyId)
  if (!company) throw fieldError('companyId', 'unknown_reference')
  const customer = await billingCustomer(ctx, customerId)
  if (!customer) throw fieldError('billingCustomerId', 'unknown_reference')
  await checkRoute(ctx, body.routeId, body.orderIds)

  const written = body.lines ?? (await proposedLines(ctx, orders, company, customer))
  await checkLines(ctx, written, orders, false)
  const { language } = customer
  const { lines, sums } = summed(written, {
    sellerCountryCode: company.seller.countryCode,
    language,
    bills: true,
  })
  const isByPeriods = await isBilledByPeriods(ctx, { companyId, customerId })
  const periods = new Set(orders.map((order) => order.paymentPeriodDays))
  const ordersPeriod = periods.size === 1 ? [...periods][0] : null
  return {
    lines,
    orderIds: body.orderIds,
    columns: {
      ...sums,
      ...servicePeriod(body, orders, isByPeriods),
      companyId,
      billingCustomerId: customerId,
      carrierCompanyId: null,
      routeId: body.routeId,
      number: null,
      iban: company.seller.iban,
      notes: body.notes,
      language,
      paymentPeriodDays: body.paymentPeriodDays ?? paymentPeriod(ordersPeriod, customer.paymentPeriodDays),
      documentCreationDate: null,
      dueDate: null,
      isDueAgreed: false,
      seller: JSON.stringify(company.seller),
      buyer: JSON.stringify(customer.buyer),
      state: body.state,
    },
  }
}

/**
 * A carrier's invoice: header values as they stand on its paper, and its routes (domain, Invoices). Without a due date
 * it is due as agreed. Below zero it is a credit note, due on no day but the one that its paper says.
 */
export async function carrierDraft(ctx: Ctx, body: InvoiceWrite, before: Invoice | null): Promise<Draft> {
  const fields: FieldFault[] = []
  if (body.carrierCompanyId === null) fields.push({ path: 'carrierCompanyId', code: 'required' })
  if (body.number === null) fields.push({ path: 'number', code: 'required' })
  if (body.amountCents === null) fields.push({ path: 'amountCents', code: 'required' })
  if (body.billingCustomerId !== null) fields.push({ path: 'billingCustomerId', code: 'invalid_value' })
  if (body.lines !== null && body.lines.length > 0) fields.push({ path: 'lines', code: 'invalid_value' })
  if (body.amountCents !== null && body.totalCents !== null) {
    const limit = body.amountCents / 100
    // Of a credit note both are below zero: VAT is added on the same side.
    if (body.amountCents >= 0 && body.totalCents < body.amountCents)
      fields.push({ path: 'totalCents', code: 'too_small', params: { min: limit } })
    if (body.amountCents < 0 && body.totalCents > body.amountCents)
      fields.push({ path: 'totalCents', code: 'too_big', params: { max: limit } })
  }
  if (body.dueDate !== null && body.documentCreationDate !== null && body.dueDate < body.documentCreationDate)
    fields.push({ path: 'dueDate', code: 'ends_before_start' })
  if (fields.length > 0) throw new AppError('validation', { fields })

  const { rows: carriers } = await sql<{ language: DraftColumns['language'] }>`
    select coalesce(c.language, k.language, 'en') as language
      from carrier_company c join country k on k.id = c."countryId"
      where c.id = ${body.carrierCompanyId}
  `.execute(ctx.db)
  if (!carriers[0]) throw fieldError('carrierCompanyId', 'unknown_reference')
  await ordersOf(ctx, body.orderIds)
  const { allocations, orderIds, routeId } = await allocationsOf(ctx, body, before)
  const orders = await ordersOf(ctx, orderIds)
  const companyId =
    common(
      orders.map((order) => order.companyId),
      'different_companies',
      allocations.length > 0 ? 'allocations' : 'orderIds',
    ) ?? body.companyId
  if (body.companyId !== null && body.companyId !== companyId) throw fieldError('companyId', 'different_companies')
  if (companyId !== null && !(await sellingCompany(ctx, companyId))) throw fieldError('companyId', 'unknown_reference')

  const amountCents = body.amountCents!
  const totalCents = body.totalCents ?? amountCents + vatOf(amountCents, body.vatBp ?? 0)
  return {
    lines: [],
    orderIds,
    allocations,
    columns: {
      ...servicePeriod(body, orders),
      ...(await dueOf(ctx, { body, before, companyId, allocations })),
      companyId,
      billingCustomerId: null,
      carrierCompanyId: body.carrierCompanyId,
      routeId,
      number: body.number,
      amountCents,
      vatBp: body.vatBp,
      vatCents: totalCents - amountCents,
      totalCents,
      // Left out, it stays, as an electronic invoice has said it.
      ...(body.currency !== undefined && { currency: body.currency }),
      vatGroups: '[]',
      iban: body.iban,
      notes: body.notes,
      language: carriers[0].language,
      paymentPeriodDays: null,
      documentCreationDate: body.documentCreationDate,
      seller: null,
      buyer: null,
      state: body.state,
    },
  }
}

/** The lines of a correction, checked like those of an invoice; freight in them is not billed anew. */
export async function checkCorrectionLines(
  ctx: Ctx,
  lines: readonly WrittenLine[],
  orderIds: readonly number[],
): Promise<void> {
  await checkLines(ctx, lines, await ordersOf(ctx, orderIds), true)
}

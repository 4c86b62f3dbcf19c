import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { checksOf, verdictOf, type Check } from '@waybill/contract/invoice/check'
import type { InvoiceCheck } from '@waybill/contract/invoice/checking'
import { sumCents } from '@waybill/contract/kit/money'
import { incomeOf, marginBpOf, withExtras } from '@waybill/contract/order/money'
import { proofChoice, proofStops } from '@waybill/contract/order/papers/proof-stops'
import type { Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { orderAsItIs } from '../../order/index.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { currencyOf } from './read-currency.ts'
import { factsOf, foundInvoices, leftCentsOf, podsOf, type FoundInvoice } from './check-facts.query.ts'

/** What was seen of an invoice and its checks. */
const seenOf = (version: number, checks: readonly Check[]): string =>
  createHash('sha256')
    .update(JSON.stringify([version, checks]))
    .digest('hex')
    .slice(0, 32)

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.length === 0 || values.includes(null) ? null : values.reduce<number>((sum, value) => sum + value!, 0)

/** The margin of the orders of an invoice, as agreed and with what it says. */
function marginOf({ orders, routes, amountCents }: FoundInvoice): InvoiceCheck['margin'] {
  const price = sumOf(orders.map(({ priceCents, extrasPriceCents }) => withExtras(priceCents, extrasPriceCents)))
  const cost = sumOf(orders.map((order) => withExtras(order.carrierCostCents, order.extrasCostCents)))
  const agreed = sumOf(
    routes.map(({ costCents, invoicedCents }) => (costCents === null ? null : costCents - invoicedCents)),
  )
  if (agreed === null) return null
  const [before, after] = [cost, cost === null ? null : cost - agreed + amountCents].map((one) => {
    const incomeCents = incomeOf(price, one)
    return incomeCents === null ? null : { incomeCents, marginBp: marginBpOf(price, incomeCents) }
  })
  return before && after ? { before, after } : null
}

/** The proofs of delivery of an invoice, with what has to be chosen of those that wait. */
async function proofsOf(ctx: Ctx, found: FoundInvoice): Promise<InvoiceCheck['pods']> {
  const pods: InvoiceCheck['pods'] = []
  for (const pod of podsOf(found)) {
    const isOpen = pod.acceptance === 'toCheck' && pod.locationIds === null
    const order = isOpen ? await orderAsItIs(ctx, pod.orderId) : undefined
    const { ids, isAsked } = order ? proofChoice(order, pod.orderCarrier) : { ids: [], isAsked: false }
    pods.push({ ...pod, stops: order && isAsked ? proofStops(order).filter(({ id }) => ids.includes(id)) : [] })
  }
  return pods
}

async function checkOf(ctx: Ctx, found: FoundInvoice): Promise<InvoiceCheck> {
  const checks = checksOf(factsOf(ctx, found, currencyOf(ctx, found)))
  return {
    ...found,
    receivedAt: found.createdAt,
    checks,
    verdict: verdictOf(checks),
    // What it says in another currency is no cost in euros.
    margin: currencyOf(ctx, found) === 'EUR' ? marginOf(found) : null,
    pods: await proofsOf(ctx, found),
    seen: seenOf(found.version, checks),
  }
}

/** A carrier's invoice with its checks. Error: `not_found`. */
export async function checkInvoice(ctx: Ctx, id: number): Promise<InvoiceCheck> {
  const [found] = await foundInvoices(ctx, visibleInvoices(ctx), sql`invoice.id = ${id}`)
  if (!found) throw new AppError('not_found')
  return checkOf(ctx, found)
}

/**
 * By how much a carrier's invoice differs from what was agreed, route by route; of one that is not shared out all of
 * it at the first route with a cost. Of a route without a cost all that is not booked yet differs (decision 077).
 */
export async function differencesOf(
  ctx: Ctx,
  id: number,
): Promise<{ orderId: number; routeId: number; costCents: number }[]> {
  const [found] = await foundInvoices(ctx, visibleInvoices(ctx), sql`invoice.id = ${id}`)
  if (!found) throw new AppError('not_found')
  const isShared = found.routes.some(({ netCents }) => netCents !== null)
  const first = found.routes.find(({ costCents }) => costCents !== null)
  const total = found.amountCents - sumCents(found.routes.map(leftCentsOf))
  return found.routes.flatMap((route) => {
    const costCents = isShared ? (route.netCents ?? 0) - leftCentsOf(route) : route === first ? total : 0
    return costCents === 0 ? [] : [{ orderId: route.orderId, routeId: route.id, costCents }]
  })
}

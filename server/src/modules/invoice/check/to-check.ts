import { sql } from 'kysely'
import type { z } from 'zod'
import { checksOf, verdictOf } from '@waybill/contract/invoice/check'
import { TO_CHECK_VIEWS, type listInvoicesToCheck as endpoint } from '@waybill/contract/invoice/checking'
import { PASSED_INVOICE_STATUSES } from '@waybill/contract/invoice/status'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Ctx } from '../../../kit/context/context.ts'
import { noFilterLeft } from '../../../kit/records/filters.ts'
import { visibleInvoices } from '../invoice.policy.ts'
import { factsOf, foundInvoices } from './check-facts.query.ts'
import { currencyOf } from './read-currency.ts'

// Written into the statements, so that the small indexes fit.
const [RECEIVED, HELD] = TO_CHECK_VIEWS.map((view) => sql.lit(view))
const PASSED = sql.join(PASSED_INVOICE_STATUSES.map((status) => sql.lit(status)))
const DAY_MS = 86_400_000
// The clock is set back on it.
const LONGEST_DAY_MS = 25 * 3_600_000

interface Sums {
  received: number
  in_progress: number
  totalCents: number
  approvedCount: number
  approvedCents: number
}

/** Carriers' invoices in one status, the oldest first, each with what its checks come to. */
export async function listInvoicesToCheck(
  ctx: Ctx,
  { status, after, before, limit, ...left }: z.output<(typeof endpoint)['query']>,
): Promise<z.input<(typeof endpoint)['reply']>> {
  noFilterLeft(left)
  const visible = visibleInvoices(ctx)
  // The status stands in the statement, so that its own small index fits.
  const waiting = sql<boolean>`invoice.status = ${sql.lit(status)} and invoice.state = 'active'`
  const placeOf = (id: number) => sql`(select one."createdAt", one.id from invoice one where one.id = ${id})`
  const behind =
    after === undefined ? sql<boolean>`true` : sql<boolean>`(invoice."createdAt", invoice.id) > ${placeOf(after)}`
  const ahead =
    before === undefined ? sql<boolean>`true` : sql<boolean>`(invoice."createdAt", invoice.id) < ${placeOf(before)}`
  const order =
    before === undefined
      ? sql`order by invoice."createdAt", invoice.id`
      : sql`order by invoice."createdAt" desc, invoice.id desc`
  const found = await foundInvoices(
    ctx,
    visible,
    sql`${waiting} and ${behind} and ${ahead}`,
    sql`${order} limit ${sql.lit(limit + 1)}`,
  )
  const hasMore = found.length > limit
  const page = before === undefined ? found.slice(0, limit) : found.slice(hasMore ? 1 : 0)
  const now = ctx.clock.now()
  const zone = sql`coalesce(company."timeZone", 'UTC')`
  // Today is that of the company whose invoice it is; the bound before it is for the index.
  const approvedToday = sql`from invoice left join company on company.id = invoice."companyId"
    where invoice."entityType" = 'carrier' and invoice."approvedAt" >= ${new Date(now.getTime() - LONGEST_DAY_MS)}
      and (invoice."approvedAt" at time zone ${zone})::date = (${now}::timestamptz at time zone ${zone})::date
      and invoice.status in (${PASSED}) and ${visible}`
  const { rows } = await sql<Sums>`
    select
      count(*) filter (where invoice.status = ${RECEIVED}) as received,
      count(*) filter (where invoice.status = ${HELD}) as in_progress,
      coalesce(sum("totalCents") filter (where invoice.status = ${sql.lit(status)} and currency = 'EUR'),
        0)::bigint as "totalCents",
      (select count(*) ${approvedToday}) as "approvedCount",
      (select coalesce(sum(invoice."totalCents") filter (where invoice.currency = 'EUR'), 0)::bigint ${approvedToday})
        as "approvedCents"
    from invoice
    where "entityType" = 'carrier' and status in (${RECEIVED}, ${HELD}) and state = 'active' and ${visible}
  `.execute(ctx.db)
  const sums = rows[0]!
  return {
    items: page.map((one) => {
      const days = (instant: string) => Date.parse(localOf(instant, one.timeZone).date) / DAY_MS
      return {
        id: one.id,
        number: one.number,
        innerNumber: one.innerNumber,
        carrier: one.carrierCompany.title,
        totalCents: one.totalCents,
        currency: one.currency,
        ageDays: Math.max(0, days(ctx.clock.now().toISOString()) - days(one.createdAt)),
        verdict: verdictOf(checksOf(factsOf(ctx, one, currencyOf(ctx, one)))),
        problemKind: one.problemKind,
      }
    }),
    next: hasMore ? page.at(-1)!.id : null,
    counts: { received: Number(sums.received), in_progress: Number(sums.in_progress) },
    totalCents: sums.totalCents,
    approvedToday: { count: Number(sums.approvedCount), totalCents: sums.approvedCents },
  }
}

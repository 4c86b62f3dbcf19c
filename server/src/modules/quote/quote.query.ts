import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { roundHalfAwayFromZero } from '@waybill/contract/kit/money'
import { marginBpOf } from '@waybill/contract/quote/pricing'
import {
  FOLLOW_UP_DAYS,
  QUOTES_A_PAGE,
  QUOTES_SHOWN,
  type listQuotes,
  type Quote,
  type Quotes,
  type QuotesShown,
} from '@waybill/contract/quote/quote'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { noFilterLeft } from '../../kit/records/filters.ts'
import { AppError } from '../../kit/context/errors.ts'
import { escapeLike } from '../../kit/records/paging.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import { visibleOrders } from '../order/index.ts'
import { visibleQuotes } from './quote.policy.ts'
import './quote.table.ts'

/** The day by the clock of the quote's company: it decides whether the last day of the quote is over. */
const todayOf = (ctx: Ctx): RawBuilder<string> =>
  sql<string>`(${nowOf(ctx)}::timestamptz at time zone (select co."timeZone" from department d
    join company co on co.id = d."companyId" where d.id = quote."departmentId"))::date`

const isExpired = (ctx: Ctx): RawBuilder<boolean> =>
  sql<boolean>`(quote.state = 'sent' and quote."validUntil" < ${todayOf(ctx)})`

const named = (title: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
  sql`(select json_build_object('id', t.id, 'title', ${title}) from ${from})`

const columns = (ctx: Ctx): RawBuilder<unknown> => sql`
  quote.*, case when ${isExpired(ctx)} then 'expired' else quote.state end as "shownState",
  (select c.code from country c where c.id = quote."fromCountryId") as "fromCountryCode",
  (select c.code from country c where c.id = quote."toCountryId") as "toCountryCode",
  ${named(sql`t.title`, sql`customer t where t.id = quote."customerId"`)} as customer,
  ${named(sql`t."fullName"`, sql`contact_person t where t.id = quote."contactPersonId"`)} as "contactPerson",
  ${named(sql`t.abbreviation`, sql`department t where t.id = quote."departmentId"`)} as department,
  ${named(sql`t."fullName"`, sql`"user" t where t.id = quote."caseWorkerId"`)} as "caseWorker",
  ${named(shownTitle(ctx.language, 't'), sql`unit_type t where t.id = quote."unitTypeId"`)} as "unitType",
  (select json_build_object('id', case when ${visibleOrders(ctx)} then "order".id end, 'number', "order".number)
    from "order" where "order".id = quote."orderId") as "order"`

type Stored = Omit<Quote, 'from' | 'to' | 'state' | 'marginBp'> & {
  shownState: Quote['state']
  fromCountryId: number
  fromCountryCode: string
  fromPostal: string | null
  fromCity: string | null
  fromDate: string | null
  toCountryId: number
  toCountryCode: string
  toPostal: string | null
  toCity: string | null
  toDate: string | null
}

const viewOf = (row: Stored): Quote => ({
  ...row,
  state: row.shownState,
  from: {
    countryId: row.fromCountryId,
    countryCode: row.fromCountryCode,
    postal: row.fromPostal,
    city: row.fromCity,
    date: row.fromDate,
  },
  to: {
    countryId: row.toCountryId,
    countryCode: row.toCountryCode,
    postal: row.toPostal,
    city: row.toCity,
    date: row.toDate,
  },
  marginBp: row.priceCents === null || row.costCents === null ? null : marginBpOf(row.priceCents, row.costCents),
})

/** A quote that the caller may see. Error: `not_found`. */
export async function quoteView(ctx: Ctx, id: number): Promise<Quote> {
  const { rows } = await sql<Stored>`
    select ${columns(ctx)} from quote where quote.id = ${id} and ${visibleQuotes(ctx)}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return viewOf(rows[0])
}

/** Which quotes a list shows. */
function shownBy(ctx: Ctx, show: QuotesShown): RawBuilder<boolean> {
  const open = sql<boolean>`(quote.state = 'draft' or (quote.state = 'sent' and not ${isExpired(ctx)}))`
  switch (show) {
    case 'all':
      return sql<boolean>`true`
    case 'open':
      return open
    case 'followUp':
      return sql<boolean>`((quote.state = 'accepted' and quote."orderId" is null)
        or (quote.state = 'sent' and quote."validUntil" between ${todayOf(ctx)}
          and ${todayOf(ctx)} + ${sql.lit(FOLLOW_UP_DAYS)}))`
    case 'accepted':
      return sql<boolean>`quote.state = 'accepted'`
    case 'lost':
      return sql<boolean>`(quote.state = 'refused' or ${isExpired(ctx)})`
  }
}

/** Every word of what was typed stands in the number, the customer's title or a town. */
const searched = (q: string): RawBuilder<boolean>[] =>
  q
    .split(/\s+/)
    .filter(Boolean)
    .map(
      (word) => sql<boolean>`search_key(concat_ws(' ', quote.number, quote."fromCity", quote."toCity",
        (select c.title from customer c where c.id = quote."customerId"))) like search_key(${`%${escapeLike(word)}%`})`,
    )

const LATELY_DAYS = 90

interface Sums {
  counts: Record<QuotesShown, number>
  openCents: number
  acceptedCount: number
  answeredCount: number
  incomeCents: number
  priceCents: number
}

async function sumsOf(ctx: Ctx): Promise<Sums> {
  const since = sql`${nowOf(ctx)}::timestamptz - make_interval(days => ${sql.lit(LATELY_DAYS)})`
  const won = sql`quote.state = 'accepted' and quote."answeredAt" >= ${since}`
  const counts = QUOTES_SHOWN.map((show) => sql`${sql.lit(show)}, count(*) filter (where ${shownBy(ctx, show)})::int`)
  const { rows } = await sql<Sums>`
    select json_build_object(${sql.join(counts)}) as counts,
        coalesce(sum(quote."priceCents") filter (where ${shownBy(ctx, 'open')}), 0)::bigint as "openCents",
        count(*) filter (where ${won})::int as "acceptedCount",
        count(*) filter (where quote."answeredAt" >= ${since})::int as "answeredCount",
        coalesce(sum(quote."priceCents" - quote."costCents")
          filter (where ${won} and quote."costCents" is not null), 0)::bigint as "incomeCents",
        coalesce(sum(quote."priceCents") filter (where ${won} and quote."costCents" is not null), 0)::bigint
          as "priceCents"
      from quote where ${visibleQuotes(ctx)}
  `.execute(ctx.db)
  return rows[0]!
}

/** Quotes, the newest first. */
export async function quotes(
  ctx: Ctx,
  { show, q, customerId, page, timeZone: _unused, ...left }: z.output<typeof listQuotes.query>,
): Promise<Quotes> {
  noFilterLeft(left)
  const conditions = [
    visibleQuotes(ctx),
    shownBy(ctx, show),
    ...(q === undefined ? [] : searched(q)),
    ...(customerId === undefined ? [] : [sql<boolean>`quote."customerId" = ${customerId}`]),
  ]
  const { rows } = await sql<Stored & { total: number }>`
    select ${columns(ctx)}, count(*) over ()::int as total from quote where ${sql.join(conditions, sql` and `)}
      order by quote."createdAt" desc, quote.id desc
      limit ${sql.lit(QUOTES_A_PAGE)} offset ${(page - 1) * QUOTES_A_PAGE}
  `.execute(ctx.db)
  const { counts, openCents, acceptedCount, answeredCount, incomeCents, priceCents } = await sumsOf(ctx)
  return {
    items: rows.map(viewOf),
    total: rows[0]?.total ?? 0,
    counts,
    openCents,
    lately: {
      acceptedCount,
      answeredCount,
      marginBp: priceCents === 0 ? null : roundHalfAwayFromZero(BigInt(incomeCents) * 10_000n, priceCents),
    },
  }
}

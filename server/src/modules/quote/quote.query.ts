import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { roundHalfAwayFromZero } from '@waybill/contract/kit/money'
import { marginBpOf } from '@waybill/contract/quote/pricing'
import {
  FOLLOW_UP_DAYS,
  QUOTES_A_PAGE,
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
import { ofDepartments, seesAllQuotes, visibleQuotes } from './quote.policy.ts'
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

// It is one of these days for every company, whatever its zone: so much of the condition an index answers.
const HOURS_AROUND = 14
const dayAround = (ctx: Ctx, hours: number): RawBuilder<string> =>
  sql<string>`${new Date(ctx.clock.now().getTime() + hours * 3_600_000).toISOString().slice(0, 10)}::date`

/** Sent, and its last day is not over. */
const isCurrent = (ctx: Ctx): RawBuilder<boolean> =>
  sql<boolean>`(quote.state = 'sent' and quote."validUntil" >= ${dayAround(ctx, -HOURS_AROUND)}
    and quote."validUntil" >= ${todayOf(ctx)})`

/** Sent, and to be followed up before its last day is over. */
const runsOut = (ctx: Ctx): RawBuilder<boolean> =>
  sql<boolean>`(${isCurrent(ctx)}
    and quote."validUntil" <= ${dayAround(ctx, HOURS_AROUND)} + ${sql.lit(FOLLOW_UP_DAYS)}
    and quote."validUntil" <= ${todayOf(ctx)} + ${sql.lit(FOLLOW_UP_DAYS)})`

const waitsForOrder = sql<boolean>`(quote.state = 'accepted' and quote."orderId" is null)`

/** Which quotes a list shows. */
function shownBy(ctx: Ctx, show: QuotesShown): RawBuilder<boolean> {
  switch (show) {
    case 'all':
      return sql<boolean>`true`
    case 'open':
      return sql<boolean>`(quote.state = 'draft' or ${isCurrent(ctx)})`
    case 'followUp':
      return sql<boolean>`(${waitsForOrder} or ${runsOut(ctx)})`
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
    .map((word) => {
      const like = sql`like search_key(${`%${escapeLike(word)}%`})`
      // As a list of ids, so that both halves go by an index.
      return sql<boolean>`(quote."searchKey" ${like}
        or quote."customerId" = any(array(select c.id from customer c where c."searchKey" ${like})))`
    })

const LATELY_DAYS = 90

interface Sums {
  counts: Record<QuotesShown, number>
  openCents: number
  acceptedCount: number
  answeredCount: number
  incomeCents: number
  priceCents: number
}

/** How many quotes stand how, of all departments that the caller may see, or of the caller's own alone. */
function standing(ctx: Ctx): RawBuilder<unknown> {
  if (!seesAllQuotes(ctx))
    return sql`select quote.state, count(*) as quotes, coalesce(sum(quote."priceCents"), 0) as cents
      from quote where ${visibleQuotes(ctx)} group by 1`
  const department = ctx.companyFilter === null ? sql`true` : ofDepartments(ctx, sql`tally."departmentId"`)
  return sql`select tally.state, tally.quotes, tally.cents from quote_tally tally where ${department}`
}

/** Counts that grow with all quotes come from their tally; what is read one by one are those that go on. */
async function sumsOf(ctx: Ctx): Promise<Sums> {
  const since = sql`${nowOf(ctx)}::timestamptz - make_interval(days => ${sql.lit(LATELY_DAYS)})`
  const won = sql`quote.state = 'accepted'`
  const inState = (state: string) => sql`filter (where standing.state = ${sql.lit(state)})`
  const { rows } = await sql<Sums>`
    with standing as (${standing(ctx)}), stands as (
      select coalesce(sum(quotes), 0) as "all",
        ${sql.join(
          ['draft', 'sent', 'accepted', 'refused'].map(
            (state) => sql`coalesce(sum(quotes) ${inState(state)}, 0) as ${sql.ref(state)}`,
          ),
        )},
        coalesce(sum(cents) ${inState('draft')}, 0) as "draftCents"
      from standing
    ), going as (
      select count(*) as quotes, coalesce(sum(quote."priceCents"), 0) as cents,
        count(*) filter (where ${runsOut(ctx)}) as soon
      from quote where ${isCurrent(ctx)} and ${visibleQuotes(ctx)}
    ), left_over as (
      select count(*) as quotes from quote where ${waitsForOrder} and ${visibleQuotes(ctx)}
    ), lately as (
      select count(*) as answered, count(*) filter (where ${won}) as accepted,
        coalesce(sum(quote."priceCents" - quote."costCents") filter (where ${won} and quote."costCents" is not null), 0)
          as income,
        coalesce(sum(quote."priceCents") filter (where ${won} and quote."costCents" is not null), 0) as price
      from quote where quote."answeredAt" >= ${since} and ${visibleQuotes(ctx)}
    )
    select json_build_object('all', stands."all", 'open', stands.draft + going.quotes,
        'followUp', left_over.quotes + going.soon, 'accepted', stands.accepted,
        'lost', stands.refused + stands.sent - going.quotes) as counts,
      (stands."draftCents" + going.cents)::bigint as "openCents", lately.accepted::int as "acceptedCount",
      lately.answered::int as "answeredCount", lately.income::bigint as "incomeCents",
      lately.price::bigint as "priceCents"
    from stands, going, left_over, lately
  `.execute(ctx.db)
  return rows[0]!
}

type Narrowing = Pick<z.output<typeof listQuotes.query>, 'show' | 'q' | 'customerId'>

/** What a list shows, and whether it is narrowed by more than how quotes stand. */
function narrowed(ctx: Ctx, { show, q, customerId, ...left }: Narrowing) {
  noFilterLeft(left)
  const narrowing = [
    ...(q === undefined ? [] : searched(q)),
    ...(customerId === undefined ? [] : [sql<boolean>`quote."customerId" = ${customerId}`]),
  ]
  return {
    where: sql<boolean>`${sql.join([visibleQuotes(ctx), shownBy(ctx, show), ...narrowing], sql` and `)}`,
    isNarrowed: narrowing.length > 0,
    // Few among many are gathered by their indexes and sorted then: walking through all quotes by their day would pass
    // over nearly every one of them.
    areFew: narrowing.length > 0 || !seesAllQuotes(ctx) || show === 'open' || show === 'followUp',
  }
}

/** The rows of a page first, and what is shown beside them of these alone. */
async function rowsOf(ctx: Ctx, where: RawBuilder<boolean>, areFew: boolean, page: RawBuilder<unknown>) {
  const { rows } = await sql<Stored>`
    with found as ${areFew ? sql`materialized` : sql`not materialized`} (
      select quote.id, quote."createdAt" from quote where ${where}), page as (
      select * from found order by found."createdAt" desc, found.id desc ${page})
    select ${columns(ctx)} from page join quote on quote.id = page.id order by page."createdAt" desc, page.id desc
  `.execute(ctx.db)
  return rows
}

/** Quotes, the newest first. */
export async function quotes(
  ctx: Ctx,
  { page, timeZone: _unused, ...asked }: z.output<typeof listQuotes.query>,
): Promise<Quotes> {
  const { where, isNarrowed, areFew } = narrowed(ctx, asked)
  const offset = (page - 1) * QUOTES_A_PAGE
  const rows = await rowsOf(ctx, where, areFew, sql`limit ${sql.lit(QUOTES_A_PAGE)} offset ${offset}`)
  const { counts, openCents, acceptedCount, answeredCount, incomeCents, priceCents } = await sumsOf(ctx)
  return {
    items: rows.map(viewOf),
    total: isNarrowed ? await countWhere(ctx, where) : counts[asked.show],
    counts,
    openCents,
    lately: {
      acceptedCount,
      answeredCount,
      marginBp: priceCents === 0 ? null : roundHalfAwayFromZero(BigInt(incomeCents) * 10_000n, priceCents),
    },
  }
}

const ROWS_AT_A_TIME = 1000

/** Every quote that a list shows, walked from the newest on: none comes twice, whatever is made meanwhile. */
export async function* allQuotes(ctx: Ctx, asked: Narrowing): AsyncGenerator<Quote> {
  const { where, areFew } = narrowed(ctx, asked)
  for (let last: Quote | null = null; ; ) {
    const beyond: RawBuilder<boolean> =
      last === null
        ? where
        : sql<boolean>`${where} and (quote."createdAt", quote.id) < (${last.createdAt}::timestamptz, ${last.id})`
    const rows: Quote[] = (await rowsOf(ctx, beyond, areFew, sql`limit ${sql.lit(ROWS_AT_A_TIME)}`)).map(viewOf)
    yield* rows
    if (rows.length < ROWS_AT_A_TIME) return
    last = rows.at(-1)!
  }
}

async function countWhere(ctx: Ctx, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from quote where ${where}`.execute(ctx.db)
  return rows[0]!.count
}

import { sql, type RawBuilder } from 'kysely'
import {
  MOST_CREDIT_ROWS,
  NEAR_LIMIT_PERCENT,
  type CreditRows,
  type CreditStanding,
  type CustomerCredit,
} from '@waybill/contract/credit/credit'
import { FIRST_ORDER_STATUS, PLANNED_STATUSES, UNDER_WAY_STATUSES } from '@waybill/contract/order/status'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import './credit.table.ts'

const listed = (statuses: readonly string[]) => sql.join(statuses.map((status) => sql.lit(status)))

/** Net as `price` says with the VAT of the order, else what our country takes of a customer at home. */
const gross = (net: RawBuilder<unknown>, vatBp: RawBuilder<unknown>) => sql`round(${net} * (10000 + coalesce(${vatBp},
  case when land.id = k."countryId" then land."standardVatBp" else 0 end)) / 10000.0)::bigint`

/** What an order `one` of customer `k` costs it, by the VAT of our country `land`. */
const GROSS = gross(sql`(coalesce(one."customerPriceCents", 0) + one."extrasPriceCents")`, sql`one."customerVatBp"`)
const SELLER = sql`join department d on d.id = one."departmentId" join company seller on seller.id = d."companyId"
  join country land on land.id = seller."countryId"`

/** Where an order `one` stands (`counted`); a merged one stands as its transport. */
const STANDS = sql`${SELLER} left join "order" carrying on carrying.id = one."mergedIntoId"
  cross join lateral (select coalesce(carrying.status, one.status) as status) counted`

/** An order that will be billed, and is not yet; the transport of merged ones is none. */
const IS_UNBILLED = sql`not one."isMergeResult" and counted.status in (${listed(PLANNED_STATUSES)})
  -- looked up order by order: an anti-join would read all that was ever billed
  and (select billed."orderId" from billed_order billed where billed."orderId" = one.id) is null`

/** What they come to. */
const WAITING = sql`
  coalesce(sum(${GROSS}) filter (where counted.status not in (${listed(UNDER_WAY_STATUSES)})), 0)::bigint
    as "deliveredCents",
  coalesce(sum(${GROSS}) filter (where counted.status in (${listed(UNDER_WAY_STATUSES)})), 0)::bigint
    as "underWayCents"`

const OPEN = sql`(select coalesce(sum(r."openCents"), 0)::bigint from receivable r
  where r."customerId" = k.id and r."openCents" <> 0) as "openCents"`

/** What customer `k` owes or will owe: open invoices, orders that nobody has billed yet. */
const USED = sql`(select ${OPEN}, ${WAITING} from "order" one ${STANDS}
  where one."billingCustomerId" = k.id and ${IS_UNBILLED})`

const dayAt = (ctx: Ctx, zone: RawBuilder<unknown>) => sql`(${nowOf(ctx)}::timestamptz at time zone ${zone})::date`

/** The day that it still is for one of our companies at least: a customer is no company's alone. */
const DAY_OF_ANY = (ctx: Ctx) => sql<string>`coalesce(
  (select min(${dayAt(ctx, sql`ours."timeZone"`)}) from company ours), ${dayAt(ctx, sql`'UTC'`)})`

/** See `DAY_OF_ANY`; YYYY-MM-DD. */
export async function lastToday(ctx: Ctx): Promise<string> {
  const { rows } = await sql<{ day: string }>`select ${DAY_OF_ANY(ctx)} as day`.execute(ctx.db)
  return rows[0]!.day
}

/** Whether customer `k` has a lift that has not ended; its last day is over at midnight, as `day` tells. */
const isLifted = (day: RawBuilder<unknown>) => sql`exists (select 1 from credit_lift lift
  where lift."customerId" = k.id and lift."endedAt" is null and lift.until >= ${day})`

/** 2: over the limit, and nobody has lifted it; 1: near it, or lifted; 0: neither. */
const gradeOf = (day: RawBuilder<unknown>, sum: RawBuilder<unknown>) => sql`case
  when (${sum}) > k."creditLimitCents" and not ${isLifted(day)} then 2
  when (${sum}) * 100 >= k."creditLimitCents" * ${sql.lit(NEAR_LIMIT_PERCENT)} then 1 else 0 end`

const STANDING = (grade: RawBuilder<unknown>) => sql<CreditStanding | null>`case ${grade} when 2 then 'over'
  when 1 then 'near' end`

const USED_SUM = sql`used."openCents" + used."deliveredCents" + used."underWayCents"`

/**
 * How the order of the query (`"order"`) stands to the limits of who is billed, itself included, as long as it is not
 * planned; of a merge's result each source's customer. Null where nobody has a limit.
 */
export const creditOfOrder = (
  ctx: Ctx,
) => sql<CreditStanding | null>`case when "order".status = ${sql.lit(FIRST_ORDER_STATUS)} then (
  select ${STANDING(sql`max(${gradeOf(dayAt(ctx, sql`mine.zone`), sql`${USED_SUM} + mine.cents`)})`)}
  from (select one."billingCustomerId" as id, sum(${GROSS})::bigint as cents, min(seller."timeZone") as zone
      from "order" one join customer k on k.id = one."billingCustomerId" ${SELLER}
      where k."creditLimitCents" is not null
        and ((one.id = "order".id and not one."isMergeResult") or one."mergedIntoId" = "order".id)
      group by 1) mine
    join customer k on k.id = mine.id cross join lateral ${USED} used) end`

/** What merging these orders would come to, by the customers that they are billed to. */
export async function creditOfOrders(ctx: Ctx, orderIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select k.id from (select one."billingCustomerId" as id, sum(${GROSS})::bigint as cents,
          min(seller."timeZone") as zone
        from "order" one join customer k on k.id = one."billingCustomerId" ${SELLER}
        where k."creditLimitCents" is not null and one.id = any(${orderIds}::bigint[]) group by 1) mine
      join customer k on k.id = mine.id cross join lateral ${USED} used
      where ${gradeOf(dayAt(ctx, sql`mine.zone`), sql`${USED_SUM} + mine.cents`)} = 2
  `.execute(ctx.db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether a customer is near its limit, with an order of this price. Error: `not_found`. */
export async function creditStanding(
  ctx: Ctx,
  customerId: number,
  { netCents = 0, vatBp }: { netCents?: number | undefined; vatBp?: number | undefined },
): Promise<{ standing: CreditStanding | null }> {
  const mine = gross(sql`${netCents}::bigint`, sql`${vatBp ?? null}::int`)
  const { rows } = await sql<{ standing: CreditStanding | null }>`
    select case when k."creditLimitCents" is not null then
        ${STANDING(gradeOf(DAY_OF_ANY(ctx), sql`${USED_SUM} + ${mine}`))} end
        as standing
      from customer k left join country land on land.id = k."countryId"
          and exists (select 1 from company own where own."countryId" = k."countryId")
        cross join lateral ${USED} used
      where k.id = ${customerId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

/** What a customer uses of its limit, with the lift in force. Error: `not_found`. */
export async function customerCredit(ctx: Ctx, customerId: number): Promise<CustomerCredit> {
  const { rows } = await sql<CustomerCredit>`
    select k."creditLimitCents" as "limitCents", used."openCents", used."deliveredCents", used."underWayCents",
        ${USED_SUM} as "usedCents",
        case when k."creditLimitCents" is not null then ${STANDING(gradeOf(DAY_OF_ANY(ctx), USED_SUM))} end as standing,
        (select json_build_object('id', lift.id, 'reason', lift.reason, 'until', lift.until,
            'createdAt', to_char(lift."createdAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'createdBy', (select json_build_object('id', u.id, 'title', u."fullName") from "user" u
              where u.id = lift."createdById"))
          from credit_lift lift where lift."customerId" = k.id and lift."endedAt" is null
            and lift.until >= ${DAY_OF_ANY(ctx)}) as lift
      from customer k cross join lateral ${USED} used where k.id = ${customerId}
  `.execute(ctx.db)
  if (!rows[0]) throw new AppError('not_found')
  return rows[0]
}

/**
 * How the customers with a limit that owe us something stand to it; those alone of companies that the caller sees. What
 * they have ordered is found from what nobody has billed, not from all that each of them ever ordered.
 */
export async function creditOfDebtors(ctx: Ctx): Promise<CreditRows> {
  const { rows: items } = await sql<CreditRows['items'][number]>`
    with k as materialized (
      select debtor.id, debtor."countryId", debtor."creditLimitCents" from customer debtor
      where debtor."creditLimitCents" is not null
        and exists (select 1 from receivable r where r."customerId" = debtor.id and r."openCents" <> 0
          and (${ctx.companyFilter}::bigint is null or r."companyId" = ${ctx.companyFilter}::bigint))
      order by debtor.id limit ${sql.lit(MOST_CREDIT_ROWS)}
    ), waiting as materialized (
      -- looked up one by one: how few they are beside all orders, the planner may not know
      select k.id, ${WAITING} from unbilled_order free
        cross join lateral (select o.* from "order" o where o.id = free."orderId" offset 0) one
        join k on k.id = one."billingCustomerId" ${STANDS}
      where ${IS_UNBILLED} group by k.id
    )
    select k.id as "customerId", k."creditLimitCents" as "limitCents", ${USED_SUM} as "usedCents",
        ${STANDING(gradeOf(DAY_OF_ANY(ctx), USED_SUM))} as standing
      from k left join waiting on waiting.id = k.id
        cross join lateral (select ${OPEN}, coalesce(waiting."deliveredCents", 0) as "deliveredCents",
          coalesce(waiting."underWayCents", 0) as "underWayCents") used
      order by k.id
  `.execute(ctx.db)
  return { items }
}

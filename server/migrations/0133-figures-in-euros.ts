import { sql, type Kysely } from 'kysely'

/**
 * Reports take what carriers' invoices say in euros alone: one in złoty is no cost in euros (decision 122), so its
 * route counts with what was agreed. And what a canceled order still brings and costs counts, too (decision 130).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  /*
   * The figures as they are now. Agreed: price and cost with approved extras, as the order's margin counts them.
   * Actual: what is billed where the freight is billed, corrections included; what carriers' approved invoices say
   * where there is one for each route of a carrier, and none in another currency; else what was agreed. A canceled
   * order is none, and brings what was approved beside its freight, and what was billed.
   */
  await sql`
    create or replace view order_figure_now as
    select o.id as "orderId", share.part,
      date_trunc('month', o."lastUnloadingAt" at time zone coalesce(o."toTimeZone", 'UTC'))::date as month,
      o."departmentId", share."customerId", driven.carrier, coalesce(o."laneKey", 'none') as lane,
      coalesce(o."caseWorkerId"::text, 'none') as "caseWorkerId", driven.vehicle,
      case when agreed.revenue - agreed.cost is null or fate."isCanceled" then 'none'
        when agreed.revenue - agreed.cost < 0 then '-1'
        when o."marginBp" is null then '10000'
        else least(o."marginBp", 10000)::text end as grade,
      (not fate."isCanceled")::int as orders,
      (agreed.revenue is null)::int as unpriced,
      (agreed.cost is null)::int as uncosted,
      (bills."isBilled" and not fate."isCanceled")::int as billed,
      (driven."isInvoiced" and not fate."isCanceled")::int as invoiced,
      coalesce(ends.revenue - begins.revenue, 0) as "revenueCents",
      coalesce(ends.cost - begins.cost, 0) as "costCents",
      coalesce(ends.revenue - begins.revenue - (ends.cost - begins.cost), 0) as "incomeCents",
      case when agreed.cost is null then 0 else coalesce(ends.revenue - begins.revenue, 0) end as "earnedOnCents",
      coalesce(ends."actualRevenue" - begins."actualRevenue", 0) as "actualRevenueCents",
      coalesce(ends."actualCost" - begins."actualCost", 0) as "actualCostCents",
      coalesce(ends."actualRevenue" - begins."actualRevenue" - (ends."actualCost" - begins."actualCost"), 0)
        as "actualIncomeCents",
      case when actual.cost is null then 0 else coalesce(ends."actualRevenue" - begins."actualRevenue", 0) end
        as "actualEarnedOnCents"
    from "order" o
      cross join lateral (select o.status = 'canceled' as "isCanceled") fate
      cross join lateral (
        select case when fate."isCanceled" then 0 else o."customerPriceCents" end + o."extrasPriceCents" as revenue,
          case when fate."isCanceled" then 0 else o."carrierCostCents" end + o."extrasCostCents" as cost
      ) agreed
      cross join lateral (
        select
          case count(distinct driver) when 0 then 'none' when 1 then min(driver) else 'several' end as carrier,
          case count(distinct plate) when 0 then 'none' when 1 then min(plate) else 'several' end as vehicle,
          count(*) filter (where a."carrierCompanyId" is not null and not a."ownFleet") > 0
            and bool_and(a."carrierCompanyId" is null or a."ownFleet" or coalesce((
              select bool_and(i.currency = 'EUR')
              from invoice_allocation x join invoice i on i.id = x."invoiceId"
              where x."routeId" = r.id and i.status in ('approved', 'paid')), false)) as "isInvoiced"
        from route r join assignment a on a."routeId" = r.id
          cross join lateral (select
            case when a."ownFleet" then 'own' else a."carrierCompanyId"::text end as driver,
            nullif(upper(regexp_replace(a."plateNumber", '[^[:alnum:]]', '', 'g')), '') as plate) said
        where r."orderId" = o.id and (r.status <> 'canceled' or fate."isCanceled")
      ) driven
      -- an order bills itself, the result of a merge by what went into it
      cross join lateral (
        select array_agg(s.id) as ids,
          coalesce(bool_and(exists (select 1 from billed_order b where b."orderId" = s.id)), false) as "isBilled"
        from (
          select o.id where not o."isMergeResult"
          union all
          select source.id from "order" source where source."mergedIntoId" = o.id and o."isMergeResult"
        ) s
      ) bills
      cross join lateral (
        select
          case when bills."isBilled" or fate."isCanceled" then (
            select coalesce(sum(line."netCents"), 0)::bigint
            from invoice_line line join invoice i on i.id = line."invoiceId"
            where line."orderId" = any(bills.ids || o.id) and i."entityType" = 'customer' and i."frozenAt" is not null
          ) + case when fate."isCanceled" then (
            select coalesce(sum(e."netPriceCents"), 0)::bigint
            from order_extra e
            where e."orderId" = o.id and e.state = 'approved' and not exists (
              select 1 from invoice_line line join invoice i on i.id = line."invoiceId"
              where line."extraId" = e.id and line."billsExtra" and i."frozenAt" is not null)
          ) else 0 end else agreed.revenue end as revenue,
          case when driven."isInvoiced" then (
            select coalesce(sum(x."netCents"), 0)::bigint
            from route r join invoice_allocation x on x."routeId" = r.id join invoice i on i.id = x."invoiceId"
            where r."orderId" = o.id and i.status in ('approved', 'paid') and i.currency = 'EUR'
          ) else agreed.cost end as cost
        -- worked out once for all the columns that it is in
        offset 0
      ) actual
      -- shares of the customers of a merged transport, by what they pay; the last cent goes to one of them
      cross join lateral (
        select 0 as part, o."customerId", 0::numeric as before, 1::numeric as until, 1::numeric as whole
          where not o."isMergeResult"
        union all
        select (row_number() over (order by paid."customerId") - 1)::int, paid."customerId",
          sum(paid.weight) over (order by paid."customerId") - paid.weight,
          sum(paid.weight) over (order by paid."customerId"), sum(paid.weight) over ()
        from (
          select s."customerId", case when sum(sum(own.cents)) over () = 0 then 1 else sum(own.cents) end as weight
          from "order" s cross join lateral (
            select case when fate."isCanceled" then 0 else coalesce(s."customerPriceCents", 0) end
              + coalesce((select sum(e."netPriceCents") from order_extra e
              where e."orderId" = o.id and e."sourceOrderId" = s.id and e.state = 'approved'), 0) as cents
          ) own
          where s."mergedIntoId" = o.id and o."isMergeResult"
          group by s."customerId"
        ) paid
      ) share
      cross join lateral (
        select round(agreed.revenue * share.until / share.whole)::bigint as revenue,
          round(agreed.cost * share.until / share.whole)::bigint as cost,
          round(actual.revenue * share.until / share.whole)::bigint as "actualRevenue",
          round(actual.cost * share.until / share.whole)::bigint as "actualCost"
      ) ends
      cross join lateral (
        select round(agreed.revenue * share.before / share.whole)::bigint as revenue,
          round(agreed.cost * share.before / share.whole)::bigint as cost,
          round(actual.revenue * share.before / share.whole)::bigint as "actualRevenue",
          round(actual.cost * share.before / share.whole)::bigint as "actualCost"
      ) begins
    where o.state = 'active' and o.status <> 'merged' and o."lastUnloadingAt" is not null
      and (not fate."isCanceled"
        or exists (select 1 from order_extra e where e."orderId" = o.id and e.state = 'approved')
        or exists (select 1 from invoice_line line join invoice i on i.id = line."invoiceId"
          where line."orderId" = any(bills.ids || o.id) and i."entityType" = 'customer' and i."frozenAt" is not null)
        or exists (select 1 from route r join invoice_allocation x on x."routeId" = r.id
          join invoice i on i.id = x."invoiceId" where r."orderId" = o.id and i.status in ('approved', 'paid')))
  `.execute(db)

  // Customers' invoices count once they are frozen, and then their lines stay; carriers' once they are approved.
  await sql`
    create or replace function note_figures_of_invoices() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    declare
      changed constant bigint[] := array(
        select n.id from new_rows n join old_rows o on o.id = n.id
        where (n.status, n."frozenAt", n.currency) is distinct from (o.status, o."frozenAt", o.currency));
    begin
      if changed = '{}' then return null; end if;
      perform note_figures(array(
        select line."orderId" from invoice_line line where line."invoiceId" = any(changed)
        union
        select r."orderId" from invoice_allocation x join route r on r.id = x."routeId"
          where x."invoiceId" = any(changed)));
      return null;
    end $$
  `.execute(db)

  await sql`
    insert into figure_due ("orderId")
    select r."orderId" from invoice i join invoice_allocation x on x."invoiceId" = i.id
      join route r on r.id = x."routeId"
    where i.currency <> 'EUR'
    union
    select id from "order" where status = 'canceled'
  `.execute(db)
}

import { sql, type Kysely } from 'kysely'

const COUNTS = ['orders', 'unpriced', 'uncosted', 'billed', 'invoiced']
const SUMS = [
  'revenueCents',
  'costCents',
  'incomeCents',
  'earnedOnCents',
  'actualRevenueCents',
  'actualCostCents',
  'actualIncomeCents',
  'actualEarnedOnCents',
]
const named = (names: readonly string[], of = (name: string) => `"${name}"`) => names.map(of).join(', ')
const MEASURES = [...COUNTS, ...SUMS]

/**
 * What of the figures `f` stands where in the rollup, each with its sign. Parts of one order are told apart by their
 * customers alone: everywhere else the first of them counts for the order.
 */
const spread = (sign: '' | '-'): string => `
  select g.dimension, of."departmentId", f.month, g.key,
    ${named(COUNTS, (name) => `sum(${sign}f."${name}" * g.counts)::bigint`)},
    ${named(SUMS, (name) => `sum(${sign}f."${name}")::bigint`)}
  from f cross join lateral (values
      ('customer', f."customerId"::text, 1),
      ('carrier', f.carrier, (f.part = 0)::int),
      ('lane', f.lane, (f.part = 0)::int),
      ('department', 'all', (f.part = 0)::int),
      ('caseWorker', f."caseWorkerId"::text, (f.part = 0)::int),
      ('vehicle', f.vehicle, (f.part = 0)::int),
      ('grade', f.grade, (f.part = 0)::int)
    ) g(dimension, key, counts)
    -- 0 for all departments together, where nobody asks for theirs
    join (values (true), (false)) every("isAll") on not "isAll" or g.dimension not in ('department', 'grade')
    cross join lateral (select case when "isAll" then 0 else f."departmentId" end as "departmentId") of
  group by 1, 2, 3, 4`

const rollUp = (figures: string, sign: '' | '-'): string => `
  with f as (${figures})
  insert into figure_rollup as r (dimension, "departmentId", month, key, ${named(MEASURES)}) ${spread(sign)}
  on conflict (dimension, "departmentId", month, key)
    do update set ${named(MEASURES, (name) => `"${name}" = r."${name}" + excluded."${name}"`)}`

/**
 * Figures of orders for the reports, rolled up by month, department and what they are grouped by. A save only notes
 * which order has to be looked at again; a job does that later (decision 108).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table figure_due (
      id bigint generated always as identity primary key,
      "orderId" bigint not null
    )
  `.execute(db)

  // What the rollup holds of an order. A merged transport has a part for each of its customers.
  await sql
    .raw(`
    create table order_figure (
      "orderId" bigint not null,
      part int not null,
      month date not null,
      "departmentId" bigint not null,
      "customerId" bigint not null,
      carrier text not null,
      lane text not null,
      "caseWorkerId" text not null,
      vehicle text not null,
      grade text not null,
      ${named(COUNTS, (name) => `"${name}" int not null`)},
      ${named(SUMS, (name) => `"${name}" bigint not null`)},
      primary key ("orderId", part)
    )`)
    .execute(db)
  for (const column of ['customerId', 'carrier', 'lane', 'caseWorkerId', 'vehicle'])
    await sql`create index on order_figure (${sql.ref(column)}, month)`.execute(db)

  await sql
    .raw(`
    create table figure_rollup (
      dimension text not null,
      "departmentId" bigint not null,
      month date not null,
      key text not null,
      ${named(COUNTS, (name) => `"${name}" int not null`)},
      ${named(SUMS, (name) => `"${name}" bigint not null`)},
      primary key (dimension, "departmentId", month, key)
    )`)
    .execute(db)

  await sql`create index on invoice_line ("orderId") where "orderId" is not null`.execute(db)

  /*
   * The figures as they are now. Agreed: price and cost with approved extras, as the order's margin counts them.
   * Actual: what is billed where the freight is billed, corrections included; what carriers' approved invoices say
   * where there is one for each route of a carrier; else what was agreed.
   */
  await sql`
    create view order_figure_now as
    select o.id as "orderId", share.part,
      date_trunc('month', o."lastUnloadingAt" at time zone coalesce(o."toTimeZone", 'UTC'))::date as month,
      o."departmentId", share."customerId", driven.carrier, coalesce(o."laneKey", 'none') as lane,
      coalesce(o."caseWorkerId"::text, 'none') as "caseWorkerId", driven.vehicle,
      case when agreed.revenue - agreed.cost is null then 'none'
        when agreed.revenue - agreed.cost < 0 then '-1'
        when o."marginBp" is null then '10000'
        else least(o."marginBp", 10000)::text end as grade,
      1 as orders,
      (agreed.revenue is null)::int as unpriced,
      (agreed.cost is null)::int as uncosted,
      bills."isBilled"::int as billed,
      driven."isInvoiced"::int as invoiced,
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
      cross join lateral (
        select o."customerPriceCents" + o."extrasPriceCents" as revenue,
          o."carrierCostCents" + o."extrasCostCents" as cost
      ) agreed
      cross join lateral (
        select
          case count(distinct driver) when 0 then 'none' when 1 then min(driver) else 'several' end as carrier,
          case count(distinct plate) when 0 then 'none' when 1 then min(plate) else 'several' end as vehicle,
          count(*) filter (where a."carrierCompanyId" is not null and not a."ownFleet") > 0
            and bool_and(a."carrierCompanyId" is null or a."ownFleet" or exists (
              select 1 from invoice_allocation x join invoice i on i.id = x."invoiceId"
              where x."routeId" = r.id and i.status in ('approved', 'paid'))) as "isInvoiced"
        from route r join assignment a on a."routeId" = r.id
          cross join lateral (select
            case when a."ownFleet" then 'own' else a."carrierCompanyId"::text end as driver,
            nullif(upper(regexp_replace(a."plateNumber", '[^[:alnum:]]', '', 'g')), '') as plate) said
        where r."orderId" = o.id and r.status <> 'canceled'
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
          case when bills."isBilled" then (
            select coalesce(sum(line."netCents"), 0)::bigint
            from invoice_line line join invoice i on i.id = line."invoiceId"
            where line."orderId" = any(bills.ids || o.id) and i."entityType" = 'customer' and i."frozenAt" is not null
          ) else agreed.revenue end as revenue,
          case when driven."isInvoiced" then (
            select coalesce(sum(x."netCents"), 0)::bigint
            from route r join invoice_allocation x on x."routeId" = r.id join invoice i on i.id = x."invoiceId"
            where r."orderId" = o.id and i.status in ('approved', 'paid')
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
            select coalesce(s."customerPriceCents", 0) + coalesce((select sum(e."netPriceCents") from order_extra e
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
    where o.state = 'active' and o.status not in ('canceled', 'merged') and o."lastUnloadingAt" is not null
  `.execute(db)

  // One at a time, so that nobody adds to the same rows of the rollup.
  await sql
    .raw(`
    create function fold_figures(most int) returns int language plpgsql set search_path = public, pg_temp as $$
    declare
      ids bigint[];
      taken int;
    begin
      if not pg_try_advisory_xact_lock(hashtext('fold_figures')) then return 0; end if;
      with gone as (
        delete from figure_due where id in (select id from figure_due order by id limit most) returning "orderId"
      )
      select array_agg(distinct "orderId"), count(*) into ids, taken from gone;
      if taken > 0 then
        with gone as (delete from order_figure where "orderId" = any(ids) returning *)
          ${rollUp('select * from gone', '-').replace('with f as', ', f as')};
        with fresh as (
          insert into order_figure ("orderId", part, month, "departmentId", "customerId", carrier, lane,
            "caseWorkerId", vehicle, grade, ${named(MEASURES)})
          select "orderId", part, month, "departmentId", "customerId", carrier, lane,
            "caseWorkerId", vehicle, grade, ${named(MEASURES)}
          from order_figure_now where "orderId" = any(ids) returning *)
          ${rollUp('select * from fresh', '').replace('with f as', ', f as')};
      end if;
      return taken;
    end $$`)
    .execute(db)

  await sql`
    create function note_figures(ids bigint[]) returns void language sql set search_path = public, pg_temp as $$
      insert into figure_due ("orderId")
      select x.id from unnest(ids) x(id) where x.id is not null
      union
      -- what a source bills counts for the result
      select o."mergedIntoId" from "order" o where o.id = any(ids) and o."mergedIntoId" is not null
    $$
  `.execute(db)

  // Every save of an order, its routes and stops moves its version.
  await sql`
    create function note_figures_of_orders() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'INSERT' then
        perform note_figures(array(select id from new_rows));
      elsif tg_op = 'DELETE' then
        perform note_figures(array(select id from old_rows));
      else
        perform note_figures(array(
          select unnest(array[n.id, o."mergedIntoId"]) from new_rows n join old_rows o on o.id = n.id
          where (n.version, n.status, n.state, n."departmentId", n."caseWorkerId", n."customerId", n."mergedIntoId",
              n."customerPriceCents", n."carrierCostCents", n."extrasPriceCents", n."extrasCostCents", n."marginBp",
              n."lastUnloadingAt", n."toTimeZone", n."laneKey", n."carrierCompanyIds")
            is distinct from (o.version, o.status, o.state, o."departmentId", o."caseWorkerId", o."customerId",
              o."mergedIntoId", o."customerPriceCents", o."carrierCostCents", o."extrasPriceCents",
              o."extrasCostCents", o."marginBp", o."lastUnloadingAt", o."toTimeZone", o."laneKey",
              o."carrierCompanyIds")));
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger figures_after_insert after insert on "order" referencing new table as new_rows
    for each statement execute function note_figures_of_orders()`.execute(db)
  await sql`create trigger figures_after_update after update on "order"
    referencing old table as old_rows new table as new_rows
    for each statement execute function note_figures_of_orders()`.execute(db)
  await sql`create trigger figures_after_delete after delete on "order" referencing old table as old_rows
    for each statement execute function note_figures_of_orders()`.execute(db)

  // Customers' invoices count once they are frozen, and then their lines stay; carriers' once they are approved.
  await sql`
    create function note_figures_of_invoices() returns trigger language plpgsql set search_path = public, pg_temp as $$
    declare
      changed constant bigint[] := array(
        select n.id from new_rows n join old_rows o on o.id = n.id
        where (n.status, n."frozenAt") is distinct from (o.status, o."frozenAt"));
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
  await sql`create trigger figures_after_update after update on invoice
    referencing old table as old_rows new table as new_rows
    for each statement execute function note_figures_of_invoices()`.execute(db)

  await sql`
    create function note_figures_of_allocations() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if tg_op <> 'INSERT' then
        perform note_figures(array(
          select distinct r."orderId" from old_rows x join route r on r.id = x."routeId"));
      end if;
      if tg_op <> 'DELETE' then
        perform note_figures(array(
          select distinct r."orderId" from new_rows x join route r on r.id = x."routeId"));
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger figures_after_insert after insert on invoice_allocation referencing new table as new_rows
    for each statement execute function note_figures_of_allocations()`.execute(db)
  await sql`create trigger figures_after_update after update on invoice_allocation
    referencing old table as old_rows new table as new_rows
    for each statement execute function note_figures_of_allocations()`.execute(db)
  await sql`create trigger figures_after_delete after delete on invoice_allocation referencing old table as old_rows
    for each statement execute function note_figures_of_allocations()`.execute(db)

  // What is there already is folded after the start, in batches; reports are exact before that, too.
  await sql`insert into figure_due ("orderId") select id from "order" order by id`.execute(db)
}

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
const STOPS = [
  'trips',
  'loadings',
  'loadingsInTime',
  'unloadings',
  'unloadingsInTime',
  'lateMinutes',
  'excused',
  'unmeasured',
]
const named = (names: readonly string[], of = (name: string) => `"${name}"`) => names.map(of).join(', ')
const MEASURES = [...COUNTS, ...SUMS]

/** As in 0111: what of an order's figures `f` stands where in the rollup, each with its sign. */
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

const rollUp = (sign: '' | '-'): string => `
  insert into figure_rollup as r (dimension, "departmentId", month, key, ${named(MEASURES)}) ${spread(sign)}
  on conflict (dimension, "departmentId", month, key)
    do update set ${named(MEASURES, (name) => `"${name}" = r."${name}" + excluded."${name}"`)}`

/** The same of a route's stops: customers who share a truck have rows of their own, which count for them alone. */
const rollUpStops = (sign: '' | '-'): string => `
  insert into punctuality_rollup as r (dimension, "departmentId", month, key, ${named(STOPS)})
  select g.dimension, of."departmentId", f.month, g.key, ${named(STOPS, (name) => `sum(${sign}f."${name}")::bigint`)}
  from f cross join lateral (values
      ('customer', f."customerId"::text, f."customerId" is not null),
      ('carrier', f.carrier, f.part = 0),
      ('lane', f.lane, f.part = 0),
      ('department', 'all', f.part = 0)
    ) g(dimension, key, counts)
    join (values (true), (false)) every("isAll") on not "isAll" or g.dimension <> 'department'
    cross join lateral (select case when "isAll" then 0 else f."departmentId" end as "departmentId") of
  where g.counts and f.month is not null
  group by 1, 2, 3, 4
  on conflict (dimension, "departmentId", month, key)
    do update set ${named(STOPS, (name) => `"${name}" = r."${name}" + excluded."${name}"`)}`

/**
 * What reports tell of stops reached in time, of proofs of delivery that are missing, and of spans of time
 * (decision 134): noted and folded with the figures of money.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    create table route_figure (
      "routeId" bigint not null,
      -- 0 is the route as a whole; with goods of several customers one more for each of them
      part int not null,
      "orderId" bigint not null,
      month date,
      "departmentId" bigint not null,
      "customerId" bigint,
      carrier text not null,
      lane text not null,
      ${named(STOPS, (name) => `"${name}" int not null`)},
      -- unloaded without an accepted proof of delivery or a reason why there is none
      "podOpenSince" timestamptz,
      primary key ("routeId", part)
    )`)
    .execute(db)
  await sql`create index on route_figure ("orderId")`.execute(db)
  for (const column of ['customerId', 'carrier', 'lane'])
    await sql`create index on route_figure (${sql.ref(column)}, month)`.execute(db)
  await sql`create index on route_figure ("podOpenSince") where "podOpenSince" is not null`.execute(db)

  await sql
    .raw(`
    create table punctuality_rollup (
      dimension text not null,
      "departmentId" bigint not null,
      month date not null,
      key text not null,
      ${named(STOPS, (name) => `"${name}" bigint not null`)},
      primary key (dimension, "departmentId", month, key)
    )`)
    .execute(db)

  await sql`
    create table order_span (
      "orderId" bigint primary key,
      month date not null,
      "departmentId" bigint not null,
      "customerId" bigint not null,
      "planHours" int,
      "billHours" int
    )
  `.execute(db)
  await sql`
    create index on order_span (month, "customerId") include ("departmentId", "planHours", "billHours")
  `.execute(db)
  await sql`create index on order_span ("customerId", month)`.execute(db)

  /*
   * Whether an accepted proof of delivery speaks for the route, by the rule of contract/src/order/papers/pod.ts, and
   * since when. Before mails were planned nobody noted when it was accepted: then when it was checked, or came from
   * staff, who vouch for it.
   */
  await sql`
    create function pod_accepted_at(route bigint, ordered bigint,
        out "isAccepted" boolean, out "acceptedAt" timestamptz)
      language sql stable set search_path = public, pg_temp as $$
      select count(*) > 0, min(coalesce(d."acceptedAt", d."checkedAt", d."createdAt")) from document d
      where d."ownerKind" = 'order' and d."ownerId" = ordered and d."documentType" = 'PROOF_OF_DELIVERY'
        and d.acceptance = 'accepted'
        and (d."locationIds" is null and not exists (select 1 from assignment a
            where a.id = d."orderCarrier" and a."routeId" <> route)
          or exists (select 1 from location l where l.id = any(d."locationIds") and l."routeId" = route))
    $$
  `.execute(db)

  /*
   * A stop is measured where it was reached and had a time to be there, which ends with its termin. Late ones of an
   * order with a deviation that the customer caused are told apart and not measured.
   */
  await sql`
    create view route_figure_now as
    select r.id as "routeId", share.part, o.id as "orderId",
      date_trunc('month', o."lastUnloadingAt" at time zone coalesce(o."toTimeZone", 'UTC'))::date as month,
      o."departmentId", share."customerId",
      case when a."ownFleet" then 'own' else coalesce(a."carrierCompanyId"::text, 'none') end as carrier,
      coalesce(o."laneKey", 'none') as lane,
      (stops.loadings + stops.unloadings > 0)::int as trips,
      stops.loadings, stops."loadingsInTime", stops.unloadings, stops."unloadingsInTime", stops."lateMinutes",
      stops.excused, stops.unmeasured, proof."openSince" as "podOpenSince"
    from "order" o
      join route r on r."orderId" = o.id and r.status <> 'canceled'
      left join assignment a on a."routeId" = r.id
      cross join lateral (
        select 0 as part, case when o."isMergeResult" then null else o."customerId" end as "customerId"
        union all
        select row_number() over (order by own."customerId")::int, own."customerId"
        from (
          select distinct coalesce(c."customerId", source."customerId") as "customerId"
          from location l join cargo_action act on act."locationId" = l.id join cargo c on c.id = act."cargoId"
            left join "order" source on source.id = c."sourceOrderId"
          where l."routeId" = r.id and o."isMergeResult"
        ) own
        where own."customerId" is not null
      ) share
      cross join lateral (
        select
          count(*) filter (where said.way = 'measured' and l.kind = 'loading')::int as loadings,
          count(*) filter (where said.way = 'measured' and l.kind = 'loading' and said.late <= 0)::int
            as "loadingsInTime",
          count(*) filter (where said.way = 'measured' and l.kind = 'unloading')::int as unloadings,
          count(*) filter (where said.way = 'measured' and l.kind = 'unloading' and said.late <= 0)::int
            as "unloadingsInTime",
          coalesce(sum(ceil(said.late)) filter (where said.way = 'measured' and said.late > 0), 0)::int
            as "lateMinutes",
          count(*) filter (where said.way = 'excused')::int as excused,
          count(*) filter (where said.way = 'unmeasured')::int as unmeasured,
          max(l."unloadedAt") as "unloadedAt"
        from location l
          cross join lateral (
            select extract(epoch from coalesce(l."arrivedAt",
              case l.kind when 'loading' then l."loadedAt" else l."unloadedAt" end) - l."endAt") / 60 as late
          ) reached
          cross join lateral (
            select reached.late,
              case when reached.late > 0
                  and o.deviations && '{CUSTOMER_LEVEL_1,CUSTOMER_LEVEL_2,CUSTOMER_LEVEL_3}'::text[] then 'excused'
                when reached.late is not null then 'measured'
                when r.status in ('arrived', 'delivered', 'completed') then 'unmeasured' end as way
          ) said
        where l."routeId" = r.id and l."canceledAt" is null and l.kind in ('loading', 'unloading')
          and (share.part = 0 or exists (select 1 from cargo_action act join cargo c on c.id = act."cargoId"
              left join "order" source on source.id = c."sourceOrderId"
            where act."locationId" = l.id and coalesce(c."customerId", source."customerId") = share."customerId"))
      ) stops
      cross join lateral (
        select case when r.status in ('delivered', 'completed') and o."podWaiverReason" is null
            and not (pod_accepted_at(r.id, o.id))."isAccepted"
          then coalesce(stops."unloadedAt", (r."statusDates" ->> 'delivered')::timestamptz,
            (r."statusDates" ->> 'completed')::timestamptz, o."deliveredAt", o."createdAt") end as "openSince"
      ) proof
    where o.state = 'active' and o.status not in ('merged', 'canceled')
      and (stops.loadings + stops.unloadings + stops.excused + stops.unmeasured > 0 or proof."openSince" is not null)
  `.execute(db)

  /*
   * Orders as customers gave them: one that was merged has the plan and the proofs of its result. Whole hours; what
   * was done before its time waited for nothing.
   */
  await sql`
    create view order_span_now as
    select * from (
      select o.id as "orderId",
        date_trunc('month', o."lastUnloadingAt" at time zone coalesce(o."toTimeZone", 'UTC'))::date as month,
        o."departmentId", o."customerId",
        floor(case when waited.plan < 0 then 0 else waited.plan end / 3600)::int as "planHours",
        floor(case when waited.bill < 0 then 0 else waited.bill end / 3600)::int as "billHours"
      from "order" o
        left join "order" result on result.id = o."mergedIntoId"
        cross join lateral (
          select case when bool_and(proof."acceptedAt" is not null) then max(proof."acceptedAt") end as at
          from route r cross join lateral pod_accepted_at(r.id, r."orderId") proof
          where r."orderId" = coalesce(result.id, o.id) and r.status <> 'canceled'
        ) proved
        left join lateral (
          select i."frozenAt" as at from billed_order b join invoice i on i.id = b."invoiceId"
          where b."orderId" = o.id
        ) billed on true
        cross join lateral (
          select extract(epoch from coalesce(result."scheduledAt", o."scheduledAt") - o."createdAt") as plan,
            extract(epoch from billed.at - proved.at) as bill
        ) waited
      where o.state = 'active' and not o."isMergeResult" and o.status <> 'canceled' and o."lastUnloadingAt" is not null
        and (result.id is null or result.status <> 'canceled' and result.state = 'active')
        -- nothing is known of the others
        and (coalesce(result."scheduledAt", o."scheduledAt") is not null or billed.at is not null)
    ) known
    where "planHours" is not null or "billHours" is not null
  `.execute(db)

  // What the plan and the proofs of a result say, its orders say, too.
  await sql`
    create function with_merged_orders(ids bigint[]) returns bigint[] language sql stable
      set search_path = public, pg_temp as $$
      select array(
        select unnest(ids)
        union
        select o.id from "order" o where o."mergedIntoId" = any(ids) and o."mergedIntoId" is not null)
    $$
  `.execute(db)

  // One at a time, so that nobody adds to the same rows of the rollups.
  await sql
    .raw(`
    create or replace function fold_figures(most int) returns int language plpgsql
      set search_path = public, pg_temp as $$
    declare
      ids bigint[];
      spans bigint[];
      taken int;
    begin
      if not pg_try_advisory_xact_lock(hashtext('fold_figures')) then return 0; end if;
      with gone as (
        delete from figure_due where id in (select id from figure_due order by id limit most) returning "orderId"
      )
      select array_agg(distinct "orderId"), count(*) into ids, taken from gone;
      if taken > 0 then
        with f as (delete from order_figure where "orderId" = any(ids) returning *) ${rollUp('-')};
        with f as (
          insert into order_figure ("orderId", part, month, "departmentId", "customerId", carrier, lane,
            "caseWorkerId", vehicle, grade, ${named(MEASURES)})
          select "orderId", part, month, "departmentId", "customerId", carrier, lane,
            "caseWorkerId", vehicle, grade, ${named(MEASURES)}
          from order_figure_now where "orderId" = any(ids) returning *) ${rollUp('')};
        with f as (delete from route_figure where "orderId" = any(ids) returning *) ${rollUpStops('-')};
        with f as (
          insert into route_figure ("routeId", part, "orderId", month, "departmentId", "customerId", carrier, lane,
            ${named(STOPS)}, "podOpenSince")
          select "routeId", part, "orderId", month, "departmentId", "customerId", carrier, lane,
            ${named(STOPS)}, "podOpenSince"
          from route_figure_now where "orderId" = any(ids) returning *) ${rollUpStops('')};
        spans := with_merged_orders(ids);
        delete from order_span where "orderId" = any(spans);
        insert into order_span ("orderId", month, "departmentId", "customerId", "planHours", "billHours")
          select "orderId", month, "departmentId", "customerId", "planHours", "billHours"
          from order_span_now where "orderId" = any(spans);
      end if;
      return taken;
    end $$`)
    .execute(db)

  // An accepted proof of delivery changes no version of its order.
  await sql`
    create function note_figures_of_documents() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      if tg_op = 'INSERT' then
        perform note_figures(array(select "ownerId" from new_rows
          where "ownerKind" = 'order' and "documentType" = 'PROOF_OF_DELIVERY'));
      elsif tg_op = 'DELETE' then
        perform note_figures(array(select "ownerId" from old_rows
          where "ownerKind" = 'order' and "documentType" = 'PROOF_OF_DELIVERY'));
      else
        perform note_figures(array(
          select unnest(array[
            case when n."ownerKind" = 'order' then n."ownerId" end,
            case when o."ownerKind" = 'order' then o."ownerId" end])
          from new_rows n join old_rows o on o.id = n.id
          where 'PROOF_OF_DELIVERY' in (n."documentType", o."documentType")
            and (n."ownerKind", n."ownerId", n."documentType", n.acceptance, n."acceptedAt", n."checkedAt",
                n."locationIds", n."orderCarrier")
              is distinct from (o."ownerKind", o."ownerId", o."documentType", o.acceptance, o."acceptedAt",
                o."checkedAt", o."locationIds", o."orderCarrier")));
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger figures_after_insert after insert on document referencing new table as new_rows
    for each statement execute function note_figures_of_documents()`.execute(db)
  await sql`create trigger figures_after_update after update on document
    referencing old table as old_rows new table as new_rows
    for each statement execute function note_figures_of_documents()`.execute(db)
  await sql`create trigger figures_after_delete after delete on document referencing old table as old_rows
    for each statement execute function note_figures_of_documents()`.execute(db)

  // What is there already is folded after the start, in batches.
  await sql`insert into figure_due ("orderId") select id from "order" order by id`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * From which postal area to which, derived at every save, so that the last orders of a lane are read off an index
 * (contract: order/lane.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "order" add "laneKey" text`.execute(db)
  await sql`
    with driven as (
      select l."orderId", l.position, c.code,
        upper(left(regexp_replace(regexp_replace(trim(l.postal), '^[A-Za-z]{1,3}-', ''), '[^A-Za-z0-9]', '', 'g'), 2))
          as area,
        l.kind = 'loading' or exists (select 1 from cargo_action a where a."locationId" = l.id
          and a.action = 'PICK_UP') as "isPickUp",
        l.kind = 'unloading' or exists (select 1 from cargo_action a where a."locationId" = l.id
          and a.action = 'DROP_OFF') as "isDropOff"
      from location l join country c on c.id = l."countryId" join "order" o on o.id = l."orderId" left join route r
        on r.id = l."routeId"
      where l."canceledAt" is null and (o.status = 'canceled' or r.status is distinct from 'canceled')
    ), starts as (
      select distinct on ("orderId") "orderId", code, area from driven where "isPickUp" order by "orderId", position
    ), ends as (
      select distinct on ("orderId") "orderId", code, area from driven where "isDropOff" order by "orderId",
        position desc
    )
    update "order" o set "laneKey" = starts.code || ' ' || starts.area || '>' || ends.code || ' ' || ends.area
    from starts join ends using ("orderId") where o.id = starts."orderId" and length(starts.area) = 2
      and length(ends.area) = 2
  `.execute(db)
  await sql`
    create index on "order" ("laneKey", "createdAt" desc, id desc)
      where "laneKey" is not null and "customerPriceCents" is not null and status not in ('canceled', 'merged')
  `.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Which extras the carrier of a route is paid, one by one: its page names them (decision 079). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Those that name no route are of the first one that a carrier drives.
  await sql`
    create function extras_owed_of(route_id bigint) returns setof order_extra language sql stable as $$
      select e.* from route r join order_extra e on e."orderId" = r."orderId"
      where r.id = route_id and e.state = 'approved' and e."netCostCents" is not null
        and coalesce(e."routeId", (select one.id from route one join assignment a on a."routeId" = one.id
          where one."orderId" = r."orderId" and a."carrierCompanyId" is not null
          order by one.status = 'canceled', one.n limit 1)) = r.id
    $$
  `.execute(db)
  await sql`
    create or replace function extras_owed(route_id bigint) returns bigint language sql stable as $$
      select coalesce(sum("netCostCents"), 0)::bigint from extras_owed_of(route_id)
    $$
  `.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** What one carrier's invoice has booked on a route is owed to no other carrier of that route (decision 077). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function extras_owed_of(route_id bigint) returns setof order_extra language sql stable as $$
      select e.* from route r join order_extra e on e."orderId" = r."orderId"
      where r.id = route_id and e.state = 'approved' and e."netCostCents" is not null
        and coalesce(e."routeId", (select one.id from route one join assignment a on a."routeId" = one.id
          where one."orderId" = r."orderId" and a."carrierCompanyId" is not null
          order by one.status = 'canceled', one.n limit 1)) = r.id
        and not exists (select 1 from invoice booked join assignment a on a."routeId" = r.id
          where booked.id = e."bookedByInvoiceId" and a."carrierCompanyId" <> booked."carrierCompanyId")
    $$
  `.execute(db)
}

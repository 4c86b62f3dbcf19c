import { sql, type Kysely } from 'kysely'

/** Carriers are found by the lanes that they drove, and by their last routes (decision 105). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // As `postalArea` of contract/src/order/lane.ts.
  await sql`
    create function postal_area(postal text) returns text language sql immutable parallel safe as $$
      select upper(left(regexp_replace(regexp_replace(trim(postal), '^[A-Za-z]{1,3}-', ''), '[^A-Za-z0-9]', '', 'g'),
        2))
    $$
  `.execute(db)
  await sql`create index location_area on location ("countryId", kind, postal_area(postal), "endAt")
    include ("routeId", "routePosition") where "routeId" is not null and "canceledAt" is null`.execute(db)
  await sql`create index assignment_newest on assignment ("carrierCompanyId", id desc)
    where "carrierCompanyId" is not null`.execute(db)
}

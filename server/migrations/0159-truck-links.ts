import { sql, type Kysely } from 'kysely'

/** Links of our own trucks: by one of them a driver sees all that the truck drives in two days (decision 109). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table truck_link (
      id bigint generated always as identity primary key,
      "vehicleId" bigint not null references vehicle on delete cascade,
      day date not null,
      nonce bytea not null check (length(nonce) = 16),
      "tokenHash" bytea not null unique check (length("tokenHash") = 32),
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "revokedAt" timestamptz,
      "revokedById" bigint references "user"
    )
  `.execute(db)
  await sql`create unique index "conflict__truck_link" on truck_link ("vehicleId", day)
    where "revokedAt" is null`.execute(db)
  await sql`create index on truck_link ("createdById")`.execute(db)
  await sql`create index on truck_link ("revokedById")`.execute(db)

  await sql`
    create function keep_truck_link() returns trigger language plpgsql as $$
    begin
      if row(old."vehicleId", old.day, old.nonce, old."tokenHash", old."createdAt", old."createdById")
        is distinct from row(new."vehicleId", new.day, new.nonce, new."tokenHash", new."createdAt", new."createdById")
        or (old."revokedAt" is not null and old."revokedAt" is distinct from new."revokedAt")
      then
        raise exception 'a link stays as it was made' using constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep_truck_link before update on truck_link
    for each row execute function keep_truck_link()`.execute(db)

  await sql`
    alter table driver_report alter "linkId" drop not null,
      add "truckLinkId" bigint references truck_link on delete set null,
      add check (num_nonnulls("linkId", "truckLinkId") <= 1)
  `.execute(db)
  // The telephone's own id: what it sends twice is one.
  await sql`create unique index "conflict__driver_report__truck" on driver_report ("truckLinkId", key)
    where "truckLinkId" is not null`.execute(db)
}

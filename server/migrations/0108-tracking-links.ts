import { sql, type Kysely } from 'kysely'

/** Links by which customers follow their order (decision 104). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tracking_link (
      id bigint generated always as identity primary key,
      "orderId" bigint not null references "order" on delete cascade,
      "customerId" bigint not null references customer,
      nonce bytea not null check (length(nonce) = 16),
      "tokenHash" bytea not null unique check (length("tokenHash") = 32),
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      "expiresAt" timestamptz not null check ("expiresAt" > "createdAt"),
      "revokedAt" timestamptz,
      "revokedById" bigint references "user",
      "sentAt" timestamptz
    )
  `.execute(db)
  await sql`create unique index "conflict__tracking_link" on tracking_link ("orderId", "customerId")
    where "revokedAt" is null`.execute(db)
  await sql`create index on tracking_link ("orderId")`.execute(db)
  await sql`create index on tracking_link ("customerId")`.execute(db)
  await sql`create index on tracking_link ("createdById")`.execute(db)
  await sql`create index on tracking_link ("revokedById")`.execute(db)

  await sql`
    create function keep_tracking_link() returns trigger language plpgsql as $$
    begin
      if row(old."orderId", old."customerId", old.nonce, old."tokenHash", old."createdAt", old."createdById",
          old."expiresAt")
        is distinct from row(new."orderId", new."customerId", new.nonce, new."tokenHash", new."createdAt",
          new."createdById", new."expiresAt")
        or (old."revokedAt" is not null and old."revokedAt" is distinct from new."revokedAt")
      then
        raise exception 'a link stays as it was made' using constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep_tracking_link before update on tracking_link
    for each row execute function keep_tracking_link()`.execute(db)
  // Who has the order open sees a link that was made, sent or revoked (decision 031).
  await sql`
    create function tell_tracking_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'order', 'ids', json_build_array(new."orderId")));
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_tracking_links after insert or update on tracking_link
    for each row execute function tell_tracking_changes()`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** What every module stands on: search keys, sessions, idempotency, history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`create extension if not exists unaccent`.execute(db)

  // unaccent() is only STABLE because its dictionary can change; ours does not, and an index needs IMMUTABLE.
  await sql`
    create function search_key(value text) returns text
      language sql immutable strict parallel safe
      return lower(public.unaccent('public.unaccent', value))
  `.execute(db)

  await sql`
    create table idempotency_key (
      scope text primary key,
      "bodyHash" text not null,
      status int not null,
      location text,
      reply text,
      "createdAt" timestamptz not null
    )
  `.execute(db)
  await sql`create index on idempotency_key ("createdAt")`.execute(db)

  await sql`
    create table audit_entry (
      id bigint generated always as identity primary key,
      at timestamptz not null,
      "actorId" bigint,
      "ownerKind" text not null,
      "ownerId" bigint not null,
      action text not null,
      changes jsonb not null,
      reason text,
      "requestId" text
    )
  `.execute(db)
  await sql`create index on audit_entry ("ownerKind", "ownerId", id desc)`.execute(db)
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$
  `.execute(db)
  await sql`create trigger append_only before update or delete on audit_entry for each row
    execute function refuse_change()`.execute(db)
  await sql`create trigger append_only_truncate before truncate on audit_entry for each statement
    execute function refuse_change()`.execute(db)

  await sql`create table installation (name text primary key, "doneAt" timestamptz not null)`.execute(db)
}

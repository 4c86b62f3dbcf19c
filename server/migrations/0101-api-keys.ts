import { sql, type Kysely } from 'kysely'

/** Keys with which other systems call in the name of a person (decision 099). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_key (
      id bigint generated always as identity primary key,
      title text not null,
      "ownerId" bigint not null references "user",
      permissions text[] not null check (cardinality(permissions) > 0),
      -- SHA-256 of the key; the key itself is kept nowhere
      hash bytea not null unique check (length(hash) = 32),
      -- its last four characters
      hint text not null check (length(hint) = 4),
      "createdAt" timestamptz not null,
      "createdById" bigint not null references "user",
      "expiresAt" timestamptz not null check ("expiresAt" > "createdAt"),
      "lastUsedAt" timestamptz,
      "revokedAt" timestamptz,
      "revokedById" bigint references "user",
      check (("revokedAt" is null) = ("revokedById" is null))
    )
  `.execute(db)
  // Two keys in use with one name could not be told apart; a name is free again with its key's end.
  await sql`create unique index "taken__title__api_key" on api_key (lower(title)) where "revokedAt" is null`.execute(db)
  await sql`create index on api_key ("ownerId")`.execute(db)

  // A key that ended has ended: what it was and may do stays, for the history that names it.
  await sql`
    create function keep_api_key() returns trigger language plpgsql as $$
    begin
      if old."revokedAt" is not null
        or row(old.id, old.title, old."ownerId", old.permissions, old.hash, old.hint, old."createdAt",
            old."createdById", old."expiresAt")
          is distinct from row(new.id, new.title, new."ownerId", new.permissions, new.hash, new.hint,
            new."createdAt", new."createdById", new."expiresAt")
      then
        raise exception 'key % stays as it is', old.id using errcode = 'check_violation', constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on api_key for each row execute function keep_api_key()`.execute(db)

  await sql`alter table audit_entry add column "apiKeyId" bigint references api_key`.execute(db)
}

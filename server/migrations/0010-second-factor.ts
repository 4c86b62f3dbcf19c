import { sql, type Kysely } from 'kysely'

/**
 * Second factors, links of accounts, and what a person prefers. Secrets are kept as digests, or sealed where they are
 * needed again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_role add column "isTwoFactorRequired" boolean not null default false`.execute(db)
  await sql`alter table "user" add column "invitedAt" timestamptz`.execute(db)

  // "lastStep": the thirty seconds whose code was used last; none before or in them is taken again (RFC 6238, 5.2).
  await sql`
    create table two_factor (
      "userId" bigint primary key references "user" on delete cascade,
      secret bytea not null,
      "lastStep" bigint not null,
      "confirmedAt" timestamptz not null
    )
  `.execute(db)
  await sql`
    create table recovery_code (
      hash bytea primary key,
      "userId" bigint not null references two_factor on delete cascade,
      "usedAt" timestamptz
    )
  `.execute(db)
  await sql`create index on recovery_code ("userId")`.execute(db)

  // A secret not confirmed yet belongs to the session or the challenge that began it: nobody else may know it.
  await sql`alter table session add column "pendingSecret" bytea`.execute(db)
  await sql`
    create table sign_in_challenge (
      hash bytea primary key,
      "userId" bigint not null references "user" on delete cascade,
      kind text not null,
      tries int not null default 0,
      "expiresAt" timestamptz not null,
      "pendingSecret" bytea
    )
  `.execute(db)
  await sql`create index on sign_in_challenge ("userId")`.execute(db)

  // A link is for the person who reads this address: with another address it is worth nothing.
  await sql`
    create table account_token (
      hash bytea primary key,
      "userId" bigint not null references "user" on delete cascade,
      purpose text not null,
      email text not null,
      "createdAt" timestamptz not null,
      "expiresAt" timestamptz not null
    )
  `.execute(db)
  await sql`create index on account_token ("userId")`.execute(db)

  // Written for every address that is asked for, known or not: the question and the flood are counted, the answer is
  // a job's.
  await sql`
    create table recovery_request (
      id bigint generated always as identity primary key,
      address text not null,
      ip text not null,
      at timestamptz not null,
      "handledAt" timestamptz
    )
  `.execute(db)
  await sql`create index on recovery_request (address, at)`.execute(db)
  await sql`create index on recovery_request (ip, at)`.execute(db)

  // The one link of an account's mail, sealed until the mail has left.
  await sql`alter table email add column "sealedButton" bytea`.execute(db)
}

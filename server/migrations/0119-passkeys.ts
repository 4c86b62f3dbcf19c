import { sql, type Kysely } from 'kysely'

/** Passkeys of people, and what browsers were asked to sign with one (decision 116). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // "userHandle": what a device knows the person by; one for all passkeys of a person, and no number of ours.
  await sql`
    create table passkey (
      id bigint generated always as identity primary key,
      "userId" bigint not null references "user" on delete cascade,
      name text not null check (length(name) between 1 and 60),
      "credentialId" bytea not null constraint passkey_taken unique check (length("credentialId") between 1 and 1023),
      "publicKey" bytea not null check (length("publicKey") <= 4000),
      "userHandle" bytea not null check (length("userHandle") = 32),
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      "isSynced" boolean not null,
      "addedAt" timestamptz not null,
      "lastUsedAt" timestamptz
    )
  `.execute(db)
  await sql`create index on passkey ("userId", id)`.execute(db)

  // By the digest of what is signed. Each is for one purpose: a new passkey of a session, the second factor of a
  // sign-in whose password was right, or a sign-in by a passkey alone.
  await sql`
    create table passkey_challenge (
      hash bytea primary key check (length(hash) = 32),
      "sessionId" bigint references session on delete cascade,
      "userHandle" bytea check (length("userHandle") = 32),
      "signInHash" bytea references sign_in_challenge on delete cascade,
      "expiresAt" timestamptz not null,
      check ("sessionId" is null or "signInHash" is null),
      check (("sessionId" is null) = ("userHandle" is null))
    )
  `.execute(db)
  await sql`create index on passkey_challenge ("expiresAt")`.execute(db)
  await sql`create index on passkey_challenge ("sessionId") where "sessionId" is not null`.execute(db)
  await sql`create index on passkey_challenge ("signInHash") where "signInHash" is not null`.execute(db)
}

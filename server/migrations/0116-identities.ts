import { sql, type Kysely } from 'kysely'

/** People whom an identity provider knows, and the address from which a session was last used (decision 112). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_identity (
      issuer text not null check (length(issuer) between 1 and 500),
      subject text not null check (length(subject) between 1 and 255),
      "userId" bigint not null references "user" on delete cascade,
      "linkedAt" timestamptz not null,
      primary key (issuer, subject)
    )
  `.execute(db)
  await sql`create index on user_identity ("userId")`.execute(db)

  // Of the secret that the browser holds, from which state, nonce and verifier are worked out.
  await sql`
    create table provider_attempt (
      hash bytea primary key check (length(hash) = 32),
      "expiresAt" timestamptz not null
    )
  `.execute(db)
  await sql`create index on provider_attempt ("expiresAt")`.execute(db)

  await sql`alter table session add column "lastAddress" text check (length("lastAddress") <= 100)`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** A statement of load carriers is answered by its link or by hand, and a holder may keep so many (decision 163). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What was sent before has no link: it can be answered by hand alone.
  await sql`
    alter table load_carrier_statement
      add "tokenHash" bytea unique,
      add "companyId" bigint references company,
      add language text check (language in ('en', 'de', 'pl')),
      add content jsonb
  `.execute(db)
  await sql`create index on load_carrier_statement ("companyId")`.execute(db)
  // Never changed: an objection that was settled stays beside what settled it.
  await sql`
    create table load_carrier_statement_answer (
      id bigint generated always as identity primary key,
      "statementId" bigint not null references load_carrier_statement,
      "isAgreed" boolean not null,
      name text not null,
      remark text,
      "answeredAt" timestamptz not null,
      "answeredById" bigint references "user",
      constraint objection_says_why check ("isAgreed" or remark is not null)
    )
  `.execute(db)
  await sql`create index on load_carrier_statement_answer ("statementId", id)`.execute(db)
  await sql`create index on load_carrier_statement_answer ("answeredById")`.execute(db)

  // A tenth of them, and asked for by their day.
  await sql`create index on load_carrier_movement ("movedOn" desc, id desc) where "noteNumber" is null`.execute(db)

  await sql`
    create table load_carrier_account (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "customerId" bigint unique references customer on delete cascade,
      "carrierCompanyId" bigint unique references carrier_company on delete cascade,
      "placeId" bigint unique references load_carrier_place on delete cascade,
      constraint one_holder_agreed check (num_nonnulls("customerId", "carrierCompanyId", "placeId") = 1)
    )
  `.execute(db)
  await sql`
    create table load_carrier_limit (
      "accountId" bigint not null references load_carrier_account on delete cascade,
      "typeId" bigint not null references load_carrier_type,
      pieces int not null check (pieces between 0 and 100000),
      primary key ("accountId", "typeId")
    )
  `.execute(db)
  await sql`create index on load_carrier_limit ("typeId")`.execute(db)
}

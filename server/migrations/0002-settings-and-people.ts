import { sql, type Kysely } from 'kysely'

/** Countries, the four type lists, our companies and departments, roles, users and their sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Constraints are named <error code>__<field>[__<table>]: the error handler reads the answer from the name.
  await sql`
    create table country (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null,
      code text not null constraint "taken__code__country" unique,
      "isEu" boolean not null,
      "standardVatBp" int not null,
      "timeZone" text not null,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(title || ' ' || code)) stored
    )
  `.execute(db)

  for (const table of ['unit_type', 'vehicle_type', 'cargo_type', 'special_handling_type']) {
    await sql`
      create table ${sql.table(table)} (
        id bigint generated always as identity primary key,
        version int not null default 1,
        title text not null,
        state text not null default 'active',
        "titleKey" text generated always as (search_key(title)) stored,
        "searchKey" text generated always as (search_key(title)) stored,
        constraint ${sql.ref(`taken__title__${table}`)} unique (title)
      )
    `.execute(db)
  }

  await sql`
    create table company (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null,
      code text not null constraint "taken__code__company" unique,
      "vatNumber" text,
      "taxNumber" text,
      address text,
      postal text,
      city text,
      "countryId" bigint not null references country,
      email text,
      phone text,
      language text not null,
      "timeZone" text not null,
      "invoiceNumberPattern" text not null,
      "marginWarningBp" int not null,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(title || ' ' || code)) stored
    )
  `.execute(db)
  await sql`
    create table company_bank_account (
      id bigint generated always as identity primary key,
      "companyId" bigint not null references company on delete cascade,
      position int not null,
      "bankName" text,
      iban text not null,
      bic text,
      constraint "taken__iban__company_bank_account" unique ("companyId", iban)
    )
  `.execute(db)

  await sql`
    create table department (
      id bigint generated always as identity primary key,
      version int not null default 1,
      abbreviation text not null constraint "taken__abbreviation__department" unique,
      "companyId" bigint not null references company,
      "countryId" bigint not null references country,
      city text,
      "createdAt" timestamptz not null,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(abbreviation)) stored,
      "searchKey" text generated always as (search_key(abbreviation || ' ' || coalesce(city, ''))) stored
    )
  `.execute(db)

  await sql`
    create table user_role (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null constraint "taken__title__user_role" unique,
      "isEnabled" boolean not null default true,
      permissions text[] not null default '{}',
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(title)) stored
    )
  `.execute(db)

  await sql`
    create table "user" (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "fullName" text not null,
      email text not null,
      phone text,
      "defaultLanguage" text not null default 'en',
      "roleId" bigint references user_role,
      "positionTitle" text,
      "isAdmin" boolean not null default false,
      "departmentId" bigint references department,
      "plateNumber" text,
      "passwordHash" text,
      "createdAt" timestamptz not null,
      state text not null default 'active',
      "titleKey" text generated always as (search_key("fullName")) stored,
      "searchKey" text generated always as (search_key("fullName" || ' ' || email)) stored
    )
  `.execute(db)
  await sql`create unique index "taken__email__user" on "user" (lower(email))`.execute(db)
  await sql`create index on "user" using gin ("searchKey" gin_trgm_ops)`.execute(db)

  // A session is a family of tokens: one sign-in, one row. Only hashes are kept (design §9, rule 7).
  await sql`
    create table session (
      id bigint generated always as identity primary key,
      "userId" bigint not null references "user" on delete cascade,
      "refreshHash" bytea not null unique,
      "createdAt" timestamptz not null,
      "expiresAt" timestamptz not null,
      "lastUsedAt" timestamptz not null,
      "endedAt" timestamptz,
      "userAgent" text
    )
  `.execute(db)
  await sql`create index on session ("userId")`.execute(db)
  await sql`
    create table access_token (
      hash bytea primary key,
      "sessionId" bigint not null references session on delete cascade,
      "expiresAt" timestamptz not null
    )
  `.execute(db)
  await sql`create index on access_token ("sessionId")`.execute(db)
  await sql`
    create table spent_refresh_token (
      hash bytea primary key,
      "sessionId" bigint not null references session on delete cascade,
      "spentAt" timestamptz not null
    )
  `.execute(db)
  await sql`create index on spent_refresh_token ("sessionId")`.execute(db)
  // Failed sign-ins by address asked for and by network address, so that several nodes agree.
  await sql`
    create table sign_in_failure (
      id bigint generated always as identity primary key,
      subject text not null,
      at timestamptz not null
    )
  `.execute(db)
  await sql`create index on sign_in_failure (subject, at)`.execute(db)
}

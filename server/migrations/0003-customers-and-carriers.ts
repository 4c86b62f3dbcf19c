import { sql, type Kysely } from 'kysely'

/** Customers with contacts and pickup locations; carrier companies with contacts, banks and drivers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function vat_number_key(value text) returns text
      language sql immutable strict parallel safe
      return nullif(upper(regexp_replace(value, '[^A-Za-z0-9]', '', 'g')), '')
  `.execute(db)

  await sql`
    create table customer (
      id bigint generated always as identity primary key,
      version int not null default 1,
      alias text,
      title text not null,
      "vatNumber" text,
      language text,
      "responsibleUserId" bigint references "user",
      address text,
      postal text,
      city text,
      "countryId" bigint not null references country,
      "billingAddress" jsonb,
      "specialInstructions" text,
      warnings text,
      "emailPreferences" jsonb not null,
      "paymentOption" text not null,
      "paymentPeriodDays" int not null,
      "chargeableKgPerM3" double precision not null,
      "chargeableKgPerLdm" double precision not null,
      "buyerReference" text,
      "eInvoiceAddress" text,
      "invoiceEmail" text,
      "creatorId" bigint references "user",
      "createdAt" timestamptz not null,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(
        title || ' ' || coalesce(alias, '') || ' ' || coalesce("vatNumber", '') || ' ' || coalesce(city, '') || ' ' ||
          coalesce(postal, '')
      )) stored
    )
  `.execute(db)
  await sql`create unique index "customer_vat_number_taken__vatNumber"
    on customer (vat_number_key("vatNumber"))`.execute(db)
  await sql`create index on customer using gin ("searchKey" gin_trgm_ops)`.execute(db)
  await sql`create index on customer ("titleKey" text_pattern_ops)`.execute(db)
  await sql`create index on customer (title, id)`.execute(db)
  await sql`create index on customer ("createdAt", id)`.execute(db)

  await sql`
    create table contact_person (
      id bigint generated always as identity primary key,
      "customerId" bigint not null references customer on delete cascade,
      position int not null,
      "fullName" text not null,
      phone text,
      mobile text,
      email text,
      "jobTitle" text,
      language text
    )
  `.execute(db)
  await sql`create index on contact_person ("customerId", position)`.execute(db)

  await sql`
    create table pickup_location (
      id bigint generated always as identity primary key,
      "customerId" bigint not null references customer on delete cascade,
      position int not null,
      "companyTitle" text not null,
      address text,
      postal text,
      city text,
      "countryId" bigint not null references country,
      latitude double precision,
      longitude double precision,
      "contactPerson" text,
      phone text,
      comment text
    )
  `.execute(db)
  await sql`create index on pickup_location ("customerId", position)`.execute(db)

  await sql`
    create table carrier_company (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null,
      "vatNumber" text,
      language text,
      representative jsonb,
      "timocomId" text,
      "transId" text,
      website text,
      address text,
      postal text,
      city text,
      "countryId" bigint not null references country,
      "billingAddress" jsonb,
      notes text,
      warnings text,
      "createdAt" timestamptz not null,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(
        title || ' ' || coalesce("vatNumber", '') || ' ' || coalesce(city, '') || ' ' || coalesce("timocomId", '') ||
          ' ' || coalesce("transId", '')
      )) stored
    )
  `.execute(db)
  await sql`create unique index "carrier_vat_number_taken__vatNumber"
    on carrier_company (vat_number_key("vatNumber"))`.execute(db)
  await sql`create index on carrier_company using gin ("searchKey" gin_trgm_ops)`.execute(db)
  await sql`create index on carrier_company ("titleKey" text_pattern_ops)`.execute(db)
  await sql`create index on carrier_company (title, id)`.execute(db)
  await sql`
    create table carrier_contact (
      id bigint generated always as identity primary key,
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      position int not null,
      "fullName" text not null,
      phone text,
      email text,
      "jobTitle" text
    )
  `.execute(db)
  await sql`create index on carrier_contact ("carrierCompanyId", position)`.execute(db)
  await sql`
    create table carrier_bank_account (
      id bigint generated always as identity primary key,
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      position int not null,
      "bankName" text,
      iban text not null,
      bic text,
      "enteredById" bigint references "user",
      "confirmedById" bigint references "user",
      constraint "taken__iban__carrier_bank_account" unique ("carrierCompanyId", iban)
    )
  `.execute(db)
  await sql`
    create table driver (
      id bigint generated always as identity primary key,
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      position int not null,
      "fullName" text not null,
      phone text,
      email text,
      "plateNumber" text
    )
  `.execute(db)
  await sql`create index on driver ("carrierCompanyId", position)`.execute(db)
  await sql`
    create table carrier_vehicle_type (
      "carrierCompanyId" bigint not null references carrier_company on delete cascade,
      "vehicleTypeId" bigint not null references vehicle_type,
      primary key ("carrierCompanyId", "vehicleTypeId")
    )
  `.execute(db)
}

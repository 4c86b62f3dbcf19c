import { sql, type Kysely } from 'kysely'

/** Accounts of load carriers (decision 110). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table load_carrier_type (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null,
      "titleEn" text,
      "titleDe" text,
      "titlePl" text,
      "priceCents" bigint not null check ("priceCents" >= 0),
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(title || ' '
        || coalesce("titleEn", '') || ' ' || coalesce("titleDe", '') || ' ' || coalesce("titlePl", ''))) stored
    )
  `.execute(db)
  // New installations and those that are there already begin with the same three.
  await sql`
    insert into load_carrier_type (title, "titleEn", "titleDe", "titlePl", "priceCents") values
      ('Euro pallet', 'Euro pallet', 'Europalette', 'Europaleta', 1250),
      ('Mesh box', 'Mesh box', 'Gitterbox', 'Gitterboks', 7800),
      ('H1 pallet', 'H1 pallet', 'H1-Palette', 'Paleta H1', 4500)
  `.execute(db)

  await sql`
    create table load_carrier_place (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null,
      address text,
      postal text,
      city text,
      "countryId" bigint not null references country,
      email text,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(title || ' ' || coalesce(postal, '') || ' '
        || coalesce(city, ''))) stored,
      "placeKey" text generated always as (search_key(title) || '|' || search_key(coalesce(postal, '')) || '|'
        || search_key(coalesce(city, ''))) stored,
      constraint "taken__title__load_carrier_place" unique ("placeKey", "countryId")
    )
  `.execute(db)
  await sql`create index on load_carrier_place ("countryId")`.execute(db)

  // What was typed at a stop goes with it, and so does what it moved.
  await sql`
    create table load_carrier_stop (
      "locationId" bigint primary key references location on delete cascade,
      version int not null default 1,
      partner text not null check (partner in ('place', 'customer'))
    )
  `.execute(db)
  await sql`
    create table load_carrier_movement (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "movedOn" date not null,
      "typeId" bigint not null references load_carrier_type,
      "customerId" bigint references customer,
      "carrierCompanyId" bigint references carrier_company,
      "placeId" bigint references load_carrier_place,
      given int not null check (given between 0 and 100000),
      received int not null check (received between 0 and 100000),
      damaged int not null check (damaged between 0 and 200000),
      "noteNumber" text,
      note text,
      "locationId" bigint references load_carrier_stop on delete cascade,
      "createdById" bigint references "user",
      "createdAt" timestamptz not null,
      constraint one_holder check (num_nonnulls("customerId", "carrierCompanyId", "placeId") = 1),
      constraint something_moved check (given + received > 0),
      constraint damaged_among check (damaged <= given + received),
      constraint carrier_by_its_route check ("locationId" is null or "carrierCompanyId" is null)
    )
  `.execute(db)
  await sql`create unique index on load_carrier_movement ("locationId", "typeId")
    where "locationId" is not null`.execute(db)
  for (const column of ['customerId', 'carrierCompanyId', 'placeId'])
    await sql`create index on load_carrier_movement (${sql.ref(column)}, "typeId", "movedOn", id)
      where ${sql.ref(column)} is not null`.execute(db)
  await sql`create index on load_carrier_movement ("typeId")`.execute(db)
  await sql`create index on load_carrier_movement ("createdById")`.execute(db)

  // What a stop moves for its place or customer, it moves the other way round for who drives there now.
  await sql`
    create view load_carrier_entry as
      select m.id, m."movedOn", m."typeId", m."customerId", m."carrierCompanyId", m."placeId", m.given, m.received,
          m.damaged, m.given - m.received as net, m."locationId"
        from load_carrier_movement m
      union all
      select m.id, m."movedOn", m."typeId", null, a."carrierCompanyId", null, m.received, m.given, m.damaged,
          m.received - m.given, m."locationId"
        from load_carrier_movement m join location l on l.id = m."locationId"
          join assignment a on a."routeId" = l."routeId"
        where a."carrierCompanyId" is not null
  `.execute(db)

  await sql`
    create table load_carrier_statement (
      id bigint generated always as identity primary key,
      "customerId" bigint references customer,
      "carrierCompanyId" bigint references carrier_company,
      "placeId" bigint references load_carrier_place,
      "emailId" bigint not null references email,
      balances jsonb not null,
      "sentAt" timestamptz not null,
      "sentById" bigint references "user",
      constraint one_holder_stated check (num_nonnulls("customerId", "carrierCompanyId", "placeId") = 1)
    )
  `.execute(db)
  for (const column of ['customerId', 'carrierCompanyId', 'placeId', 'emailId', 'sentById'])
    await sql`create index on load_carrier_statement (${sql.ref(column)})`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Vehicles that routes are planned onto. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Constraints are named <error code>__<field>[__<table>]: the error handler reads the answer from the name.
  await sql`
    create table vehicle (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null,
      "plateKey" text generated always as (upper(regexp_replace(title, '[^[:alnum:]]', '', 'g'))) stored
        constraint "taken__title__vehicle" unique,
      kind text not null check (kind in ('truck', 'trailer', 'carrier')),
      "vehicleTypeId" bigint references vehicle_type,
      ldm double precision,
      "payloadKg" double precision,
      "heightCm" double precision,
      "driverId" bigint references "user",
      "carrierCompanyId" bigint references carrier_company,
      "nextInspectionOn" date,
      note text,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(title)) stored,
      constraint "required__carrierCompanyId__vehicle" check ((kind = 'carrier') = ("carrierCompanyId" is not null))
    );
    create index on vehicle ("vehicleTypeId");
    create index on vehicle ("driverId");
    create index on vehicle ("carrierCompanyId");
  `.execute(db)
}

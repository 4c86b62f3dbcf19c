import { sql, type Kysely } from 'kysely'

const ARTICULATED = [
  'Curtain-sider 13.6 m',
  'Box trailer',
  'Coil trailer',
  'Flatbed',
  'Low loader',
  'Tanker',
  'Walking floor',
]
const REPLACE = 'A default until measured data replace it.'
const GLEC_ARTICULATED =
  'GLEC Framework v3.0 (2023), default values for road, Europe and South America (table 8): articulated truck up to ' +
  '40 t, average or mixed load (60 %), 17 % empty, diesel; well-to-tank 22, tank-to-wheel 73 g/tkm.'
const ROUGH = 'In the order of the GLEC default values for Europe; compare with the edition that you report by.'

/** Title, class, fuel, well-to-tank, tank-to-wheel, share of empty kilometres, source, types, for all others. */
const FACTORS: readonly (readonly [
  string,
  string,
  string,
  number,
  number,
  number | null,
  string,
  string[],
  boolean,
])[] = [
  ['Artic 40 t, diesel', 'articulated', 'diesel', 22, 73, 1700, GLEC_ARTICULATED, ARTICULATED, true],
  [
    'Mega trailer, diesel',
    'mega',
    'diesel',
    22,
    73,
    1700,
    `${GLEC_ARTICULATED} No default of its own for mega trailers.`,
    ['Mega trailer'],
    false,
  ],
  [
    'Refrigerated 40 t, diesel',
    'refrigerated',
    'diesel',
    24.64,
    81.76,
    1700,
    `${GLEC_ARTICULATED} Plus 12 % for cooling (GLEC Framework v2.0).`,
    ['Reefer'],
    false,
  ],
  ['Rigid 12–26 t, diesel', 'rigid26', 'diesel', 35, 115, 1700, ROUGH, [], false],
  ['Rigid 7.5–12 t, diesel', 'rigid12', 'diesel', 50, 165, 1700, ROUGH, ['Solo truck 12 t', 'Solo truck 7.5 t'], false],
  ['Van up to 3.5 t, diesel', 'van', 'diesel', 156, 520, 900, ROUGH, ['Van'], false],
  [
    'Artic 40 t, HVO100',
    'articulated',
    'hvo100',
    13,
    1,
    1700,
    'Energy of the diesel truck; HVO from waste oil at about 15 % of the greenhouse gases of diesel ' +
      '(Directive (EU) 2018/2001, annex V). What the supplier certifies comes first.',
    [],
    false,
  ],
  ['Artic 40 t, LNG or CNG', 'articulated', 'gas', 17, 62, 1700, ROUGH, [], false],
  [
    'Artic 40 t, electric',
    'articulated',
    'electric',
    27,
    0,
    1700,
    'About 0.1 kWh for each tonne-kilometre, electricity of the European mix at about 270 g/kWh. What the supplier ' +
      'certifies comes first.',
    [],
    false,
  ],
]

/** CO₂e of orders by factors of a dated table (decision 115). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table emission_factor (
      id bigint generated always as identity primary key,
      version int not null default 1,
      title text not null,
      "validFrom" date not null,
      "vehicleClass" text not null
        check ("vehicleClass" in ('van', 'rigid12', 'rigid26', 'articulated', 'mega', 'refrigerated')),
      fuel text not null check (fuel in ('diesel', 'hvo100', 'gas', 'electric')),
      "wellToTank" double precision not null check ("wellToTank" >= 0),
      "tankToWheel" double precision not null check ("tankToWheel" >= 0),
      "emptyBp" int check ("emptyBp" between 0 and 10000),
      "isFallback" boolean not null default false,
      source text not null,
      state text not null default 'active',
      "titleKey" text generated always as (search_key(title)) stored,
      "searchKey" text generated always as (search_key(title || ' ' || source)) stored
    )
  `.execute(db)
  await sql`
    create table emission_factor_vehicle_type (
      "factorId" bigint not null references emission_factor on delete cascade,
      "vehicleTypeId" bigint not null references vehicle_type,
      primary key ("factorId", "vehicleTypeId")
    )
  `.execute(db)
  await sql`create index on emission_factor_vehicle_type ("vehicleTypeId")`.execute(db)

  for (const [title, vehicleClass, fuel, wellToTank, tankToWheel, emptyBp, source, types, isFallback] of FACTORS) {
    // Types are there already where Waybill has been used before; on a first start they follow.
    await sql`
      with made as (
        insert into emission_factor (title, "validFrom", "vehicleClass", fuel, "wellToTank", "tankToWheel", "emptyBp",
          source, "isFallback")
        values (${title}, '2020-01-01', ${vehicleClass}, ${fuel}, ${wellToTank}, ${tankToWheel}, ${emptyBp},
          ${`${source} ${REPLACE}`}, ${isFallback}) returning id
      )
      insert into emission_factor_vehicle_type ("factorId", "vehicleTypeId")
      select made.id, t.id from made, vehicle_type t where t.title = any(${types}::text[])
    `.execute(db)
  }
  // What an order comes to, for each of its customers: written by a job, read by reports.
  await sql`
    create table order_emission (
      "orderId" bigint not null,
      part int not null,
      "customerId" bigint not null,
      "departmentId" bigint not null,
      day date not null,
      month date not null,
      "kgKm" bigint not null,
      "wttGrams" bigint not null,
      "ttwGrams" bigint not null,
      "isComplete" boolean not null,
      -- nothing is missing of any customer's goods
      "isOrderComplete" boolean not null,
      "factorIds" bigint[] not null,
      primary key ("orderId", part)
    )
  `.execute(db)
  await sql`
    create index on order_emission (month, "customerId")
      include ("orderId", part, "departmentId", "kgKm", "wttGrams", "ttwGrams", "isComplete", "isOrderComplete")
  `.execute(db)
  await sql`create index on order_emission ("customerId", month)`.execute(db)

  await sql`
    create table emission_due (
      id bigint generated always as identity primary key,
      "orderId" bigint not null
    )
  `.execute(db)
  // Every save of an order, its routes, stops and cargo moves its version.
  await sql`
    create function note_emissions() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      if tg_op = 'INSERT' then
        insert into emission_due ("orderId") select id from new_rows;
      elsif tg_op = 'DELETE' then
        insert into emission_due ("orderId") select id from old_rows;
      else
        insert into emission_due ("orderId")
          select n.id from new_rows n join old_rows o on o.id = n.id
          where (n.version, n.status, n.state, n."departmentId", n."customerId", n."vehicleTypeId",
              n."lastUnloadingAt", n."toTimeZone")
            is distinct from (o.version, o.status, o.state, o."departmentId", o."customerId", o."vehicleTypeId",
              o."lastUnloadingAt", o."toTimeZone");
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger emissions_after_insert after insert on "order" referencing new table as new_rows
    for each statement execute function note_emissions()`.execute(db)
  await sql`create trigger emissions_after_update after update on "order"
    referencing old table as old_rows new table as new_rows
    for each statement execute function note_emissions()`.execute(db)
  await sql`create trigger emissions_after_delete after delete on "order" referencing old table as old_rows
    for each statement execute function note_emissions()`.execute(db)

  // What is there already is worked out after the start.
  await sql`insert into emission_due ("orderId") select id from "order" order by id`.execute(db)
}

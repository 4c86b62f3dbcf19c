import { sql, type Kysely } from 'kysely'

/** Carriers are asked for their price of a route (decision 106). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table price_round (
      id bigint generated always as identity primary key,
      "routeId" bigint not null references route on delete cascade,
      "orderId" bigint not null references "order" on delete cascade,
      deadline timestamptz not null,
      "limitCents" bigint check ("limitCents" >= 0),
      remark text,
      "askedById" bigint references "user",
      "askedAt" timestamptz not null,
      "closedAt" timestamptz,
      "closeReason" text check ("closeReason" in ('taken', 'assigned', 'closed', 'gone')),
      "takenAnswerId" bigint,
      check (deadline > "askedAt"),
      check (("closedAt" is null) = ("closeReason" is null)),
      check (("closeReason" is not distinct from 'taken') = ("takenAnswerId" is not null))
    )
  `.execute(db)
  await sql`create unique index "conflict__price_round" on price_round ("routeId")
    where "closedAt" is null`.execute(db)
  await sql`create index on price_round ("routeId", id)`.execute(db)
  await sql`create index on price_round ("orderId")`.execute(db)
  await sql`create index on price_round ("askedById")`.execute(db)

  await sql`
    create table price_answer (
      id bigint generated always as identity primary key,
      "roundId" bigint not null references price_round on delete cascade,
      "carrierCompanyId" bigint not null references carrier_company,
      email text not null,
      "tokenHash" bytea not null unique check (length("tokenHash") = 32),
      "priceCents" bigint check ("priceCents" > 0),
      "isDeclined" boolean not null default false,
      remark text,
      "holdsUntil" date,
      "answeredAt" timestamptz,
      check (("answeredAt" is not null) = ("priceCents" is not null or "isDeclined")),
      check (not ("isDeclined" and "priceCents" is not null)),
      check ("answeredAt" is not null or (remark is null and "holdsUntil" is null)),
      unique (id, "roundId")
    )
  `.execute(db)
  await sql`create unique index "conflict__price_answer" on price_answer ("roundId", "carrierCompanyId")`.execute(db)
  await sql`create index on price_answer ("carrierCompanyId")`.execute(db)
  await sql`alter table price_round add foreign key ("takenAnswerId", id) references price_answer (id, "roundId")
    on delete cascade`.execute(db)
  await sql`create index on price_round ("takenAnswerId") where "takenAnswerId" is not null`.execute(db)

  // What was asked stays as it was asked, and a round that is closed stays closed.
  await sql`
    create function keep_price_round() returns trigger language plpgsql as $$
    begin
      if old."closedAt" is not null
        or (to_jsonb(new) - array['closedAt', 'closeReason', 'takenAnswerId'])
          <> (to_jsonb(old) - array['closedAt', 'closeReason', 'takenAnswerId'])
      then
        raise exception 'price round % stays as it is', old.id using errcode = 'check_violation',
          constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on price_round
    for each row execute function keep_price_round()`.execute(db)
  // An answer changes until the round is over, whichever way a statement comes.
  await sql`
    create function keep_price_answer() returns trigger language plpgsql as $$
    declare
      round price_round;
    begin
      select * into round from price_round where id = new."roundId" for share;
      if round."closedAt" is not null or new."answeredAt" is null or new."answeredAt" > round.deadline
        or row(new."roundId", new."carrierCompanyId", new.email, new."tokenHash")
          is distinct from row(old."roundId", old."carrierCompanyId", old.email, old."tokenHash")
      then
        raise exception 'answer % stays as it is', old.id using errcode = 'check_violation', constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on price_answer
    for each row execute function keep_price_answer()`.execute(db)

  // Those who have the order open see answers at once (decision 031).
  await sql`
    create function tell_price_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'order', 'ids', json_build_array("orderId")))
        from price_round where id = case when tg_table_name = 'price_round' then (to_jsonb(new) ->> 'id')::bigint
          else (to_jsonb(new) ->> 'roundId')::bigint end;
      return null;
    end $$
  `.execute(db)
  for (const table of ['price_round', 'price_answer'])
    await sql`create trigger tell_prices after insert or update on ${sql.table(table)}
      for each row execute function tell_price_changes()`.execute(db)
}

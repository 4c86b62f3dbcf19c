import { sql, type Kysely } from 'kysely'

/** Carriers are cleared before they drive, or released by a second person (decision 098). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table carrier_company
    add column "blockedReason" text,
    add column "isOnceOnly" boolean not null default false,
    add column "licenceNotNeededReason" text`.execute(db)
  await sql`alter table document add column "insuredCents" bigint check ("insuredCents" > 0)`.execute(db)
  await sql`alter table department add column "demandedInsuranceCents" bigint
    check ("demandedInsuranceCents" > 0)`.execute(db)

  await sql`
    create table carrier_release (
      id bigint generated always as identity primary key,
      "routeId" bigint not null references route on delete cascade,
      "carrierCompanyId" bigint not null references carrier_company,
      -- what kept the carrier back when it was asked: more is not released
      reasons text[] not null check (cardinality(reasons) > 0),
      "lastDay" date not null,
      "neededCents" bigint not null,
      reason text not null,
      "askedById" bigint not null references "user",
      "askedAt" timestamptz not null,
      decision text check (decision in ('granted', 'refused')),
      "decisionReason" text,
      "decidedById" bigint references "user",
      "decidedAt" timestamptz,
      constraint "second_person_needed__carrier_release" check ("decidedById" <> "askedById"),
      constraint carrier_release_decided check (
        (decision is null and "decisionReason" is null and "decidedById" is null and "decidedAt" is null)
        or (decision is not null and "decisionReason" is not null and "decidedById" is not null
          and "decidedAt" is not null))
    )
  `.execute(db)
  await sql`create index on carrier_release ("routeId", id)`.execute(db)
  await sql`create index on carrier_release ("carrierCompanyId")`.execute(db)
  await sql`create index on carrier_release ("askedById")`.execute(db)
  await sql`create index on carrier_release ("decidedById")`.execute(db)
  await sql`create unique index "conflict__release_asked" on carrier_release ("routeId", "carrierCompanyId")
    where decision is null`.execute(db)

  // Those who have the order open, and who decides, see it at once (decision 031).
  await sql`
    create function tell_release_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'order', 'ids', json_build_array("orderId")))
        from route where id = new."routeId";
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_releases after insert or update on carrier_release
    for each row execute function tell_release_changes()`.execute(db)

  // What was asked stays as it was asked, and a decision stands.
  await sql`
    create function keep_carrier_release() returns trigger language plpgsql as $$
    begin
      if old.decision is not null
        or (to_jsonb(new) - array['decision', 'decisionReason', 'decidedById', 'decidedAt'])
          <> (to_jsonb(old) - array['decision', 'decisionReason', 'decidedById', 'decidedAt'])
      then
        raise exception 'release % stays as it is', old.id using errcode = 'check_violation',
          constraint = 'conflict__release_decided';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on carrier_release for each row
    execute function keep_carrier_release()`.execute(db)
}

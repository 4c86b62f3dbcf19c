import { sql, type Kysely } from 'kysely'

/** Rate cards, and quotes that customers accept or refuse (decision 111). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rate_card (
      id bigint generated always as identity primary key,
      version int not null default 1,
      kind text not null check (kind in ('sell', 'buy')),
      title text not null,
      "customerId" bigint references customer,
      "carrierCompanyId" bigint references carrier_company,
      "validFrom" date not null,
      "validTo" date,
      lines jsonb not null check (jsonb_array_length(lines) > 0),
      fuel jsonb not null,
      surcharges jsonb not null,
      constraint card_of_its_kind check (case kind when 'sell' then "carrierCompanyId" is null
        else "customerId" is null end),
      constraint card_ends_after_it_begins check ("validFrom" <= "validTo")
    )
  `.execute(db)
  await sql`create index on rate_card ("customerId") where "customerId" is not null`.execute(db)
  await sql`create index on rate_card ("carrierCompanyId") where "carrierCompanyId" is not null`.execute(db)

  await sql`create table quote_counter (year int primary key, last int not null)`.execute(db)
  await sql`
    create table quote (
      id bigint generated always as identity primary key,
      version int not null default 1,
      number text not null,
      state text not null default 'draft' check (state in ('draft', 'sent', 'accepted', 'refused')),
      "customerId" bigint not null references customer,
      "contactPersonId" bigint references contact_person on delete set null,
      "departmentId" bigint not null references department,
      "caseWorkerId" bigint references "user",
      "createdById" bigint references "user",
      "createdAt" timestamptz not null,
      "fromCountryId" bigint not null references country,
      "fromPostal" text,
      "fromCity" text,
      "fromDate" date,
      "toCountryId" bigint not null references country,
      "toPostal" text,
      "toCity" text,
      "toDate" date,
      "laneKey" text,
      goods text,
      quantity double precision,
      "unitTypeId" bigint references unit_type,
      "weightKg" double precision,
      ldm double precision,
      "distanceKm" double precision,
      "costSource" text check ("costSource" in ('history', 'card', 'asked', 'typed')),
      "costCents" bigint check ("costCents" >= 0),
      "targetBp" int not null check ("targetBp" between 0 and 9000),
      "priceCents" bigint check ("priceCents" >= 0),
      "validUntil" date not null,
      remark text,
      "tokenHash" bytea unique check (length("tokenHash") = 32),
      "sentAt" timestamptz,
      "sentTo" text,
      "answeredAt" timestamptz,
      "answeredBy" text check ("answeredBy" in ('link', 'hand')),
      "answerRemark" text,
      "lostReason" text check ("lostReason" in ('price', 'capacity', 'time', 'noAnswer', 'other')),
      "orderId" bigint references "order" on delete set null,
      constraint cost_with_its_source check (("costSource" is null) = ("costCents" is null)),
      constraint answered_when_it_ended check ((state in ('accepted', 'refused')) = ("answeredAt" is not null)
        and ("answeredAt" is null) = ("answeredBy" is null)),
      constraint sent_at_a_price check (state not in ('sent', 'accepted') or "priceCents" is not null),
      constraint sent_with_a_link check (state <> 'sent' or ("tokenHash" is not null and "sentAt" is not null)),
      constraint draft_without_a_link check (state <> 'draft' or "tokenHash" is null),
      constraint lost_for_a_reason check (("lostReason" is not null) <= (state = 'refused')),
      constraint order_of_an_accepted_one check ("orderId" is null or state = 'accepted')
    )
  `.execute(db)
  await sql`create unique index "conflict__quote_number" on quote (number)`.execute(db)
  await sql`create unique index "conflict__quote_order" on quote ("orderId") where "orderId" is not null`.execute(db)
  await sql`create index on quote ("createdAt" desc, id desc)`.execute(db)
  await sql`create index on quote (state, "validUntil")`.execute(db)
  await sql`create index on quote ("answeredAt") where "answeredAt" is not null`.execute(db)
  await sql`create index on quote ("laneKey", "customerId") where "laneKey" is not null`.execute(db)
  for (const column of [
    'customerId',
    'contactPersonId',
    'departmentId',
    'caseWorkerId',
    'createdById',
    'fromCountryId',
    'toCountryId',
    'unitTypeId',
  ])
    await sql`create index on quote (${sql.ref(column)})`.execute(db)

  // What a customer was sent stays as it was sent, and what was answered stays answered, whichever way a statement
  // comes. What other records do to it (a contact or an order that is deleted) still passes.
  await sql`
    create function keep_quote() returns trigger language plpgsql as $$
    declare
      moving text[] := case old.state
        when 'draft' then null
        when 'sent' then array['state', 'version', 'tokenHash', 'sentAt', 'sentTo', 'answeredAt', 'answeredBy',
          'answerRemark', 'lostReason', 'orderId', 'contactPersonId']
        else array['version', 'orderId', 'contactPersonId'] end;
      goes_on boolean := new.state = old.state
        or (old.state = 'draft' and new.state in ('sent', 'accepted', 'refused'))
        or (old.state = 'sent' and new.state in ('draft', 'accepted', 'refused'));
    begin
      if not goes_on
        or (moving is not null and to_jsonb(new) - moving <> to_jsonb(old) - moving)
        or (old."orderId" is not null and new."orderId" is not null and old."orderId" <> new."orderId")
        or (old.state <> 'draft' and old."contactPersonId" is distinct from new."contactPersonId"
          and new."contactPersonId" is not null)
        or new.number <> old.number
      then
        raise exception 'quote % stays as it is', old.id using errcode = 'check_violation', constraint = 'conflict';
      end if;
      return new;
    end $$
  `.execute(db)
  await sql`create trigger keep before update on quote for each row execute function keep_quote()`.execute(db)
}

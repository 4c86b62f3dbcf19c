import { sql, type Kysely } from 'kysely'

/**
 * The list of quotes finds by an index and counts without reading every quote, and the page of webhooks finds the last
 * message that arrived without reading all that did.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table quote add column "searchKey" text generated always as (search_key(number || ' '
      || coalesce("fromCity", '') || ' ' || coalesce("toCity", ''))) stored
  `.execute(db)
  await sql`create index on quote using gin ("searchKey" gin_trgm_ops)`.execute(db)
  await sql`create index quote_without_order on quote (id) where state = 'accepted' and "orderId" is null`.execute(db)

  // As it was, and without the key, which is worked out after this trigger.
  await sql`
    create or replace function keep_quote() returns trigger language plpgsql as $$
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
        or (moving is not null and to_jsonb(new) - moving - 'searchKey' <> to_jsonb(old) - moving - 'searchKey')
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

  // How many quotes of a department stand how, and what they offer.
  await sql`
    create table quote_tally (
      "departmentId" bigint not null,
      state text not null,
      quotes bigint not null,
      cents bigint not null,
      primary key ("departmentId", state)
    )
  `.execute(db)
  // Once for a statement, its rows in one order, so that two who save at once wait for each other in it.
  for (const [name, event, rows] of [
    [
      'tally_inserted',
      'insert',
      'select n."departmentId", n.state, 1 as sign, n."priceCents" as cents from new_rows n',
    ],
    [
      'tally_deleted',
      'delete',
      'select o."departmentId", o.state, -1 as sign, o."priceCents" as cents from old_rows o',
    ],
    [
      'tally_updated',
      'update',
      `select n."departmentId", n.state, 1 as sign, n."priceCents" as cents from new_rows n
        union all select o."departmentId", o.state, -1, o."priceCents" from old_rows o`,
    ],
  ] as const) {
    await sql
      .raw(`
      create function ${name}() returns trigger language plpgsql set search_path = public, pg_temp as $$
      begin
        insert into quote_tally as tally ("departmentId", state, quotes, cents)
          select "departmentId", state, sum(sign), sum(sign * coalesce(cents, 0))
          from (${rows}) moved
          group by 1, 2
          having sum(sign) <> 0 or sum(sign * coalesce(cents, 0)) <> 0
          order by 1, 2
        on conflict ("departmentId", state)
          do update set quotes = tally.quotes + excluded.quotes, cents = tally.cents + excluded.cents;
        return null;
      end $$`)
      .execute(db)
    const known = [
      ...(event === 'insert' ? [] : ['old table as old_rows']),
      ...(event === 'delete' ? [] : ['new table as new_rows']),
    ].join(' ')
    await sql
      .raw(`create trigger ${name} after ${event} on quote referencing ${known}
        for each statement execute function ${name}()`)
      .execute(db)
  }
  await sql`
    insert into quote_tally ("departmentId", state, quotes, cents)
    select "departmentId", state, count(*), coalesce(sum("priceCents"), 0) from quote group by 1, 2
  `.execute(db)

  await sql`create index webhook_delivery_arrived on webhook_delivery ("webhookId", "lastTryAt" desc)
    where state = 'delivered'`.execute(db)
}

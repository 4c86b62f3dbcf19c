import { sql, type Kysely } from 'kysely'

/**
 * Records of persons become anonymous after a period (decision 167), and what the history says of them is emptied
 * without breaking its seals (decision 136): of each entry that is emptied the hash that went into its seal stays, and
 * the hash of what it says now stands in an entry of its own, which is sealed like any other.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function name_anew() returns trigger language plpgsql as $$
    begin
      if new."anonymousSince" is not distinct from old."anonymousSince" then new."anonymousSince" := null; end if;
      return new;
    end $$
  `.execute(db)
  for (const table of ['driver', 'carrier_contact', 'contact_person', '"user"']) {
    await sql`alter table ${sql.raw(table)} add "anonymousSince" timestamptz`.execute(db)
    // Who gives one a name again knows a person.
    await sql`create trigger name_anew before update of "fullName" on ${sql.raw(table)} for each row
      when (old."fullName" is distinct from new."fullName") execute function name_anew()`.execute(db)
  }
  // Counted from where nobody has used them yet: those that are there already, from today.
  for (const table of ['driver', 'carrier_contact', 'contact_person'])
    await sql`alter table ${sql.raw(table)} add "addedAt" timestamptz not null default now()`.execute(db)
  await sql`
    create table retention (
      "isOnly" boolean primary key default true check ("isOnly"),
      version int not null default 1,
      -- kind of person to months without use; null: kept
      periods jsonb not null,
      "lastRunAt" timestamptz,
      "lastCounts" jsonb
    )
  `.execute(db)
  await emptyEntries(db)
  await readEmptied(db)
}

async function emptyEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_emptied (
      "entryId" bigint not null,
      -- the entry that says so
      "byId" bigint not null,
      -- as it was sealed, or would have been
      hash bytea not null,
      -- as it is since
      "nowHash" bytea not null,
      primary key ("entryId", "byId")
    )
  `.execute(db)
  await sql`create index on audit_emptied ("byId")`.execute(db)
  // What a seal holds of an entry, see audit_batch.
  await sql`
    create function audit_entry_hash("entry" audit_entry) returns bytea
      language sql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
      select sha256(convert_to(jsonb_build_array("entry".id, "entry".at, "entry"."actorId", "entry"."apiKeyId",
        "entry"."ownerKind", "entry"."ownerId", "entry".action, "entry".changes, "entry".reason,
        "entry"."requestId")::text, 'UTF8'))
    $$
  `.execute(db)
  // The history takes back nothing, but for what the function below empties: it has the owner's rights, and says so.
  await sql`
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and current_setting('waybill.empties', true) = 'on'
        and (new.id, new.at, new."actorId", new."apiKeyId", new."ownerKind", new."ownerId", new.action, new.reason)
          is not distinct from
          (old.id, old.at, old."actorId", old."apiKeyId", old."ownerKind", old."ownerId", old.action, old.reason)
      then return new; end if;
      raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
    end $$
  `.execute(db)
  await sql`drop trigger append_only on audit_entry`.execute(db)
  await sql`create trigger append_only before update or delete on audit_entry for each row
    execute function refuse_audit_change()`.execute(db)
  await sql`create trigger append_only before update or delete on audit_emptied for each row
    execute function refuse_change()`.execute(db)
  await sql`create trigger append_only_truncate before truncate on audit_emptied for each statement
    execute function refuse_change()`.execute(db)
  // A value that is emptied says so; the number of its call goes with it, as it would tell the hash from a guess.
  await sql`
    create function audit_without("changes" jsonb, "paths" text[], "was" text[], "is" text[]) returns jsonb
      language plpgsql immutable set search_path = public, pg_temp as $$
    declare
      said text := "changes"::text;
      one jsonb;
      kept jsonb := '[]';
    begin
      for n in 1 .. coalesce(cardinality("was"), 0) loop
        said := replace(said, "was"[n], "is"[n]);
      end loop;
      for one in select value from jsonb_array_elements(said::jsonb) with ordinality order by ordinality loop
        if exists (select 1 from unnest("paths") path
          where one ->> 'path' = path or starts_with(one ->> 'path', path || '.'))
        then
          if one -> 'from' <> 'null' then one := jsonb_set(one, '{from}', '{"emptied": true}'); end if;
          if one -> 'to' <> 'null' then one := jsonb_set(one, '{to}', '{"emptied": true}'); end if;
        end if;
        kept := kept || jsonb_build_array(one);
      end loop;
      return kept;
    end $$
  `.execute(db)
  await sql`
    create function empty_audit("persons" jsonb, "now" timestamptz) returns int
      language plpgsql volatile security definer set search_path = public, pg_temp as $$
    declare
      was constant text[] := array(select p ->> 'was' from jsonb_array_elements("persons") p);
      become constant text[] := array(select p ->> 'is' from jsonb_array_elements("persons") p);
      -- One look for all of them: a look for each takes several times as long.
      named constant text := (select '"id": (' || string_agg(p ->> 'id', '|') || '), "title": "'
        from jsonb_array_elements("persons") p);
      entry audit_entry;
      emptied jsonb;
      touched bigint[] := '{}';
      calls text[] := '{}';
      hashes bytea[] := '{}';
      noted bigint;
    begin
      perform set_config('waybill.empties', 'on', true);
      for entry in
        select e.* from audit_entry e where (e."ownerKind", e."ownerId") in (
            select p ->> 'ownerKind', (p ->> 'ownerId')::bigint from jsonb_array_elements("persons") p)
          or (e.changes <> '[]' and e.changes::text ~ named)
      loop
        emptied := audit_without(entry.changes, array(
          select path from jsonb_array_elements("persons") p, jsonb_array_elements_text(p -> 'paths') path
            where p ->> 'ownerKind' = entry."ownerKind" and (p ->> 'ownerId')::bigint = entry."ownerId"), was, become);
        continue when emptied = entry.changes;
        touched := touched || entry.id;
        hashes := hashes || audit_entry_hash(entry);
        if entry."requestId" is not null then calls := calls || entry."requestId"; end if;
        update audit_entry set changes = emptied, "requestId" = null where id = entry.id;
      end loop;
      -- The other entries of the same calls, which stand close by, would tell their numbers.
      for entry in
        select distinct on (e.id) e.* from unnest(touched) t (id)
          join audit_entry e on e.id between t.id - 1000 and t.id + 1000
          where e."requestId" = any (calls)
      loop
        touched := touched || entry.id;
        hashes := hashes || audit_entry_hash(entry);
        update audit_entry set "requestId" = null where id = entry.id;
      end loop;
      perform set_config('waybill.empties', 'off', true);
      if touched = '{}' then return 0; end if;
      insert into audit_entry (at, "ownerKind", "ownerId", action, changes)
        select "now", 'retention', 1, 'emptied', jsonb_build_array(jsonb_build_object('path', 'digest', 'from', null,
            'to', encode(sha256(string_agg(int8send(e.id) || audit_entry_hash(e), '' order by e.id)), 'hex')))
          from audit_entry e where e.id = any (touched)
        returning id into noted;
      -- What was emptied before keeps the hash that was sealed.
      insert into audit_emptied
        select t.id, noted, coalesce((select m.hash from audit_emptied m where m."entryId" = t.id limit 1), t.hash),
            audit_entry_hash(e)
          from unnest(touched, hashes) t (id, hash) join audit_entry e on e.id = t.id;
      return cardinality(touched);
    end $$
  `.execute(db)
}

// An entry that was emptied counts as it was sealed, as long as it is as the entry says that tells of it.
async function readEmptied(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function audit_batch("afterId" bigint, "upTo" bigint, out count int, out root bytea)
      language sql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
      with newest as (
        select distinct on (m."entryId") m.* from audit_emptied m
          where m."entryId" > audit_batch."afterId" and m."entryId" <= audit_batch."upTo"
          order by m."entryId", m."byId" desc
      ), told as (
        select m."byId" from audit_emptied m join audit_entry noted on noted.id = m."byId" and noted.action = 'emptied'
          where m."byId" in (select "byId" from newest)
          group by m."byId", noted.changes
          having noted.changes -> 0 ->> 'to'
            = encode(sha256(string_agg(int8send(m."entryId") || m."nowHash", '' order by m."entryId")), 'hex')
      )
      select count(*)::int, sha256(coalesce(string_agg(
          case when newest."nowHash" = said.hash and told."byId" is not null then newest.hash else said.hash end, ''
          order by e.id), ''))
        from audit_entry e
          cross join lateral (select sha256(convert_to(jsonb_build_array(e.id, e.at, e."actorId",
            e."apiKeyId", e."ownerKind", e."ownerId", e.action, e.changes, e.reason, e."requestId")::text, 'UTF8'))
            as hash) said
          left join newest on newest."entryId" = e.id
          left join told on told."byId" = newest."byId"
        where e.id > audit_batch."afterId" and e.id <= audit_batch."upTo"
    $$
  `.execute(db)
}

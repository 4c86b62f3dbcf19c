import { sql, type Kysely } from 'kysely'

/**
 * Who was typed at an order becomes anonymous too (decision 170): the history is emptied also inside of a value that
 * holds more (a stop as it was added), and where nothing else names what is emptied, no other entries are looked at.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await emptyInside(db)
  await forgetInMerged(db)
  await paperPeriods(db)
}

/** What belongs to a merged order is read-only with it, but for this. */
async function forgetInMerged(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function refuse_part_of_merged() returns trigger language plpgsql as $$
    declare
      owner bigint;
    begin
      if tg_op = 'DELETE' then owner := old."orderId"; else owner := new."orderId"; end if;
      if exists (select 1 from "order" o where o.id = owner and o.status = 'merged')
        and not (tg_op = 'UPDATE' and coalesce(current_setting('waybill.forgets', true), '') = 'on')
      then
        raise exception 'order % is merged', owner using errcode = 'check_violation',
          constraint = 'conflict__status__order_merged';
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
}

async function emptyInside(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function audit_without("changes" jsonb, "paths" text[], "was" text[], "is" text[]) returns jsonb
      language plpgsql immutable set search_path = public, pg_temp as $$
    declare
      nothing constant jsonb := '{"emptied": true}';
      said text := "changes"::text;
      one jsonb;
      place text;
      side text;
      deep text[];
      kept jsonb := '[]';
    begin
      for n in 1 .. coalesce(cardinality("was"), 0) loop
        said := replace(said, "was"[n], "is"[n]);
      end loop;
      for one in select value from jsonb_array_elements(said::jsonb) with ordinality order by ordinality loop
        foreach place in array "paths" loop
          foreach side in array array['from', 'to'] loop
            if one ->> 'path' = place or starts_with(one ->> 'path', place || '.') then deep := array[side];
            elsif starts_with(place, (one ->> 'path') || '.') then
              deep := side || string_to_array(substr(place, length(one ->> 'path') + 2), '.');
            else continue;
            end if;
            if one #> deep <> 'null' then one := jsonb_set(one, deep, nothing); end if;
          end loop;
        end loop;
        kept := kept || jsonb_build_array(one);
      end loop;
      return kept;
    end $$
  `.execute(db)
  // Each entry once, however many of these persons it tells of.
  await sql`
    create function entries_to_empty("persons" jsonb) returns setof audit_entry
      language plpgsql stable set search_path = public, pg_temp as $$
    declare
      -- One look for all of them: a look for each takes several times as long.
      named constant text := (select '"id": (' || string_agg(p ->> 'id', '|') || '), "title": "'
        from jsonb_array_elements("persons") p where p ? 'was');
    begin
      return query select e.* from audit_entry e where (e."ownerKind", e."ownerId") in (
        select p ->> 'ownerKind', (p ->> 'ownerId')::bigint from jsonb_array_elements("persons") p);
      if named is null then return; end if;
      return query select e.* from audit_entry e where e.changes <> '[]' and e.changes::text ~ named
        and (e."ownerKind", e."ownerId") not in (
          select p ->> 'ownerKind', (p ->> 'ownerId')::bigint from jsonb_array_elements("persons") p);
    end $$
  `.execute(db)
  await sql`
    create or replace function empty_audit("persons" jsonb, "now" timestamptz) returns int
      language plpgsql volatile security definer set search_path = public, pg_temp as $$
    declare
      was constant text[] := array(select p ->> 'was' from jsonb_array_elements("persons") p where p ? 'was');
      become constant text[] := array(select p ->> 'is' from jsonb_array_elements("persons") p where p ? 'was');
      entry audit_entry;
      emptied jsonb;
      touched bigint[] := '{}';
      calls text[] := '{}';
      hashes bytea[] := '{}';
      noted bigint;
    begin
      perform set_config('waybill.empties', 'on', true);
      for entry in select * from entries_to_empty("persons") loop
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

/** Mails and papers are deleted at the end of a period of their own (decision 171). */
async function paperPeriods(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table paper_period (
      "isOnly" boolean primary key default true check ("isOnly"),
      version int not null default 1,
      -- by the id of our company's country: kind of paper to calendar years; null: kept
      years jsonb not null,
      "lastRunAt" timestamptz,
      "lastCounts" jsonb
    )
  `.execute(db)
  await deletedFiles(db)
  await deletedMails(db)
}

/** The row of a file stays, so that what an invoice or a proof was made of can still be told by its hash. */
async function deletedFiles(db: Kysely<unknown>): Promise<void> {
  await sql`alter table document alter column "fileKey" drop not null, add "deletedAt" timestamptz`.execute(db)
  await sql`alter table document add check (("fileKey" is null) = ("deletedAt" is not null))`.execute(db)
  await sql`
    create or replace function check_document_frozen() returns trigger language plpgsql
      set search_path = public, pg_temp as $$
    begin
      -- At the end of its period, of which none is shorter, the file goes and with it what tells what was in it.
      if tg_op = 'UPDATE' and old."deletedAt" is null and new."deletedAt" is not null
        and old."createdAt" < now() - interval '4 years'
        and to_jsonb(new) - '{deletedAt,fileKey,title,source,refusalReason,checkedFrom,version}'::text[]
          = to_jsonb(old) - '{deletedAt,fileKey,title,source,refusalReason,checkedFrom,version}'::text[]
      then return new; end if;
      if exists (select 1 from invoice i where i."documentId" = old.id and i."frozenAt" is not null)
        or exists (select 1 from invoice_paper p where p."documentId" = old.id)
        or exists (select 1 from invoice_artifact a where a."documentId" = old.id)
        or exists (select 1 from ksef_submission s where s."documentId" = old.id or s."upoDocumentId" = old.id)
        or (tg_op = 'DELETE' and old."documentType" = 'PROOF_OF_DELIVERY' and (
          exists (select 1 from invoice_paper p where p."documentId" is null
            and p.printed->'pods' @> jsonb_build_array(jsonb_build_object('documentId', old.id)))
          or exists (select 1 from ksef_submission s where s.state in ('queued', 'submitted')
            and s.printed->'pods' @> jsonb_build_array(jsonb_build_object('documentId', old.id))))) then
        perform refuse_frozen('document ' || old.id);
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$
  `.execute(db)
}

async function deletedMails(db: Kysely<unknown>): Promise<void> {
  // A statement stays with its figures when the mail that brought it goes.
  await sql`
    alter table load_carrier_statement alter column "emailId" drop not null,
      drop constraint "load_carrier_statement_emailId_fkey",
      add constraint "load_carrier_statement_emailId_fkey" foreign key ("emailId") references email on delete set null
  `.execute(db)
  for (const table of ['intake_order', 'intake_quote'])
    await sql`
      alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_mailId_fkey`)},
        add constraint ${sql.ref(`${table}_mailId_fkey`)}
          foreign key ("mailId") references intake_mail on delete cascade
    `.execute(db)
  // The role that serves deletes no order mail but by this, and none of the last years.
  await sql`
    create function delete_intake_mails("ids" bigint[], "now" timestamptz) returns text[]
      language sql volatile security definer set search_path = public, pg_temp as $$
      with gone as (
        delete from intake_mail where id = any ("ids") and "receivedAt" < "now" - interval '4 years'
        returning "fileKey")
      select coalesce(array_agg("fileKey") filter (where "fileKey" is not null), '{}') from gone
    $$
  `.execute(db)
}

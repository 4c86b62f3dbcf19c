import { sql, type Kysely } from 'kysely'

/**
 * The history is sealed in batches, each behind the one before it (decision 136). No save waits for it: a job seals
 * afterwards what has surely been written to its end.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_seal (
      position bigint primary key,
      -- of the entries behind this number, up to and with the next one
      "afterId" bigint not null,
      "upTo" bigint not null unique,
      count int not null,
      at timestamptz not null,
      -- which columns went into the root, and how
      form int not null default 1,
      root bytea not null,
      hash bytea not null,
      check ("upTo" > "afterId")
    )
  `.execute(db)
  await sql`create trigger append_only before update or delete on audit_seal for each row
    execute function refuse_change()`.execute(db)
  await sql`create trigger append_only_truncate before truncate on audit_seal for each statement
    execute function refuse_change()`.execute(db)

  // What the last look at all seals has found.
  await sql`
    create table audit_check (
      "isOnly" boolean primary key default true check ("isOnly"),
      "checkedAt" timestamptz not null,
      "faultCount" int not null,
      -- the first of them
      faults jsonb not null
    )
  `.execute(db)

  // Column by column, so that a new column breaks no seal: is it to be sealed, it needs another form.
  await sql`
    create function audit_batch("afterId" bigint, "upTo" bigint, out count int, out root bytea)
      language sql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
      select count(*)::int, sha256(coalesce(string_agg(sha256(convert_to(jsonb_build_array(e.id, e.at, e."actorId",
          e."apiKeyId", e."ownerKind", e."ownerId", e.action, e.changes, e.reason, e."requestId")::text, 'UTF8')), ''
          order by e.id), ''))
        from audit_entry e where e.id > audit_batch."afterId" and e.id <= audit_batch."upTo"
    $$
  `.execute(db)
  await sql`
    create function audit_seal_hash("last" bytea, "seal" audit_seal) returns bytea
      language sql stable set search_path = public, pg_temp set timezone = 'UTC' as $$
      select sha256(coalesce("last", '') || convert_to(jsonb_build_array("seal".position, "seal"."afterId",
        "seal"."upTo", "seal".count, "seal".at, "seal".form)::text, 'UTF8') || "seal".root)
    $$
  `.execute(db)
  await sealEntries(db)
  await findFaults(db)
}

// The role that serves cannot write seals itself: this function does, with the owner's rights. An entry gets its number
// before its transaction ends, so that one with a lower number may come later. Who writes an entry holds a lock of the
// table from before the number until the end: once all that hold one now are through, no lower number comes any more.
async function sealEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function audit_writers() returns text[] language sql volatile
      set search_path = public, pg_temp as $$
      select coalesce(array_agg(virtualtransaction), '{}') from pg_locks
        where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
          and relation = 'audit_entry'::regclass
          and database = (select oid from pg_database where datname = current_database())
    $$
  `.execute(db)
  await sql`
    create function seal_audit("longestMs" int, "most" int) returns setof audit_seal
      language plpgsql volatile security definer set search_path = public, pg_temp as $$
    declare
      last audit_seal;
      seal audit_seal;
      writers text[];
      until constant timestamptz := clock_timestamp() + "longestMs" * interval '1 millisecond';
    begin
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'seal_audit has to see what is written while it waits';
      end if;
      -- Of several nodes one seals.
      if not pg_try_advisory_xact_lock(hashtext('waybill audit seal')) then return; end if;
      select * into last from audit_seal order by position desc limit 1;
      seal.position := coalesce(last.position, 0) + 1;
      seal."afterId" := coalesce(last."upTo", 0);
      select max(id) into seal."upTo" from
        (select id from audit_entry where id > seal."afterId" order by id limit "most") batch;
      if seal."upTo" is null then return; end if;
      writers := audit_writers();
      while writers && audit_writers() loop
        if clock_timestamp() >= until then return; end if;
        perform pg_sleep(0.02);
      end loop;
      seal.at := clock_timestamp();
      seal.form := 1;
      select b.count, b.root into seal.count, seal.root from audit_batch(seal."afterId", seal."upTo") b;
      seal.hash := audit_seal_hash(last.hash, seal);
      insert into audit_seal select seal.*;
      return next seal;
    end $$
  `.execute(db)
}

// Every batch that is not as it was sealed, and every seal that does not follow from the one before it; of so many
// positions behind one, as the whole of a long history takes its time.
async function findFaults(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function audit_seal_faults("behind" bigint default 0, "most" int default null)
      returns table ("position" bigint, "firstId" bigint, "lastId" bigint, "at" timestamptz, fault text)
      language sql stable set search_path = public, pg_temp as $$
      with seals as (
        select one as seal, lag((one).hash) over chain as "lastHash",
            lag((one).position, 1, 0::bigint) over chain as "lastPosition",
            lag((one)."upTo", 1, 0::bigint) over chain as "lastUpTo"
          from (select s as one from audit_seal s
            where s.position >= "behind" and ("most" is null or s.position <= "behind" + "most")) piece
          window chain as (order by (one).position)
      )
      select (seal).position, (seal)."afterId" + 1, (seal)."upTo", (seal).at, found.fault
        from seals cross join lateral audit_batch((seal)."afterId", (seal)."upTo") b
        cross join lateral (values
          ('count', b.count <> (seal).count),
          ('content', b.count = (seal).count and b.root <> (seal).root),
          ('chain', (seal).position <> "lastPosition" + 1 or (seal)."afterId" <> "lastUpTo"
            or (seal).hash <> audit_seal_hash("lastHash", seal))
        ) found (fault, "isOne")
        where (seal).position > "behind" and found."isOne"
        order by 1, 5
    $$
  `.execute(db)
}

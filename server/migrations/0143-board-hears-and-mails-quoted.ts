import { sql, type Kysely } from 'kysely'

/**
 * The planning board hears as well of vehicles, and of carriers with their papers: a truck that is sold or an insurance
 * that came in changes what may be planned. A mail that asks for a price becomes a quote (decision 139).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The kind of the records is the trigger's argument.
  await sql`
    create function tell_record_changes() returns trigger language plpgsql as $$
    begin
      -- A message holds 8,000 bytes at most.
      if tg_op = 'DELETE' then
        perform tell_change(json_build_object('kind', tg_argv[0], 'ids', json_agg(id), 'isGone', true))
          from (select id, row_number() over (order by id) / 100 as part from former_rows) parts group by part;
      else
        perform tell_change(json_build_object('kind', tg_argv[0], 'ids', json_agg(id)))
          from (select id, row_number() over (order by id) / 100 as part from changed_rows) parts group by part;
      end if;
      return null;
    end $$
  `.execute(db)
  for (const [table, kind] of [
    ['vehicle', 'vehicle'],
    ['carrier_company', 'carrierCompany'],
  ] as const) {
    const on = sql`on ${sql.table(table)} referencing`
    const run = sql`for each statement execute function tell_record_changes(${sql.lit(kind)})`
    await sql`create trigger tell_created after insert ${on} new table as changed_rows ${run}`.execute(db)
    await sql`create trigger tell_changed after update ${on} new table as changed_rows ${run}`.execute(db)
    await sql`create trigger tell_deleted after delete ${on} old table as former_rows ${run}`.execute(db)
  }
  await sql`
    create function tell_paper_changes() returns trigger language plpgsql as $$
    begin
      perform tell_change(json_build_object('kind', 'carrierCompany', 'ids', json_build_array(
        case when tg_op = 'DELETE' then old."ownerId" else new."ownerId" end)));
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_papers after insert or update on document
    for each row when (new."ownerKind" = 'carrierCompany') execute function tell_paper_changes()`.execute(db)
  await sql`create trigger tell_papers_gone after delete on document
    for each row when (old."ownerKind" = 'carrierCompany') execute function tell_paper_changes()`.execute(db)

  // What became a quote is settled as what became an order is.
  await sql`
    create table intake_quote (
      "mailId" bigint not null references intake_mail,
      position int not null check (position >= 0),
      "quoteId" bigint not null references quote,
      "createdAt" timestamptz not null,
      "createdById" bigint references "user",
      primary key ("mailId", position)
    )
  `.execute(db)
  await sql`create index on intake_quote ("quoteId")`.execute(db)
  await sql`create index on intake_quote ("createdById")`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Quotes are told of as they change: to who may see them, and once more to who no longer works on one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_quote_changes() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      perform tell_change(json_build_object('kind', 'quote', 'ids', json_build_array(new.id), 'lost',
        case when tg_op = 'UPDATE' and old."caseWorkerId" is distinct from new."caseWorkerId"
            and old."caseWorkerId" is not null
          then json_build_array(old."caseWorkerId") else '[]'::json end));
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_changed after insert or update on quote for each row
    execute function tell_quote_changes()`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/**
 * A change bears the time at which it was saved, not that of its writing: a transaction that took long was told to
 * nobody whose connection was broken when it ended (decision 073).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function told_when_saved() returns trigger language plpgsql as $$
    begin
      -- Most are saved at once, and cost no second writing.
      if new.at < clock_timestamp() - interval '1 second' then
        update told_change set at = clock_timestamp() where id = new.id;
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`
    create constraint trigger told_when_saved after insert on told_change deferrable initially deferred
      for each row execute function told_when_saved()
  `.execute(db)
}

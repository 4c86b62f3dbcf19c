import { sql, type Kysely } from 'kysely'

/**
 * A mail that is written, delivered or fails is a change of the record that it belongs to: those who have that open see
 * it without asking again (decision 031).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_mail_changes() returns trigger language plpgsql as $$
    begin
      if new."ownerKind" in ('order', 'invoice') and new."ownerId" is not null then
        perform pg_notify('changes',
          json_build_object('kind', new."ownerKind", 'ids', json_build_array(new."ownerId"))::text);
      end if;
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_mails after insert or update of status on email
    for each row execute function tell_mail_changes()`.execute(db)
}

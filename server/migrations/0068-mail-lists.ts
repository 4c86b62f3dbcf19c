import { sql, type Kysely } from 'kysely'

/** All mails in one list, found by receiver and number; addresses that a mail server refused (decision 064). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table email add column "searchKey" text not null default ''`.execute(db)
  // Numbers never change; an invoice that has none yet is found by the one it has inside.
  await sql`
    create function email_search_key("kind" text, "record" bigint, "receivers" text[]) returns text
      language sql stable set search_path = public, pg_temp
      return search_key(concat_ws(' ',
        case "kind"
          when 'order' then (select number from "order" where id = "record")
          when 'invoice' then (select concat_ws(' ', number, "innerNumber") from invoice where id = "record")
        end,
        array_to_string("receivers", ' ')))
  `.execute(db)
  await sql`update email set "searchKey" = email_search_key("ownerKind", "ownerId", "to" || cc)`.execute(db)
  await sql`
    create function write_email_search_key() returns trigger language plpgsql set search_path = public, pg_temp as $$
    begin
      new."searchKey" := email_search_key(new."ownerKind", new."ownerId", new."to" || new.cc);
      return new;
    end $$
  `.execute(db)
  await sql`create trigger email_search_key before insert or update of "to", cc on email
    for each row execute function write_email_search_key()`.execute(db)

  await sql`create index email_newest on email ("createdAt", id)`.execute(db)
  await sql`create index email_of_status on email (status, "createdAt", id)`.execute(db)
  await sql`create index email_of_type on email (type, "createdAt", id)`.execute(db)
  await sql`create index email_by_hand on email ("createdAt", id) where not "isAutomatic"`.execute(db)
  await sql`create index email_found on email using gin ("searchKey" gin_trgm_ops)`.execute(db)

  await sql`
    create table email_refusal (
      address text primary key,
      at timestamptz not null,
      words text not null
    )
  `.execute(db)
}

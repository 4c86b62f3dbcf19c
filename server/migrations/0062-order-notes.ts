import { sql, type Kysely } from 'kysely'

/** Notes on orders, and whom they name (decision 053). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table order_note (
      id bigint generated always as identity primary key,
      version int not null default 1,
      "orderId" bigint not null references "order" on delete cascade,
      "authorId" bigint not null references "user",
      text text not null,
      "createdAt" timestamptz not null,
      "changedAt" timestamptz
    )
  `.execute(db)
  await sql`create index on order_note ("orderId", id)`.execute(db)
  await sql`create index on order_note ("authorId")`.execute(db)
  await sql`
    create table order_note_mention (
      "noteId" bigint not null references order_note on delete cascade,
      "userId" bigint not null references "user",
      "seenAt" timestamptz,
      primary key ("noteId", "userId")
    )
  `.execute(db)
  // What still waits for a person is little, however much was ever written.
  await sql`create index on order_note_mention ("userId", "noteId") where "seenAt" is null`.execute(db)
  await sql`create index on order_note_mention ("userId")`.execute(db)
  // A note is a change of its order for those who have that open (decision 031).
  await sql`
    create function tell_note_changes() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes', json_build_object('kind', 'order', 'ids', json_build_array(
        case when tg_op = 'DELETE' then old."orderId" else new."orderId" end))::text);
      return null;
    end $$
  `.execute(db)
  await sql`create trigger tell_notes after insert or update or delete on order_note
    for each row execute function tell_note_changes()`.execute(db)
}

import { sql, type Kysely } from 'kysely'

/** Who has an order open. Of minutes, and worth nothing after a crash: it need not be logged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table order_presence (
      "orderId" bigint not null references "order" on delete cascade,
      "userId" bigint not null references "user" on delete cascade,
      section text,
      "seenAt" timestamptz not null,
      primary key ("orderId", "userId")
    )
  `.execute(db)
  await sql`create index on order_presence ("seenAt")`.execute(db)
}

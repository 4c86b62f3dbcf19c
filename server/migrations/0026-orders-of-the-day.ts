import { sql, type Kysely } from 'kysely'

/** What the dashboard and the filters by town ask of orders. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // By when what its status waits for was expected: what is late, and how late, in one index. The same statuses as
  // LATE_IN of the contract.
  await sql`
    alter table "order" add column "dueAt" timestamptz generated always as (
      case when status = 'scheduled' then "expectedLoadingAt" when status in ('in_transit', 'arrived')
        then "expectedUnloadingAt" end
    ) stored
  `.execute(db)
  await sql`create index on "order" ("dueAt", id)`.execute(db)
  await sql`create index on "order" ("dueAt" desc nulls last, id desc)`.execute(db)
  // What waits for one person is looked for among that person's unfinished orders alone.
  await sql`create index on "order" ("caseWorkerId", status, "firstLoadingAt") where state = 'active'
    and status in ('new', 'scheduled', 'delivered')`.execute(db)
  for (const column of ['fromCity', 'toCity'])
    await sql`create index on "order" (search_key(${sql.ref(column)}) text_pattern_ops,
      "createdAt" desc, id desc)`.execute(db)
}

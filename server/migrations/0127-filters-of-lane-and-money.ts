import { sql, type Kysely } from 'kysely'

/** The list reads little more than it finds: by lane, without a carrier's price, and by what is earned. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The index of 0032 knew of priced orders alone; the few others of a lane are read and dropped as well now.
  await sql`drop index "order_laneKey_createdAt_id_idx"`.execute(db)
  await sql`create index on "order" ("laneKey", "createdAt" desc, id desc) where "laneKey" is not null`.execute(db)
  await sql`create index on "order" ("createdAt" desc, id desc) where "carrierCostCents" is null`.execute(db)
  // As the filter asks: first all that lose money, also those without a margin, then by margin.
  await sql`create index order_earning on "order" ((case when "incomeCents" < 0 then -1 else "marginBp" end))`.execute(
    db,
  )
}

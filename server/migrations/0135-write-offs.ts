import { sql, type Kysely } from 'kysely'

/** A small rest of an invoice can be written off: a booking of its own, by which no money moves (decision 131). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment drop constraint payment_kind_check`.execute(db)
  await sql`alter table payment add constraint payment_kind_check
    check (kind in ('payment', 'credit', 'refund', 'correction', 'claim', 'write_off'))`.execute(db)
  await sql`alter table payment drop constraint payment_amount`.execute(db)
  await sql`alter table payment add constraint payment_amount check (case
    when kind in ('credit', 'correction', 'claim', 'write_off') then "amountCents" = 0
    when (kind = 'payment') = ("reversesId" is null) then "amountCents" > 0
    else "amountCents" < 0 end)`.execute(db)
}

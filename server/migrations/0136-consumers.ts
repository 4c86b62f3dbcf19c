import { sql, type Kysely } from 'kysely'

/** Private persons among customers: of them less is claimed for late payment than of businesses (decision 086). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customer add column "isConsumer" boolean not null default false`.execute(db)
  // As seeds/late-payment.ts has them; what somebody has emptied stays empty.
  await sql`
    update country set "latePayment" = "latePayment" || terms.terms, version = version + 1
      from (values ('DE', '{"consumerAboveBp": 500}'::jsonb), ('PL', '{"consumerAboveBp": 550}')) terms(code, terms)
      where country.code = terms.code and jsonb_array_length("latePayment" -> 'rates') > 0
  `.execute(db)
}

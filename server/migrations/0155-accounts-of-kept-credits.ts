import { sql, type Kysely } from 'kysely'

/** Where small credits that were booked out are, by VAT; named by people, as the other accounts are (decision 150). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update company set bookkeeping = jsonb_set(bookkeeping, '{accounts}', coalesce((
      select jsonb_agg('{"creditAccount": null}'::jsonb || one.account order by one.place)
        from jsonb_array_elements(bookkeeping -> 'accounts') with ordinality one(account, place)), '[]')),
    version = version + 1 where bookkeeping is not null`.execute(db)
}

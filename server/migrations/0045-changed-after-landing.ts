import { sql, type Kysely } from 'kysely'

/**
 * Two migrations were changed after databases had applied them: 0007 got other indexes, 0024 other names for what
 * guards merged orders. Here those databases get them too; elsewhere nothing is to be done.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare
      one record;
    begin
      if exists (select 1 from pg_constraint where conrelid = '"order"'::regclass and conname = 'order_merged') then
        alter table "order" rename constraint order_merged to "conflict__status__order_merged";
      end if;
      for one in select oid from pg_proc where pronamespace = 'public'::regnamespace
        and proname in ('check_order_merge', 'refuse_part_of_merged', 'refuse_part_of_merged_cargo')
        and prosrc ~ '''(order_merged|order_merge_step)''' loop
        execute replace(replace(pg_get_functiondef(one.oid), '''order_merge_step''', '''conflict'''),
          '''order_merged''', '''conflict__status__order_merged''');
      end loop;
    end $$
  `.execute(db)

  const replaced: readonly (readonly [before: string | null, now: string])[] = [
    [
      'USING btree ("fromCountryCode", "createdAt" DESC, id DESC)',
      'USING btree ("fromCountryCode", "toCountryCode", "createdAt" DESC, id DESC)',
    ],
    ['USING gin (deviations)', `USING btree ("createdAt" DESC, id DESC) WHERE (deviations <> '{}'::text[])`],
    [null, `USING btree ("createdAt" DESC, id DESC) WHERE (state = 'inactive'::text)`],
  ]
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, substring(indexdef from 'USING .*') as definition from pg_indexes
    where schemaname = 'public' and tablename = 'order'
  `.execute(db)
  for (const [before, now] of replaced) {
    const old = rows.find(({ definition }) => definition === before)
    if (old) await sql`drop index ${sql.ref(old.name)}`.execute(db)
    if (!rows.some(({ definition }) => definition === now))
      await sql`create index on "order" ${sql.raw(now)}`.execute(db)
  }
}

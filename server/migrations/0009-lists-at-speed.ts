import { sql, type Kysely } from 'kysely'

/**
 * Whose an order is, on the order itself: filters by customer, manager and carrier read no other table (decision
 * 008).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table "order"
      add "customerIds" bigint[] not null default '{}',
      add "managerIds" bigint[] not null default '{}',
      add "carrierCompanyIds" bigint[] not null default '{}'
  `.execute(db)
  await sql`
    update "order" o set
      "customerIds" = array(select c."customerId" from order_customer c where c."orderId" = o.id order by c.position),
      "managerIds" = array(select m."userId" from order_manager m where m."orderId" = o.id order by 1),
      "carrierCompanyIds" = array(select distinct a."carrierCompanyId" from route r join assignment a
        on a."routeId" = r.id where r."orderId" = o.id and a."carrierCompanyId" is not null order by 1)
  `.execute(db)
  // Numbers are digits: in the plain order of their bytes one index finds their beginnings and sorts them.
  await sql`alter table "order" alter number type text collate "C"`.execute(db)
  await sql`drop index if exists order_number_idx`.execute(db)
  // Without a list of pending entries: every search would read it through, and an order adds few.
  for (const column of ['customerIds', 'managerIds', 'carrierCompanyIds'])
    await sql`create index on "order" using gin (${sql.ref(column)}) with (fastupdate = off)`.execute(db)
}

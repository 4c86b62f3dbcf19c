import { sql, type Kysely } from 'kysely'

/** What a holder keeps is billed: a sent line moves the account as pieces that came back (decision 153). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table load_carrier_bill_line (
      "invoiceLineId" bigint primary key references invoice_line on delete cascade,
      "typeId" bigint not null references load_carrier_type,
      "customerId" bigint references customer,
      "carrierCompanyId" bigint references carrier_company,
      "placeId" bigint references load_carrier_place,
      constraint one_holder_billed check (num_nonnulls("customerId", "carrierCompanyId", "placeId") = 1)
    )
  `.execute(db)
  for (const column of ['customerId', 'carrierCompanyId', 'placeId'])
    await sql`create index on load_carrier_bill_line (${sql.ref(column)}, "typeId")
      where ${sql.ref(column)} is not null`.execute(db)
  await sql`create index on load_carrier_bill_line ("typeId")`.execute(db)
  // What is billed is what the line says once it was sent, and each correction of it what it makes more or less. Kept
  // nowhere else, so that no correction can forget an account. Parts of a piece count as none. The number of such an
  // entry is that of no movement, and stands behind those of the same day.
  await sql`
    create or replace view load_carrier_entry as
      select m.id, m."movedOn", m."typeId", m."customerId", m."carrierCompanyId", m."placeId", m.given, m.received,
          m.damaged, m.given - m.received as net, m."locationId", null::bigint as "invoiceLineId"
        from load_carrier_movement m
      union all
      select m.id, m."movedOn", m."typeId", null, a."carrierCompanyId", null, m.received, m.given, m.damaged,
          m.received - m.given, m."locationId", null
        from load_carrier_movement m join location l on l.id = m."locationId"
          join assignment a on a."routeId" = l."routeId"
        where a."carrierCompanyId" is not null
      union all
      select 1000000000000 + billed.id, billed."invoiceDate", b."typeId", b."customerId", b."carrierCompanyId",
          b."placeId", greatest(-billed.pieces, 0), greatest(billed.pieces, 0), 0, -billed.pieces, null, billed.id
        from load_carrier_bill_line b cross join lateral (
          select said.id, i."invoiceDate",
              said.pieces - lag(said.pieces, 1, 0) over (order by i."frozenAt", said.id) as pieces
            from (
              select own.id, own."invoiceId", trunc(own.quantity)::int as pieces from invoice_line own
                where own.id = b."invoiceLineId"
              union all
              select later.id, later."invoiceId", trunc(later."correctedQuantity")::int from invoice_line later
                where later."correctsLineId" = b."invoiceLineId"
            ) said join invoice i on i.id = said."invoiceId"
            where i."frozenAt" is not null and i.status <> 'created'
              and (i."correctionOfId" is null or i.status <> 'canceled')
        ) billed
        where billed.pieces <> 0
  `.execute(db)
}

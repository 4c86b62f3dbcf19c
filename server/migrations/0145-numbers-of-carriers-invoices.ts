import { sql, type Kysely } from 'kysely'

/**
 * When two numbers of a carrier's invoices are the same (decision 077): the same letters and digits in the same groups,
 * whatever stands between them. Without the groups 1/11/2026 was 11/1/2026. What is alike without them, and without
 * leading zeros, is for a person to look at.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Letters of other scripts count; signs of Latin 1, spaces, dashes and the number sign do not. Small letters are
  // those of ASCII alone, so that no two numbers are one that were two before.
  await sql`
    create function invoice_number_key(value text) returns text
      language sql immutable strict parallel safe
      return nullif(trim(regexp_replace(regexp_replace(
        regexp_replace(translate(value, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
          '[\\u0001-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00BF\\u2000-\\u206F\\u2116\\u2212]+', ' ', 'g'),
        '([^0-9 ])([0-9])', '\\1 \\2', 'g'), '([0-9])([^0-9 ])', '\\1 \\2', 'g')), '')
  `.execute(db)
  await sql`
    create function invoice_number_alike(value text) returns text
      language sql immutable strict parallel safe
      return replace(regexp_replace(invoice_number_key(value), '(^| )0+(?=[0-9])', '\\1', 'g'), ' ', '')
  `.execute(db)
  // What has no letter and no digit of ASCII could stand twice so far, and still can.
  await sql`drop index "number_taken__number__invoice_carrier"`.execute(db)
  await sql`
    create unique index "number_taken__number__invoice_carrier"
      on invoice ("carrierCompanyId", invoice_number_key(number))
      where "entityType" = 'carrier' and status <> 'canceled' and vat_number_key(number) is not null
  `.execute(db)
  await sql`
    create index invoice_number_alike on invoice ("carrierCompanyId", invoice_number_alike(number))
      where "entityType" = 'carrier' and status <> 'canceled'
  `.execute(db)
}

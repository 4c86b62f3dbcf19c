import { MOST_LOOKALIKES, type LookalikeQuery, type Lookalikes } from '@waybill/contract/kit/lookalike'
import { sql } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'
import { countryCodeOf, vatNumberShape } from './vat-number.ts'

// Of the letters in threes that two names have, how many both have; below, firms of one trade are alike.
const LEAST_ALIKE = 0.5

/**
 * The active records of a table of firms that a new one may be: by the VAT number, with and without a country's
 * prefix, and by the name. The names of the table are never a caller's.
 */
export async function findLookalikes(
  ctx: Ctx,
  table: 'customer' | 'carrier_company',
  { title, vatNumber, countryId }: LookalikeQuery,
): Promise<Lookalikes> {
  const code = countryId === undefined ? '' : await countryCodeOf(ctx, countryId)
  const bare = (number: string | null) =>
    number === null
      ? sql`regexp_replace(vat_number_key("vatNumber"), '^[A-Za-z]{2}', '')`
      : sql`regexp_replace(vat_number_key(${number}), '^[A-Za-z]{2}', '')`
  const hasSameNumber = vatNumber === undefined ? sql<boolean>`false` : sql<boolean>`${bare(null)} = ${bare(vatNumber)}`
  const alike = title === undefined ? sql<number>`0.0` : sql<number>`similarity("titleKey", search_key(${title}))`
  const { rows } = await sql<Lookalikes['items'][number]>`
    select id, title, detail, "hasSameNumber" from (
      select id, title, nullif(concat_ws(', ', city, "vatNumber"), '') as detail,
        coalesce(${hasSameNumber}, false) as "hasSameNumber", ${alike} as alike
      from ${sql.table(table)} where state = 'active'
    ) firm
    where "hasSameNumber" or alike >= ${LEAST_ALIKE}
    order by "hasSameNumber" desc, alike desc, id
    limit ${MOST_LOOKALIKES}`.execute(ctx.db)
  return {
    vatNumberShape: vatNumber === undefined || code === '' ? null : vatNumberShape(vatNumber, code),
    items: rows,
  }
}

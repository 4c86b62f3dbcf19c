// A busier fortnight on the planning board: the orders that the board shows, copied as often as it takes.
import { copyRows, rowsOfOrders } from './copies.js'

/**
 * Another plate for each copy, one-to-one on the digits: as many trucks more as routes more. A route without a plate
 * keeps none.
 */
const otherPlate = `(
  select translate(t."plateNumber", '0123456789', string_agg(((d * m + r) % 10)::text, '' order by d))
  from generate_series(0, 9) d, (select (array[1, 3, 7, 9])[1 + (copy.k / 10) % 4] as m, copy.k % 10 as r) permutation)`

const OWN = {
  order: { number: `(30 + copy.k)::text || substr(t.number, 3)` },
  assignment: { plateNumber: otherPlate },
}

/** Copies the orders of these ids `copies` times. `client` is a superuser's connection. */
export async function fillFortnight(client, orderIds, copies) {
  await client.query('begin')
  // Rows are copies of right ones: nothing to check, no history to write.
  await client.query('set local session_replication_role = replica')
  for (const [table, rows] of Object.entries(rowsOfOrders(`= any('{${orderIds.join(',')}}'::bigint[])`)))
    await copyRows(client, table, { ...rows, own: OWN[table] }, 1, copies)
  await client.query('commit')
  await client.query('vacuum analyze')
}

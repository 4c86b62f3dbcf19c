// A queue of carriers' invoices that wait to be checked: one that fits, copied with its order, its route, its stops and
// its papers.
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Greater than the ids of an installation before it is copied into. */
const STEP = 200_000

/** The tables of an order and its carrier's invoice: which rows of them, and which columns hold ids of these rows. */
const tablesOf = ({ orderId, invoiceId }) => ({
  order: [`t.id = ${orderId}`, ['id']],
  order_customer: [`t."orderId" = ${orderId}`, ['orderId']],
  cargo: [`t."orderId" = ${orderId}`, ['id', 'orderId']],
  route: [`t."orderId" = ${orderId}`, ['id', 'orderId']],
  location: [`t."orderId" = ${orderId}`, ['id', 'orderId', 'routeId']],
  cargo_action: [`t."cargoId" in (select id from cargo where "orderId" = ${orderId})`, ['cargoId', 'locationId']],
  assignment: [`t."routeId" in (select id from route where "orderId" = ${orderId})`, ['id', 'routeId']],
  invoice: [`t.id = ${invoiceId}`, ['id', 'routeId']],
  invoice_order: [`t."invoiceId" = ${invoiceId}`, ['invoiceId', 'orderId']],
  invoice_allocation: [`t."invoiceId" = ${invoiceId}`, ['invoiceId', 'routeId']],
  document: [
    `t."ownerKind" = 'order' and t."ownerId" = ${orderId} or t."ownerKind" = 'invoice' and t."ownerId" = ${invoiceId}`,
    ['id', 'ownerId', 'orderCarrier'],
  ],
})

/** What each copy has of its own; `k` counts them. */
const OWN = {
  order: { number: `'31-' || lpad(copy.k::text, 6, '0')` },
  invoice: {
    number: `'FIT ' || lpad(copy.k::text, 5, '0') || '/2026'`,
    innerNumber: `'B-' || copy.k`,
    createdAt: `t."createdAt" + make_interval(secs => copy.k)`,
    searchKey: `'fit ' || copy.k`,
  },
  // Of the whole route; a file is kept under a name of its own.
  document: { locationIds: 'null', fileKey: `md5(t."fileKey" || ' ' || copy.k)` },
}

const placeOf = (folder, key) => join(folder, 'files', key.slice(0, 2), key)

/** The files of the copies, by the names that `OWN` gives them: links, for nobody writes into a file. */
async function linkFiles(client, folder, one, from, to) {
  const { rows } = await client.query(`select t."fileKey" from document t where ${tablesOf(one).document[0]}`)
  for (const { fileKey } of rows)
    for (let k = from; k <= to; k += 1) {
      const place = placeOf(folder, createHash('md5').update(`${fileKey} ${k}`).digest('hex'))
      mkdirSync(dirname(place), { recursive: true })
      linkSync(placeOf(folder, fileKey), place)
    }
}

/**
 * Copies an invoice and its order in an installation's `folder`: the copies `from` to `to`. `client` is a superuser's
 * connection.
 */
export async function fillQueue(client, folder, one, from, to) {
  await linkFiles(client, folder, one, from, to)
  await client.query('begin')
  // Rows are copies of right ones: nothing to check, no history to write.
  await client.query('set local session_replication_role = replica')
  for (const [table, [which, ids]] of Object.entries(tablesOf(one))) {
    const { rows: columns } = await client.query(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [table],
    )
    const valueOf = ({ name }) =>
      ids.includes(name) ? `t."${name}" + copy.k * ${STEP}` : (OWN[table]?.[name] ?? `t."${name}"`)
    await client.query(
      `insert into "${table}" (${columns.map(({ name }) => `"${name}"`).join(', ')}) overriding system value
       select ${columns.map(valueOf).join(', ')} from "${table}" t, generate_series($1::int, $2::int) copy (k)
       where ${which}`,
      [from, to],
    )
  }
  await client.query('commit')
  await client.query('vacuum analyze')
}

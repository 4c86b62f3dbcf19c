// A queue of carriers' invoices that wait to be checked: one that fits, copied with its order, its route, its stops and
// its papers.
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyRows, rowsOfOrders } from './copies.js'

/** The rows of an order and its carrier's invoice. */
const rowsOf = ({ orderId, invoiceId }) => ({
  ...rowsOfOrders(`= ${orderId}`),
  invoice: { which: `t.id = ${invoiceId}`, ids: ['id', 'routeId'] },
  invoice_order: { which: `t."invoiceId" = ${invoiceId}`, ids: ['invoiceId', 'orderId'] },
  invoice_allocation: { which: `t."invoiceId" = ${invoiceId}`, ids: ['invoiceId', 'routeId'] },
  document: {
    which: `t."ownerKind" = 'order' and t."ownerId" = ${orderId}
      or t."ownerKind" = 'invoice' and t."ownerId" = ${invoiceId}`,
    ids: ['id', 'ownerId', 'orderCarrier'],
  },
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
  const { rows } = await client.query(`select t."fileKey" from document t where ${rowsOf(one).document.which}`)
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
  for (const [table, rows] of Object.entries(rowsOf(one)))
    await copyRows(client, table, { ...rows, own: OWN[table] }, from, to)
  await client.query('commit')
  await client.query('vacuum analyze')
}

// `npm run bench -- load [--orders 200000 | --customers 200000] [--from FOLDER]`: an installation with so many
// orders, or customers, in bench/.data, which runs copy.
// It starts with the demo year, or with an installation that is there already.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolder, freePort, loadedFolder, startPostgres, startWaybill, tidyUp } from './installation.js'
import { multiplyCustomers } from './multiply/customers.js'
import { multiplyOrders } from './multiply/orders.js'

const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg')
const { values: options } = parseArgs({
  options: { orders: { type: 'string', default: '200000' }, customers: { type: 'string' }, from: { type: 'string' } },
})
const kind = options.customers ? 'customers' : 'orders'
const count = Number(options[kind])
const startedAt = performance.now()
const say = (text) =>
  process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)

async function load(folder) {
  mkdirSync(folder, { recursive: true })
  if (options.from) cpSync(options.from, folder, { recursive: true })
  else {
    say('The demo year …')
    const waybill = await startWaybill({ folder, port: await freePort(), options: ['--demo'] })
    await waybill.stop()
  }
  // Nothing is lost if it breaks off: it begins anew.
  const postgres = await startPostgres(folder, {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_wal_size: '8GB',
  })
  const client = new Client({ connectionString: postgres.ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
  const made = await (kind === 'customers' ? multiplyCustomers : multiplyOrders)(client, count, say)
  const { rows } = await client.query('select pg_size_pretty(pg_database_size(current_database())) as size')
  await client.end()
  await postgres.stop()
  say(`${made} ${kind}, ${rows[0].size}`)
}

const unfinished = join(dataFolder, `unfinished-${process.pid}`)
const finished = loadedFolder(kind, options[kind])
try {
  if (existsSync(finished)) throw new Error(`${finished} is there already; remove it to load anew`)
  await load(unfinished)
  renameSync(unfinished, finished)
  say(finished)
} catch (error) {
  process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
} finally {
  await tidyUp()
  rmSync(unfinished, { recursive: true, force: true })
}

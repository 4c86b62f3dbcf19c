// `npm run bench -- reports [--orders 200000] [--runs 9] [--saves 400]`
// Each report over a year, beside the list of orders and beside the plain way, which adds up the orders themselves;
// the same while two thousand saves wait to be folded; and what noting an order costs its save. Fails where a report
// takes more than 300 ms, or a save a millisecond more.
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import {
  copyOf,
  demoFolder,
  freePort,
  loadedFolder,
  runMeasurement,
  signIn,
  startPostgres,
  startWaybill,
} from './installation.js'
import { machine } from './machine.js'
import { figure, median, say, table } from './report.js'

const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg')
const { values: options } = parseArgs({
  options: {
    orders: { type: 'string' },
    runs: { type: 'string', default: '9' },
    saves: { type: 'string', default: '400' },
  },
})
const MOST_REPORT_MS = 300
const MOST_SAVE_MS = 1
/** as many as a job folds at once */
const BATCH = 2000
const UNFOLDED = 2000

/** Copies of orders are written past the triggers that note them (`load`): they are noted and folded here. */
async function fold(client) {
  const { rows } = await client.query(
    `insert into figure_due ("orderId")
       select o.id from "order" o where not exists (select 1 from order_figure f where f."orderId" = o.id)
       order by o.id returning 1`,
  )
  const begun = performance.now()
  for (let folded = BATCH; folded === BATCH; )
    folded = (await client.query('select fold_figures($1::int) as folded', [BATCH])).rows[0].folded
  await client.query('vacuum analyze')
  const ms = performance.now() - begun
  return `${rows.length} orders folded in ${figure(ms / 1000)} s, ${figure(ms / Math.max(1, rows.length), 2)} ms each`
}

/** The months of the last year, up to the one in which the newest order is unloaded. */
async function yearOf(client) {
  const { rows } = await client.query(
    `select to_char(max(month), 'YYYY-MM') as until, to_char(max(month) - interval '11 months', 'YYYY-MM') as "from"
       from order_figure where month <= date_trunc('month', now())`,
  )
  return rows[0]
}

async function timed(work) {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

async function medianOf(count, work) {
  const times = []
  for (let run = 0; run < count; run += 1) times.push(await timed(work))
  return median(times)
}

const TRIGGER = 'figures_after_update'

/** Milliseconds that noting an order adds to the statement that saves it: with and without, turn by turn. */
async function costOfNoting(client, saves) {
  const { rows } = await client.query('select id from "order" order by random() limit $1', [saves])
  const times = { enable: [], disable: [] }
  // The first turn reads the orders from the disk, and counts for nothing.
  for (const [turn, way] of ['enable', 'disable', 'enable', 'disable', 'enable'].entries()) {
    await client.query(`alter table "order" ${way} trigger ${TRIGGER}`)
    for (const { id } of rows) {
      const ms = await timed(() => client.query('update "order" set version = version + 1 where id = $1', [id]))
      if (turn > 0) times[way].push(ms)
    }
  }
  return { noted: median(times.enable), plain: median(times.disable) }
}

await runMeasurement(async () => {
  const stored = options.orders === undefined ? await demoFolder() : loadedFolder('orders', Number(options.orders))
  const folder = copyOf(stored)
  const postgres = await startPostgres(folder)
  const client = new Client({ connectionString: postgres.ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
  const { rows: counted } = await client.query('select count(*)::int as orders from "order"')
  say(`${counted[0].orders} orders; ${await fold(client)}`)
  const year = await yearOf(client)
  const port = await freePort()
  await startWaybill({ folder, port, databaseUrl: postgres.url, ownerUrl: postgres.ownerUrl })
  const base = `http://127.0.0.1:${port}`
  const headers = { authorization: `Bearer ${await signIn(base)}` }
  const ask = async (path) => {
    const answer = await fetch(`${base}/api/${path}`, { headers })
    const body = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${body.slice(0, 300)}`)
  }
  const span = `from=${year.from}&to=${year.until}`
  const reports = [
    ...['customer', 'carrier', 'lane', 'vehicle', 'month'].map((by) => [
      `margin by ${by}`,
      `reports/margin?${span}&by=${by}`,
    ]),
    ['margin by customer, invoiced', `reports/margin?${span}&by=customer&basis=actual`],
    ['punctuality by carrier', `reports/punctuality?${span}&by=carrier`],
    ['times by customer', `reports/spans?${span}&by=customer`],
    ['open PODs by customer', 'reports/open-pods?by=customer'],
    ['losses', `reports/losses?${span}`],
  ]
  const runs = Number(options.runs)
  const measured = async (path) => {
    await ask(path)
    return medianOf(runs, () => ask(path))
  }
  const list = await measured('orders?perPage=25')
  const plain = await medianOf(2, () =>
    client.query(
      `select f."customerId", sum(f.orders), sum(f."revenueCents"), sum(f."costCents") from order_figure_now f
         where f.month between to_date($1, 'YYYY-MM') and to_date($2, 'YYYY-MM') group by 1`,
      [year.from, year.until],
    ),
  )
  const rows = []
  const slow = []
  for (const [name, path] of reports) {
    const folded = await measured(path)
    await client.query('insert into figure_due ("orderId") select id from "order" order by random() limit $1', [
      UNFOLDED,
    ])
    const waiting = await timed(() => ask(path))
    while ((await client.query('select fold_figures($1::int) as folded', [BATCH])).rows[0].folded === BATCH);
    if (folded > MOST_REPORT_MS) slow.push(name)
    rows.push([
      name,
      figure(folded),
      figure(folded / list, 1),
      figure(folded / plain, 3),
      figure(waiting),
      figure(waiting / folded, 1),
    ])
  }
  const { noted, plain: unnoted } = await costOfNoting(client, Number(options.saves))
  say(machine())
  say(`${year.from} to ${year.until}; the list of orders ${figure(list, 1)} ms, the plain way ${figure(plain)} ms`)
  say(table(['report', 'ms', 'to the list', 'to the plain way', `ms, ${UNFOLDED} unfolded`, 'to folded'], rows))
  say(
    `A save that is noted ${figure(noted, 2)} ms, without ${figure(unnoted, 2)} ms: ` +
      `${figure(noted - unnoted, 2)} ms more (wanted: at most ${MOST_SAVE_MS})`,
  )
  await client.end()
  if (slow.length > 0) throw new Error(`over ${MOST_REPORT_MS} ms: ${slow.join(', ')}`)
  if (noted - unnoted > MOST_SAVE_MS) throw new Error('noting an order takes more than a millisecond of its save')
})

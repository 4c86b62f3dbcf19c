// `npm run bench -- api [--orders 200000 | --customers 200000] [--clients 8,64] [--seconds 3] [--rounds 3]
// [--only list,detail] [--profile]`
// The product against the baseline, rounds in turn, then an open loop. Prints the tables of README.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { customerRequests } from './requests/customer-requests.js'
import {
  copyOf,
  dataFolder,
  freePort,
  loadedFolder,
  signIn,
  startLoad,
  startPostgres,
  startProcess,
  startWaybill,
  runMeasurement,
} from './installation.js'
import { machine, memoryMb, peakMemoryMb, postgresMs, processorMs } from './machine.js'
import { measureMerges } from './requests/merges.js'
import { openRecorder } from './record.js'
import { figure, median, percentile, say, table } from './report.js'

const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg')
const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '200000' },
    customers: { type: 'string' },
    from: { type: 'string' },
    clients: { type: 'string', default: '8,64' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    'open-loop': { type: 'string', default: '20' },
    profile: { type: 'boolean', default: false },
  },
})
const kind = options.customers ? 'customers' : 'orders'
const query = (parameters) => new URLSearchParams(parameters).toString()

/** The figures of design §8: least share of the baseline's requests/s. */
const WANTED = {
  list: 0.65,
  'filtered list': 0.75,
  search: 0.8,
  'select box': 0.8,
  detail: 0.65,
  create: 0.5,
  keyset: 0.65,
  'far page': 10,
}
const MOST_CPU = 1.6

/** What a jump to a far page is held against: the plain way, which joins first and skips then. */
const offsetAfterJoin = (page) => `
  select o.id, o.version, o.number, o.status, o.state, o."customerOrderNumber", o."viaCount",
    o."firstLoadingAt", o."lastUnloadingAt", o.disposition, o.deviations, o."customerPriceCents",
    o."incomeCents", o."marginBp", o."mergedIntoId", o."createdAt", o."customerId", o."customerTitle",
    o."fromCountryCode", o."fromCity", o."toCountryCode", o."toCity",
    department.abbreviation as "departmentTitle", worker."fullName" as "caseWorkerTitle",
    (select count(*)::int from order_customer oc where oc."orderId" = o.id) as "customerCount"
  from "order" o join department on department.id = o."departmentId"
    left join "user" worker on worker.id = o."caseWorkerId"
  order by o."createdAt" desc, o.id desc offset ${(page - 1) * 25} limit 26`

async function samplesFrom(client) {
  const ids = async (text) => (await client.query(text)).rows
  const orders = await ids(
    `select id, number, "departmentId", "customerId", "fromCity", "customerTitle", "customerOrderNumber"
     from "order" tablesample bernoulli (1) order by random() limit 200`,
  )
  const changeable = await ids(
    `select id, version from "order" o
     where status = 'completed' and (select count(*) from order_customer c where c."orderId" = o.id) = 1
     order by id desc limit 256`,
  )
  const carriers = await ids(
    `select d.id, d."carrierCompanyId" as "carrierCompanyId" from driver d order by random() limit 20`,
  )
  return { orders, changeable, carriers }
}

/** What the orders list reads of its rows for the columns that everybody has at first. */
const SHOWN = (
  'caseWorker customer customerCount customerPriceCents delay deviations disposition from id incomeCents marginBp ' +
  'marginWarningBp mergedIntoId number state status to version viaCount'
)
  .split(' ')
  .map((name) => ['fields[]', name])

/** Everything that is asked of orders, by case. Lists are those of the screen: 25 rows with the total. */
async function orderRequests(recorder, client, headers) {
  const { orders, changeable, carriers } = await samplesFrom(client)
  const whole = (parameters) => ({ method: 'GET', path: `/api/orders?${query(parameters)}`, headers })
  const get = (parameters) =>
    whole([...(Array.isArray(parameters) ? parameters : Object.entries(parameters)), ...SHOWN])
  const department = orders[0].departmentId
  const { rows: countries } = await client.query(`select id, code from country where code in ('DE', 'PL', 'FR')`)
  const idOf = Object.fromEntries(countries.map(({ id, code }) => [code, id]))
  const stop = (kind, countryId, city, action) => ({
    kind,
    termin: { kind: 'period', dateFrom: '2026-12-01', timeFrom: '08:00', timeTo: '16:00' },
    countryId,
    postal: '22113',
    city,
    companyTitle: `Lager ${city}`,
    address: 'Industriestraße 12',
    cargoActions: [
      { cargoKey: 'a', action },
      { cargoKey: 'b', action },
    ],
  })
  const { rows: people } = await client.query(`select id from "user" order by id limit 3`)
  const order = {
    customerIds: [orders[0].customerId],
    customerOrderNumber: 'PO-77123',
    departmentId: department,
    caseWorkerId: people.at(-1).id,
    customerPriceCents: 118_000,
    customerVatBp: 1900,
    paymentPeriodDays: 30,
    description: 'Palettentausch, Avis am Vortag',
    cargo: [
      { key: 'a', title: 'Maschinenteile', quantity: 12, lengthCm: 120, widthCm: 80, heightCm: 145, weightKg: 7680 },
      { key: 'b', title: 'Ersatzteile', quantity: 3, lengthCm: 120, widthCm: 100, heightCm: 90, weightKg: 900 },
    ],
    locations: [stop('loading', idOf.DE, 'Hamburg', 'PICK_UP'), stop('unloading', idOf.PL, 'Poznań', 'DROP_OFF')],
    routes: [
      {
        distanceKm: 560,
        assignment: {
          carrierCompanyId: carriers[0].carrierCompanyId,
          driverIds: [carriers[0].id],
          plateNumber: 'PO 4T112',
          costCents: 96_000,
          vatBp: 2300,
        },
      },
    ],
  }

  const cursors = []
  for (let page = 1; page <= 7000; page += 350) {
    const { body } = await recorder.ask(get({ page }))
    if (body.nextCursor) cursors.push(body.nextCursor)
  }
  return {
    list: [get({})],
    'fifty rows': [get({ state: 'active', perPage: 50 })],
    'whole rows': [whole({ state: 'active', perPage: 50 })],
    'filtered list': [
      get({ 'status[]': 'scheduled' }),
      get({ 'status[]': 'completed', 'departmentId[]': department }),
      get([
        ['status[]', 'new'],
        ['status[]', 'scheduled'],
        ['status[]', 'in_transit'],
      ]),
      get({ 'customerId[]': orders[1].customerId }),
      get({ 'createdAt[from]': '2026-03-01', 'createdAt[to]': '2026-03-31' }),
      get({ 'status[]': 'canceled', 'fromCountry[]': 'DE' }),
    ],
    search: orders.slice(0, 60).map(({ number, fromCity, customerTitle, customerOrderNumber }, index) =>
      get({
        q: [
          `${fromCity} ${customerTitle.slice(0, 6)}`,
          number,
          customerOrderNumber ?? number.slice(0, 6),
          customerTitle,
        ][index % 4],
      }),
    ),
    detail: orders.map(({ id }) => ({ method: 'GET', path: `/api/orders/${id}`, headers })),
    keyset: cursors.map((cursor) => get({ cursor })),
    'far page': [3000, 4000, 5000, 6000].map((page) => ({ ...get({ page }), page })),
    create: [{ method: 'POST', path: '/api/orders', headers, body: JSON.stringify(order) }],
    update: changeable.map(({ id, version }) => ({
      method: 'PATCH',
      path: `/api/orders/${id}`,
      headers,
      body: JSON.stringify({ internalComments: `Rückruf ${id}, ${Date.now() % 1000}` }),
      version,
    })),
  }
}

/** What the baseline answers with: recorded from the product, once per request. */
async function planFrom(recorder, cases) {
  const plan = { replies: {}, updates: {}, creates: null, idempotencyKey: 'bench-recorded', session: null }
  const sizes = {}
  for (const [name, requests] of Object.entries(cases)) {
    for (const request of requests) {
      const headers = { ...request.headers }
      if (name === 'create') {
        // The first one brings the queue up, which asks much of the database once.
        await recorder.ask({ ...request, headers: { ...headers, 'idempotency-key': 'bench-before' } })
        headers['idempotency-key'] = plan.idempotencyKey
      }
      if (name === 'update') headers['if-match'] = `"${request.version}"`
      const { statements, session, size } = await recorder.ask({ ...request, headers })
      sizes[name] ??= { bytes: size, statements: statements.length }
      plan.session ??= session.text
      if (name === 'create') plan.creates = statements
      else if (name === 'update') plan.updates[request.path] = { version: request.version, statements }
      else if (name === 'far page')
        plan.replies[`GET ${request.path}`] = [{ text: offsetAfterJoin(request.page), values: [] }]
      else plan.replies[`GET ${request.path}`] = statements.map(({ rows: _rows, ...statement }) => statement)
    }
  }
  return { plan, sizes }
}

async function main() {
  const folder = copyOf(options.from ?? loadedFolder(kind, options[kind]))
  const postgres = await startPostgres(folder)
  const port = await freePort()
  const product = await startWaybill({
    folder,
    databaseUrl: postgres.url,
    ownerUrl: postgres.ownerUrl,
    port,
    flags: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${join(dataFolder, 'profiles')}`] : [],
  })
  const token = await signIn(`http://127.0.0.1:${port}`)
  const client = new Client({ connectionString: postgres.ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
  // A run may last longer than an access token.
  await client.query(`update access_token set "expiresAt" = now() + interval '1 day'`)
  const idleMb = memoryMb(product.pid)

  const headers = { Authorization: `Bearer ${token}`, 'additional-groups': 'detailed' }
  const recorder = await openRecorder({ databaseUrl: postgres.url, folder, token })
  const all = await (kind === 'customers' ? customerRequests : orderRequests)(recorder, client, headers)
  const only = options.only?.split(',')
  const cases = Object.fromEntries(Object.entries(all).filter(([name]) => !only || only.includes(name)))
  const { plan, sizes } = await planFrom(recorder, cases)
  await recorder.close()

  const planFile = join(folder, 'baseline.json')
  writeFileSync(planFile, JSON.stringify(plan))
  const baselinePort = await freePort()
  const baseline = await startProcess([join(import.meta.dirname, 'baseline.js'), planFile, String(baselinePort)], {
    flags: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${join(dataFolder, 'profiles-baseline')}`] : [],
    env: { DATABASE_URL: postgres.url },
    sign: 'ready',
    logFile: join(folder, 'baseline.log'),
  })

  const load = startLoad()
  const sides = { baseline: { port: baselinePort, pid: baseline.pid }, product: { port, pid: product.pid } }
  const versionsNow = async (name) => {
    if (name !== 'update') return undefined
    const { rows } = await client.query(`select id, version from "order" where id = any($1::bigint[])`, [
      cases.update.map(({ path }) => Number(path.split('/').at(-1))),
    ])
    return Object.fromEntries(rows.map(({ id, version }) => [`/api/orders/${id}`, version]))
  }
  const round = async (name, { port: to, pid }, clients, seconds) => {
    const job = {
      port: to,
      clients,
      seconds,
      requests: cases[name],
      tracksVersion: name === 'update',
      needsKey: name === 'create',
      versions: await versionsNow(name),
    }
    const before = { server: processorMs(pid), postgres: postgresMs(postgres.pidFile) }
    const { seconds: took, latencies } = await load(job)
    const n = latencies.length
    return {
      perSecond: n / took,
      latencies,
      serverMs: (processorMs(pid) - before.server) / n,
      postgresMs: (postgresMs(postgres.pidFile) - before.postgres) / n,
    }
  }

  say(`\n${machine()}; ${options[kind]} ${kind}\n`)
  const clientCounts = options.clients.split(',').map(Number)
  for (const clients of clientCounts) {
    const rows = []
    for (const name of Object.keys(cases)) {
      for (const side of Object.values(sides)) await round(name, side, clients, 1)
      const found = { baseline: [], product: [] }
      for (let turn = 0; turn < Number(options.rounds); turn += 1) {
        for (const [side, target] of Object.entries(sides))
          found[side].push(await round(name, target, clients, Number(options.seconds)))
      }
      const of = (side) => ({
        perSecond: median(found[side].map((one) => one.perSecond)),
        p50: percentile(
          found[side].flatMap((one) => one.latencies),
          0.5,
        ),
        p99: percentile(
          found[side].flatMap((one) => one.latencies),
          0.99,
        ),
        serverMs: median(found[side].map((one) => one.serverMs)),
        postgresMs: median(found[side].map((one) => one.postgresMs)),
      })
      const [was, is] = [of('baseline'), of('product')]
      const cpu = (side) => side.serverMs + side.postgresMs
      const cells = (side) => [
        figure(side.perSecond),
        figure(side.p50, 1),
        figure(side.p99, 1),
        figure(side.serverMs, 2),
        figure(side.postgresMs, 2),
      ]
      const share = is.perSecond / was.perSecond
      const rates = `${figure(was.perSecond)} and ${figure(is.perSecond)} requests/s`
      process.stderr.write(`${clients} clients, ${name}: ${rates}, ${figure(share, 2)}\n`)
      const wanted = WANTED[name]
      rows.push([
        name,
        String(sizes[name].statements),
        figure(sizes[name].bytes / 1024, 1),
        ...cells(was),
        ...cells(is),
        figure(share, 2),
        wanted ? `≥ ${wanted}` : '',
        figure(cpu(is) / cpu(was), 2),
        ['list', 'detail'].includes(name) ? `≤ ${MOST_CPU}` : '',
      ])
    }
    const heads = ['req/s', 'p50 ms', 'p99 ms', 'server', 'pg']
    say(`${clients} clients\n`)
    say(
      table(
        ['case', 'stmts', 'kB', ...heads.map((head) => `base ${head}`), ...heads, 'req/s ratio', '', 'CPU ratio', ''],
        rows,
      ),
    )
    say('')
  }

  if (all.create && (!only || only.includes('merge'))) {
    const processor = () => processorMs(product.pid) + postgresMs(postgres.pidFile)
    for (const clients of clientCounts) say(await measureMerges({ port, clients, create: all.create[0], processor }))
    say('')
  }

  const openSeconds = Number(options['open-loop'])
  if (openSeconds > 0 && cases.list && cases.create) {
    const reads = [
      ...all.list,
      ...all['filtered list'],
      ...all.search.slice(0, 10),
      ...all.detail.slice(0, 40),
      ...all.keyset.slice(0, 3),
    ]
    const { latencies, errors, seconds } = await load({
      port,
      perSecond: 60,
      seconds: openSeconds,
      writeEvery: 20,
      reads,
      writes: all.create,
    })
    const measured = [
      `p50 ${figure(percentile(latencies, 0.5), 1)} ms`,
      `p99 ${figure(percentile(latencies, 0.99), 1)} ms`,
      `most ${figure(Math.max(...latencies), 1)} ms`,
      `errors ${errors.length}${errors[0] ? ` (${errors[0]})` : ''}`,
    ]
    say(`Open loop, 60/s, 5 % writes, ${figure(seconds)} s: ${measured.join(', ')}`)
  }
  const after = `${figure(memoryMb(product.pid))} MB after load, ${figure(peakMemoryMb(product.pid))} MB at most`
  say(`Memory: ${figure(idleMb)} MB idle, ${after}`)

  await client.end()
  await baseline.stop()
  await product.stop()
}

mkdirSync(dataFolder, { recursive: true })
await runMeasurement(main)

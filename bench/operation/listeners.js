// `npm run bench -- listeners [--streams 100,400,1000] [--saves 5] [--seconds 20]`
// What it costs that everybody hears at once what others save: so many people who listen, as many of each role as the
// demo year has, and so many new orders a second. Processor time beside the same saves with nobody listening, memory a
// listener, and how long a new order takes until they have heard of it. Prints the table of README.md.
import { createHash, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { get as httpGet, Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { copyOf, demoFolder, freePort, runMeasurement, signIn, startPostgres, startWaybill } from '../installation.js'
import { machine, memoryMb, postgresMs, processorMs } from '../machine.js'
import { figure, percentile, say, table } from '../report.js'
import { dayOf } from '../requests/demo-requests.js'

const { Client } = createRequire(new URL('../../server/package.json', import.meta.url))('pg')

const { values: options } = parseArgs({
  options: {
    streams: { type: 'string', default: '100,400,1000' },
    saves: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '20' },
  },
})
const counts = options.streams.split(',').map(Number)
const savesPerSecond = Number(options.saves)
const seconds = Number(options.seconds)
/** What was saved last is heard by then. */
const HEARD_WITHIN_MS = 20_000

/** So many people with a token each, in turn like those of the demo year. */
async function addPeople(url, count) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  const { rows: columns } = await client.query(
    `select quote_ident(column_name) as name from information_schema.columns
     where table_name = 'user' and is_generated = 'NEVER' and is_identity = 'NO'
       and column_name not in ('id', 'email')`,
  )
  const names = columns.map(({ name }) => name).join(', ')
  await client.query(
    `with given as (select row_number() over () as place, hash from unnest($1::bytea[]) as told(hash)),
      one as (select row_number() over (order by id) - 1 as place, count(*) over () as many, *
        from "user" where state = 'active'),
      person as (
        insert into "user" (email, ${names})
        select 'listener-' || given.place || '@bench.example', ${columns.map(({ name }) => `one.${name}`).join(', ')}
        from given join one on one.place = given.place % one.many
        returning id, email),
      opened as (
        insert into session ("userId", "refreshHash", "createdAt", "expiresAt", "lastUsedAt")
        select id, sha256(email::bytea), now(), now() + interval '1 day', now() from person
        returning id, "refreshHash")
     insert into access_token (hash, "sessionId", "expiresAt")
     select given.hash, opened.id, now() + interval '1 day'
     from given join opened on opened."refreshHash" = sha256(('listener-' || given.place || '@bench.example')::bytea)`,
    [hashes],
  )
  await client.end()
  return tokens
}

/** Opens a stream; `tell` gets the ids of the orders that it says have changed. */
const listen = (port, agent, token, tell) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    httpGet({ host: '127.0.0.1', port, path: '/api/events', agent, headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream was answered with ${answer.statusCode}`))
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const [, data] = /^event: changed\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
          const { kind, ids } = data === undefined ? {} : JSON.parse(data)
          if (kind === 'order') tell(ids)
          text = text.slice(end + 2)
        }
      })
      resolve(() => answer.destroy())
    }).on('error', reject)
  })

async function main() {
  const folder = copyOf(await demoFolder())
  const postgres = await startPostgres(folder)
  const port = await freePort()
  const { url: databaseUrl, ownerUrl } = postgres
  const server = await startWaybill({ folder, databaseUrl, ownerUrl, port })
  const base = `http://127.0.0.1:${port}`
  const headers = { authorization: `Bearer ${await signIn(base)}` }
  const { writes } = await dayOf(async (path) => (await fetch(`${base}/api/${path}`, { headers })).json(), headers)
  const [write] = writes
  const tokens = await addPeople(ownerUrl, Math.max(...counts))
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  // Mails and other work that an order brings tell of it again: what counts is when it was first heard of.
  const heard = new Map()
  const tell = (listener, ids) => {
    for (const id of ids) {
      const times = heard.get(id) ?? heard.set(id, new Map()).get(id)
      if (!times.has(listener)) times.set(listener, performance.now())
    }
  }
  const ends = []
  const listenAs = (listener) => listen(port, agent, tokens[listener], (ids) => tell(listener, ids))

  /** New orders for so long: processor ms a second, and how long each took until who listens had heard of it. */
  async function save() {
    heard.clear()
    const saved = []
    const before = { server: processorMs(server.pid), postgres: postgresMs(postgres.pidFile) }
    const begun = performance.now()
    const calls = []
    for (let number = 0; number < seconds * savesPerSecond; number += 1) {
      await wait(Math.max(0, begun + (number * 1000) / savesPerSecond - performance.now()))
      calls.push(
        fetch(base + write.path, {
          method: write.method,
          headers: { ...write.headers, 'content-type': 'application/json' },
          body: write.body,
        }).then(async (answer) => {
          const { id } = await answer.json()
          if (answer.status !== 201) throw new Error(`a new order was answered with ${answer.status}`)
          saved.push({ id, at: performance.now() })
        }),
      )
    }
    await Promise.all(calls)
    const used = {
      server: (processorMs(server.pid) - before.server) / seconds,
      postgres: (postgresMs(postgres.pidFile) - before.postgres) / seconds,
    }
    await wait(ends.length === 0 ? 0 : HEARD_WITHIN_MS)
    const delays = saved.flatMap(({ id, at }) =>
      [...(heard.get(id)?.values() ?? [])].map((then) => Math.max(0, then - at)),
    )
    return { ...used, delays }
  }

  await save()
  const found = [{ streams: 0, mb: memoryMb(server.pid), ...(await save()) }]
  for (const count of counts.toSorted((a, b) => a - b)) {
    while (ends.length < count) ends.push(await listenAs(ends.length))
    await wait(1000)
    const mb = memoryMb(server.pid)
    found.push({ streams: count, mb, ...(await save()) })
    process.stderr.write(`${count} listeners: ${figure(found.at(-1).server)} ms of processor time a second\n`)
  }
  for (const end of ends) end()
  await server.stop()

  const [none] = found
  say(`${machine()}; the demo year, ${savesPerSecond} new orders a second, listeners of all its roles.\n`)
  say(
    table(
      ['listeners', 'server ms/s', 'ratio', 'PostgreSQL ms/s', 'ratio', 'heard after ms, p50', 'p99', 'MB'],
      found.map(({ streams, server: own, postgres: its, delays, mb }) => [
        streams === 0 ? 'none' : String(streams),
        figure(own),
        figure(own / none.server, 2),
        figure(its),
        figure(its / none.postgres, 2),
        figure(percentile(delays, 0.5)),
        figure(percentile(delays, 0.99)),
        figure(mb),
      ]),
    ),
  )
}

await runMeasurement(main)

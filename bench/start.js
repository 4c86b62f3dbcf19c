// `npm run bench -- start [--runs 5] [--seconds 30] [--clients 8]`
// How long a start takes, and what the process holds afterwards. Prints the tables of README.md.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { dayOf } from './requests/demo-requests.js'
import {
  copyOf,
  demoFolder,
  freePort,
  signIn,
  startLoad,
  startPostgres,
  startWaybill,
  runMeasurement,
} from './installation.js'
import { familyMemoryMb, machine, peakMemoryMb, postgresVersion } from './machine.js'
import { figure, median, say, table } from './report.js'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '8' },
  },
})
const runs = Number(options.runs)

/** Under design §8, so that there is room for what comes. */
const READY_MS = 1000
const IDLE_MB = 150
const LOADED_MB = 300
const IDLE_SECONDS = 10
const LONGEST_START_MS = 60_000

async function untilReady(port) {
  const until = performance.now() + LONGEST_START_MS
  while (performance.now() < until) {
    const isReady = await fetch(`http://127.0.0.1:${port}/api/health/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await wait(5)
  }
  throw new Error('the server did not become ready')
}

async function start(settings) {
  const port = await freePort()
  const startedAt = performance.now()
  const readyAt = untilReady(port).then(() => performance.now())
  const [server, at] = await Promise.all([startWaybill({ ...settings, port }), readyAt])
  return { ...server, port, readyMs: at - startedAt }
}

async function measureStarts(settings) {
  const found = []
  // The first brings the files into the machine's memory.
  for (let turn = 0; turn <= runs; turn += 1) {
    const server = await start(settings)
    await server.stop()
    if (turn > 0) found.push(server.readyMs)
  }
  return found
}

async function main() {
  const folder = copyOf(await demoFolder())
  const embedded = await measureStarts({ folder })
  const postgres = await startPostgres(folder)
  const settings = { folder, databaseUrl: postgres.url, ownerUrl: postgres.ownerUrl }
  const alone = await measureStarts(settings)

  const server = await start(settings)
  await wait(IDLE_SECONDS * 1000)
  const idleMb = familyMemoryMb(server.pid)
  const url = `http://127.0.0.1:${server.port}`
  const headers = { authorization: `Bearer ${await signIn(url)}` }
  const { reads, writes } = await dayOf(
    async (path) => (await fetch(`${url}/api/${path}`, { headers })).json(),
    headers,
  )
  const load = startLoad()
  const { latencies } = await load({
    port: server.port,
    clients: Number(options.clients),
    seconds: Number(options.seconds),
    needsKey: true,
    requests: [...reads, ...writes],
  })
  const loadedMb = familyMemoryMb(server.pid)

  say(`${machine()}, PostgreSQL ${await postgresVersion(postgres.url)}\n`)
  const range = (list) => [figure(median(list)), figure(Math.min(...list)), figure(Math.max(...list))]
  say(`Until /api/health/ready answers 200, ms; ${runs} starts on the demo year.\n`)
  say(
    table(
      ['start', 'median', 'least', 'most', 'wanted', 'ratio'],
      [
        ['PostgreSQL is running', ...range(alone), String(READY_MS), figure(median(alone) / READY_MS, 2)],
        ['with the embedded one', ...range(embedded), '', ''],
      ],
    ),
  )
  const asked = `${latencies.length} requests by ${options.clients} clients in ${options.seconds} s`
  say(`\nMemory of the server's process and its children, MB; ${asked}.\n`)
  say(
    table(
      ['memory', 'MB', 'wanted', 'ratio'],
      [
        [`idle, ${IDLE_SECONDS} s after the start`, figure(idleMb), String(IDLE_MB), figure(idleMb / IDLE_MB, 2)],
        ['after load', figure(loadedMb), String(LOADED_MB), figure(loadedMb / LOADED_MB, 2)],
        ['at most', figure(peakMemoryMb(server.pid)), '', ''],
      ],
    ),
  )
  await server.stop()
}

await runMeasurement(main)

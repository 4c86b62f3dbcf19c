// `npm run bench -- nodes [--per-second 60] [--seconds 60] [--rounds 3]`
// What a second Waybill beside the first is worth: what a request costs a node's processor when it serves alone, and
// when two serve, each as much. Where cores are short, that says how much more two can do on machines of their own.
// Prints the table of README.md.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  copyOf,
  demoFolder,
  freePort,
  runMeasurement,
  signIn,
  startLoad,
  startPostgres,
  startWaybill,
} from '../installation.js'
import { machine, postgresMs, postgresVersion, processorMs } from '../machine.js'
import { figure, median, say, table } from '../report.js'
import { dayOf } from '../requests/demo-requests.js'

const { values: options } = parseArgs({
  options: {
    'per-second': { type: 'string', default: '60' },
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
  },
})
const perSecond = Number(options['per-second'])
const seconds = Number(options.seconds)
/** Two nodes have to do at least so many times as much as one. */
const WANTED = 1.8
const WARM_SECONDS = 10

async function main() {
  const folder = copyOf(await demoFolder())
  const postgres = await startPostgres(folder)
  const settings = {
    SECRET_KEY: readFileSync(join(folder, 'secret.key'), 'utf8').trim(),
    STORAGE_URL: `file:${join(folder, 'files')}`,
  }
  const startNode = async (name) => {
    const own = join(folder, name)
    mkdirSync(own)
    const port = await freePort()
    const { url: databaseUrl, ownerUrl } = postgres
    return { port, ...(await startWaybill({ folder: own, databaseUrl, ownerUrl, port, settings })) }
  }
  const nodes = [await startNode('node-1')]
  const url = `http://127.0.0.1:${nodes[0].port}`
  // A session of one counts at the other.
  const headers = { authorization: `Bearer ${await signIn(url)}` }
  const { reads, writes } = await dayOf(
    async (path) => (await fetch(`${url}/api/${path}`, { headers })).json(),
    headers,
  )
  const loads = [startLoad(), startLoad()]

  /** Processor time a request: of each node that serves, and of the database. */
  async function measure(serving, forSeconds) {
    const before = { nodes: serving.map(({ pid }) => processorMs(pid)), postgres: postgresMs(postgres.pidFile) }
    const results = await Promise.all(
      serving.map(({ port }, at) => loads[at]({ port, perSecond, seconds: forSeconds, writeEvery: 20, reads, writes })),
    )
    const errors = results.flatMap((one) => one.errors)
    if (errors.length > 0) throw new Error(errors[0])
    const requests = results.map(({ latencies }) => latencies.length)
    return {
      nodeMs: serving.map(({ pid }, at) => (processorMs(pid) - before.nodes[at]) / requests[at]),
      postgresMs: (postgresMs(postgres.pidFile) - before.postgres) / requests.reduce((a, b) => a + b),
    }
  }

  const alone = []
  const both = []
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    await measure(nodes, WARM_SECONDS)
    alone.push(await measure(nodes, seconds))
    const second = await startNode(`node-2-${round}`)
    await measure([...nodes, second], WARM_SECONDS)
    both.push(await measure([...nodes, second], seconds))
    await second.stop()
    process.stderr.write(
      `round ${round}: ${figure(alone.at(-1).nodeMs[0], 2)} ms alone, ` +
        `${both
          .at(-1)
          .nodeMs.map((ms) => figure(ms, 2))
          .join(' and ')} ms beside each other\n`,
    )
  }
  await nodes[0].stop()

  const one = median(alone.map(({ nodeMs }) => nodeMs[0]))
  const each = median(both.map(({ nodeMs }) => (nodeMs[0] + nodeMs[1]) / 2))
  const worth = (2 * one) / each
  say(`${machine()}, PostgreSQL ${await postgresVersion(postgres.url)}; the demo year, 5 % writes.`)
  say(`Processor time a request, ms; ${perSecond} requests/s to each node, medians of ${options.rounds} rounds.\n`)
  say(
    table(
      ['nodes', 'a node', 'PostgreSQL', 'requests/s of a core of a node', 'ratio to one node', 'wanted'],
      [
        ['one', figure(one, 2), figure(median(alone.map((r) => r.postgresMs)), 2), figure(1000 / one), '1.00', ''],
        [
          'two',
          figure(each, 2),
          figure(median(both.map((r) => r.postgresMs)), 2),
          figure(2000 / each),
          figure(worth, 2),
          `≥ ${WANTED}`,
        ],
      ],
    ),
  )
  if (worth < WANTED) process.exitCode = 1
}

await runMeasurement(main)

// `npm run bench -- soak [--minutes 60] [--per-second 60]`
// A working day in small, again and again, on the demo year: what the server holds at each minute, how it answers, and
// what went wrong. Prints the table of README.md.
import { parseArgs } from 'node:util'
import { copyOf, demoFolder, freePort, runMeasurement, signIn, startLoad, startWaybill } from '../installation.js'
import { familyMemory, machine } from '../machine.js'
import { figure, percentile, say, table } from '../report.js'
import { dayOf } from '../requests/demo-requests.js'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, 'per-second': { type: 'string', default: '60' } },
})
const minutes = Number(options.minutes)
const perSecond = Number(options['per-second'])
/** Memory has to grow by less. */
const MOST_GROWTH_MB = 50
/** Until then the heap of any server grows to what it keeps. */
const SETTLED_AFTER = Math.min(5, Math.ceil(minutes / 2))
/** A minute may be before a clearing of memory, or after it: so many are one figure. */
const ALIKE = Math.max(1, Math.floor(minutes / 6))
const ROWS = 12
/** A token of a sign-in is good for longer. */
const SIGNED_IN_MINUTES = 10

async function main() {
  const folder = copyOf(await demoFolder())
  const port = await freePort()
  const server = await startWaybill({ folder, port })
  const url = `http://127.0.0.1:${port}`
  const dayBegun = async () => {
    const headers = { authorization: `Bearer ${await signIn(url)}` }
    return dayOf(async (path) => (await fetch(`${url}/api/${path}`, { headers })).json(), headers)
  }
  const load = startLoad()
  const found = []
  let day
  for (let minute = 1; minute <= minutes; minute += 1) {
    if (minute % SIGNED_IN_MINUTES === 1) day = await dayBegun()
    const { latencies, errors } = await load({ port, perSecond, seconds: 60, writeEvery: 20, ...day })
    found.push({
      minute,
      ...familyMemory(server.pid),
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      most: Math.max(...latencies),
      errors,
    })
    process.stderr.write(`minute ${minute}: ${figure(found.at(-1).mb)} MB, ${errors.length} errors\n`)
  }
  await server.stop()

  const own = ({ mb, cacheMb }) => mb - cacheMb
  const middle = (some) => percentile(some.map(own), 0.5)
  const settled = middle(found.slice(SETTLED_AFTER - 1, SETTLED_AFTER - 1 + ALIKE))
  const growth = middle(found.slice(-ALIKE)) - settled
  const errors = found.flatMap((one) => one.errors)
  say(`${machine()}; ${perSecond} requests/s, 5 % writes, ${minutes} minutes, on the demo year.\n`)
  const every = Math.max(1, Math.round(minutes / ROWS))
  say(
    table(
      ['minute', 'MB', 'PostgreSQL’s buffers', 'without them', 'ratio', 'p50 ms', 'p99 ms', 'most ms', 'errors'],
      found
        .filter(({ minute }) => minute === SETTLED_AFTER || minute % every === 0 || minute === minutes)
        .map(({ minute, mb, cacheMb, p50, p99, most, errors: faults }) => [
          String(minute),
          figure(mb),
          figure(cacheMb),
          figure(mb - cacheMb),
          figure((mb - cacheMb) / settled, 2),
          figure(p50, 1),
          figure(p99, 1),
          figure(most),
          String(faults.length),
        ]),
    ),
  )
  say(
    `\nWithout the buffers the last ${ALIKE} minutes take ${figure(growth)} MB more than those from minute ` +
      `${SETTLED_AFTER} on, at the median (wanted: < ${MOST_GROWTH_MB}).`,
  )
  if (errors.length > 0) say(`First error: ${errors[0]}`)
  if (errors.length > 0 || growth >= MOST_GROWTH_MB) process.exitCode = 1
}

await runMeasurement(main)

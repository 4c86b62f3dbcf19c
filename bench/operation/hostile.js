// `npm run bench -- hostile [--requests 10000] [--minutes 55] [--anew]`
// Sends what no page of ours sends to every endpoint, so often (server/test/long/hostile.test.ts), on a demo year. Goes
// on with the endpoints that the last call did not come to; prints the table of README.md.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EVERY_ENDPOINT } from '../../server/test/hostile/endpoints.ts'
import { dataFolder, root } from '../installation.js'
import { machine } from '../machine.js'
import { figure, say, table } from '../report.js'
import { forget, keep, kept } from './kept.js'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '55' },
    anew: { type: 'boolean', default: false },
  },
})
/** An answer has to come within. */
const WITHIN_MS = 2_000
const report = join(dataFolder, `hostile-${process.pid}.jsonl`)
const wanted = Number(options.requests)
/** To one endpoint before the next has its turn: a part that ends is whole up to there. */
const AT_A_TIME = Math.min(wanted, 2_000)

if (options.anew) forget('hostile')
mkdirSync(dataFolder, { recursive: true })
const until = Date.now() + Number(options.minutes) * 60_000
const sentTo = (name) =>
  kept('hostile')
    .filter((part) => part.name === name)
    .reduce((sum, { requests }) => sum + requests, 0)

for (;;) {
  const open = EVERY_ENDPOINT.filter(({ name }) => sentTo(name) < wanted)
  if (open.length === 0 || Date.now() > until) break
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'long', '/hostile.test.ts'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: {
        ...process.env,
        WAYBILL_LONG: '1',
        WAYBILL_HOSTILE: String(AT_A_TIME),
        WAYBILL_HOSTILE_ONLY: open.map(({ name }) => name).join(','),
        WAYBILL_HOSTILE_END_AT: String(until),
        WAYBILL_HOSTILE_REPORT: report,
      },
    },
  )
  for (const line of existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : [])
    keep('hostile', { machine: machine(), ...JSON.parse(line) })
  rmSync(report, { force: true })
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout}\n${result.stderr}\nAn answer was not as it has to be.\n`)
    process.exitCode = 1
    break
  }
  process.stderr.write(`${open.length} endpoints had ${AT_A_TIME} more, or the part ended before\n`)
}

const parts = kept('hostile')
const sum = (list, of) => list.reduce((total, one) => total + of(one), 0)
const answered = (test) =>
  sum(parts, ({ statuses }) =>
    sum(
      Object.entries(statuses).filter(([status]) => test(status)),
      ([, count]) => count,
    ),
  )
const slowest = parts.toSorted((one, other) => other.slowestMs - one.slowestMs)
say([...new Set(parts.map((part) => part.machine))].join('; '))
say(
  `${new Set(parts.map(({ name }) => name)).size} of ${EVERY_ENDPOINT.length} endpoints, of which ` +
    `${EVERY_ENDPOINT.filter(({ name }) => sentTo(name) >= wanted).length} had all ${wanted} requests.\n`,
)
say(
  table(
    ['requests', 'number'],
    [
      ['answered', String(sum(parts, ({ requests }) => requests))],
      ['done', String(answered((status) => status < '400'))],
      ['refused', String(answered((status) => status >= '400' && status < '500'))],
      ['a fault of the server, or no answer', String(answered((status) => status >= '500'))],
      [`slower than ${WITHIN_MS} ms`, String(sum(parts, ({ slow }) => slow))],
    ],
  ),
)
say('')
say(
  table(
    ['the slowest', 'ms', 'ratio to wanted'],
    slowest
      .slice(0, 10)
      .map(({ slowest: request, slowestMs }) => [
        request.replaceAll('|', ' ').slice(0, 80),
        figure(slowestMs),
        figure(slowestMs / WITHIN_MS, 2),
      ]),
  ),
)
if (slowest.some(({ slowestMs }) => slowestMs > WITHIN_MS)) process.exitCode = 1

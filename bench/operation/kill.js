// `npm run bench -- kill [--server 1000] [--database 200] [--minutes 55] [--anew] [--beside]`
// Kills the server, and the embedded database, so often while six people write (server/test/long/crash.test.ts), and
// asks after each whether all is there once that was acknowledged. Goes on where the last call ended; prints the table
// of README.md. With `--beside` other work goes on: what is lost counts, how long it takes does not.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolder, root } from '../installation.js'
import { machine } from '../machine.js'
import { figure, percentile, say, table } from '../report.js'
import { forget, keep, kept } from './kept.js'

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: '1000' },
    database: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '55' },
    anew: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
  },
})
/** It has to be up again within. */
const UP_WITHIN_MS = 10_000
/** At once, on an installation of its own: its checks read all that was written, and few stay quick. */
const BATCH = { server: 20, database: 10 }
const wanted = { server: Number(options.server), database: Number(options.database) }
const report = join(dataFolder, `kills-${process.pid}.jsonl`)

if (options.anew) forget('kill')
mkdirSync(dataFolder, { recursive: true })
const until = performance.now() + Number(options.minutes) * 60_000
const done = (what) =>
  kept('kill')
    .filter((part) => part.what === what)
    .reduce((sum, { readyAfterMs }) => sum + readyAfterMs.length, 0)
const left = (what) => Math.max(0, Math.min(BATCH[what], wanted[what] - done(what)))

while (performance.now() < until && left('server') + left('database') > 0) {
  const result = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'long', '/crash.test.ts'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: {
        ...process.env,
        WAYBILL_LONG: '1',
        WAYBILL_KILLS: `${left('server')},${left('database')}`,
        WAYBILL_KILLS_REPORT: report,
      },
    },
  )
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout}\n${result.stderr}\nAn acknowledged write was lost, doubled or broken.\n`)
    process.exitCode = 1
    break
  }
  for (const line of readFileSync(report, 'utf8').trim().split('\n'))
    keep('kill', { machine: machine(), beside: options.beside, ...JSON.parse(line) })
  rmSync(report)
  process.stderr.write(`${done('server')} kills of the server, ${done('database')} of the database\n`)
}
if (existsSync(report)) rmSync(report)

const parts = kept('kill')
const timed = parts.filter(({ beside }) => !beside)
const sum = (list, name) => list.reduce((total, one) => total + one[name], 0)
say([...new Set(parts.map((part) => part.machine))].join('; '))
say(`Each kill: all that was acknowledged is there, once (${process.exitCode === 1 ? 'not so' : 'so'}).\n`)
say(
  table(
    [
      'killed',
      'kills',
      'wanted',
      'acknowledged',
      'unanswered',
      'timed',
      'up again ms',
      'p95',
      'most',
      'ratio to wanted',
    ],
    ['server', 'database'].map((what) => {
      const own = parts.filter((part) => part.what === what)
      const kills = own.flatMap(({ readyAfterMs }) => readyAfterMs).length
      const times = timed.filter((part) => part.what === what).flatMap(({ readyAfterMs }) => readyAfterMs)
      const timeOf = (share) => (times.length === 0 ? '–' : figure(percentile(times, share)))
      return [
        what,
        String(kills),
        String(wanted[what]),
        String(sum(own, 'orders') + sum(own, 'sent') + sum(own, 'merged')),
        String(sum(own, 'unanswered')),
        String(times.length),
        timeOf(0.5),
        timeOf(0.95),
        timeOf(1),
        times.length === 0 ? '–' : figure(percentile(times, 1) / UP_WITHIN_MS, 2),
      ]
    }),
  ),
)
if (timed.some(({ readyAfterMs }) => readyAfterMs.some((ms) => ms > UP_WITHIN_MS))) process.exitCode = 1

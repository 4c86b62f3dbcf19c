// How much of what customers' mails state is read, how much is read wrong, and how long one mail takes.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readMail } from '../server/src/modules/intake/reading/read-mail.ts'
import { readKnownTowns } from '../server/src/modules/place/known-towns.ts'
import { scoreMails, tableOf } from '../server/test/mails/score.ts'
import { machine } from './machine.js'
import { say } from './report.js'
import { mailOf } from '../server/test/mails/mail-file.ts'
import { root } from '../scripts/bootstrap.js'

const { values } = parseArgs({
  options: {
    mails: { type: 'string' },
    out: { type: 'string' },
    score: { type: 'string' },
    wrong: { type: 'boolean' },
  },
})
const folder = resolve(values.mails ?? join(root, 'server', 'test', 'mails'))
const out = resolve(values.out ?? mkdtempSync(join(tmpdir(), 'waybill-intake-')))
mkdirSync(out, { recursive: true })
const WARM = 3

const began = performance.now()
const known = { towns: await readKnownTowns() }
const loaded = performance.now() - began

const names = readdirSync(folder)
  .filter((name) => /^\d\d-.*\.txt$/.test(name))
  .sort()
  .map((name) => name.slice(0, -4))
const mails = names.map((name) => ({ name, mail: mailOf(readFileSync(join(folder, `${name}.txt`), 'utf8')) }))
for (let nth = 0; nth < WARM; nth += 1) for (const { mail } of mails.slice(0, 5)) readMail(mail, known)
const times = []
const answers = mails.map(({ name, mail }) => {
  const from = performance.now()
  const reading = readMail(mail, known)
  const ms = performance.now() - from
  times.push(ms)
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(reading, null, 1)}\n`)
  say(`${name.padEnd(40)} ${ms.toFixed(1).padStart(7)} ms`)
  return { name, reading }
})
times.sort((one, other) => one - other)
const at = (share) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
say(`\n${machine()}`)
say(
  `${times.length} mails on one core: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms; ` +
    `gazetteer ${loaded.toFixed(0)} ms once`,
)
say(`predictions: ${out}\n`)

const script = values.score === undefined ? join(folder, 'score.mjs') : resolve(values.score)
if (existsSync(script)) {
  const { status } = spawnSync(
    process.execPath,
    [script, out, folder, '--by-mail', ...(values.wrong ? ['--wrong'] : [])],
    { stdio: 'inherit' },
  )
  process.exitCode = status ?? 1
} else {
  const truths = answers
    .filter(({ name }) => existsSync(join(folder, `${name}.json`)))
    .map(({ name, reading }) => ({
      name,
      reading,
      truth: JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')),
    }))
  say(tableOf(scoreMails(truths), { isWrongShown: values.wrong === true }))
}

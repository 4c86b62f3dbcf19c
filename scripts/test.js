// `npm test` (what CI runs) and `npm run test:long`: every gate and every test, and at the very end one line
// `N passed, N failed`. Parts can be asked for by name: `npm test -- gates journeys`, `npm run test:long -- plans`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  buildServerIfStale,
  buildWebIfStale,
  findNode,
  giveUp,
  installIfStale,
  root,
  run,
  say,
  stopOnSignal,
} from './bootstrap.js'
import { installTools, whyNoMachines } from './debian-tools.js'
import { LONG_BESIDE, LONG_PARTS, PARTS_ASKED_FOR } from './long-parts.js'
import { countPlaywright, countVitest } from './reports.js'

const isLong = process.argv.includes('--long')
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))

// What the tests use and npm cannot bring: a browser, and eyes for PDF and XML.
const tools = [
  {
    program: 'Chromium',
    paths: [process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'],
    debian: 'chromium-headless-shell',
  },
  {
    program: 'pdftotext',
    paths: ['/usr/bin/pdftotext', '/usr/local/bin/pdftotext', '/opt/homebrew/bin/pdftotext'],
    debian: 'poppler-utils',
  },
  {
    program: 'xmllint',
    paths: ['/usr/bin/xmllint', '/usr/local/bin/xmllint', '/opt/homebrew/bin/xmllint'],
    debian: 'libxml2-utils',
  },
  ...(isLong
    ? [
        { program: 'PostgreSQL 15', paths: ['/usr/lib/postgresql/15/bin/postgres'], debian: 'postgresql-15' },
        { program: 'Dovecot', paths: ['/usr/sbin/dovecot'], debian: 'dovecot-imapd' },
      ]
    : []),
  ...(asked.includes('cluster')
    ? [
        { program: 'Patroni', paths: ['/usr/bin/patroni'], debian: 'patroni' },
        { program: 'etcd', paths: ['/usr/bin/etcd'], debian: 'etcd-server' },
        { program: 'HAProxy', paths: ['/usr/sbin/haproxy'], debian: 'haproxy' },
        { program: 'PgBouncer', paths: ['/usr/sbin/pgbouncer'], debian: 'pgbouncer' },
        { program: 'ip', paths: ['/usr/sbin/ip', '/sbin/ip'], debian: 'iproute2' },
      ]
    : []),
]

const total = { passed: 0, failed: 0, isSkipped: false, names: [] }

/** Adds what a part counted. A part that broke before it could count, or found nothing to run, is a failure. */
function add(name, code, counts) {
  const { passed, failed, names } = counts ?? { passed: 0, failed: 0, names: [] }
  const isBroken = failed === 0 && (code !== 0 || passed === 0)
  total.passed += passed
  total.failed += failed + (isBroken ? 1 : 0)
  total.names.push(...names.map((test) => `${name}: ${test.replace(`${root}/`, '')}`))
  if (isBroken) total.names.push(`${name}: the run itself broke`)
  say(`${name}: ${passed} passed, ${failed} failed${isBroken ? ', and the run itself broke' : ''}`)
}

function readReport(file, count) {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

stopOnSignal()
const startedAt = Date.now()
await installIfStale()
const lack = await installTools(tools)
if (lack !== null) say(`${lack} Without them their tests fail.`)
const node = findNode()
await buildServerIfStale(node)
const folder = mkdtempSync(join(tmpdir(), 'waybill-report-'))
const report = (name) => join(folder, `${name}.json`)
const env = isLong ? { WAYBILL_LONG: '1', WAYBILL_TEST_PG: 'debian' } : {}

// Tests that take long have their beginning in shorter ones (decision 039).
const leftOut = isLong ? undefined : 'long'

const vitest = async (name, args) => {
  const { code } = await run(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...args,
      ...(leftOut === undefined ? [] : [`--tags-filter=!${leftOut}`]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report(name)}`,
    ],
    { env },
  )
  add(
    name,
    code,
    readReport(report(name), (written) => countVitest(written, leftOut)),
  )
}

/** Beside others one file at a time: those have browsers at work on both cores. */
const longFiles = (part, files) => [
  '--project',
  'long',
  ...files.map((file) => `/${file}.test.ts`),
  ...(Object.values(LONG_BESIDE).flat().includes(part) ? ['--maxWorkers=1'] : []),
]

/** What can be asked for by name, in the order in which it runs. */
const parts = {
  async gates() {
    const { code } = await run(node, [join(root, 'scripts/gates/run.js'), '--report', report('gates')])
    add(
      'gates',
      code,
      readReport(report('gates'), (counts) => counts),
    )
  },
  tests: () => vitest('tests', ['--project', 'rules', '--project', 'server']),
  // Asked for by itself: pages of browsers do not obey the settings, and take one core less than there are.
  components: () => vitest('components', ['--project', 'components', '--maxWorkers=2']),
  async newcomer() {
    if (!isLong) await buildWebIfStale(node)
    await vitest('newcomer', ['--project', 'newcomer'])
  },
  async journeys() {
    await buildWebIfStale(node)
    const { code } = await run(
      node,
      [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=list,json'],
      {
        env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report('journeys') },
      },
    )
    add('journeys', code, readReport(report('journeys'), countPlaywright))
  },
  ...(isLong &&
    Object.fromEntries(
      Object.entries(LONG_PARTS).map(([part, files]) => [part, () => vitest(part, longFiles(part, files))]),
    )),
  ...(isLong && {
    async cluster() {
      const why = whyNoMachines()
      total.isSkipped ||= why !== null
      if (why !== null) say(`cluster: skipped: not allowed here: ${why}`)
      else await vitest('cluster', longFiles('cluster', PARTS_ASKED_FOR.cluster))
    },
  }),
}

const unknown = asked.filter((word) => !(word in parts))
if (unknown.length > 0) giveUp(`There is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`)
const chosen = asked.length > 0 ? asked : Object.keys(parts).filter((part) => !(part in PARTS_ASKED_FOR))

async function runPart(name) {
  const partAt = Date.now()
  say(`${name} …`)
  await parts[name]()
  say(`${name} took ${((Date.now() - partAt) / 60_000).toFixed(1)} minutes.`)
}

// Parts that wait most of their time, for starts and stops or for mail servers, go beside one that leaves cores without
// work. The newcomer does not in the long run, where installing, building and filling the demo's year want both cores.
const BESIDE = isLong ? LONG_BESIDE : { tests: ['newcomer'] }
const inTurn = Object.keys(parts).filter((part) => chosen.includes(part))
const besideOf = (name) => (BESIDE[name] ?? []).filter((part) => inTurn.includes(part))
const isBeside = new Set(inTurn.flatMap(besideOf))

async function runInTurn(names) {
  for (const name of names) await runPart(name)
}

for (const name of inTurn.filter((part) => !isBeside.has(part))) {
  const others = besideOf(name)
  // Not twice at once.
  if (isLong && others.length > 0) await buildWebIfStale(node)
  await Promise.all([runPart(name), runInTurn(others)])
}

rmSync(folder, { recursive: true, force: true })
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
say(`${isLong ? 'The long run' : 'The run'} took ${minutes} minutes.`)
// Last, so that the end of a long log names them.
for (const name of total.names) say(`FAILED  ${name}`)
process.exitCode = total.failed > 0 || (total.passed === 0 && !total.isSkipped) ? 1 : 0
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)

// `npm run bench -- mutants [--web 40] [--server 20] [--seed 1] [--minutes 55] [--anew]`
// Breaks lines of the product one at a time, in a copy, and runs of `npm test` what is nearest first, until something
// fails: whether our tests would see it. What failed must hold on the whole line again. Goes on where the last call
// ended; prints the table of README.md.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dataFolder, root } from '../installation.js'
import { countPlaywright } from '../../scripts/reports.js'
import { forget, keep, kept } from '../operation/kept.js'
import { say, table } from '../report.js'
import { brokenLines } from './broken-lines.js'

const { values: options } = parseArgs({
  options: {
    web: { type: 'string', default: '40' },
    server: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '55' },
    anew: { type: 'boolean', default: false },
  },
})
const seed = Number(options.seed)
/** The least share that is to be caught: 58 of 60. */
const WANTED = 58 / 60
const NEAREST = 8
/** What goes on for longer goes on for ever: all journeys of `test:long` take twenty minutes. */
const LONGEST_MS = 60 * 60_000

const tree = join(dataFolder, 'mutants')
const report = join(dataFolder, 'mutants-report.json')

function inTree(args, env = {}) {
  rmSync(report, { force: true })
  const { status } = spawnSync(process.execPath, args, {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 1e9,
    timeout: LONGEST_MS,
    env: { ...process.env, ...env },
  })
  return { isPassed: status === 0 }
}

/** A copy of what was committed, with its packages and builds, in which nothing but one line is ever changed. */
function makeTree() {
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(dataFolder, { recursive: true })
  spawnSync('git', ['clone', '--quiet', root, tree], { stdio: 'inherit' })
  spawnSync('cp', ['-al', join(root, 'node_modules'), join(tree, 'node_modules')], { stdio: 'inherit' })
  if (!inTree(['scripts/build.js']).isPassed) throw new Error('the copy cannot be built')
}

const wordsOf = (file) =>
  new Set(
    file
      .split(/[^a-z]+/i)
      .map((word) => word.replace(/s$/, ''))
      .filter((word) => word.length > 2 && !/^(?:src|test|tsx?|web|server|module|rule|page)$/.test(word)),
  )

/** Test files that have the most words of their path in common with a file (`drive`, `driver`), the nearest first. */
function nearest(file, pattern) {
  const words = [...wordsOf(file)]
  const isAlike = (word) => words.some((one) => one.startsWith(word) || word.startsWith(one))
  return globSync(pattern, { cwd: tree, exclude: (path) => /node_modules|test\/long/.test(path) })
    .map((test) => ({ test, common: [...wordsOf(test)].filter(isAlike).length }))
    .filter(({ common }) => common > 0)
    .toSorted((one, other) => other.common - one.common)
    .slice(0, NEAREST)
    .map(({ test }) => test)
}

function vitest(projects, files, isLong = false) {
  const isComponents = projects.includes('components')
  const { isPassed } = inTree(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      ...files,
      ...(isComponents ? ['--maxWorkers=2'] : []),
      `--tags-filter=${isLong ? '' : '!'}long`,
      '--bail=1',
      '--passWithNoTests',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { ...(isComponents ? { NODE_ENV: 'production' } : {}), ...(isLong ? { WAYBILL_LONG: '1' } : {}) },
  )
  if (isPassed) return null
  const found = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
  const failed = found.find(({ status }) => status === 'failed')
  const file = failed?.name.slice(tree.length + 1)
  return { by: file ?? projects.join(', '), projects, files: file === undefined ? files : [file], isLong }
}

function journeys(files, isLong = false) {
  if (files?.length === 0) return null
  if (!inTree(['scripts/build.js']).isPassed) return { by: 'the build' }
  const { isPassed } = inTree(
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      ...(files ?? []),
      ...(isLong ? ['--project=light 1280'] : []),
      '--pass-with-no-tests',
      '--max-failures=1',
      '--reporter=json',
    ],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...(isLong ? { WAYBILL_LONG: '1' } : {}) },
  )
  if (isPassed) return null
  const names = existsSync(report) ? countPlaywright(JSON.parse(readFileSync(report, 'utf8'))).names : []
  // Those that were not come to count as failed as well, without a message.
  const failed = names.find((name) => name.includes(' — '))
  return { by: failed === undefined ? 'journeys' : `e2e/${failed.split(':', 1)[0]}`, isJourney: true, isLong }
}

const types = (workspace) =>
  inTree(['node_modules/typescript/bin/tsc', '-p', workspace, '--noEmit']).isPassed ? null : { by: 'types' }

/** Who notices, what is quick and near first; null: nobody. The gates are not asked: they see how a line is written. */
function whoNotices(file) {
  const workspace = file.split('/')[0]
  const near = (pattern, project, isLong) => {
    const files = nearest(file, pattern)
    return files.length === 0 ? null : vitest([project], files, isLong)
  }
  if (workspace === 'server')
    return (
      types('server') ??
      near('server/**/*.test.ts', 'server') ??
      vitest(['rules', 'server'], []) ??
      vitest(['server'], [], true) ??
      journeys()
    )
  return (
    types('web') ??
    near('web/src/**/*.test.{ts,tsx}', 'rules') ??
    near('web/test/*.test.{ts,tsx}', 'components') ??
    near('web/test/*.test.{ts,tsx}', 'components', true) ??
    journeys(nearest(file, 'e2e/*.test.ts')) ??
    vitest(['rules'], ['web']) ??
    vitest(['components'], []) ??
    journeys(nearest(file, 'e2e/*.test.ts'), true) ??
    journeys() ??
    vitest(['components'], [], true) ??
    journeys(undefined, true)
  )
}

/** True where what noticed holds on the line as it was: else it fails by itself. */
function holdsWhole({ by, projects, files, isJourney, isLong }) {
  if (projects !== undefined) return vitest(projects, files, isLong) === null
  return !isJourney || journeys([by], isLong) === null
}

const changed = spawnSync('git', ['status', '--porcelain', '--', 'web', 'server', 'contract'], { cwd: root })
if (changed.stdout.length > 0) throw new Error('What is broken is what was committed: commit first')
if (options.anew) forget('mutants')
const chosen = ['web', 'server'].flatMap((workspace) => brokenLines(workspace, Number(options[workspace]), seed))
const known = () => new Map(kept('mutants').map((one) => [one.id, one]))
const until = Date.now() + Number(options.minutes) * 60_000
const open = chosen.filter((one) => !known().has(one.id))
if (open.length > 0) makeTree()
for (const one of open) {
  if (Date.now() > until) break
  const path = join(tree, one.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, one.start) + one.what + text.slice(one.end))
  const startedAt = Date.now()
  const noticed = whoNotices(one.file)
  writeFileSync(path, text)
  if (noticed !== null && !holdsWhole(noticed)) {
    process.stderr.write(`${noticed.by} fails by itself: ${one.file}:${one.line} has its turn again\n`)
    continue
  }
  const { id, file, line, was, what } = one
  keep('mutants', { id, file, line, was, what, by: noticed?.by ?? null, isLong: noticed?.isLong === true })
  const took = Math.round((Date.now() - startedAt) / 1000)
  process.stderr.write(`${file}:${line} ${noticed?.by ?? 'NOBODY NOTICED'} (${took} s)\n`)
}

// A line is told by what it is, and may have moved since it was tried.
const found = chosen.flatMap(({ id, line }) => (known().has(id) ? [{ ...known().get(id), line }] : []))
const short = (text) => `\`${text.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 40) || ' '}\``
const by = (one) => (one.by === null ? '**nobody**' : `${one.by}${one.isLong ? ' (`test:long`)' : ''}`)
say(
  table(
    ['line', 'was', 'broken', 'noticed by'],
    found.map((one) => [`${one.file}:${one.line}`, short(one.was), short(one.what), by(one)]),
  ),
)
const caught = found.filter((one) => one.by !== null)
const late = caught.filter(({ isLong }) => isLong).length
say(`\n${caught.length} of ${found.length} noticed, ${late} of them first by what \`test:long\` alone runs;`)
say(`${chosen.length} were chosen by seed ${seed} (wanted: 58 of 60).`)
if (found.length === chosen.length && caught.length / found.length < WANTED) process.exitCode = 1

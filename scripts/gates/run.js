// Runs every gate and says for each whether it holds, and where not, why. `--report FILE` also writes the counts.
import { writeFileSync } from 'node:fs'
import { checkCitations } from './citations.js'
import {
  checkEnvironment,
  checkForeignPaths,
  checkFormatters,
  checkKitUsers,
  checkKitWords,
  checkLineLength,
  checkMedian,
  checkNames,
  checkRooms,
  checkTestsRun,
} from './house-rules.js'
import { checkImports } from './import-rules.js'
import { checkLocales } from './locales.js'
import { checkLockfile } from './lockfile.js'
import { checkExpansion, checkMigrations } from './migrations.js'
import { checkMoney } from './money.js'
import { checkDeadCode, checkFormat, checkLint, checkTypes } from './programs.js'
import { checkStatusWords } from './status-rules.js'
import { checkTableAccess } from './table-access.js'

const gates = [
  ['types: contract', checkTypes('contract')],
  ['types: server', checkTypes('server')],
  ['types: web', checkTypes('web')],
  ['types: journeys', checkTypes('e2e')],
  ['lint', checkLint],
  ['format', checkFormat],
  ['import rules', checkImports],
  ['dead code', checkDeadCode],
  ['lockfile', checkLockfile],
  ['locales', checkLocales],
  ['environment', checkEnvironment],
  ['kits know no trade', checkKitWords],
  ['kits have users', checkKitUsers],
  ['migrations', checkMigrations],
  ['migrations only add', checkExpansion],
  ['table access', checkTableAccess],
  ['rooms', checkRooms],
  ['lines', checkLineLength],
  ['files', checkMedian],
  ['names', checkNames],
  ['no test left out', checkTestsRun],
  ['statuses in their tables', checkStatusWords],
  ['no fraction of a cent', checkMoney],
  ['formatters are kept', checkFormatters],
  ['stands alone', checkForeignPaths],
  ['citations', checkCitations],
]

const asked = process.argv.slice(2)
const reportFile = asked.includes('--report') ? asked[asked.indexOf('--report') + 1] : undefined
const shown = 60
const failed = []

async function problemsOf(check) {
  try {
    return await check()
  } catch (error) {
    return [`the check itself broke: ${error.stack}`]
  }
}

// Most of them are programs of their own, with one thread each: two at a time.
const waiting = gates.map(([, check], at) => ({ check, at }))
const found = []
async function runNext() {
  const next = waiting.shift()
  if (next === undefined) return
  found[next.at] = await problemsOf(next.check)
  await runNext()
}
await Promise.all([runNext(), runNext()])

for (const [at, [name]] of gates.entries()) {
  const problems = found[at]
  if (problems.length === 0) {
    console.log(`passed  ${name}`)
    continue
  }
  failed.push(name)
  console.log(`FAILED  ${name}: ${problems.length} ${problems.length === 1 ? 'finding' : 'findings'}`)
  for (const problem of problems.slice(0, shown)) console.log(`        ${problem}`)
  if (problems.length > shown) console.log(`        … and ${problems.length - shown} more`)
}
if (reportFile)
  writeFileSync(
    reportFile,
    JSON.stringify({ passed: gates.length - failed.length, failed: failed.length, names: failed }),
  )
process.exitCode = failed.length > 0 ? 1 : 0

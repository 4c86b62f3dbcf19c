// What the runners of the tests wrote down: how many passed and failed, and which failed.

/** @typedef {{ passed: number, failed: number, names: string[] }} Counts */

/**
 * Vitest's JSON report. A skipped test did not run: it counts as failed, unless it has the tag that was left out. So
 * does a file that broke before its tests.
 * @param {string} [leftOut] the tag that the run was told to leave out
 * @returns {Counts}
 */
export function countVitest(report, leftOut) {
  const files = report.testResults
  const isLeftOut = ({ status, tags }) => status === 'skipped' && leftOut !== undefined && tags?.includes(leftOut)
  const tests = files
    .flatMap((file) => file.assertionResults.map((test) => ({ ...test, file: file.name })))
    .filter((test) => !isLeftOut(test))
  const broken = files.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: tests.length - report.numPassedTests + broken.length,
    names: [
      ...tests
        .filter(({ status }) => status !== 'passed')
        .map(({ file, fullName, failureMessages }) => `${file}: ${fullName}${firstLine(failureMessages?.[0])}`),
      ...broken.map(({ name, message }) => `${name}${firstLine(message)}`),
    ],
  }
}

/**
 * Playwright's JSON report. A journey that passed at its second try only, or was skipped, counts as failed.
 * @returns {Counts}
 */
export function countPlaywright({ stats, errors, suites }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
    names: [
      ...suites
        .flatMap(specsOf)
        .flatMap(({ file, line, title, tests }) =>
          tests
            .filter(({ status }) => status !== 'expected')
            .map(({ results }) => `${file}:${line}: ${title}${firstLine(results.at(-1)?.error?.message)}`),
        ),
      ...errors.map(({ message }) => String(message).split('\n', 1)[0]),
    ],
  }
}

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]

const firstLine = (message) => (message ? ` — ${message.split('\n', 1)[0]}` : '')

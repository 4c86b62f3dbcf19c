import { describe, expect, it } from 'vitest'

const { countPlaywright, countVitest } = await import(new URL('./reports.js', import.meta.url).href)

describe('what the runners wrote down', () => {
  it('counts a test that was skipped, and a file that broke before its tests, as failed, and names both', () => {
    const counts = countVitest({
      numPassedTests: 1,
      numTotalTests: 3,
      testResults: [
        {
          name: 'order.test.ts',
          status: 'failed',
          assertionResults: [
            { fullName: 'orders are kept', status: 'passed', failureMessages: [] },
            { fullName: 'orders are lost', status: 'failed', failureMessages: ['Error: 3 is not 4\n    at order'] },
            { fullName: 'orders are later', status: 'skipped' },
          ],
        },
        { name: 'stop.test.ts', status: 'failed', message: 'Cannot find stop.ts', assertionResults: [] },
      ],
    })
    expect(counts).toEqual({
      passed: 1,
      failed: 3,
      names: [
        'order.test.ts: orders are lost — Error: 3 is not 4',
        'order.test.ts: orders are later',
        'stop.test.ts — Cannot find stop.ts',
      ],
    })
  })

  it('does not count a test with the tag that was left out, unless it ran and failed', () => {
    const test = (fullName: string, status: string, tags: string[]) => ({ fullName, status, tags, failureMessages: [] })
    const report = {
      numPassedTests: 1,
      numTotalTests: 4,
      testResults: [
        {
          name: 'order.test.ts',
          status: 'failed',
          assertionResults: [
            test('orders are kept', 'passed', []),
            test('orders are kept for years', 'skipped', ['long']),
            test('orders are lost', 'failed', ['long']),
            test('orders are later', 'skipped', []),
          ],
        },
      ],
    }
    const names = ['order.test.ts: orders are lost', 'order.test.ts: orders are later']
    expect(countVitest(report, 'long')).toEqual({ passed: 1, failed: 2, names })
    expect(countVitest(report)).toMatchObject({ passed: 1, failed: 3 })
  })

  it('counts a journey that needed a second try as failed, and names it from any depth', () => {
    const journey = (title: string, status: string, message?: string) => ({
      file: 'map.test.ts',
      line: 7,
      title,
      tests: [{ status, results: [{}, message === undefined ? {} : { error: { message } }] }],
    })
    const counts = countPlaywright({
      stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 },
      errors: [{ message: 'No server\n    at start' }],
      suites: [
        {
          specs: [journey('opens', 'expected')],
          suites: [{ specs: [journey('closes', 'unexpected', 'Timed out\n…'), journey('moves', 'flaky')] }],
        },
      ],
    })
    expect(counts).toEqual({
      passed: 1,
      failed: 3,
      names: ['map.test.ts:7: closes — Timed out', 'map.test.ts:7: moves', 'No server'],
    })
  })
})

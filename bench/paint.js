// `npm run bench -- paint [--runs 7]`
// When the public pages show their first words on a slow phone, beside a page that is nothing but its words.
// Prints the table of README.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import playwright from '../playwright.config.ts'
import { nodeFlags } from '../scripts/bootstrap.js'
import { freePort, startWaybill, tidyUp } from './installation.js'
import { machine } from './machine.js'
import { figure, median, say, table } from './report.js'

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '7' } } })
const runs = Number(options.runs)

/** Issue 14: 1.6 Mbit/s, 150 ms for each round trip, a processor four times slower; first paint after 1.5 s at most. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }
const CPU = 4
const PAINT_MS = 1500

/** First paint and first words of a page, opened cold. */
async function paintsOf(browser, address) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', LINE)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU })
  await page.goto(address)
  await page.locator('h1').waitFor()
  const at = await page.evaluate(() => ({
    words: performance.now(),
    first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  }))
  await context.close()
  return at
}

const folder = mkdtempSync(join(tmpdir(), 'waybill-paint-'))
const browser = await chromium.launch(playwright.use.launchOptions)
const bare = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end('<!doctype html><html lang="en"><title>Words</title><body><h1>Words</h1></body></html>')
})
try {
  await new Promise((resolve) => bare.listen(0, '127.0.0.1', resolve))
  const port = await freePort()
  await startWaybill({ folder, port, nodeFlags })
  const pages = {
    'nothing but words': `http://127.0.0.1:${bare.address().port}/`,
    'upload page': `http://127.0.0.1:${port}/upload-documents/not-a-link`,
    'tracking page': `http://127.0.0.1:${port}/track/not-a-link`,
  }
  const found = Object.fromEntries(Object.keys(pages).map((name) => [name, []]))
  // The first turn brings the files into the machine's memory.
  for (let turn = 0; turn <= runs; turn += 1)
    for (const [name, address] of Object.entries(pages)) {
      const at = await paintsOf(browser, address)
      if (turn > 0) found[name].push(at)
    }
  const middle = (name, what) => median(found[name].map((at) => at[what]))
  const [base] = Object.keys(pages)
  say(`${machine()}; ${runs} runs, 1.6 Mbit/s, 150 ms, CPU × ${CPU}; first paint at most ${PAINT_MS} ms\n`)
  say(
    table(
      ['page', 'first paint, ms', 'ratio', 'first words, ms', 'ratio'],
      Object.keys(pages).map((name) => [
        name,
        ...['first', 'words'].flatMap((what) => [
          figure(middle(name, what)),
          figure(middle(name, what) / middle(base, what), 2),
        ]),
      ]),
    ),
  )
  if (Object.keys(pages).some((name) => middle(name, 'first') > PAINT_MS)) process.exitCode = 1
} finally {
  bare.close()
  await browser.close()
  await tidyUp()
  rmSync(folder, { recursive: true, force: true })
}

// `npm run bench -- paint [--runs 7]`
// When the public pages show their first words on a slow phone, beside a page that is nothing but its words; the upload
// page also with a link of the demo year.
// Prints the table of README.md.
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import playwright from '../playwright.config.ts'
import { copyOf, demoFolder, freePort, signIn, startWaybill, tidyUp } from './installation.js'
import { machine } from './machine.js'
import { figure, median, say, table } from './report.js'

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '7' } } })
const runs = Number(options.runs)

/** A slow phone: 1.6 Mbit/s, 150 ms a round trip, a processor four times slower; first paint after 1.5 s at most. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 }
const CPU = 4
const PAINT_MS = 1500
const SCRIPT_KB = 110

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
    // As it travels; what is linked and what is fetched later both count.
    script: performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize / 1000, 0),
  }))
  await context.close()
  return at
}

/** The upload link of a transport of the demo year that is on its way. */
async function uploadLink(url) {
  const headers = { authorization: `Bearer ${await signIn(url)}`, 'additional-groups': 'detailed' }
  const get = async (path) => (await fetch(`${url}/api/${path}`, { headers })).json()
  for (const { id } of (await get('orders?status[]=in_transit')).items)
    for (const route of (await get(`orders/${id}`)).routes) {
      const { link } = await get(`routes/${route.id}/upload-link`)
      if (link) return `${url}/upload-documents/${link.url.split('/').at(-1)}`
    }
  throw new Error('no transport of the demo year has an upload link')
}

const folder = copyOf(await demoFolder())
const browser = await chromium.launch(playwright.use.launchOptions)
const bare = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end('<!doctype html><html lang="en"><title>Words</title><body><h1>Words</h1></body></html>')
})
try {
  await new Promise((resolve) => bare.listen(0, '127.0.0.1', resolve))
  const port = await freePort()
  await startWaybill({ folder, port })
  const url = `http://127.0.0.1:${port}`
  const pages = {
    'nothing but words': `http://127.0.0.1:${bare.address().port}/`,
    'upload page, a link of the demo': await uploadLink(url),
    'upload page, no link': `${url}/upload-documents/not-a-link`,
    'tracking page, no link': `${url}/track/not-a-link`,
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
      ['page', 'first paint, ms', 'ratio', 'first words, ms', 'ratio', 'script, kB'],
      Object.keys(pages).map((name) => [
        name,
        ...['first', 'words'].flatMap((what) => [
          figure(middle(name, what)),
          figure(middle(name, what) / middle(base, what), 2),
        ]),
        figure(middle(name, 'script'), 1),
      ]),
    ),
  )
  const isMissed = (name) => middle(name, 'first') > PAINT_MS || middle(name, 'script') > SCRIPT_KB
  if (Object.keys(pages).some(isMissed)) process.exitCode = 1
} finally {
  bare.close()
  await browser.close()
  await tidyUp()
}

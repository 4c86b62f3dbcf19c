// `npm run bench -- check [--queue 2000] [--few 60] [--keys 20]`
// Carriers' invoices that fit, checked by two keys in a real browser: what a key takes until its answer is painted,
// with few in the queue and with many. Prints the table of README.md.
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import playwright from '../playwright.config.ts'
import { copyOf, demoFolder, freePort, runMeasurement, signIn, startPostgres, startWaybill } from './installation.js'
import { machine, postgresVersion } from './machine.js'
import { fillQueue } from './multiply/queue.js'
import { figure, median, say, table } from './report.js'

const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg')
const { values: options } = parseArgs({
  options: {
    queue: { type: 'string', default: '2000' },
    few: { type: 'string', default: '60' },
    keys: { type: 'string', default: '20' },
  },
})
const [many, few, keys] = ['queue', 'few', 'keys'].map((name) => Number(options[name]))
/** The first fetch and make what the page needs once. */
const WARM = 3
/** What is wanted: each of the two keys from the queue to approved, and the next one where 2,000 wait. */
const KEY_MS = 300
const NEXT_MS = 200
/** Of the times of a key, the one that all but one of twenty stay below. */
const MOST = 0.95
/** What somebody looks at an invoice at the least before a key. */
const LOOK_MS = 700

/** A key that does nothing here: what any press takes until the next frame is painted. */
const IDLE = 'z'
/** After so long no answer comes any more. */
const GIVEN_UP_MS = 20_000

/** Runs in the page: notes how long it takes from the next press until what is waited for has been painted, ms. */
const timeNextKey = ({ from, isAnswered, saysApproved, givenUpMs }) => {
  const isThere = () => {
    if (isAnswered) return true
    const number = document.querySelector('header:not([data-queue]) > div > h1')?.textContent
    const isNext = number !== undefined && number !== from && document.querySelector('section [data-level]') !== null
    const said = [...document.querySelectorAll('[role=status], [role=alert]')]
    return isNext && (!saysApproved || said.some(({ textContent }) => textContent.includes(from)))
  }
  window.answered = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`${from}: no answer`)), givenUpMs)
    const heard = ({ timeStamp }) => {
      const look = () => {
        if (!isThere()) return requestAnimationFrame(look)
        // Behind the frame that shows it.
        return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp)))
      }
      requestAnimationFrame(look)
    }
    document.addEventListener('keydown', heard, { capture: true, once: true })
  })
}

const heading = (page) => page.locator('header:not([data-queue]) > div > h1')

/** What the page's thread has worked, ms. */
async function workedMs(devTools) {
  const { metrics } = await devTools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000
}

async function press(page, devTools, key) {
  const from = await heading(page).textContent()
  const before = await workedMs(devTools)
  await page.evaluate(timeNextKey, {
    from,
    isAnswered: key === IDLE,
    saysApproved: key === 'a',
    givenUpMs: GIVEN_UP_MS,
  })
  await page.keyboard.press(key)
  const ms = await page.evaluate(() => window.answered)
  const worked = (await workedMs(devTools)) - before
  await page.waitForTimeout(LOOK_MS)
  return { ms, worked }
}

const within = (times) =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * MOST))]

/** Next and approve in turn, as somebody works who goes through the queue. */
async function measure(page, devTools, url) {
  const found = { [IDLE]: [], j: [], a: [] }
  await page.goto(`${url}/invoices/check`)
  await page.locator('section [data-level]').first().waitFor()
  await page.waitForTimeout(LOOK_MS)
  for (let turn = 0; turn < WARM + keys; turn += 1)
    for (const key of Object.keys(found)) {
      const answer = await press(page, devTools, key)
      if (turn >= WARM) found[key].push(answer)
    }
  return Object.fromEntries(
    Object.entries(found).map(([key, answers]) => [
      key,
      {
        ms: median(answers.map(({ ms }) => ms)),
        most: within(answers.map(({ ms }) => ms)),
        worked: median(answers.map(({ worked }) => worked)),
      },
    ]),
  )
}

/** One that fits, of one route, with its paper: nothing is asked when it is approved. */
async function fittingInvoice(get) {
  let after = ''
  do {
    const { items, next } = await get(`invoices/to-check?status=received${after}`)
    for (const { id, verdict } of items) {
      if (verdict.level !== 'ok') continue
      const check = await get(`invoices/${id}/check`)
      if (check.routes.length === 1 && check.papers.length > 0) return { invoiceId: id, orderId: check.orders[0].id }
    }
    after = next === null ? null : `&after=${next}`
  } while (after !== null)
  throw new Error('no invoice of the demo year fits')
}

/** A turn leaves one behind and approves one, and the last one has none to go on to. */
const LEAST = 2 * (WARM + keys) + 1

async function main() {
  if (few < LEAST) throw new Error(`--few must be ${LEAST} at the least for ${keys} keys`)
  const folder = copyOf(await demoFolder())
  const postgres = await startPostgres(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await startWaybill({ folder, databaseUrl: postgres.url, ownerUrl: postgres.ownerUrl, port })
  const token = await signIn(url)
  const get = async (path) => {
    const headers = { authorization: `Bearer ${token}`, 'additional-groups': 'detailed' }
    const response = await fetch(`${url}/api/${path}`, { headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const client = new Client({ connectionString: postgres.ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
  const one = await fittingInvoice(get)
  // What waits in the demo year and does not fit asks before it is approved: only what fits stays in the queue.
  await client.query(
    `update invoice set state = 'inactive' where "entityType" = 'carrier' and status = 'received' and id <> $1`,
    [one.invoiceId],
  )
  const browser = await chromium.launch(playwright.use.launchOptions)
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
    await context.addInitScript((kept) => {
      localStorage.setItem('authData', JSON.stringify({ token: kept, refreshToken: '', expiresIn: 900 }))
      localStorage.setItem('id_token', kept)
    }, token)
    const page = await context.newPage()
    const devTools = await context.newCDPSession(page)
    // Processor time: what others do meanwhile does not count.
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const found = []
    let filled = 0
    for (const size of [few, many]) {
      const { counts } = await get('invoices/to-check?status=received&limit=1')
      const missing = Math.max(0, size - counts.received)
      await fillQueue(client, folder, one, filled + 1, filled + missing)
      filled += missing
      const shown = (await get('invoices/to-check?status=received&limit=1')).counts.received
      found.push({ shown, of: await measure(page, devTools, url) })
    }
    await client.end()
    const [small, large] = found
    const row = (name, key, wanted) => {
      const [before, now] = [small.of[key], large.of[key]]
      return [
        name,
        figure(before.ms),
        figure(now.ms),
        figure(now.ms / before.ms, 2),
        figure(now.ms / large.of[IDLE].ms, 1),
        figure(now.worked),
        figure(now.worked / large.of[IDLE].worked, 1),
        ...(wanted === null ? ['', '', '', ''] : toWanted(before, now, wanted)),
      ]
    }
    /** Each wanted time as a ratio: 1 and less holds. The slowest of twenty says whether *each* key does. */
    const toWanted = (before, now, [ofFew, ofMany]) => [
      `${ofFew}, ${ofMany}`,
      figure(before.ms / ofFew, 2),
      figure(now.ms / ofMany, 2),
      figure(now.most / ofMany, 2),
    ]
    say(`${machine()}, PostgreSQL ${await postgresVersion(postgres.url)}, Chromium ${browser.version()}`)
    say(`From the key until its answer is painted, ms; median of ${keys}, ${LOOK_MS} ms between the keys.\n`)
    say(
      table(
        [
          'key',
          `${small.shown} wait`,
          `${large.shown} wait`,
          'ratio',
          'to no answer',
          'page works',
          'to no answer',
          'wanted',
          `${small.shown} to wanted`,
          `${large.shown} to wanted`,
          'p95 to wanted',
        ],
        [
          row('one that does nothing', IDLE, null),
          row('J, the next one is there', 'j', [KEY_MS, NEXT_MS]),
          row('A, it is approved and the next one there', 'a', [KEY_MS, KEY_MS]),
        ],
      ),
    )
    const isHeld = [small.of.j.ms, small.of.a.ms, large.of.a.ms].every((ms) => ms <= KEY_MS) && large.of.j.ms <= NEXT_MS
    if (!isHeld) process.exitCode = 1
  } finally {
    await browser.close()
  }
}

await runMeasurement(main)

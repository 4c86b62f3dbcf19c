// `npm run bench -- board [--orders 200000] [--bars 1000] [--waiting 300]`
// The planning board over two weeks: how long until its bars are there, and its frames while it is scrolled and while
// an order is carried over it, beside frames of the same page at rest. Prints the table of README.md.
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import playwright from '../playwright.config.ts'
import {
  copyOf,
  demoFolder,
  freePort,
  loadedFolder,
  signIn,
  startPostgres,
  startWaybill,
  tidyUp,
} from './installation.js'
import { machine } from './machine.js'
import { fillFortnight } from './multiply/fortnight.js'
import { figure, median, say, table } from './report.js'

const { Client } = createRequire(new URL('../server/package.json', import.meta.url))('pg')
const { values: options } = parseArgs({
  options: { orders: { type: 'string' }, bars: { type: 'string' }, waiting: { type: 'string' } },
})
const FRAMES = 200
/** from top to bottom: at first the page's scripts are not compiled yet */
const TURNS = 4
const STEPS = 100
/** after the first time */
const OPENED = 5
/** from the shell until the bars are painted */
const PAINT_MS = 1000
/** frames while scrolling, p95 */
const WANTED_MS = 17

const stored = options.orders === undefined ? await demoFolder() : loadedFolder('orders', Number(options.orders))
const folder = copyOf(stored)

/** Runs in the page: the times between frames, `work` done in each of them. */
const framesOf = ({ count, scrolls }) =>
  new Promise((resolve) => {
    const box = document.querySelector('[data-scroller]')
    const times = []
    let before = performance.now()
    const frame = () => {
      const now = performance.now()
      times.push(now - before)
      before = now
      if (scrolls) box.scrollTop += 40
      if (times.length < count) requestAnimationFrame(frame)
      else resolve(times)
    }
    requestAnimationFrame(frame)
  })

/** Runs in the page: from now on frames and long tasks are noted, until `notedFrames` takes them. */
const noteFrames = () => {
  const noted = { times: [], long: [] }
  let before = performance.now()
  const frame = () => {
    const now = performance.now()
    noted.times.push(now - before)
    before = now
    if (window.noted === noted) requestAnimationFrame(frame)
  }
  window.noted = noted
  new PerformanceObserver((list) => noted.long.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  })
  requestAnimationFrame(frame)
}
const notedFrames = () => {
  const { noted } = window
  window.noted = null
  return noted
}

/** Runs in the page: notes for each move whether what is carried stands beside the pointer in the next frame. */
const noteAnswers = () => {
  window.answers = []
  document.addEventListener('pointermove', ({ clientX, clientY }) => {
    requestAnimationFrame(() => {
      const { left, top } = document.querySelector('[data-in-hand]').getBoundingClientRect()
      window.answers.push(Math.abs(left - clientX) < 20 && Math.abs(top - clientY) < 20)
    })
  })
}

/** A page of bare rows to scroll: what this machine's browser takes for that alone. */
const bareRow = (row) => {
  const bars = [20, 45, 70].map(
    (left) =>
      `<div style="position:absolute;top:4px;height:27px;left:${left}%;width:20%;background:#cde">` +
      `Berlin → Wien 26-${row}${left}</div>`,
  )
  return `<div style="position:relative;height:35px;border-bottom:1px solid #ccc">Row ${row}${bars.join('')}</div>`
}
const BARE_ROWS = `<!doctype html><div data-scroller style="height:700px;overflow:auto;font:13px sans-serif">
  ${Array.from({ length: 400 }, (_, row) => bareRow(row)).join('')}</div>`

/** Carries the third order that waits over the rows, a step for each frame or so, and lets go of it by Escape. */
async function carry(page) {
  const card = await page.locator('[data-card]').nth(2).boundingBox()
  const board = await page.locator('[data-scroller]').boundingBox()
  await page.mouse.move(card.x + 40, card.y + 10)
  await page.mouse.down()
  await page.mouse.move(card.x + 80, card.y + 30, { steps: 3 })
  await page.mouse.move(board.x + 300, board.y + 150, { steps: 3 })
  await page.locator('[data-carried]').first().waitFor()
  await page.evaluate(noteFrames)
  await page.evaluate(noteAnswers)
  for (let step = 0; step < STEPS; step += 1)
    await page.mouse.move(board.x + 300 + step * 6, board.y + 150 + (step % 8) * 36)
  const noted = await page.evaluate(notedFrames)
  const answers = await page.evaluate(() => window.answers)
  await page.keyboard.press('Escape')
  return { ...noted, answers }
}

const at = (times, share) => times.toSorted((one, other) => one - other)[Math.floor(times.length * share)]

/** Runs in the page before its own scripts: notes when the shell is painted, and when the first bar is. */
const noteFirstPaint = () => {
  window.paint = {}
  const look = () => {
    const { paint } = window
    const now = performance.now()
    if (document.querySelector('nav a[href="/planning"]') !== null) paint.shell ??= now
    if (document.querySelector('[data-bar]') !== null && document.querySelector('[data-card]') !== null)
      paint.bars ??= now
    if (paint.bars === undefined) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** How many bars and orders that wait the board shows, by its own answer; copies of them until it shows so many. */
async function filled(url, token, ownerUrl) {
  const days = 14
  const monday = new Date()
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  const from = monday.toISOString().slice(0, 10)
  const read = async () => {
    const started = performance.now()
    const response = await fetch(`${url}/api/planning?from=${from}&days=${days}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`the board: ${response.status} ${text}`)
    return { board: JSON.parse(text), kB: text.length / 1000, ms: performance.now() - started }
  }
  const ids = (list) => [...new Set(list.map(({ orderId }) => orderId))]
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  for (const [wanted, kind] of [
    [options.bars, 'bars'],
    [options.waiting, 'waiting'],
  ]) {
    const { board } = await read()
    const list = board[kind]
    const copies = wanted === undefined ? 0 : Math.ceil(Number(wanted) / list.length) - 1
    if (copies > 0) await fillFortnight(client, ids(list), copies)
  }
  await client.end()
  for (let turn = 0; turn < 3; turn += 1) await read()
  const { board, kB, ms } = await read()
  return { bars: board.bars.length, waiting: board.waiting.length, kB, ms }
}

try {
  const postgres = await startPostgres(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await startWaybill({ folder, databaseUrl: postgres.url, ownerUrl: postgres.ownerUrl, port })
  const token = await signIn(url)
  const shown = await filled(url, token, postgres.ownerUrl)
  const browser = await chromium.launch(playwright.use.launchOptions)
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
    await page.addInitScript((kept) => {
      localStorage.setItem('authData', JSON.stringify({ token: kept, refreshToken: '', expiresIn: 900 }))
      localStorage.setItem('id_token', kept)
    }, token)
    await page.addInitScript(noteFirstPaint)
    const opened = []
    for (let turn = 0; turn < 1 + OPENED; turn += 1) {
      await page.goto(`${url}/planning?days=14`)
      await page.waitForFunction(() => window.paint.bars !== undefined)
      const { bars, shell } = await page.evaluate(() => window.paint)
      opened.push(bars - shell)
    }
    const [first, ...again] = opened
    await page.locator('[data-card]').nth(2).waitFor()
    const drawn = { bars: await page.locator('[data-bar]').count(), cards: await page.locator('[data-card]').count() }
    const bare = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await bare.setContent(BARE_ROWS)
    const plain = await bare.evaluate(framesOf, { count: FRAMES, scrolls: true })
    await bare.close()
    const rest = await page.evaluate(framesOf, { count: FRAMES, scrolls: false })
    const scrolled = []
    for (let turn = 0; turn < TURNS; turn += 1) {
      scrolled.push(await page.evaluate(framesOf, { count: FRAMES, scrolls: true }))
      await page.evaluate(() => {
        document.querySelector('[data-scroller]').scrollTop = 0
      })
    }
    const carried = await carry(page)
    const row = (name, times, long) => [
      name,
      figure(at(times, 0.5), 1),
      figure(at(times, 0.95), 1),
      figure(at(times, 0.95) / at(rest, 0.95), 2),
      long === undefined ? '' : figure(long.length),
    ]
    const inTime = carried.answers.filter(Boolean)
    say(
      `${machine()}; ${options.orders ?? 'demo year'} orders; ${shown.bars} bars and ${shown.waiting} orders that wait`,
    )
    say(`on the board of 14 days, ${figure(shown.kB)} kB, answered in ${figure(shown.ms)} ms; ${drawn.bars} and`)
    say(`${drawn.cards} of them drawn.`)
    say(`Bars after the shell: ${figure(median(again))} ms, the first time ${figure(first)} (wanted ≤ ${PAINT_MS}).`)
    say(`Carried things follow the pointer in the next frame: ${inTime.length} of ${carried.answers.length} moves.`)
    say(`Frames; wanted while scrolling: p95 ≤ ${WANTED_MS} ms\n`)
    say(
      table(
        ['frames', 'p50, ms', 'p95, ms', 'p95 ratio', 'long tasks'],
        [
          row('at rest', rest),
          row('bare rows, scrolling', plain),
          row('scrolling, the first time', scrolled[0]),
          row('scrolling, after it', scrolled.slice(1).flat()),
          row('an order is carried', carried.times, carried.long),
        ],
      ),
    )
  } finally {
    await browser.close()
  }
} finally {
  await tidyUp()
}

// `npm run bench -- board [--orders 200000]`
// The planning board over two weeks: how long until its bars are there, and its frames while it is scrolled and while
// an order is carried over it, beside frames of the same page at rest. Prints the table of README.md.
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import playwright from '../playwright.config.ts'
import { copyOf, demoFolder, freePort, loadedFolder, signIn, startWaybill, tidyUp } from './installation.js'
import { machine } from './machine.js'
import { figure, say, table } from './report.js'

const { values: options } = parseArgs({ options: { orders: { type: 'string' } } })
const FRAMES = 200
const STEPS = 100
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
  for (let step = 0; step < STEPS; step += 1)
    await page.mouse.move(board.x + 300 + step * 6, board.y + 150 + (step % 8) * 36)
  const noted = await page.evaluate(notedFrames)
  await page.keyboard.press('Escape')
  return noted
}

const at = (times, share) => times.toSorted((one, other) => one - other)[Math.floor(times.length * share)]

try {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await startWaybill({ folder, port })
  const token = await signIn(url)
  const browser = await chromium.launch(playwright.use.launchOptions)
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
    await page.addInitScript((kept) => {
      localStorage.setItem('authData', JSON.stringify({ token: kept, refreshToken: '', expiresIn: 900 }))
      localStorage.setItem('id_token', kept)
    }, token)
    await page.goto(`${url}/dashboard`)
    const link = page.getByRole('link', { name: 'Planning' }).first()
    await link.waitFor()
    const from = performance.now()
    await link.click()
    await page.locator('[data-bar]').first().waitFor()
    const openMs = performance.now() - from
    await page.goto(`${url}/planning?days=14`)
    await page.locator('[data-bar]').first().waitFor()
    await page.locator('[data-card]').nth(2).waitFor()
    const shown = { bars: await page.locator('[data-bar]').count(), cards: await page.locator('[data-card]').count() }
    const rest = await page.evaluate(framesOf, { count: FRAMES, scrolls: false })
    const scrolled = await page.evaluate(framesOf, { count: FRAMES, scrolls: true })
    await page.evaluate(() => {
      document.querySelector('[data-scroller]').scrollTop = 0
    })
    const carried = await carry(page)
    const row = (name, times, long) => [
      name,
      figure(at(times, 0.5), 1),
      figure(at(times, 0.95), 1),
      figure(at(times, 0.95) / at(rest, 0.95), 2),
      long === undefined ? '' : figure(long.length),
    ]
    say(`${machine()}; ${options.orders ?? 'demo year'} orders; bars after ${figure(openMs)} ms;`)
    say(`${shown.bars} bars, ${shown.cards} orders that wait; wanted while scrolling: p95 ≤ ${WANTED_MS} ms\n`)
    say(
      table(
        ['frames', 'p50, ms', 'p95, ms', 'p95 ratio', 'long tasks'],
        [row('at rest', rest), row('scrolling', scrolled), row('an order is carried', carried.times, carried.long)],
      ),
    )
  } finally {
    await browser.close()
  }
} finally {
  await tidyUp()
}

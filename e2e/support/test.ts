import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as base, type Page } from '@playwright/test'
import { violationsOf } from './axe.ts'
import { addPartners, type Partners } from './partners.ts'
import { fillLogin, signInAs, type Person } from './people.ts'
import { countCalls } from './settled.ts'
import { ADMIN, startWaybill, type Waybill } from './waybill.ts'

type Credentials = Pick<Person, 'email' | 'password'>

interface WorkerFixtures {
  /** the running product, one for each worker */
  waybill: Waybill
  /** the customers and the carrier that the journeys work with */
  partners: Partners
}

interface Fixtures {
  /** a page that fails the test on any error in its console */
  page: Page
  /** makes the browser that of a signed-in person, as after the login page; what is opened next is theirs */
  signIn: (who?: Credentials) => Promise<void>
  /** signs in through the login page and ends on the first screen; for journeys about that way */
  signInByForm: (who?: Credentials) => Promise<void>
  /**
   * axe finds nothing serious on the page as it stands. Contrasts, more than half of its time, are judged where they
   * are asked for and in `npm run test:long`: `npm test` asks for them on each screen once.
   */
  expectAccessible: (page: Page, asked?: { contrasts: boolean }) => Promise<void>
  /** keeps a picture for looking at, where WAYBILL_SHOTS names a folder */
  shoot: (page: Page, name: string) => Promise<void>
}

// A refused call, or none for want of a network, is the browser's own line in the console; what the page makes of it
// is asserted in the journeys.
// The frame of a mail runs no script: the browser says so of what the test's own driver puts into every frame.
const EXPECTED_IN_CONSOLE = new RegExp(
  [
    /^Failed to load resource: the server responded with a status of (401|403|404|409|413|415|422|428|429)/,
    /^Failed to load resource: net::ERR_INTERNET_DISCONNECTED/,
    /^Blocked script execution in 'about:srcdoc'/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

const isLong = process.env.WAYBILL_LONG === '1'

const WINDOW = '[role="dialog"][aria-modal="true"]'

/**
 * What lies half under a bar that stands still looks small until one scrolls: it is
 * judged in the middle of the screen. Gives where it stands, null where it is large enough.
 */
async function smallInSight(page: Page, target: string): Promise<string | null> {
  const place = await page.locator(target).evaluate((element) => {
    element.scrollIntoView({ block: 'center' })
    const { x, y, width, height } = element.getBoundingClientRect()
    return `${[x, y, width, height].map(Math.round).join(' ')}, page scrolled by ${Math.round(scrollY)}`
  })
  const violations = await violationsOf(page, { rules: ['target-size'], within: target })
  await page.keyboard.press('Control+Home')
  return violations.length > 0 ? place : null
}

/** WAYBILL_SLOW=4 makes the page’s script four times slower: what fails on a busy machine fails here, too. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env.WAYBILL_SLOW ?? 1)
  if (rate === 1) return
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate })
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  waybill: [
    async ({}, use) => {
      const waybill = await startWaybill()
      await use(waybill)
      await waybill.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  partners: [async ({ waybill }, use) => use(await addPartners(waybill)), { scope: 'worker', timeout: 60_000 }],
  baseURL: async ({ waybill }, use) => use(waybill.url),
  page: async ({ page }, use) => {
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED_IN_CONSOLE.test(message.text())) errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await countCalls(page)
    await slowDown(page)
    await use(page)
    expect(errors, 'errors in the console').toEqual([])
  },
  signIn: async ({ page, waybill }, use) => use((who = ADMIN) => signInAs(page, waybill, who)),
  signInByForm: async ({ page }, use) => {
    await use(async (who = ADMIN) => {
      await page.goto('/auth/login')
      await fillLogin(page, who)
      await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
    })
  },
  expectAccessible: async ({}, use) => {
    await use(async (page, { contrasts } = { contrasts: isLong }) => {
      // Rows that others are about to replace are dimmed for a moment.
      await expect(page.locator('[data-busy]')).toHaveCount(0)
      const violations = await violationsOf(page, {
        rules: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
        contrasts,
        // What lies behind an open window was judged before it opened, and the whole takes three times as long.
        within: (await page.locator(WINDOW).count()) > 0 ? WINDOW : undefined,
      })
      const found = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ target }) => ({ id, target: target.join(' ') })))
      const stays = []
      for (const { id, target } of found) {
        const place = id === 'target-size' ? await smallInSight(page, target) : ''
        if (place !== null) stays.push(`${id}: ${target} ${place}`.trim())
      }
      expect(stays).toEqual([])
    })
  },
  shoot: async ({}, use) => {
    await use(async (page, name) => {
      const folder = process.env.WAYBILL_SHOTS
      if (!folder) return
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}.png`) })
    })
  },
})

export { expect }

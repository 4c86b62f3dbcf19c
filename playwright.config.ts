import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const isLong = process.env.WAYBILL_LONG === '1'
const small = { width: 390, height: 844 }
const large = { width: 1280, height: 800 }

// The browser without its window takes a fifth less processor time; the whole one does where it is what there is.
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

const launchOptions = {
  executablePath: process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path)) ?? BROWSERS[0],
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // Processes that a page of a minute does not need: a twentieth of the processor's time.
    '--disable-features=SpareRendererForSitePerProcess',
    '--in-process-gpu',
  ],
}

// One journey in light and large always; `npm run test:long` opens every screen in both themes and sizes. What differs
// by look shows in pairs: each language is seen in both themes and both sizes, and each theme in both sizes.
const LANGUAGES_OF: Readonly<Record<string, string>> = { 'light 390': 'de', 'dark 1280': 'de', 'dark 390': 'en|pl' }
const NOT_IN_LIGHT_1280 = /every screen in de, /
const looks = isLong
  ? (['light', 'dark'] as const).flatMap((colorScheme) => [large, small].map((viewport) => ({ colorScheme, viewport })))
  : [{ colorScheme: 'light' as const, viewport: large }]

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  // Two cores, and a server, a database and a browser for each worker. What is only in the long run waits much of its
  // time: for a typist at his pace, for tabs that are closed and opened.
  workers: isLong ? 3 : 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Long stories whose steps shorter ones take as well (decision 039).
  ...(!isLong && { grepInvert: /@long/ }),
  // Patience, not a measure: on a machine that does other work as well everything takes longer and nothing is wrong.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // A trace takes a sixth of a journey's time: it is asked for where one is looked into.
  use: {
    launchOptions,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // What moves is not what is asked here, and no click waits for it.
    contextOptions: { reducedMotion: 'reduce' },
    trace: process.env.WAYBILL_TRACE === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
  projects: looks.map(({ colorScheme, viewport }) => {
    const name = `${colorScheme} ${viewport.width}`
    const languages = LANGUAGES_OF[name]
    return {
      name,
      use: { colorScheme, viewport },
      ...(isLong && languages === undefined && { grepInvert: NOT_IN_LIGHT_1280 }),
      // What a journey does hangs on neither theme nor size: the other looks open every screen. Where the shell and the
      // lists differ by them, component tests try both.
      ...(languages !== undefined && {
        testMatch: '**/every-screen.test.ts',
        grep: new RegExp(`every screen in (${languages}), `),
      }),
    }
  }),
})

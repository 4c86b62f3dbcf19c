import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import browser from './playwright.config.ts'
import { emulateMedia, mouse, press, textInFrame, type } from './web/test/kit/commands.ts'

// Component tests try what people use, React as it is built, and are a third faster by it.
if (process.argv.includes('components')) process.env.NODE_ENV = 'production'

const isLong = process.env.WAYBILL_LONG === '1'

// Stands a package in that a system does not have, which needs modules of its own.
const MOCKS_A_PACKAGE = 'server/src/kit/pdf/typesetter.test.ts'

// Projects, so that the rules and the web's logic do not wait for a database.
export default defineConfig({
  test: {
    // Two cores: more workers only make each of them slower.
    maxWorkers: 2,
    passWithNoTests: false,
    allowOnly: false,
    tags: [{ name: 'long', description: 'takes long, and has its beginning in `npm test` as well (decision 039)' }],
    projects: [
      {
        test: {
          name: 'rules',
          include: [
            'contract/src/**/*.test.ts',
            'web/*.test.ts',
            'web/src/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            MOCKS_A_PACKAGE,
          ],
          exclude: ['**/newcomer.test.ts', '**/new-entity.test.ts'],
          // Half of a file's time went into loading modules. What a file changes of the process it puts back.
          isolate: false,
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: ['server/test/long/**', MOCKS_A_PACKAGE, '**/node_modules/**'],
          // The product's own way of running TypeScript, and its modules loaded once for all files of a worker: half of
          // a file's time went into loading them. Each file has its own application and database all the same.
          isolate: false,
          experimental: { viteModuleRunner: false },
          // Threads that collect and compile beside the tests find no free core, and cost a twentieth of the time.
          execArgv: ['--single-threaded'],
          globalSetup: ['server/test/database/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The web alone, in a browser, with a server faked from the contract (decision 091).
        extends: './web/vite.config.ts',
        root: './web',
        // Another run on this machine may have the port.
        server: { strictPort: false },
        optimizeDeps: { entries: ['src/main.tsx', 'test/**/*.{ts,tsx}'] },
        test: {
          name: 'components',
          include: ['test/**/*.test.{ts,tsx}'],
          env: { WAYBILL_LONG: isLong ? '1' : '' },
          setupFiles: [fileURLToPath(new URL('web/test/kit/setup.ts', import.meta.url))],
          // Patience, not a measure, as with the journeys: on a machine that does other work nothing is wrong.
          testTimeout: 60_000,
          // Each look takes the thread that makes what is waited for: every 20 ms cost a tenth of the time.
          expect: { poll: { timeout: 20_000, interval: 150 } },
          // One page for all files of a worker: a quarter of the time went into loading the modules anew for each.
          isolate: false,
          browser: {
            enabled: true,
            headless: true,
            ui: false,
            screenshotFailures: false,
            traceView: 'off',
            dependencySourcemaps: false,
            viewport: { width: 1280, height: 800 },
            // As the journeys find things, so that what is found there is found here.
            locators: { exact: false },
            commands: { emulateMedia, mouse, press, textInFrame, type },
            provider: playwright({
              launchOptions: browser.use!.launchOptions!,
              contextOptions: {
                locale: 'en-GB',
                timezoneId: 'Europe/Berlin',
                reducedMotion: 'reduce',
                viewport: { width: 1280, height: 800 },
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        // Installs, builds and starts.
        test: {
          name: 'newcomer',
          include: ['scripts/newcomer.test.ts'],
        },
      },
      // Only in `npm run test:long`, a part at a time: they kill, load and build.
      ...(isLong
        ? [
            {
              test: {
                name: 'long',
                include: ['server/test/long/**/*.test.ts', 'scripts/new-entity.test.ts'],
                globalSetup: ['server/test/database/global-setup.ts'],
                fileParallelism: false,
                testTimeout: 60_000,
                expect: { poll: { timeout: 20_000, interval: 20 } },
                hookTimeout: 120_000,
              },
            },
          ]
        : []),
    ],
  },
})

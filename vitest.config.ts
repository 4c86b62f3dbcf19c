import { defineConfig } from 'vitest/config'

const isLong = process.env.WAYBILL_LONG === '1'

// Projects, so that the rules and the web's logic do not wait for a database.
export default defineConfig({
  test: {
    // Two cores: more workers only make each of them slower.
    maxWorkers: 2,
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      {
        test: {
          name: 'rules',
          include: ['contract/src/**/*.test.ts', 'web/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: ['**/newcomer.test.ts', '**/new-entity.test.ts'],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          exclude: ['server/test/long/**', '**/node_modules/**'],
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Installs, builds and starts: `npm test` runs it beside the journeys.
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
                globalSetup: ['server/test/global-setup.ts'],
                fileParallelism: false,
                testTimeout: 60_000,
                hookTimeout: 120_000,
              },
            },
          ]
        : []),
    ],
  },
})

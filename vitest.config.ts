import { defineConfig } from 'vitest/config'

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
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
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

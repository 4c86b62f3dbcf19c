import { defineConfig } from 'vitest/config'

// Two projects, so that the rules and the web's logic do not wait for a database.
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
          include: ['contract/src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          exclude: ['**/newcomer.test.ts'],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'newcomer',
          include: ['scripts/newcomer.test.ts'],
          // After the others: it installs and builds, which would make them slow.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

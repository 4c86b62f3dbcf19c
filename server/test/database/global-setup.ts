import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { jobDefinitions } from '../../src/app/jobs.ts'
import { TABLE_RIGHTS } from '../../src/app/table-rights.ts'
import { createJobs } from '../../src/kit/context/jobs.ts'
import { openDatabase } from '../../src/kit/database/db.ts'
import { discardEmbeddedPostgres, startEmbeddedPostgres } from '../../src/kit/database/embedded-postgres.ts'
import { migrateToLatest } from '../../src/kit/database/migrate.ts'
import { grantToApplication } from '../../src/kit/database/roles.ts'
import { startWithAdmin } from './start-with-admin.ts'
import { throwAwayDir } from './throw-away-dir.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    postgresOwnerUrl: string
    /** migrated, and empty */
    templateDatabase: string
    /** the same after its first start, with `ADMIN` */
    startedDatabase: string
  }
}

const prefix = 'waybill-test-'
const template = 'migrated_template'
const started = 'started_template'
const debianBinDir = '/usr/lib/postgresql/15/bin'

/** One throw-away cluster for the run, with migrated databases that every test file gets a copy of one of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const base = throwAwayDir()
  await discardAbandoned(base)
  const dataDir = mkdtempSync(join(base, prefix))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    // The oldest PostgreSQL that we promise to run on, from Debian's package.
    binDir: process.env.WAYBILL_TEST_PG === 'debian' ? debianBinDir : undefined,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      // Each file is new to its database: planning a statement anew for its first five values took a twentieth of the
      // time, and more on a busy machine. The long tests look at plans.
      ...(process.env.WAYBILL_LONG !== '1' && { plan_cache_mode: 'force_generic_plan' }),
      shared_buffers: '128MB',
      // What is written for a recovery that nobody will ask for stays small.
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '256MB',
    },
  })
  const admin = new Client({ connectionString: postgres.ownerUrl })
  await admin.connect()
  await admin.query(`create database ${template}`)
  const ownerUrl = withDatabase(postgres.ownerUrl, template)
  const database = openDatabase(ownerUrl, { max: 2 })
  await migrateToLatest(database.db)
  await database.close()
  await grantToApplication({ ownerUrl, url: withDatabase(postgres.url, template) }, TABLE_RIGHTS)
  // What every file would do first stands in a second template: a seventh of a second for each of them.
  await admin.query(`create database ${started} template ${template}`)
  await startWithAdmin(withDatabase(postgres.url, started), new Date())
  const jobs = createJobs({
    url: withDatabase(postgres.url, started),
    definitions: jobDefinitions,
    onError: () => undefined,
  })
  await jobs.start()
  await jobs.stop()
  await admin.end()

  project.provide('postgresUrl', postgres.url)
  project.provide('postgresOwnerUrl', postgres.ownerUrl)
  project.provide('templateDatabase', template)
  project.provide('startedDatabase', started)
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function withDatabase(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}

// A run that was killed could not tidy up. Young folders are left alone: their run may not hold its lock yet.
async function discardAbandoned(base: string): Promise<void> {
  const tenMinutesAgo = Date.now() - 10 * 60_000
  for (const name of readdirSync(base).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(base, name)
    if ((statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < tenMinutesAgo)
      await discardEmbeddedPostgres(folder)
  }
}

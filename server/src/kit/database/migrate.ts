import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Tables } from './db.ts'

const folder = join(import.meta.dirname, '../../../migrations')

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.ts$/.test(file)).sort()
  const entries = await Promise.all(
    files.map(
      async (file) =>
        [file.replace('.ts', ''), (await import(pathToFileURL(join(folder, file)).href)) as Migration] as const,
    ),
  )
  return Object.fromEntries(entries)
}

/**
 * Brings the database to the newest shape under an advisory lock, so that several nodes may start at once. Returns
 * the names applied.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    // A migration, and the wait for another node's, may take longer than anything that a person asks for.
    await sql`set lock_timeout = 0`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const migrator = new Migrator({ db: connection, provider: { getMigrations: readMigrations } })
      const { error, results } = await migrator.migrateToLatest()
      if (error) throw error
      return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
    } finally {
      await sql`reset lock_timeout`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

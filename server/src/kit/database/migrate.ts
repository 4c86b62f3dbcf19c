import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql, type Kysely, type Transaction } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Tables } from './db.ts'

const folder = join(import.meta.dirname, '../../../migrations')

/** This Waybill is older than its database: the message is a sentence for who starts it. */
export class NewerDatabaseError extends Error {}

/** Every migration by its name, in their order. */
export async function readMigrations(): Promise<Record<string, Migration>> {
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
 * Brings the database to the newest shape under an advisory lock, so that several nodes may start at once. A migration
 * that landed later with a lower number is applied where it is missing (decision 044). Returns the names applied.
 * Errors: NewerDatabaseError.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    // A migration, and the wait for another node's, may take longer than anything that a person asks for.
    await sql`set lock_timeout = 0`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const migrator = new Migrator({
        db: connection,
        provider: { getMigrations: readMigrations },
        allowUnorderedMigrations: true,
      })
      await refuseNewer(connection)
      const { error, results } = await migrator.migrateToLatest()
      if (error) throw error
      return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
    } finally {
      await sql`reset lock_timeout`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

async function refuseNewer(db: Kysely<Tables>): Promise<void> {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('public.kysely_migration') is not null as "isThere"
  `.execute(db)
  if (!tables[0]!.isThere) return
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const known = await readMigrations()
  const unknown = rows.filter(({ name }) => !(name in known)).map(({ name }) => name)
  if (unknown.length > 0)
    throw new NewerDatabaseError(
      `The database was brought up to date by a newer Waybill (${unknown.join(', ')}): start that one, or a newer one.`,
    )
}

/** The SHA-256 of the text of every migration, by its name. */
export async function migrationHashes(): Promise<Map<string, string>> {
  const names = Object.keys(await readMigrations())
  const texts = await Promise.all(names.map((name) => readFile(join(folder, `${name}.ts`), 'utf8')))
  const hashOf = (text: string) => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
  return new Map(names.map((name, index) => [name, hashOf(texts[index]!)]))
}

/** Applies these migrations and no others, in the caller's transaction: the shape that a backup was made in. */
export async function migrateTo(db: Transaction<Tables>, names: readonly string[]): Promise<void> {
  const all = await readMigrations()
  const wanted = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => wanted },
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { sql, type Kysely, type Transaction } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Tables } from './db.ts'

const folder = join(import.meta.dirname, '../../../migrations')

/** This Waybill is older than its database: the message is a sentence for who starts it. */
export class NewerDatabaseError extends Error {}

/** The names of all migrations, in their order. */
async function migrationNames(): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.ts$/.test(file))
  return files.map((file) => file.replace('.ts', '')).sort()
}

/** Every migration by its name, in their order. Most starts want the names alone: reading all takes a tenth of one. */
export async function readMigrations(): Promise<Record<string, Migration>> {
  const entries = (await migrationNames()).map(
    async (name) => [name, (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as Migration] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

/** Held alone by who changes the shape of the tables, and shared by a backup while it reads them. */
export const SHAPE_LOCK = `hashtext('waybill shape')`

export interface MigrateOptions {
  /** tells the person at the terminal what is waited for */
  say?(line: string): void
  /** how long a migration may wait for a table: whatever else asks for it stands behind it meanwhile */
  lockWaitMs?: number
  pauseMs?: number
}

const isLockTimeout = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/**
 * Brings the database to the newest shape, one node at a time, so that several may start at once. A migration that
 * landed later with a lower number is applied where it is missing (decision 044). Nodes that serve are hindered for
 * moments only: a backup that reads the tables is waited for outside of them, and a table that somebody uses is tried
 * again and again. Returns the names applied. Errors: NewerDatabaseError.
 */
export async function migrateToLatest(
  db: Kysely<Tables>,
  { say = () => undefined, lockWaitMs = 3000, pauseMs = 2000 }: MigrateOptions = {},
): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    if (!(await isOutOfDate(connection))) return []
    // A migration, and the wait for another node's, may take longer than anything that a person asks for.
    await sql`set lock_timeout = 0`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      await lockShape(connection, say)
      await sql`set lock_timeout = ${sql.lit(lockWaitMs)}`.execute(connection)
      const migrator = new Migrator({
        db: connection,
        provider: { getMigrations: readMigrations },
        allowUnorderedMigrations: true,
      })
      for (;;) {
        const { error, results } = await migrator.migrateToLatest()
        if (!error)
          return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
        if (!isLockTimeout(error)) throw error
        say('Waiting for a table that somebody uses for long, to bring the database up to date …')
        await wait(pauseMs)
      }
    } finally {
      await sql`select pg_advisory_unlock_all()`.execute(connection)
      await sql`reset lock_timeout`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

async function lockShape(db: Kysely<Tables>, say: (line: string) => void): Promise<void> {
  const { rows } = await sql<{
    isOurs: boolean
  }>`select pg_try_advisory_lock(${sql.raw(SHAPE_LOCK)}) as "isOurs"`.execute(db)
  if (rows[0]!.isOurs) return
  say('Waiting until a backup has read the tables, or another Waybill has brought them up to date …')
  await sql`select pg_advisory_lock(${sql.raw(SHAPE_LOCK)})`.execute(db)
}

/** Whether migrations are missing; one that is not known is a newer Waybill's. Errors: NewerDatabaseError. */
async function isOutOfDate(db: Kysely<Tables>): Promise<boolean> {
  const { rows: tables } = await sql<{ isThere: boolean }>`
    select to_regclass('public.kysely_migration') is not null as "isThere"
  `.execute(db)
  if (!tables[0]!.isThere) return true
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const known = await migrationNames()
  const unknown = rows.filter(({ name }) => !known.includes(name)).map(({ name }) => name)
  if (unknown.length > 0)
    throw new NewerDatabaseError(
      `The database was brought up to date by a newer Waybill (${unknown.join(', ')}): start that one, or a newer one.`,
    )
  return rows.length < known.length
}

/** The SHA-256 of the text of every migration, by its name. */
export async function migrationHashes(): Promise<Map<string, string>> {
  const names = await migrationNames()
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

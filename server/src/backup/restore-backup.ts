import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Tables } from '../kit/database/db.ts'
import { migrateTo, migrationHashes } from '../kit/database/migrate.ts'
import { reasonOf } from '../kit/context/reason.ts'
import type { NumberedKey, SecretKeys } from '../kit/context/vault.ts'
import { changeKeys } from '../keys/rotate-keys.ts'
import type { FileStore } from '../kit/files/files.ts'
import { endRestoredAccess, holdNumbers, nextNumbers, renameInstallation, type NextNumber } from './after-restore.ts'
import { BackupError, type BackupPlace } from './backup-place.ts'
import { readContent, readSigned, type Manifest } from './manifest.ts'
import { filesOf, readParts } from './parts.ts'
import { holdOutbox } from './restored-outbox.ts'

/** Where a backup is restored to. */
export interface RestoreTarget {
  /** of the role that will own the tables */
  ownerUrl: string
  files: Pick<FileStore, 'put' | 'remove' | 'count'>
  /** of the files, as people know it */
  filesLabel: string
  /** those before the newest open what was backed up before they were changed */
  keys: SecretKeys
}

export interface Restored {
  manifest: Manifest
  rows: number
  files: number
  /** what waits for a word, by its table */
  held: Record<string, number>
  /** what the next invoices would be called: those that were sent since the backup have these numbers already */
  numbers: NextNumber[]
}

const plain = (name: string): string => pg.escapeIdentifier(name)

async function refuseUnknownShape({ migrations, waybill }: Manifest): Promise<void> {
  const hashes = await migrationHashes()
  const unknown = migrations.filter(({ name }) => !hashes.has(name)).map(({ name }) => name)
  if (unknown.length > 0)
    throw new BackupError(
      `This backup was made by a newer Waybill (${waybill}; here ${unknown.join(', ')} is not known): restore it ` +
        'with that one, or a newer one.',
    )
  const changed = migrations.filter(({ name, sha256 }) => hashes.get(name) !== sha256).map(({ name }) => name)
  if (changed.length > 0)
    throw new BackupError(
      `The migrations ${changed.join(', ')} are not those that this backup was made with: restore it with the ` +
        `Waybill that made it (${waybill}).`,
    )
}

async function refuseFull(client: pg.Client, { files, filesLabel }: RestoreTarget): Promise<void> {
  const { rows } = await client.query<{ name: string; tables: number }>(
    `select current_database() as name, count(*)::int as tables from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  )
  const { name, tables } = rows[0]!
  if (tables > 0)
    throw new BackupError(
      `The database ${name} is not empty: a backup is restored into an empty one only, and nothing is overwritten.`,
    )
  const kept = await files.count()
  if (kept > 0)
    throw new BackupError(
      `There are ${kept} files in ${filesLabel} already: a backup is restored into an empty place only. Where an ` +
        'earlier restore was cut off, empty it first.',
    )
}

interface Shape {
  keys: { table: string; name: string; definition: string }[]
  triggers: { table: string; name: string; isAlways: boolean }[]
}

/** Takes away what would stand in the way of rows in any order: references, and what reacts to them. */
async function loosen(client: pg.Client, tables: readonly string[]): Promise<Shape> {
  const { rows: keys } = await client.query<Shape['keys'][number]>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  )
  const { rows: triggers } = await client.query<Shape['triggers'][number]>(
    `select tgrelid::regclass::text as "table", tgname as name, tgenabled = 'A' as "isAlways" from pg_trigger t
      join pg_class c on c.oid = t.tgrelid where not tgisinternal and tgenabled in ('O', 'A')
        and c.relnamespace = 'public'::regnamespace order by 1, 2`,
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${plain(name)}`)
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${plain(name)}`)
  // Migrations write rows, too: those of the backup are all.
  await client.query(`truncate ${tables.map(plain).join(', ')}`)
  return { keys, triggers }
}

async function tighten(client: pg.Client, { keys, triggers }: Shape): Promise<void> {
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${plain(name)} ${definition}`)
  for (const { table, name, isAlways } of triggers)
    await client.query(`alter table ${table} enable ${isAlways ? 'always ' : ''}trigger ${plain(name)}`)
}

async function readTable(
  client: pg.Client,
  place: BackupPlace,
  { name, columns, rows, parts }: Manifest['tables'][number],
): Promise<void> {
  const copy = client.query(copyFrom(`copy ${plain(name)} (${columns.map(plain).join(', ')}) from stdin`))
  await pipeline(readParts(place, parts), copy)
  if (copy.rowCount !== rows)
    throw new BackupError(`The table ${name} has ${copy.rowCount} rows in this backup, and should have ${rows}.`)
}

async function readDatabase(client: pg.Client, place: BackupPlace, { tables, sequences }: Manifest): Promise<void> {
  const shape = await loosen(
    client,
    tables.map(({ name }) => name),
  )
  for (const table of tables) await readTable(client, place, table)
  for (const { name, value, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [plain(name), value, isCalled])
  await tighten(client, shape)
}

async function readFiles(
  place: BackupPlace,
  manifest: Manifest,
  files: RestoreTarget['files'],
  written: string[],
): Promise<void> {
  for (const entry of await filesOf(place, manifest)) {
    const bytes = await readContent(place, entry)
    written.push(entry[0])
    await files.put(entry[0], bytes)
  }
}

/** Removes what was written; where the store takes nothing away any more, it is said beside the error. */
async function withoutFiles(
  error: Error,
  written: readonly string[],
  { files, filesLabel }: RestoreTarget,
): Promise<Error> {
  let left = 0
  for (const key of written) {
    try {
      await files.remove(key)
    } catch {
      left += 1
    }
  }
  if (left === 0) return error
  return new BackupError(
    `${reasonOf(error)} – ${left} files are left in ${filesLabel}: empty it before the next try.`,
    { cause: error },
  )
}

/** What was sealed with a key from before is sealed with the one that is used from now on. */
async function bringToNewestKey(client: pg.Client, signer: NumberedKey, keys: SecretKeys, now: Date): Promise<void> {
  if (signer.key === keys.newest.key) return
  const opens = { newest: signer, former: keys.former }
  await changeKeys(client, { opens, seals: keys }, now)
}

/** A query builder over one connection, which is used beside it. */
const over = (client: pg.Client): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => Object.assign(client, { release: () => undefined }),
        end: async () => undefined,
        options: {},
      },
    }),
  })

/**
 * Restores a backup into an empty database and an empty store of files, and brings it to the newest shape. All of the
 * database is one transaction, so a restore that is refused or cut off leaves it as it was; files that were written are
 * removed again. What would leave the house by itself waits for a word, nobody is signed in, and the database is an
 * installation of its own. Errors: BackupError.
 */
export async function restoreBackup(
  place: BackupPlace,
  id: string,
  target: RestoreTarget,
  { now = new Date() }: { now?: Date } = {},
): Promise<Restored> {
  const { manifest, signer } = await readSigned(place, id, target.keys)
  await refuseUnknownShape(manifest)
  const client = new pg.Client({
    connectionString: target.ownerUrl,
    application_name: 'waybill restore',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  await client.connect()
  const written: string[] = []
  try {
    await refuseFull(client, target)
    const held = await over(client)
      .transaction()
      .execute(async (transaction) => {
        for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
          await sql`set local ${sql.raw(limit)} = 0`.execute(transaction)
        await migrateTo(
          transaction,
          manifest.migrations.map(({ name }) => name),
        )
        await readDatabase(client, place, manifest)
        await migrateTo(transaction, [...(await migrationHashes()).keys()])
        await bringToNewestKey(client, signer, target.keys, now)
        await endRestoredAccess(client, now.toISOString())
        await renameInstallation(client)
        const times = { backupAt: manifest.createdAt, restoredAt: now.toISOString() }
        await holdNumbers(client, times)
        const waiting = await holdOutbox(client, times)
        await readFiles(place, manifest, target.files, written)
        return waiting
      })
    await client.query('analyze')
    return {
      manifest,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: written.length,
      held,
      numbers: await nextNumbers(client, now),
    }
  } catch (error) {
    throw await withoutFiles(error as Error, written, target)
  } finally {
    await client.end().catch(() => undefined)
  }
}

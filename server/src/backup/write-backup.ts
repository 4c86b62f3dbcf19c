import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { AppError } from '../kit/context/errors.ts'
import type { SecretKeys } from '../kit/context/vault.ts'
import { KEEP_ALIVE } from '../kit/database/db.ts'
import { migrationHashes, SHAPE_LOCK } from '../kit/database/migrate.ts'
import type { FileStore } from '../kit/files/files.ts'
import { BackupError, BusyError, type BackupPlace } from './backup-place.ts'
import {
  backupsIn,
  contentName,
  hashOf,
  readManifest,
  readUnproved,
  writeManifest,
  type FileEntry,
  type Manifest,
} from './manifest.ts'
import { writeParts } from './parts.ts'
import { thinBackups, type Keep } from './thin-backups.ts'

export interface BackupSource {
  /** of a role that may read all tables: the one that serves may */
  url: string
  files: Pick<FileStore, 'read'>
  keys: SecretKeys
  /** of this Waybill */
  version: string
}

export interface WrittenBackup {
  id: string
  tables: number
  rows: number
  files: number
  /** files that the place did not have yet */
  newFiles: number
  /** titles of rows whose file is not in the store, or not as the row says */
  faults: string[]
  /** older backups that went, and why none did */
  removed: number
  thinFault: string | null
  /** of what was written now, without the manifest */
  writtenBytes: number
}

// Two backups at once would take each other's parts for remains.
const LOCK = `select pg_try_advisory_xact_lock(hashtext('waybill backup')) as "isOurs"`

/** Limits of the server on transactions that wait, as far as it knows them: a store of files takes hours to copy. */
const NO_LIMITS = `select set_config(name, '0', true) from pg_settings
  where name in ('idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`

/** Takes the lock on one connection, in a transaction that stays open; the lock ends with the connection. */
async function lock(holder: pg.Client): Promise<void> {
  await holder.query('begin')
  await holder.query(NO_LIMITS)
  const { rows } = await holder.query<{ isOurs: boolean }>(LOCK)
  if (!rows[0]!.isOurs) throw new BusyError('Another backup of this installation is being made.')
}

/** Another backup may have begun since the lock was lost, and have taken what lies here for remains. */
const checkLock = (holder: pg.Client): Promise<unknown> =>
  holder.query('select 1').catch((error: Error) => {
    throw new BackupError(`The backup was interrupted: its connection to the database was lost (${error.message}).`)
  })

/** The applied migrations are made anew by migrating, and the queue's jobs from the rows that they are about. */
const MADE_ANEW = ['kysely_migration', 'kysely_migration_lock']

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'waybill backup',
    connectionTimeoutMillis: 10_000,
    ...KEEP_ALIVE,
  })
  // A lost connection fails the statement in hand, which says so.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const tablesOf = async (client: pg.Client): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and c.relname <> all($1) order by 1`,
      [MADE_ANEW],
    )
  ).rows.map(({ name }) => name)

const columnsOf = async (client: pg.Client, table: string): Promise<string[]> =>
  (
    await client.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' order by attnum`,
      [pg.escapeIdentifier(table)],
    )
  ).rows.map(({ name }) => name)

/** Keeps migrations from beginning while the tables are read: one that waited for a table would stop everybody. */
async function withShape<T>(holder: pg.Client, work: () => Promise<T>): Promise<T> {
  const { rows } = await holder.query<{ isOurs: boolean }>(
    `select pg_try_advisory_lock_shared(${SHAPE_LOCK}) as "isOurs"`,
  )
  if (!rows[0]!.isOurs) throw new BusyError('The database is being brought up to date: back up once that is done.')
  const result = await work()
  await holder.query(`select pg_advisory_unlock_shared(${SHAPE_LOCK})`)
  return result
}

/** All tables at one moment; what is held meanwhile hinders nobody. */
async function inSnapshot<T>(client: pg.Client, work: (tables: string[]) => Promise<T>): Promise<T> {
  const tables = await tablesOf(client)
  if (!tables.includes('installation_id')) throw new BackupError('There is nothing to back up: the database is empty.')
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local statement_timeout = 0')
  await client.query('set local lock_timeout = 0')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  // Before the first look, so that no migration comes between what is read and the shape that it is read in.
  await client.query(`lock table ${tables.map((name) => pg.escapeIdentifier(name)).join(', ')} in access share mode`)
  const result = await work(await tablesOf(client))
  await client.query('commit')
  return result
}

async function appliedMigrations(client: pg.Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const hashes = await migrationHashes()
  return rows.map(({ name }) => {
    const sha256 = hashes.get(name)
    if (sha256 === undefined)
      throw new BackupError(`The database was brought up to date by a newer Waybill (${name}): back up with that one.`)
    return { name, sha256 }
  })
}

async function writeTable(
  { client, place, folder, signal }: { client: pg.Client; place: BackupPlace; folder: string; signal?: AbortSignal },
  name: string,
): Promise<Manifest['tables'][number]> {
  const columns = await columnsOf(client, name)
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const copy = client.query(copyTo(`copy ${pg.escapeIdentifier(name)} (${list}) to stdout`))
  const parts = await writeParts(place, `${folder}/${name}`, copy, signal)
  return { name, columns, rows: copy.rowCount, parts }
}

async function sequencesOf(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  )
  const sequences: Manifest['sequences'] = []
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${pg.escapeIdentifier(name)}`,
    )
    sequences.push({ name, ...values[0]! })
  }
  return sequences
}

/** What is null its table does not say. */
interface FileRow {
  key: string
  title: string | null
  sha256: string | null
  sizeBytes: number | null
}

/** Every row that a file of the store belongs to. */
async function fileRowsOf(client: pg.Client): Promise<FileRow[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select attrelid::regclass::text as name, array_agg(attname::text) as columns
      from pg_attribute join pg_class c on c.oid = attrelid
      where attnum > 0 and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      group by attrelid having 'fileKey' = any(array_agg(attname::text)) order by 1`,
  )
  const union = tables.map(({ name, columns }) => {
    const one = (column: string, type: string) => (columns.includes(column) ? `"${column}"` : `null::${type}`)
    const known = [one('title', 'text'), one('sha256', 'text'), one('sizeBytes', 'bigint')].join(', ')
    return `select "fileKey", ${known} from ${name} where "fileKey" is not null`
  })
  const rows = `select * from (${union.join(' union all ')}) file (key, title, sha256, "sizeBytes")`
  return (await client.query<FileRow>(rows)).rows
}

interface CopiedFiles {
  entries: FileEntry[]
  newFiles: number
  faults: string[]
  writtenBytes: number
}

/** Copies what the place has not; a file that was deleted since the snapshot is no fault of the store. */
async function copyFiles(
  rows: readonly FileRow[],
  { files, place, signal }: { files: BackupSource['files']; place: BackupPlace; signal?: AbortSignal },
): Promise<CopiedFiles> {
  const there = await place.list('files')
  const copied: CopiedFiles = { entries: [], newFiles: 0, faults: [], writtenBytes: 0 }
  for (const { key, title, sha256, sizeBytes } of rows) {
    signal?.throwIfAborted()
    if (sha256 !== null && sizeBytes !== null && there.get(contentName(sha256)) === Number(sizeBytes)) {
      copied.entries.push([key, sha256, Number(sizeBytes)])
      continue
    }
    let bytes: Buffer
    try {
      bytes = await files.read(key)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'file_missing') throw error
      copied.faults.push(title ?? key)
      continue
    }
    // One that is not what its row says is kept as it is: it may be all that is left.
    const hash = hashOf(bytes)
    if (sha256 !== null && hash !== sha256) copied.faults.push(title ?? key)
    if (there.get(contentName(hash)) !== bytes.length) {
      await place.put(contentName(hash), bytes)
      there.set(contentName(hash), bytes.length)
      copied.newFiles += 1
      copied.writtenBytes += bytes.length
    }
    copied.entries.push([key, hash, bytes.length])
  }
  return copied
}

/** The place of another one is taken over only with a word, and with the key that signed what lies in it. */
async function refuseForeign(
  place: BackupPlace,
  { installation, keys, isTakenOver }: { installation: string; keys: SecretKeys; isTakenOver: boolean },
): Promise<void> {
  const last = (await backupsIn(place)).at(-1)
  if (last === undefined) return
  if (isTakenOver) {
    await readManifest(place, last, keys)
    return
  }
  const { manifest } = await readUnproved(place, last)
  if (manifest.installation !== installation)
    throw new BackupError(
      `${place.label} holds the backups of another installation: choose a place of its own. A restored database is ` +
        'one; where it takes the place of the old one for good, say so once: npm run backup -- --take-over PLACE',
    )
}

/** The new backup is good whatever becomes of the old ones. */
const thin = (place: BackupPlace, keys: SecretKeys, keep: Keep) =>
  thinBackups(place, keys, keep).then(
    (removed) => ({ removed, thinFault: null }),
    (error: Error) => ({ removed: 0, thinFault: error.message }),
  )

// To the millisecond: which of two is the newer is read off their names.
const idOf = (at: Date): string => `${at.toISOString().replaceAll(/[:.Z]/g, '')}Z-${randomBytes(4).toString('hex')}`

/**
 * Backs up database and files while people work: every table as of one moment, and those files that the place has not
 * yet. `isTakenOver`: what lies there of another installation with the same key is ours from now on. Errors:
 * BackupError; another backup that is being made is one.
 */
export async function writeBackup(
  { url, files, keys, version }: BackupSource,
  place: BackupPlace,
  {
    now = new Date(),
    signal,
    keep,
    isTakenOver = false,
  }: { now?: Date; signal?: AbortSignal; keep?: Keep; isTakenOver?: boolean } = {},
): Promise<WrittenBackup> {
  const id = idOf(now)
  const folder = `data/${id}`
  const holder = await connect(url)
  const client = await connect(url)
  try {
    await lock(holder)
    const inShape = <T>(work: (tables: string[]) => Promise<T>) => withShape(holder, () => inSnapshot(client, work))
    const snapshot = await inShape(async (tables) => {
      const { rows } = await client.query<{ installation: string; postgres: string }>(
        `select id as installation, current_setting('server_version') as postgres from installation_id`,
      )
      const { installation, postgres } = rows[0]!
      await refuseForeign(place, { installation, keys, isTakenOver })
      const migrations = await appliedMigrations(client)
      const written: Manifest['tables'] = []
      for (const name of tables) written.push(await writeTable({ client, place, folder, signal }, name))
      // They stand outside of every snapshot: read last, they are not behind the rows.
      return {
        installation,
        postgres,
        migrations,
        tables: written,
        sequences: await sequencesOf(client),
        fileRows: await fileRowsOf(client),
      }
    })
    const { fileRows, ...database } = snapshot
    const { entries, newFiles, faults, writtenBytes } = await copyFiles(fileRows, { files, place, signal })
    const list = Readable.from(entries.map((entry) => `${JSON.stringify(entry)}\n`))
    const parts = await writeParts(place, `${folder}/files`, list, signal)
    const manifest: Manifest = {
      format: 1,
      id,
      createdAt: now.toISOString(),
      waybill: version,
      ...database,
      files: {
        count: entries.length,
        sizeBytes: entries.reduce((sum, [, , size]) => sum + size, 0),
        missing: fileRows.length - entries.length,
        parts,
      },
    }
    await checkLock(holder)
    await writeManifest(place, keys, manifest)
    if (keep !== undefined) await checkLock(holder)
    const thinned = keep === undefined ? { removed: 0, thinFault: null } : await thin(place, keys, keep)
    const sizeOf = (list: readonly { sizeBytes: number }[]) => list.reduce((sum, part) => sum + part.sizeBytes, 0)
    return {
      id,
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
      files: entries.length,
      newFiles,
      faults,
      ...thinned,
      writtenBytes: writtenBytes + sizeOf(manifest.tables.flatMap((table) => table.parts)) + sizeOf(parts),
    }
  } finally {
    await client.end().catch(() => undefined)
    await holder.end().catch(() => undefined)
  }
}

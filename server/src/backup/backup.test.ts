import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedDemo } from '../../seeds/demo/seed-demo.ts'
import { ADMIN, useTestApp } from '../../test/app.ts'
import { openFileStore, type TestFileStore } from '../../test/file-stores.ts'
import { jobContext } from '../../test/job-context.ts'
import { INVOICE_MAIL, startMailServer } from '../../test/mail-server.ts'
import { emptyDatabase, type FreshDatabase } from '../../test/database/postgres.ts'
import { testPorts } from '../../test/ports.ts'
import { startS3Server, type S3Server } from '../../test/s3-server.ts'
import { buildServer } from '../app/server.ts'
import { TABLE_RIGHTS } from '../app/table-rights.ts'
import { oneKey } from '../kit/context/vault.ts'
import { openDatabase } from '../kit/database/db.ts'
import { SHAPE_LOCK } from '../kit/database/migrate.ts'
import { grantToApplication } from '../kit/database/roles.ts'
import { createMailer } from '../kit/mail/mailer.ts'
import { wakeEmails } from '../modules/email/index.ts'
import { heldNumbers, noteLastNumber } from './after-restore.ts'
import { openBackupPlace, type BackupPlace } from './backup-place.ts'
import { backupsIn, readManifest, writeManifest } from './manifest.ts'
import { restoreBackup } from './restore-backup.ts'
import { releaseOutbox } from './restored-outbox.ts'
import { chooseBackup, verifyBackup } from './verify-backup.ts'
import { writeBackup, type WrittenBackup } from './write-backup.ts'

// Each restores once or more, which takes seconds, and many where the machine is busy.
const LONG_MS = 120_000
const KEYS = oneKey('a key of the tests that nobody else has')
const app = useTestApp()
const folders: string[] = []
const databases: FreshDatabase[] = []
const stores: TestFileStore[] = []
let s3: S3Server
let folder: string
let place: BackupPlace
let first: WrittenBackup

const newFolder = async () => {
  folders.push(await mkdtemp(join(tmpdir(), 'waybill-backup-')))
  return folders.at(-1)!
}

const backUpTo = (to: BackupPlace, more: { signal?: AbortSignal } = {}) =>
  writeBackup({ url: app.databaseUrl, files: app.ports.files, keys: KEYS, version: '0.1.0' }, to, more)

/** An empty database and an empty store. */
async function newTarget(storage: 'folder' | 's3' = 'folder') {
  const [database, store] = [await emptyDatabase(), await openFileStore(storage)]
  databases.push(database)
  stores.push(store)
  return {
    database,
    store,
    target: { ownerUrl: database.ownerUrl, files: store.files, filesLabel: 'the test store', keys: KEYS },
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Count and sum of a hash over the rows, of every table. */
const sumsOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname not in ('kysely_migration', 'kysely_migration_lock', 'restore_hold') order by 1`,
    )
    const sums: Record<string, unknown> = {}
    for (const { name } of tables)
      sums[name] = (
        await client.query(
          `select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum from ${name} t`,
        )
      ).rows[0]
    return sums
  })

/** What a restore changes on purpose: who is in, and what the installation is called. */
const CHANGED = [
  'number_hold',
  'installation_id',
  'session',
  'access_token',
  'account_token',
  'passkey_challenge',
  'sign_in_challenge',
  'provider_attempt',
]
const withoutChanged = (sums: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(sums).filter(([name]) => !CHANGED.includes(name)))

/** Everything that says what the database refuses: references, checks, triggers, and where its sequences stand. */
const shapeOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
          where connamespace = 'public'::regnamespace and contype <> 'n'
        union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger
          where not tgisinternal
        union all select sequencename || ' ' || coalesce(last_value::text, '') from pg_sequences
          where schemaname = 'public' order by 1`,
    )
    return rows.map(({ line }) => line)
  })

const tablesIn = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace`,
    )
    return rows[0]!.count
  })

beforeAll(async () => {
  s3 = await startS3Server()
  await seedDemo(app.host, () => undefined, { orders: 60, customers: 15, carriers: 10, seed: 20_261_124 })
  folder = await newFolder()
  place = openBackupPlace({ kind: 'folder', folder })
  first = await backUpTo(place)
}, 120_000)

afterAll(async () => {
  for (const { drop } of databases) await drop()
  for (const { close } of stores) await close()
  for (const path of folders) await rm(path, { recursive: true, force: true })
  await s3.close()
})

describe('a backup', () => {
  it('holds every row and every file, and is found whole', async () => {
    expect(first).toMatchObject({ faults: [], newFiles: expect.any(Number) })
    const manifest = await verifyBackup(place, await chooseBackup(place, null), KEYS)
    const sums = await sumsOf(app.ownerUrl)
    expect(Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows]))).toEqual(
      Object.fromEntries([
        ...Object.entries(sums).map(([name, sum]) => [name.replaceAll('"', ''), (sum as { count: number }).count]),
        ['restore_hold', 0],
      ]),
    )
    expect(manifest.files).toMatchObject({ count: first.files, missing: 0 })
    expect(first.files).toBeGreaterThan(20)
  })

  it('copies only files that the place does not have yet', { tags: 'long' }, async () => {
    const second = await backUpTo(place)
    expect(second).toMatchObject({ files: first.files, newFiles: 0 })
    expect(await chooseBackup(place, null)).toBe(second.id)
    expect(await chooseBackup(place, first.id)).toBe(first.id)
  })

  it('waits for no other, and says that one is being made', async () => {
    await withClient(app.databaseUrl, async (client) => {
      await client.query('begin')
      await client.query(`select pg_advisory_xact_lock(hashtext('waybill backup'))`)
      await expect(backUpTo(place)).rejects.toThrow('Another backup of this installation is being made.')
    })
  })

  it('is none where its lock was lost on the way: another one may have begun since', { tags: 'long' }, async () => {
    const quiet = openBackupPlace({ kind: 'folder', folder: await newFolder() })
    let cut = 0
    const cutting: BackupPlace = {
      ...quiet,
      async put(name, bytes) {
        if (cut === 0 && name.startsWith('files/'))
          cut = await withClient(app.databaseUrl, async (client) => {
            const { rows } = await client.query(`select pg_terminate_backend(pid) from pg_locks
              join pg_stat_activity using (pid) where locktype = 'advisory' and granted
                and datname = current_database() and application_name = 'waybill backup'`)
            return rows.length
          })
        await quiet.put(name, bytes)
      },
    }
    await expect(backUpTo(cutting)).rejects.toThrow(
      /^The backup was interrupted: its connection to the database was lost/,
    )
    expect(cut).toBe(1)
    expect(await backupsIn(quiet)).toEqual([])
  })

  it('keeps migrations away while it reads tables, not while it copies files, and keeps out of theirs', {
    tags: 'long',
  }, async () => {
    const isFree = () =>
      withClient(app.databaseUrl, async (client) => {
        const { rows } = await client.query(`select pg_try_advisory_lock(${SHAPE_LOCK}) as is`)
        return rows[0].is as boolean
      })
    const quiet = openBackupPlace({ kind: 'folder', folder: await newFolder() })
    const seen: Record<string, boolean> = {}
    const watching: BackupPlace = {
      ...quiet,
      async put(name, bytes) {
        seen[name.split('/')[0]!] ??= await isFree()
        await quiet.put(name, bytes)
      },
    }
    await backUpTo(watching)
    expect(seen).toEqual({ data: false, files: true, manifests: true })
    await withClient(app.databaseUrl, async (client) => {
      await client.query(`select pg_advisory_lock(${SHAPE_LOCK})`)
      await expect(backUpTo(quiet)).rejects.toThrow('The database is being brought up to date')
    })
  })

  it('keeps out of the place of another installation', async () => {
    const manifest = await readManifest(place, first.id, KEYS)
    const other = openBackupPlace({ kind: 'folder', folder: await newFolder() })
    await writeManifest(other, oneKey('k'.repeat(32)), {
      ...manifest,
      installation: '0b5c1d54-6f0e-4a3e-9a51-3d3c7a0c4d11',
    })
    await expect(backUpTo(other)).rejects.toThrow('holds the backups of another installation')
  })

  it('says which files were missing in the store, and keeps the others', { tags: 'long' }, async () => {
    const { rows } = await app.database.pool.query<{ fileKey: string; title: string; sha256: string }>(
      `select "fileKey", title, sha256 from document d
        where (select count(*) from document twin where twin.sha256 = d.sha256) = 1 order by id limit 1`,
    )
    const [gone] = rows
    const bytes = await app.ports.files.read(gone!.fileKey)
    await app.ports.files.remove(gone!.fileKey)
    const other = openBackupPlace({ kind: 'folder', folder: await newFolder() })
    const written = await backUpTo(other).finally(() => app.ports.files.put(gone!.fileKey, bytes))
    expect(written).toMatchObject({ faults: [gone!.title], files: first.files - 1 })
    expect((await verifyBackup(other, written.id, KEYS)).files.missing).toBe(1)
  })

  it('has every write that was acknowledged before it began, while others go on writing', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const ledger: number[] = []
    const countryId = await app.idOf('country', 'code', 'DE')
    const create = async (title: string) => {
      const { status, body } = await app.admin.post('customers', { title, countryId })
      expect(status).toBe(201)
      return body.id as number
    }
    let isOver = false
    const writers = [1, 2, 3].map(async (writer) => {
      for (let step = 0; !isOver; step += 1) ledger.push(await create(`Writer ${writer} step ${step}`))
    })
    while (ledger.length < 10) await new Promise((resolve) => setImmediate(resolve))
    const before = [...ledger]
    const { id } = await backUpTo(place)
    isOver = true
    await Promise.all(writers)
    const { database, target } = await newTarget()
    await restoreBackup(place, id, target)
    const there = await withClient(database.ownerUrl, async (client) =>
      (await client.query<{ id: number }>('select id from customer')).rows.map((row) => Number(row.id)),
    )
    expect(there).toEqual(expect.arrayContaining(before))
  })
})

describe('a restore', () => {
  it(
    'brings back every row, file, reference and trigger, and people sign in anew',
    async () => {
      const open = (await app.signIn(ADMIN.email, ADMIN.password)).body
      await app.asOwner(`insert into account_token (hash, "userId", purpose, email, "createdAt", "expiresAt")
        select 'a link', id, 'password_recovery', email, now(), now() + interval '1 hour' from "user" limit 1`)
      const [sums, shape] = [await sumsOf(app.ownerUrl), await shapeOf(app.ownerUrl)]
      const { id } = await backUpTo(place)
      const { database, store, target } = await newTarget()
      const restored = await restoreBackup(place, id, target)
      const there = await sumsOf(database.ownerUrl)
      expect(withoutChanged(there)).toEqual(withoutChanged(sums))
      expect(await shapeOf(database.ownerUrl)).toEqual(shape)
      // A session that was ended after the backup, or a link that was used, does not live again.
      for (const table of ['access_token', 'account_token']) {
        expect([table, sums[table]]).toEqual([
          table,
          { count: expect.any(Number), sum: expect.not.stringMatching('^0$') },
        ])
        expect([table, there[table]]).toEqual([table, { count: 0, sum: '0' }])
      }
      const { rows } = await app.database.pool.query<{ fileKey: string }>(
        `select "fileKey" from document union select "fileKey" from upload_file where "fileKey" is not null
         union select "fileKey" from intake_mail where "fileKey" is not null`,
      )
      expect(restored.files).toBe(rows.length)
      for (const { fileKey } of rows)
        expect(await store.files.read(fileKey)).toEqual(await app.ports.files.read(fileKey))

      await grantToApplication(database, TABLE_RIGHTS)
      const [opened, ports] = [openDatabase(database.url), await testPorts(database.url)]
      const { app: again } = await buildServer({
        database: opened,
        ports,
        clock: app.clock,
        health: { isDraining: false, parts: {} },
        logger: null,
        trustedProxies: [],
      })
      const withToken = await again.inject({ url: '/api/profile', headers: { authorization: `Bearer ${open.token}` } })
      const { refreshToken } = open
      const renewed = await again.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken } })
      const answer = await again.inject({ method: 'POST', url: '/api/token', payload: ADMIN })
      await again.close()
      await ports.close()
      await opened.close()
      expect([withToken.statusCode, renewed.statusCode, answer.statusCode]).toEqual([401, 401, 200])
      expect((await app.anonymous.post('token/refresh', { refreshToken })).status).toBe(200)
    },
    LONG_MS,
  )

  it('is an installation of its own: it keeps out of the old one’s place until it takes over, and no number twice', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const shared = openBackupPlace({ kind: 'folder', folder: await newFolder() })
    const { id } = await backUpTo(shared)
    const { database, store, target } = await newTarget()
    const { numbers } = await restoreBackup(shared, id, target)
    const source = { url: database.ownerUrl, files: store.files, keys: KEYS, version: '0.1.0' }
    const foreign = /holds the backups of another installation.*npm run backup -- --take-over PLACE/
    await expect(writeBackup(source, shared, {})).rejects.toThrow(foreign)
    expect(await backupsIn(shared)).toEqual([id])
    // The old one goes on there, until somebody gives the place away, with the key of what lies in it.
    await backUpTo(shared)
    const otherKey = { ...source, keys: oneKey('k'.repeat(32)) }
    await expect(writeBackup(otherKey, shared, { isTakenOver: true })).rejects.toThrow('with another SECRET_KEY')
    await writeBackup(source, shared, { isTakenOver: true })
    await expect(backUpTo(shared)).rejects.toThrow(foreign)
    await writeBackup(source, shared, {})

    const [{ companyId, counter, number } = { companyId: 0, counter: 0, number: '' }] = numbers
    const { body: known } = await app.admin.get(`companies/${companyId}/invoice-counter`)
    expect([counter, number]).toEqual([known.next, expect.stringContaining(String(known.next))])
    await withClient(database.ownerUrl, async (client) => {
      const note = (last: number, company = companyId) =>
        noteLastNumber(client, { companyId: company, last }, new Date())
      await expect(note(7, 999_999)).rejects.toThrow('There is no company 999999 that numbers invoices.')
      const held = async () => (await heldNumbers(client, new Date())).map((one) => one.companyId)
      expect(await held()).toEqual(numbers.map((one) => one.companyId))
      expect(await note(counter + 39)).toMatchObject({ companyId, counter: counter + 40 })
      expect(await held()).not.toContain(companyId)
      await expect(note(counter + 38)).rejects.toThrow(`the last one cannot be ${counter + 38}`)
      expect(await note(counter + 39)).toMatchObject({ counter: counter + 40 })
    })
  })

  it('goes by S3, with the files in a bucket before and after', { tags: 'long', timeout: LONG_MS }, async () => {
    const bucket = openBackupPlace({ kind: 's3', ...s3.place, prefix: 'backups' })
    await expect(chooseBackup(bucket, null)).rejects.toThrow('There is no backup in s3://waybill-test/backups.')
    const { id } = await backUpTo(bucket)
    expect(await backUpTo(bucket)).toMatchObject({ newFiles: 0 })
    await verifyBackup(bucket, id, KEYS)
    const { database, store, target } = await newTarget('s3')
    await restoreBackup(bucket, id, target)
    expect(withoutChanged(await sumsOf(database.ownerUrl))).toEqual(withoutChanged(await sumsOf(app.ownerUrl)))
    expect(await store.files.count()).toBe(first.files)
  })

  it('refuses a database and a store that are not empty, and leaves them', async () => {
    const { target, store } = await newTarget()
    await expect(restoreBackup(place, first.id, { ...target, ownerUrl: app.ownerUrl })).rejects.toThrow(
      /^The database test_\w+ is not empty: a backup is restored into an empty one only/,
    )
    await store.files.put('0'.repeat(32), Buffer.from('somebody’s'))
    await expect(restoreBackup(place, first.id, target)).rejects.toThrow(
      'There are 1 files in the test store already: a backup is restored into an empty place only.',
    )
    expect(await tablesIn(target.ownerUrl)).toBe(0)
  })

  it('says which files are left where the store neither takes nor gives', { tags: 'long' }, async () => {
    const { target, store } = await newTarget()
    const files = {
      count: () => store.files.count(),
      put: async (key: string, bytes: Buffer) => {
        if ((await store.files.count()) === 1) throw new Error('the disk is full')
        await store.files.put(key, bytes)
      },
      remove: () => Promise.reject(new Error('it is away')),
    }
    await expect(restoreBackup(place, first.id, { ...target, files })).rejects.toThrow(
      'the disk is full – 2 files are left in the test store: empty it before the next try.',
    )
    expect(await tablesIn(target.ownerUrl)).toBe(0)
  })

  it('refuses another key, and a manifest that was changed', async () => {
    const { target } = await newTarget()
    const foreign = /was signed with another SECRET_KEY \(number 1\), or was changed afterwards/
    await expect(restoreBackup(place, first.id, { ...target, keys: oneKey('k'.repeat(32)) })).rejects.toThrow(foreign)
    const other = await newFolder()
    const text = await readFile(join(folder, 'manifests', `${first.id}.json`), 'utf8')
    const changed = openBackupPlace({ kind: 'folder', folder: other })
    await changed.put(
      `manifests/${first.id}.json`,
      Buffer.from(text.replace('"waybill": "0.1.0"', '"waybill": "0.1.1"')),
    )
    await expect(verifyBackup(changed, first.id, KEYS)).rejects.toThrow(foreign)
    await expect(restoreBackup(changed, first.id, target)).rejects.toThrow(foreign)
    await changed.put(`manifests/${first.id}.json`, Buffer.from(text.slice(0, -40)))
    await expect(verifyBackup(changed, first.id, KEYS)).rejects.toThrow('is damaged')
  })

  it('refuses what a newer Waybill made, and migrations that are others', async () => {
    const { target } = await newTarget()
    const manifest = await readManifest(place, first.id, KEYS)
    const newer = openBackupPlace({ kind: 'folder', folder: await newFolder() })
    const [migration] = manifest.migrations
    await writeManifest(newer, KEYS, {
      ...manifest,
      waybill: '9.0.0',
      migrations: [...manifest.migrations, { ...migration!, name: '9999-later' }],
    })
    await expect(restoreBackup(newer, first.id, target)).rejects.toThrow(
      'made by a newer Waybill (9.0.0; here 9999-later',
    )
    await writeManifest(newer, KEYS, {
      ...manifest,
      migrations: manifest.migrations.map((one) => ({ ...one, sha256: '0'.repeat(64) })),
    })
    await expect(restoreBackup(newer, first.id, target)).rejects.toThrow('are not those that this backup was made with')
  })

  it('refuses a backup with a part missing or changed, or with rows missing, and leaves nothing behind', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const { target, store } = await newTarget()
    const other = await newFolder()
    const damaged = openBackupPlace({ kind: 'folder', folder: other })
    const { id } = await backUpTo(damaged)
    const manifest = await readManifest(damaged, id, KEYS)
    const refused = async (words: RegExp) => {
      await expect(verifyBackup(damaged, id, KEYS)).rejects.toThrow(words)
      await expect(restoreBackup(damaged, id, target)).rejects.toThrow(words)
      expect(await tablesIn(target.ownerUrl)).toBe(0)
      expect(await store.files.count()).toBe(0)
    }
    const file = [...(await damaged.list('files')).keys()].at(-1)!
    const bytes = (await damaged.get(file))!
    await damaged.remove(file)
    await refused(/^files\/\w\w\/\w+ is missing in .*: this backup is not whole\.$/)
    await damaged.put(file, Buffer.concat([bytes.subarray(1), Buffer.from('x')]))
    await refused(/is not what was backed up: this backup is damaged\.$/)
    await damaged.put(file, bytes)
    const part = manifest.tables.find(({ name }) => name === 'customer')!.parts[0]!
    const rows = (await damaged.get(part.name))!
    await writeFile(join(other, part.name), rows.subarray(0, rows.length - 9))
    await refused(/customer\.1\.gz in .* is not what was backed up/)
    await writeFile(join(other, part.name), rows)
    await writeManifest(damaged, KEYS, {
      ...manifest,
      tables: manifest.tables.map((table) => (table.name === 'customer' ? { ...table, rows: table.rows + 1 } : table)),
    })
    await refused(/^The table customer has \d+ rows in this backup, and should have \d+\.$/)
  })

  it('finds no backup where the only one was cut off, and the next one does not mind', { tags: 'long' }, async () => {
    const other = await newFolder()
    const cut = openBackupPlace({ kind: 'folder', folder: other })
    const stop = new AbortController()
    let parts = 0
    const stopping: BackupPlace = {
      ...cut,
      async put(name, bytes) {
        await cut.put(name, bytes)
        parts += 1
        if (parts === 20) stop.abort()
      },
    }
    await expect(backUpTo(stopping, { signal: stop.signal })).rejects.toThrow()
    expect((await readdir(other)).sort()).toEqual(['data', 'unfinished'])
    await expect(chooseBackup(cut, null)).rejects.toThrow(
      `There is no finished backup in ${other}: one was begun there and did not come to its end.`,
    )
    const { id } = await backUpTo(cut)
    await verifyBackup(cut, id, KEYS)
  })
})

describe('a mail that had not left when the backup was made', () => {
  it('waits after the restore until somebody lets it go, and later ones do not wait', {
    tags: 'long',
    timeout: LONG_MS,
  }, async () => {
    const mails = await startMailServer()
    const orderId = await app.idOf('order', 'status', 'new')
    const written = await app.admin.post('emails', {
      ...INVOICE_MAIL,
      orderId,
      type: 'other_emails',
      subject: 'Written before the backup',
    })
    expect(written.status, JSON.stringify(written.body)).toBe(201)
    const { id } = await backUpTo(place)
    const { database, target } = await newTarget()
    const { held } = await restoreBackup(place, id, target)
    expect(held.email).toBeGreaterThan(0)

    await grantToApplication(database, TABLE_RIGHTS)
    const [opened, ports] = [openDatabase(database.url), await testPorts(database.url)]
    ports.mailer = createMailer({ smtpUrl: mails.smtpUrl, from: 'office@waybill.example' })
    const ctx = jobContext({ ...app, database: opened, ports })
    const subjects = () => mails.inbox.map(({ mail }) => mail.subject)
    await ports.jobs.work(ctx)
    await wakeEmails.handle(ctx, { isStart: true })
    await opened.pool.query(
      `insert into email ("ownerKind", "ownerId", type, status, "to", cc, subject, html, frame, "messageId",
          "notBefore",
          "createdAt")
        select "ownerKind", "ownerId", type, 'queued', "to", cc, 'Written after the restore', html, frame,
          '<later@waybill.mail>', now(), now() from email where subject = 'Written before the backup'`,
    )
    await wakeEmails.handle(ctx, { isStart: true })
    await expect.poll(subjects, { timeout: 20_000 }).toContain('Written after the restore')
    expect(subjects()).not.toContain('Written before the backup')

    expect(await withClient(database.url, (client) => releaseOutbox(client, { isDropped: false }))).toEqual(held)
    await wakeEmails.handle(ctx, { isStart: true })
    await expect.poll(subjects, { timeout: 20_000 }).toContain('Written before the backup')
    await ports.close()
    await opened.close()
    await mails.close()
  })

  it('is dropped where somebody says so', { tags: 'long', timeout: LONG_MS }, async () => {
    const { database, target } = await newTarget()
    await restoreBackup(place, await chooseBackup(place, null), target)
    await grantToApplication(database, TABLE_RIGHTS)
    await withClient(database.url, async (client) => {
      const dropped = await releaseOutbox(client, { isDropped: true })
      expect(dropped.email).toBeGreaterThan(0)
      const { rows } = await client.query(
        `select status, reason from email where subject = 'Written before the backup'`,
      )
      expect(rows).toEqual([{ status: 'suppressed', reason: 'canceled' }])
      expect(await releaseOutbox(client, { isDropped: true })).toEqual({})
    })
  })
})

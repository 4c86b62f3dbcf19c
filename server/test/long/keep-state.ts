// Keeps the database of a commit for `states.test.ts`, as that commit's own code makes it: its migrations, the rows
// of its first start, a few customers and carriers, and two mails with orders.
// Needs git, tar and Debian's PostgreSQL 15.
//
//   node server/test/long/keep-state.ts [COMMIT …]      without one: HEAD
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import { openDatabase, type Database } from '../../src/kit/database/db.ts'
import { startEmbeddedPostgres } from '../../src/kit/database/embedded-postgres.ts'
import { checkOut, git } from './earlier-version.ts'

const states = join(import.meta.dirname, 'states')
const binDir = '/usr/lib/postgresql/15/bin'

const load = (file: string) => import(pathToFileURL(file).href)

async function fill({ db, pool }: Database, folder: string): Promise<void> {
  const migrations = join(folder, 'server/migrations')
  const files = readdirSync(migrations).filter((file) => /^\d{4}-.*\.ts$/.test(file))
  const entries = await Promise.all(
    files.map(async (file) => [file.replace('.ts', ''), (await load(join(migrations, file))) as Migration] as const),
  )
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(entries) },
    allowUnorderedMigrations: true,
  }).migrateToLatest()
  if (error) throw error
  const { firstStart } = await load(join(folder, 'server/seeds/first-start.ts')).catch(() => ({ firstStart: null }))
  await firstStart?.({
    db,
    now: new Date('2026-11-20T08:00:00Z'),
    adminEmail: 'admin@waybill.example',
    adminPassword: 'Correct-Horse-7',
  })
  const country = `(select id from country where code = 'PL')`
  const { rows } = await pool.query(`select to_regclass('customer') is not null and ${country} is not null as "isFit"`)
  if (!rows[0].isFit) return
  await pool.query(`
    insert into customer (title, "vatNumber", "countryId", "emailPreferences", "paymentOption", "paymentPeriodDays",
      "chargeableKgPerM3", "chargeableKgPerLdm", "createdAt")
    select title, number, ${country}, '{}', 'per_order', 30, 333, 1750, '2026-11-20 08:00+00'
    from unnest(array['Fabryka Mebli Łódź S.A.', 'Raz Sp. z o.o.', 'Dwa Sp. z o.o.', 'Bez numeru'],
      array['PL 725-901-23-40', '5261040828', 'PL5261040828', null]) as given(title, number)`)
  await pool.query(`
    insert into carrier_company (title, "vatNumber", "countryId", "createdAt")
    values ('TransWarta', 'pl 781.186.85.12', ${country}, '2026-11-20 08:00+00')`)
  const mails = await pool.query(`select to_regclass('intake_mail') is not null as "hasMails"`)
  // One that a mailbox would know again by its Message-ID, and one that has none.
  if (mails.rows[0].hasMails)
    await pool.query(`
      insert into intake_mail (source, "messageId", "textHash", "sentAt", "receivedAt", text, kind, reading, summary,
        "createdAt")
      select 'file', id, repeat(hash, 64), '2026-11-20T08:00:00+01:00', '2026-11-20 07:00+00', 'Auftrag ' || hash,
        'order', '{"orders": [], "changes": []}', '{}', '2026-11-20 08:00+00'
      from unnest(array['<1@nordlicht.example>', null], array['a', 'b']) as given(id, hash)`)
  // What the product writes beside it since mails are known by their Message-ID.
  const { rows: keyed } = await pool.query(`select 1 from information_schema.columns
    where table_name = 'intake_mail' and column_name = 'sameKey'`)
  if (keyed.length > 0) await pool.query(`update intake_mail set "sameKey" = "textHash" where "messageId" is null`)
}

/** SQL that any client can send in one piece: no lines for psql, no moment of the dump. */
const dump = (url: string, ...options: string[]) =>
  execFileSync(
    join(binDir, 'pg_dump'),
    ['--no-owner', '--no-privileges', '--no-comments', '--inserts', ...options, url],
    {
      maxBuffer: 1e9,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((line) => !/^(--|\\|$)/.test(line))
    .join('\n')

const dataDir = mkdtempSync(join(tmpdir(), 'waybill-state-database-'))
const postgres = await startEmbeddedPostgres({ dataDir, binDir, log: () => undefined, settings: { fsync: 'off' } })
const admin = new pg.Client({ connectionString: postgres.ownerUrl })
await admin.connect()
mkdirSync(states, { recursive: true })
let before = ''
for (const asked of process.argv.length > 2 ? process.argv.slice(2) : ['HEAD']) {
  const [commit = '', at = ''] = git('show', '-s', '--format=%h %cd', '--date=format:%Y%m%d-%H%M', asked)
    .toString()
    .trim()
    .split(' ')
  const folder = checkOut(commit)
  const name = `state_${commit}`
  await admin.query(`create database ${name}`)
  const url = new URL(postgres.ownerUrl)
  url.pathname = `/${name}`
  const database = openDatabase(url.href, { max: 2 })
  try {
    await fill(database, folder)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const shape = dump(url.href, '--schema-only')
  const file = `${at}-${commit}.sql.gz`
  if (shape === before) process.stdout.write(`${commit} has the shape of the one before\n`)
  else {
    const bytes = gzipSync(dump(url.href), { level: 9 })
    writeFileSync(join(states, file), bytes)
    process.stdout.write(`${file}: ${bytes.length} bytes\n`)
  }
  before = shape
}
await admin.end()
await postgres.stop()
rmSync(dataDir, { recursive: true, force: true })

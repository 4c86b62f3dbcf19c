import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase, type FreshDatabase } from '../../test/database/postgres.ts'
import { settleRole } from '../kit/database/pooler.ts'
import { openPooler, type Pooler } from '../../test/database/transaction-pooler.ts'

const LONG_MS = 120_000
let folder: string
let database: FreshDatabase
let other: Server
let pooler: Pooler
let taken: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-starts-'))
  await writeFile(join(folder, 'a-file'), '')
  database = await freshDatabase()
  pooler = await openPooler(database.url)
  other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  taken = (other.address() as AddressInfo).port
})

afterAll(async () => {
  other.close()
  await pooler.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts Waybill with these settings and no others; stops it where it does start. */
function start(
  given: Record<string, string>,
  options: readonly string[] = [],
): Promise<{ code: number | null; said: string; told: string }> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../main.ts'), ...options],
    {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...given },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let [said, told] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (said.includes('Waybill is ready')) child.kill('SIGTERM')
  })
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said, told })))
}

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

const settings = () => ({
  PORT: '0',
  SECRET_KEY: 'k'.repeat(40),
  DATA_DIR: join(folder, 'data'),
  DATABASE_URL: database.url,
  DATABASE_OWNER_URL: database.ownerUrl,
})
const elsewhere = (change: (url: URL) => void) => {
  const url = new URL(database.url)
  change(url)
  return url.href
}

describe('a setting that does not work here', () => {
  const provider = {
    PUBLIC_URL: 'https://waybill.example',
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'waybill',
    OIDC_CLIENT_SECRET: 'secret',
  }
  const cases: [string, () => Record<string, string>, RegExp][] = [
    [
      'a database that nobody serves',
      () => ({ DATABASE_URL: elsewhere((url) => (url.port = '9')) }),
      /^DATABASE_URL: .*ECONNREFUSED/,
    ],
    [
      'a database that is not there',
      () => ({ DATABASE_URL: elsewhere((url) => (url.pathname = '/nowhere')) }),
      /^DATABASE_URL: .*nowhere/,
    ],
    [
      'an owner on a machine that is not there',
      () => ({ DATABASE_OWNER_URL: 'postgres://owner:its-password@no-such-host.invalid/waybill' }),
      /^DATABASE_OWNER_URL: (?!.*its-password)/,
    ],
    [
      'an address of another machine',
      () => ({ HOST: '192.0.2.1' }),
      /^HOST: 192\.0\.2\.1 is no address of this machine$/,
    ],
    [
      'a port that is taken',
      () => ({ PORT: String(taken) }),
      /^PORT: \d+ is in use by another program\. Choose another: PORT=\d+$/,
    ],
    ['a port for those who watch that is taken', () => ({ OPS_PORT: String(taken) }), /^OPS_PORT: \d+ is in use/],
    [
      'an address of another machine for those who watch',
      () => ({ OPS_PORT: '0', OPS_HOST: '192.0.2.1' }),
      /^OPS_HOST: 192\.0\.2\.1 is no address of this machine$/,
    ],
    [
      'a data folder below a file',
      () => ({ DATA_DIR: join(folder, 'a-file', 'data'), SECRET_KEY: '' }),
      /^DATA_DIR: ENOTDIR/,
    ],
    [
      'the same, with the key in the settings',
      () => ({ DATA_DIR: join(folder, 'a-file', 'data') }),
      /^DATA_DIR: ENOTDIR/,
    ],
    ['files below a file', () => ({ STORAGE_URL: `file:${join(folder, 'a-file', 'files')}` }), /^STORAGE_URL: ENOTDIR/],
    [
      'a pooler that was not told of',
      () => ({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url }),
      /^DATABASE_URL: .*startup parameter: options\. Behind a pooler set DATABASE_PREPARED=off$/,
    ],
    [
      'a pooler whose connections were opened before their role had its settings',
      () => ({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url, DATABASE_PREPARED: 'off' }),
      /^DATABASE_URL: the pooler’s connections do not know lock_timeout, statement_timeout yet: let it open/,
    ],
    [
      'a setting that is misspelt',
      () => ({ DATABSE_URL: database.url }),
      /^DATABSE_URL: is no setting; DATABASE_URL is one$/,
    ],
    [
      'an emergency administrator who is not there',
      () => ({ ...provider, PASSWORD_ONLY_FOR: 'chef@waybill.example' }),
      /^PASSWORD_ONLY_FOR: chef@waybill\.example is no active administrator/,
    ],
  ]
  // Each is a whole start.
  const DAILY = new Set(['a database that nobody serves'])
  for (const [what, wrong, words] of cases)
    it(`stops the start with one line that begins with its name: ${what}`, {
      timeout: LONG_MS,
      tags: DAILY.has(what) ? [] : ['long'],
    }, async () => {
      const { code, told } = await start({ ...settings(), ...wrong() })
      expect(told.trim().split('\n')).toEqual([expect.stringMatching(words)])
      expect(code).toBe(1)
    })

  it('is none behind a pooler whose connections have their settings from the role', {
    timeout: LONG_MS,
    tags: 'long',
  }, async () => {
    await settleRole(database.url)
    const told = await openPooler(database.url)
    const behind = { DATABASE_URL: told.url, DATABASE_DIRECT_URL: database.url, DATABASE_PREPARED: 'off' }
    const { code, said } = await start({ ...settings(), ...behind })
    await told.close()
    expect(said).toContain('Waybill is ready')
    expect(code).toBe(0)
  })

  it('stops the start where a standby is one of another system', { timeout: LONG_MS, tags: 'long' }, async () => {
    // Each connection finds a system of its own.
    await asOwner(`create function public.pg_control_system() returns table (system_identifier integer) language sql
      as 'select inet_client_port()'`)
    const [role, name] = [new URL(database.url).username, new URL(database.url).pathname.slice(1)]
    await asOwner(`alter role ${role} in database ${name} set search_path = public, pg_catalog`)
    const readUrl = elsewhere((url) => (url.hostname = 'localhost'))
    const { code, told } = await start({ ...settings(), DATABASE_READ_URL: readUrl })
    await asOwner(`alter role ${role} in database ${name} reset search_path`)
    await asOwner('drop function public.pg_control_system()')
    expect(told.trim()).toBe('DATABASE_READ_URL: is no standby of DATABASE_URL')
    expect(code).toBe(1)
  })

  it('is told beside the start where people can work all the same: a standby that is away', {
    timeout: LONG_MS,
    tags: 'long',
  }, async () => {
    const readUrl = elsewhere((url) => (url.port = '9'))
    const { code, said } = await start({ ...settings(), DATABASE_READ_URL: readUrl })
    expect(said).toMatch(/^Warning: DATABASE_READ_URL does not answer, so the primary is read as well: .*ECONNREFUSED/m)
    expect(said).toContain('Waybill is ready')
    expect(code).toBe(0)
  })

  it('is told beside the start where people can work all the same: a role that is not there', {
    timeout: LONG_MS,
    tags: 'long',
  }, async () => {
    const roles = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'a=Dispatchers of old; b=Accounting' }
    const { code, said, told } = await start({ ...settings(), ...provider, ...roles, ADMIN_EMAIL: 'a@b.example' })
    expect(told).toBe('')
    expect(said).toContain('Warning: OIDC_ROLES names the role Dispatchers of old, which is not there or is disabled')
    expect(said).not.toContain('names the role Accounting')
    expect(code).toBe(0)
  })
})

describe('a store that has none of the files of this database', () => {
  it('stops the start, unless somebody says that they are lost', { tags: 'long', timeout: LONG_MS }, async () => {
    const put = (key: string) =>
      asOwner(`insert into document ("ownerKind", "ownerId", "documentType", title, "contentType", "sizeBytes",
          sha256, "fileKey", "createdAt")
        values ('order', 1, 'other', 'a.pdf', 'application/pdf', 1, repeat('a', 64), '${key}', now())`)
    await put('b'.repeat(32))
    const own = { ...settings(), STORAGE_URL: `file:${join(folder, 'of-this-node')}` }
    const refused = await start(own)
    expect(refused.told.trim().split('\n')).toEqual([
      expect.stringMatching(/^STORAGE_URL: none of the newest files of this database is in this place/),
    ])
    expect(refused.code).toBe(1)
    const accepted = await start(own, ['--accept-missing-files'])
    expect(accepted.told).toBe('')
    expect(accepted.code).toBe(0)
    // One of them is enough.
    const key = 'c'.repeat(32)
    await mkdir(join(folder, 'of-this-node', 'cc'), { recursive: true })
    await writeFile(join(folder, 'of-this-node', 'cc', key), 'x')
    await put(key)
    expect((await start(own)).code).toBe(0)
    await asOwner('delete from document')
  })
})

describe('a database that a newer Waybill has brought up to date', () => {
  it('stops the start with one line, and stays as it is', { timeout: LONG_MS, tags: 'long' }, async () => {
    await asOwner(`insert into kysely_migration (name, "timestamp") values ('9999-later', '2026-11-27')`)
    const { code, said, told } = await start(settings())
    await asOwner(`delete from kysely_migration where name = '9999-later'`)
    expect(told.trim().split('\n')).toEqual([expect.stringMatching(/newer Waybill.*9999-later/)])
    expect(said).not.toContain('Waybill is ready')
    expect(code).toBe(1)
  })
})

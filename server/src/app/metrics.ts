import { createServer } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { streamEvents } from '@waybill/contract/event'
import type { BackupState } from '../backup/backup-runs.ts'
import type { JobCount, JobQueue } from '../kit/context/jobs.ts'
import { WAYBILL_VERSION } from '../kit/context/version.ts'
import { bounded } from '../kit/database/bounded.ts'
import type { Database } from '../kit/database/db.ts'
import { freeBytes } from '../kit/files/free-space.ts'
import type { PdfRenderer } from '../kit/pdf/pdf.ts'
import { tableFigures, type TableFigures } from '../modules/operations/index.ts'

export interface Metrics {
  /** hears of a request whose head has come */
  began(request: FastifyRequest): void
  /** counts a request that was answered */
  answered(request: FastifyRequest, reply: FastifyReply): void
  /** takes down which parts answered when readiness was asked last */
  answer(parts: Readonly<Record<string, boolean>>): void
  /** all figures as Prometheus reads them, in its text format 0.0.4 */
  text(): Promise<string>
}

/** Seconds: a list takes milliseconds, a PDF seconds, an import a minute. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** However many ask, the tables are looked at once in this time. */
const FIGURES_KEPT_MS = 10_000

const STREAM = `/api${streamEvents.path}`

// Addresses nobody serves are one, and so are the many files of the pages.
const routeOf = ({ routeOptions: { url } }: FastifyRequest): string =>
  url === undefined ? 'none' : url.startsWith('/api/') ? url : 'page'

interface Figures extends TableFigures {
  jobs: JobCount[] | null
  backups: BackupState | null
}

/** What lies in the tables, of all nodes; null each that could not be told in time (decision 113). */
async function lookedUp(db: Database['db'], jobs: JobQueue, backups: () => Promise<BackupState>): Promise<Figures> {
  return {
    ...(await tableFigures(db)),
    jobs: await bounded(db, (trx) => jobs.counts({ db: trx })).catch(() => null),
    backups: await backups().catch(() => null),
  }
}

/**
 * What this process does: requests by route, connections to the database by pool, documents that were drawn, and of
 * Node itself the delay of the event loop, memory and garbage collection; and what the tables say of all nodes. Labels
 * hold routes, names and states that the code lists: never ids, texts or addresses.
 */
export function createMetrics({
  pools,
  figuresFrom,
  jobs,
  backups,
  pdf,
  dataDir = null,
  keptMs = FIGURES_KEPT_MS,
}: {
  pools: Readonly<Record<string, Database>>
  /** the database that is asked for what lies in the tables */
  figuresFrom: Pick<Database, 'db'>
  jobs: JobQueue
  /** what is known of backups */
  backups(): Promise<BackupState>
  pdf: Pick<PdfRenderer, 'hear'>
  /** of whose disk the free room is told */
  dataDir?: string | null
  keptMs?: number
}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Each belongs to this registry alone, not to the library's own.
  const registers: [] = []
  const requests = new Histogram({
    name: 'waybill_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers,
  })
  const documents = new Histogram({
    name: 'waybill_pdf_duration_seconds',
    help: 'Time from the asking for a PDF to its end, by template; done, or why there is none',
    labelNames: ['template', 'outcome'] as const,
    buckets: BUCKETS,
    registers,
  })
  pdf.hear((template, outcome, seconds) => documents.observe({ template, outcome }, seconds))
  const streams = new Gauge({
    name: 'waybill_event_streams',
    help: 'Browsers that this node tells of changes',
    registers,
  })
  const connections = new Gauge({
    name: 'waybill_database_connections',
    help: 'Connections to the database',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { pool: of, waiting }] of Object.entries(pools)) {
        this.set({ pool, state: 'used' }, of.totalCount - of.idleCount)
        this.set({ pool, state: 'idle' }, of.idleCount)
        this.set({ pool, state: 'waited_for' }, waiting())
      }
    },
  })
  const ready = new Gauge({
    name: 'waybill_ready',
    help: '1 where this part answers this node as it should, else 0, as readiness says it',
    labelNames: ['part'] as const,
    registers,
  })
  const diskFree = new Gauge({
    name: 'waybill_disk_free_bytes',
    help: 'Room on the disk of DATA_DIR of this node',
    registers,
    async collect() {
      const bytes = dataDir === null ? null : await freeBytes(dataDir).catch(() => null)
      if (bytes === null) this.remove()
      else this.set(bytes)
    },
  })
  const build = new Gauge({
    name: 'waybill_build_info',
    help: '1, with the version of this node',
    labelNames: ['version'] as const,
    registers,
  })
  build.set({ version: WAYBILL_VERSION }, 1)

  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const queues = gauge(
    'waybill_jobs',
    'Jobs of all nodes: that could be done now, that are in hand, that failed for good within the last day',
    ['queue', 'state'],
  )
  const oldest = gauge(
    'waybill_job_oldest_waiting_seconds',
    'How long the oldest job could have been done; 0: none waits',
    ['queue'],
  )
  const mails = gauge(
    'waybill_mails',
    'Mails that wait, by state, up to 100000; those sent and given up are of the last day, suppressed written in it',
    ['state'],
  )
  const sessions = gauge('waybill_sessions', 'Sessions of people who are signed in, up to 100000')
  const files = gauge('waybill_files', 'Files that are kept, without drawn pages; over a million, from a sample')
  const fileBytes = gauge('waybill_files_bytes', 'Their size')
  const databaseBytes = gauge('waybill_database_size_bytes', 'Size of the database')
  const lastBackup = gauge(
    'waybill_backup_last_success_timestamp_seconds',
    'When the last good backup was begun, in seconds since 1970; 0: there is none',
  )
  const backupFailed = gauge('waybill_backup_last_failed', '1 where the last backup failed, else 0')
  const faultyFiles = gauge(
    'waybill_backup_faulty_files',
    'Files that were missing or damaged in the store when the last good backup was made',
  )
  const notThinned = gauge('waybill_backup_not_thinned', '1 where older backups were to go and could not, else 0')
  const auditFaults = gauge(
    'waybill_audit_faults',
    'Batches of the history that are not as they were sealed, by the last look; there is one each night',
  )
  const missing = gauge(
    'waybill_figures_missing',
    '1 where this figure could not be read in time, or from too large a table',
    ['figure'],
  )
  const ofTables = [
    queues,
    oldest,
    mails,
    sessions,
    files,
    fileBytes,
    databaseBytes,
    lastBackup,
    backupFailed,
    faultyFiles,
    notThinned,
    auditFaults,
    missing,
  ]

  function show(figures: Figures): void {
    // What is not known is not shown, rather than as it once was.
    for (const one of ofTables) one.reset()
    for (const { queue, oldestSeconds, ...counts } of figures.jobs ?? []) {
      oldest.set({ queue }, oldestSeconds)
      for (const [state, count] of Object.entries(counts)) queues.set({ queue, state }, count)
    }
    for (const [state, count] of Object.entries(figures.mails ?? {})) mails.set({ state }, count)
    for (const [one, value] of [
      [sessions, figures.sessions],
      [files, figures.files?.count],
      [fileBytes, figures.files?.bytes],
      [databaseBytes, figures.databaseBytes],
      [lastBackup, figures.backups && (figures.backups.lastAt?.getTime() ?? 0) / 1000],
      [backupFailed, figures.backups && Number(figures.backups.failure !== null)],
      [faultyFiles, figures.backups?.faultyFiles],
      [notThinned, figures.backups && Number(figures.backups.thinFault !== null)],
      [auditFaults, figures.audit?.faultCount],
    ] as const)
      if (typeof value === 'number') one.set(value)
      else one.remove()
    for (const [figure, value] of Object.entries(figures)) missing.set({ figure }, Number(value === null))
  }

  for (const metric of [requests, documents, streams, connections, ready, diskFree, build, ...ofTables])
    registry.registerMetric(metric)

  let kept: { at: number; shown: Promise<void> } | null = null
  return {
    began(request) {
      if (request.routeOptions.url === STREAM) streams.inc()
    },
    answered(request, reply) {
      const route = routeOf(request)
      if (route === STREAM) streams.dec()
      requests.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    },
    answer(parts) {
      for (const [part, answers] of Object.entries(parts)) ready.set({ part }, Number(answers))
    },
    async text() {
      const at = performance.now()
      if (kept === null || at - kept.at >= keptMs)
        kept = { at, shown: lookedUp(figuresFrom.db, jobs, backups).then(show) }
      await kept.shown
      return registry.metrics()
    },
  }
}

const FORWARDED = new Set(['/api/health/live', '/api/health/ready', '/api/version'])

/**
 * A door of its own for those who watch: `/metrics`, and health as people's port answers it. Nothing else is served,
 * so that it may stand open in a network in which people's port does not.
 */
export async function openOperationsDoor(
  app: FastifyInstance,
  metrics: Metrics,
  place: { port: number; host: string },
): Promise<{ port: number; close(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const answer = async (): Promise<[status: number, type: string, body: string]> => {
      if (request.method !== 'GET') return [405, 'text/plain', '']
      if (path === '/metrics' || path === '/api/metrics') {
        const { parts } = (await app.inject('/api/health/ready')).json<{ parts: Record<string, boolean> }>()
        metrics.answer(parts)
        return [200, 'text/plain; version=0.0.4; charset=utf-8', await metrics.text()]
      }
      if (!FORWARDED.has(path)) return [404, 'text/plain', '']
      const { statusCode, headers, body } = await app.inject(path)
      return [statusCode, String(headers['content-type']), body]
    }
    answer().then(
      ([status, type, body]) =>
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body),
      () => response.writeHead(503).end(),
    )
  })
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(place.port, place.host, resolve))
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

import { createServer } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { BackupState } from '../backup/backup-runs.ts'
import type { Jobs } from '../kit/context/jobs.ts'
import type { Database } from '../kit/database/db.ts'

export interface Metrics {
  /** counts a request that was answered */
  answered(request: FastifyRequest, reply: FastifyReply): void
  /** all figures as Prometheus reads them, in its text format 0.0.4 */
  text(): Promise<string>
}

/** Seconds: a list takes milliseconds, a PDF seconds, an import a minute. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * What this process does: requests by route, connections to the database by pool, jobs by queue, and of Node itself
 * the delay of the event loop, memory and garbage collection. Labels hold routes and names, never ids or texts.
 */
export function createMetrics({
  pools,
  jobs,
  backups,
}: {
  pools: Readonly<Record<string, Database>>
  jobs: Pick<Jobs, 'counts'>
  /** what is known of backups */
  backups(): Promise<BackupState>
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
  const connections = new Gauge({
    name: 'waybill_database_connections',
    help: 'Connections to the database',
    labelNames: ['pool', 'state'] as const,
    registers,
    collect() {
      for (const [pool, { pool: of }] of Object.entries(pools)) {
        this.set({ pool, state: 'used' }, of.totalCount - of.idleCount)
        this.set({ pool, state: 'idle' }, of.idleCount)
        this.set({ pool, state: 'waited_for' }, of.waitingCount)
      }
    },
  })
  const queues = new Gauge({
    name: 'waybill_jobs',
    help: 'Jobs of all nodes: that could be done now, that are in hand, that failed for good within the last day',
    labelNames: ['queue', 'state'] as const,
    registers,
    async collect() {
      this.reset()
      // Without the database the other figures are wanted the more.
      for (const { queue, ...counts } of await jobs.counts().catch(() => []))
        for (const [state, count] of Object.entries(counts)) this.set({ queue, state }, count)
    },
  })
  const lastBackup = new Gauge({
    name: 'waybill_backup_last_success_timestamp_seconds',
    help: 'When the last good backup was begun, in seconds since 1970; 0: there is none',
    registers,
    async collect() {
      const state = await backups().catch(() => null)
      if (state !== null) this.set((state.lastAt?.getTime() ?? 0) / 1000)
    },
  })
  const backupFailed = new Gauge({
    name: 'waybill_backup_last_failed',
    help: '1 where the last backup failed, else 0',
    registers,
    async collect() {
      const state = await backups().catch(() => null)
      if (state !== null) this.set(state.failure === null ? 0 : 1)
    },
  })
  for (const metric of [requests, connections, queues, lastBackup, backupFailed]) registry.registerMetric(metric)
  return {
    answered: ({ method, routeOptions }, reply) =>
      requests.observe(
        { method, route: routeOptions.url ?? 'none', status: String(reply.statusCode) },
        reply.elapsedTime / 1000,
      ),
    text: () => registry.metrics(),
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
      if (path === '/metrics' || path === '/api/metrics')
        return [200, 'text/plain; version=0.0.4; charset=utf-8', await metrics.text()]
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

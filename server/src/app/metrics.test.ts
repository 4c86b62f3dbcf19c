import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useTestApp } from '../../test/app.ts'
import { backupState } from '../backup/backup-runs.ts'
import { createMetrics, openOperationsDoor } from './metrics.ts'
import { buildServer } from './server.ts'

const test = useTestApp()
let door: Awaited<ReturnType<typeof openOperationsDoor>>
const health = { isDraining: false, parts: {} }
const closers: (() => Promise<unknown>)[] = []
let inject: (url: string) => Promise<number>

beforeAll(async () => {
  const metrics = createMetrics({
    pools: { requests: test.database },
    jobs: test.ports.jobs,
    backups: () => backupState(test.database.pool),
  })
  const { app } = await buildServer({
    database: test.database,
    ports: test.ports,
    clock: test.clock,
    health,
    logger: null,
    metrics,
  })
  inject = async (url) => (await app.inject(url)).statusCode
  door = await openOperationsDoor(app, metrics, { port: 0, host: '127.0.0.1' })
  closers.push(
    () => app.close(),
    () => door.close(),
  )
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const ask = async (path: string, method = 'GET') => {
  const response = await fetch(`http://127.0.0.1:${door.port}${path}`, { method })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('the port of those who watch', () => {
  it('serves nothing else: no records, no sign-in, no writing', async () => {
    expect((await ask('/api/orders')).status).toBe(404)
    expect((await ask('/api/token', 'POST')).status).toBe(405)
    expect((await ask('/')).status).toBe(404)
  })

  it('counts requests by method, route and status with their times, and tells no ids', async () => {
    expect(await inject('/api/orders/4711')).toBe(401)
    expect(await inject('/api/orders/4712')).toBe(401)
    const { status, type, text } = await ask('/metrics')
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    const labels = '{method="GET",route="/api/orders/:id",status="401"}'
    expect(text).toContain(`waybill_http_request_duration_seconds_count${labels} 2`)
    expect(text).toMatch(
      /waybill_http_request_duration_seconds_bucket\{le="0\.1",method="GET",route="\/api\/orders\/:id"/,
    )
    // Among the labels: memory in bytes may hold these digits by chance.
    expect(text).not.toMatch(/\{[^}\n]*4711/)
  })

  it('tells of database connections, jobs by queue, the event loop and memory', async () => {
    const client = await test.database.pool.connect()
    await test.ports.jobs.enqueue({ db: test.database.db }, 'sweep_files', {})
    const { text } = await ask('/api/metrics')
    client.release()
    expect(text).toMatch(/^waybill_database_connections\{pool="requests",state="used"\} [1-9]/m)
    expect(text).toContain('waybill_database_connections{pool="requests",state="waited_for"} 0')
    expect(text).toContain('waybill_jobs{queue="sweep_files",state="waiting"} 1')
    expect(text).toContain('waybill_jobs{queue="sweep_files",state="failed"} 0')
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  })

  it('answers health as the other port does, also while the process goes down', async () => {
    expect(await ask('/api/health/live')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    health.isDraining = true
    const ready = await ask('/api/health/ready')
    health.isDraining = false
    expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { status: 'unavailable', parts: { database: true } }])
  })
})

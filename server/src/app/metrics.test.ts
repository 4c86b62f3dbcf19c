import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, useTestApp } from '../../test/app.ts'
import { backupState } from '../backup/backup-runs.ts'
import { files } from '../modules/operations/table-figures.query.ts'
import { createMetrics, openOperationsDoor } from './metrics.ts'
import { buildServer } from './server.ts'

const test = useTestApp()
let door: Awaited<ReturnType<typeof openOperationsDoor>>
let bucketAnswers = true
const health = { isDraining: false, parts: { storage: async () => bucketAnswers } }
const closers: (() => Promise<unknown>)[] = []
let served: FastifyInstance
const inject = async (url: string): Promise<number> => (await served.inject(url)).statusCode

beforeAll(async () => {
  const metrics = createMetrics({
    pools: { requests: test.database },
    figuresFrom: test.database,
    jobs: test.ports.jobs,
    backups: () => backupState(test.database.pool),
    pdf: test.ports.pdf,
    // It is made with the first file; its disk is there before.
    dataDir: join(import.meta.dirname, 'not-made-yet'),
    keptMs: 0,
  })
  const { app } = await buildServer({
    database: test.database,
    ports: test.ports,
    clock: test.clock,
    health,
    logger: null,
    metrics,
  })
  served = app
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
  // Of its own each time: one that is kept open may be closed in the moment in which it is used again.
  const response = await fetch(`http://127.0.0.1:${door.port}${path}`, { method, headers: { connection: 'close' } })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('the port of those who watch', () => {
  it('serves nothing else: no records, no sign-in, no writing', async () => {
    expect((await ask('/api/orders')).status).toBe(404)
    expect((await ask('/api/token', 'POST')).status).toBe(405)
    expect((await ask('/')).status).toBe(404)
  })

  it('is the only one with figures: people’s port has none, with or without a sign-in', async () => {
    expect([await inject('/metrics'), await inject('/api/metrics')]).toEqual([404, 404])
    expect((await test.admin.get('metrics')).status).toBe(404)
  })

  it('tells a thousand addresses that nobody serves as one', async () => {
    const labels = async () => new Set((await ask('/metrics')).text.match(/^waybill_http_\w+_count\{.*\}/gm))
    await Promise.all(['/api/x', '/x'].map(inject))
    // Each look asks readiness, which is counted too.
    await labels()
    const before = await labels()
    for (let one = 0; one < 1000; one += 1) await inject(`${one % 2 ? '/api' : ''}/${crypto.randomUUID()}?q=${one}`)
    expect(await labels()).toEqual(before)
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

  it('tells what lies in the tables: mails, sessions, files, sizes, how long the oldest job waits', async () => {
    await test.asOwner(`insert into document ("ownerKind", "ownerId", "documentType", title, "contentType", "sizeBytes",
        sha256, "fileKey", "createdAt")
      values ('order', 1, 'other', 'a.pdf', 'application/pdf', 1000, repeat('a', 64), 'none', now())`)
    // Given up today, two days ago, and today before that was kept; left today.
    await test.asOwner(`insert into email ("ownerKind", "ownerId", type, status, "to", cc, subject, html, frame,
        "messageId", "createdAt", "notBefore", "failedAt", "sentAt")
      select 'order', 1, 'other_emails', status, '{a@b.example}', '{}', 'Text', '<p>Text</p>', '{}',
        gen_random_uuid()::text, now() - interval '3 days', now() - "tried", now() - "failed", now() - "left"
      from (values ('failed', interval '2 hours', interval '1 hour', null::interval),
        ('failed', interval '3 days', interval '2 days', null), ('failed', interval '2 hours', null, null),
        ('sent', interval '3 days', null, interval '1 hour')) one (status, "tried", "failed", "left")`)
    await test.database.pool.query(`update job.job set start_after = now() - interval '1 hour'
      where name = 'sweep_files' and state = 'created'`)
    const { text } = await ask('/metrics')
    const figure = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
    expect(figure('waybill_job_oldest_waiting_seconds\\{queue="sweep_files"\\}')).toBeGreaterThanOrEqual(3600)
    expect(figure('waybill_mails\\{state="failed"\\}')).toBe(2)
    expect(figure('waybill_mails\\{state="sent"\\}')).toBe(1)
    expect(figure('waybill_sessions')).toBeGreaterThan(0)
    expect(figure('waybill_files')).toBe(1)
    expect(figure('waybill_files_bytes')).toBe(1000)
    expect(figure('waybill_audit_faults')).toBe(0)
    expect(figure('waybill_database_size_bytes')).toBeGreaterThan(1_000_000)
    expect(text).toMatch(/^waybill_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    expect(text).not.toMatch(/^waybill_figures_missing\{.*\} 1$/m)
  })

  it('says what could not be read in time, and tells the rest', { tags: 'long' }, async () => {
    const client = await test.database.pool.connect()
    await client.query('begin')
    await client.query('lock table document in access exclusive mode')
    const { text } = await ask('/metrics').finally(() => client.query('rollback'))
    client.release()
    expect(text).toContain('waybill_figures_missing{figure="files"} 1')
    expect(text).not.toMatch(/^waybill_files /m)
    expect(text).toContain('waybill_figures_missing{figure="mails"} 0')
    expect(text).toMatch(/^waybill_sessions \d/m)
  })

  it('counts a sample where a table has more rows than may be read', async () => {
    await test.asOwner(`insert into document ("ownerKind", "ownerId", "documentType", title, "contentType", "sizeBytes",
        sha256, "fileKey", "createdAt")
      select 'order', 1, 'other', 'a.pdf', 'application/pdf', 1000, repeat('a', 64), 'none/' || n, now()
        from generate_series(1, 20000) n`)
    await test.asOwner('analyze document')
    const told = await test.database.db.transaction().execute((trx) => files(trx, 5000))
    expect(told.isExact).toBe(false)
    expect(told.count).toBeGreaterThan(15_000)
    expect(told.count).toBeLessThan(25_000)
    expect(told.bytes / told.count).toBeCloseTo(1000, -2)
  })

  it('knows how many browsers listen for changes', async () => {
    const listening = async () => Number(/^waybill_event_streams (.*)$/m.exec((await ask('/metrics')).text)?.[1])
    const { token, refreshToken } = (await test.signIn(ADMIN.email, ADMIN.password)).body
    const response = await served.inject({
      url: '/api/events',
      headers: { authorization: `Bearer ${token}` },
      payloadAsStream: true,
    })
    expect(response.statusCode).toBe(200)
    response.stream().resume()
    expect(await listening()).toBe(1)
    await test.anonymous.post('token/logout', { refreshToken })
    await expect.poll(listening).toBe(0)
  })

  it('times documents by template and outcome', async () => {
    const asked = { template: 'nothing', data: {}, language: 'en', title: 'Nothing' } as const
    await expect(test.ports.pdf.renderPdf(asked)).rejects.toThrow()
    expect((await ask('/metrics')).text).toContain(
      'waybill_pdf_duration_seconds_count{template="nothing",outcome="template"} 1',
    )
  })

  it('answers health as the other port does, also while the process goes down', async () => {
    expect(await ask('/api/health/live')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    health.isDraining = true
    const ready = await ask('/api/health/ready')
    health.isDraining = false
    expect([ready.status, JSON.parse(ready.text)]).toEqual([
      503,
      { status: 'unavailable', parts: { database: true, storage: true } },
    ])
  })

  it('tells which part does not answer, and how much room the disk has', async () => {
    const figure = (text: string, name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
    const { text } = await ask('/metrics')
    expect(figure(text, 'waybill_ready\\{part="database"\\}')).toBe(1)
    expect(figure(text, 'waybill_ready\\{part="storage"\\}')).toBe(1)
    expect(figure(text, 'waybill_disk_free_bytes')).toBeGreaterThan(1_000_000)
    bucketAnswers = false
    test.clock.advance(2000)
    const away = (await ask('/metrics')).text
    bucketAnswers = true
    test.clock.advance(2000)
    expect(figure(away, 'waybill_ready\\{part="database"\\}')).toBe(1)
    expect(figure(away, 'waybill_ready\\{part="storage"\\}')).toBe(0)
  })
})

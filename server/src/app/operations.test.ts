import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFileStore } from '../../test/file-stores.ts'
import { freshDatabase, type FreshDatabase } from '../../test/database/postgres.ts'
import { testPorts, type TestPorts } from '../../test/ports.ts'
import { systemClock } from '../kit/context/context.ts'
import { openDatabase } from '../kit/database/db.ts'
import type { Health } from './operations.ts'
import { buildServer } from './server.ts'

let fresh: FreshDatabase
let now = systemClock.now()
const later = (ms: number) => void (now = new Date(now.getTime() + ms))
let ports: TestPorts
const opened: { close(): Promise<unknown> }[] = []

beforeAll(async () => {
  fresh = await freshDatabase()
  ports = await testPorts(fresh.url)
})

afterAll(async () => {
  for (const one of opened.toReversed()) await one.close()
  await ports?.close()
  await fresh?.drop()
})

async function serve(health: Partial<Health>, url = fresh.url): Promise<FastifyInstance> {
  const database = openDatabase(url, { max: 2 })
  const { app } = await buildServer({
    database,
    ports,
    clock: { now: () => now },
    health: { isDraining: false, parts: {}, ...health },
    logger: null,
  })
  opened.push(database, app)
  return app
}

const ask = async (app: FastifyInstance, path: string, headers: Record<string, string> = {}) => {
  const { statusCode, body } = await app.inject({ url: `/api/${path}`, headers })
  return { status: statusCode, body: JSON.parse(body) }
}

/** The same database behind a port on which nobody listens. */
function unreachable(): string {
  const url = new URL(fresh.url)
  url.port = '1'
  return url.href
}

describe('readiness', () => {
  it('turns new work away with 503 while the process goes down', async () => {
    const app = await serve({ isDraining: true })
    expect(await ask(app, 'health/ready')).toEqual({
      status: 503,
      body: { status: 'unavailable', parts: { database: true } },
    })
    expect(await ask(app, 'health/live')).toEqual({ status: 200, body: { status: 'ok' } })
  })

  it('names the part that does not answer, or breaks', async () => {
    const app = await serve({
      parts: {
        storage: async () => true,
        queue: async () => false,
        other: async () => Promise.reject(new Error('gone')),
      },
    })
    expect(await ask(app, 'health/ready')).toEqual({
      status: 503,
      body: { status: 'unavailable', parts: { database: true, storage: true, queue: false, other: false } },
    })
  })

  it('names the storage while the bucket does not answer, and takes it back when it does', async () => {
    const { files, server, close } = await openFileStore('s3')
    opened.push({ close })
    const app = await serve({ parts: { storage: () => files.answers() } })
    expect((await ask(app, 'health/ready')).body).toEqual({ status: 'ok', parts: { database: true, storage: true } })
    await server!.stop()
    later(1000)
    expect(await ask(app, 'health/ready')).toEqual({
      status: 503,
      body: { status: 'unavailable', parts: { database: true, storage: false } },
    })
    await server!.start()
    later(1000)
    expect((await ask(app, 'health/ready')).status).toBe(200)
  })

  it('asks the store once a second, however many want to know', async () => {
    let asked = 0
    const app = await serve({ parts: { storage: async () => Boolean((asked += 1)) } })
    const crowd = await Promise.all(Array.from({ length: 20 }, () => ask(app, 'health/ready')))
    expect(crowd.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(asked).toBe(1)
    later(1000)
    await ask(app, 'health/ready')
    expect(asked).toBe(2)
  })

  it('says so when the database is gone, while the process itself lives', async () => {
    const app = await serve({}, unreachable())
    expect(await ask(app, 'health/ready')).toEqual({
      status: 503,
      body: { status: 'unavailable', parts: { database: false } },
    })
    expect((await ask(app, 'health/live')).status).toBe(200)
  })

  it('is given with 200 when all parts answer', async () => {
    const app = await serve({ parts: { storage: async () => true } })
    expect(await ask(app, 'health/ready')).toEqual({
      status: 200,
      body: { status: 'ok', parts: { database: true, storage: true } },
    })
  })
})

describe('a database that is away', () => {
  it('is answered with 503 and not as a fault of ours', async () => {
    const app = await serve({}, unreachable())
    const { status, body } = await ask(app, 'orders', { authorization: `Bearer ${'x'.repeat(40)}` })
    expect(status).toBe(503)
    expect(body.code).toBe('unavailable')
    expect(JSON.stringify(body)).not.toMatch(/ECONN|127\.0\.0\.1/)
  })

  it('lets nobody wait longer than 15 s for a lock, and no statement run longer than a minute', async () => {
    const database = openDatabase(fresh.url, { max: 1 })
    opened.push(database)
    const show = async (name: string) => (await database.pool.query(`show ${name}`)).rows
    expect(await show('lock_timeout')).toEqual([{ lock_timeout: '15s' }])
    expect(await show('statement_timeout')).toEqual([{ statement_timeout: '1min' }])
  })

  it('that ends the connection in the middle of a transaction fails that call, and not the process', async () => {
    const database = openDatabase(fresh.url, { max: 2 })
    opened.push(database)
    const broken = database.db.transaction().execute(async (trx) => {
      const { pid } = await trx
        .selectNoFrom((eb) => eb.fn<number>('pg_backend_pid').as('pid'))
        .executeTakeFirstOrThrow()
      await database.pool.query('select pg_terminate_backend($1)', [pid])
      // The connection's end arrives before the next statement is asked for.
      while ((await database.pool.query('select 1 from pg_stat_activity where pid = $1', [pid])).rowCount)
        await new Promise((resolve) => setImmediate(resolve))
      await new Promise((resolve) => setImmediate(resolve))
      return trx.selectNoFrom((eb) => eb.lit(1).as('one')).execute()
    })
    await expect(broken).rejects.toThrow()
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

describe('a database that takes no writes', () => {
  const database = () => new URL(fresh.ownerUrl).pathname.slice(1)
  const asOwner = async (...statements: string[]) => {
    const owner = openDatabase(fresh.ownerUrl, { max: 1 })
    for (const statement of statements) await owner.pool.query(statement)
    await owner.close()
  }
  const signIn = (app: FastifyInstance) =>
    app.inject({ method: 'POST', url: '/api/token', payload: { email: 'a@b.example', password: 'wrong' } })
  const ready = async (app: FastifyInstance) => (await ask(app, 'health/ready')).body.parts

  it('because it only reads, is told by readiness, answered with 503, and taken back without a restart', async () => {
    const app = await serve({})
    expect((await signIn(app)).statusCode).toBe(401)
    // As a primary that became a standby, which ends its connections.
    await asOwner(
      `alter database ${database()} set default_transaction_read_only = on`,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    now = systemClock.now()
    const refused = await signIn(app)
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable'])
    expect(await ready(app)).toEqual({ database: false })
    later(60_000)
    expect(await ready(app)).toEqual({ database: false })
    await asOwner(
      'set default_transaction_read_only = off',
      `alter database ${database()} reset default_transaction_read_only`,
    )
    // The connections that only read are still open: each is left when it refuses, or when readiness asks it.
    const answers = []
    for (let one = 0; one < 4; one += 1) answers.push((await signIn(app)).statusCode)
    expect(answers.at(-1)).toBe(401)
    later(60_000)
    expect(await ready(app)).toEqual({ database: true })
  })

  it('because its disk is full, is told by readiness for as long as writes are refused', async () => {
    const app = await serve({})
    await asOwner(
      `create function no_room() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file' using errcode = '53100'; end $$`,
      'create trigger no_room before insert on sign_in_failure for each row execute function no_room()',
    )
    now = systemClock.now()
    const refused = await signIn(app)
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'unavailable'])
    expect(JSON.stringify(refused.json())).not.toContain('extend')
    expect(await ready(app)).toEqual({ database: false })
    await asOwner('drop trigger no_room on sign_in_failure')
    expect((await signIn(app)).statusCode).toBe(401)
    later(60_000)
    expect(await ready(app)).toEqual({ database: true })
  })
})

describe('the content security policy', () => {
  const policyWith = async (tiles: TestPorts['tiles']) => {
    ports.tiles = tiles
    const app = await serve({})
    ports.tiles = null
    const { headers } = await app.inject({ url: '/api/health/live' })
    return String(headers['content-security-policy'])
  }

  it('lets map tiles in from the host of the settings, and from nowhere where none is set', async () => {
    expect(await policyWith(null)).toContain("img-src 'self' data: blob:;")
    expect(
      await policyWith({ url: 'https://tiles.example:8443/osm/{z}/{x}/{y}.png?key=1', attribution: '©' }),
    ).toContain("img-src 'self' data: blob: https://tiles.example:8443;")
  })
})

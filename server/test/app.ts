import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll } from 'vitest'
import type { Tokens } from '@waybill/contract/session'
import type { Permission } from '@waybill/contract/permissions'
import { buildServer } from '../src/app/server.ts'
import type { Clock } from '../src/kit/context/context.ts'
import { openDatabase, type Database } from '../src/kit/database/db.ts'
import type { Host } from '../src/kit/http/routes.ts'
import type { Storage } from './file-stores.ts'
import { freshDatabase, startedDatabase } from './database/postgres.ts'
import { ADMIN, quickHash, startWithAdmin } from './database/start-with-admin.ts'
import { testPorts, type TestPorts } from './ports.ts'

export { ADMIN }

/** A clock that tests move; by itself it goes as fast as the machine's. */
export interface TestClock extends Clock {
  /** moves the clock on */
  advance(milliseconds: number): void
}

function testClock(beginsOn?: string): TestClock {
  let ahead = beginsOn === undefined ? 0 : Date.parse(beginsOn) - Date.now()
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (milliseconds) => {
      ahead += milliseconds
    },
  }
}

export interface Answer<Body = any> {
  status: number
  body: Body
  headers: Record<string, string | string[] | number | undefined>
  raw: Buffer
}

interface CallOptions {
  body?: unknown
  /** sent as If-Match */
  version?: number
  headers?: Record<string, string>
  /** lists: full rows (the default here) or id and title */
  compact?: boolean
  /** where the call comes from, else `TestApp.ip` */
  ip?: string
  /** what never ends by itself: its head alone is waited for */
  isStream?: boolean
}

/** One caller of the API: an anonymous one, or one signed in. */
export interface Caller {
  get<B = any>(path: string, options?: CallOptions): Promise<Answer<B>>
  post<B = any>(path: string, body?: unknown, options?: CallOptions): Promise<Answer<B>>
  put<B = any>(path: string, body: unknown, options?: CallOptions): Promise<Answer<B>>
  patch<B = any>(path: string, body: unknown, options?: CallOptions): Promise<Answer<B>>
  delete<B = any>(path: string, options?: CallOptions): Promise<Answer<B>>
}

export interface TestApp {
  app: FastifyInstance
  host: Host
  database: Database
  clock: TestClock
  ports: TestPorts
  databaseUrl: string
  /** where calls come from; a test that guesses passwords chooses a network of its own */
  ip: string
  /** as the role that owns the tables */
  ownerUrl: string
  /** runs one statement as the owner of the tables, for what the role that serves may not do */
  asOwner(statement: string): Promise<void>
  /** nobody */
  anonymous: Caller
  /** the administrator of the first start */
  admin: Caller
  /** a new active user whose role holds exactly these permissions */
  userWith(...permissions: Permission[]): Promise<{ caller: Caller; id: number; email: string; tokens: Tokens }>
  /** a caller with any access token */
  withToken(token: string): Caller
  signIn(email: string, password: string, options?: CallOptions): Promise<Answer<Tokens>>
  /** id of a seeded record, e.g. `idOf('country', 'code', 'DE')` */
  idOf(table: string, column: string, value: unknown): Promise<number>
}

/** The real application over a database of its own for one test file. */
export function useTestApp({
  storage = 'folder',
  trustedProxies = [],
  beginsOn,
}: {
  storage?: Storage
  trustedProxies?: string[]
  /** the day on which a test with dates of its own takes place; left out, today */
  beginsOn?: string
} = {}): TestApp {
  const test = { ip: '127.0.0.1' } as TestApp
  let drop: () => Promise<void>
  let passwordHash: string
  let people = 0

  const caller = (token: string | null): Caller => {
    const call = async (
      method: NonNullable<InjectOptions['method']>,
      path: string,
      { body, version, headers, compact, isStream, ip }: CallOptions = {},
    ): Promise<Answer> => {
      const response = await test.app.inject({
        method,
        url: `/api/${path}`,
        remoteAddress: ip ?? test.ip,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(!compact && { 'additional-groups': 'detailed' }),
          ...(version !== undefined && { 'if-match': `"${version}"` }),
          ...headers,
        },
        ...(body !== undefined && { payload: body as object }),
        ...(isStream && { payloadAsStream: true }),
      })
      if (isStream)
        return {
          status: response.statusCode,
          body: null,
          headers: response.headers as Answer['headers'],
          raw: Buffer.alloc(0),
        }
      const isPacked = response.headers['content-encoding'] !== undefined
      const isJson = !isPacked && String(response.headers['content-type'] ?? '').includes('json')
      return {
        status: response.statusCode,
        body: isJson ? JSON.parse(response.body) : response.body,
        headers: response.headers as Answer['headers'],
        raw: response.rawPayload,
      }
    }
    return {
      get: (path, options) => call('GET', path, options),
      post: (path, body, options) => call('POST', path, { ...options, body: body ?? {} }),
      put: (path, body, options) => call('PUT', path, { ...options, body }),
      patch: (path, body, options) => call('PATCH', path, { ...options, body }),
      delete: (path, options) => call('DELETE', path, options),
    }
  }

  beforeAll(async () => {
    const fresh = await (beginsOn === undefined ? startedDatabase() : freshDatabase())
    drop = fresh.drop
    test.databaseUrl = fresh.url
    test.ownerUrl = fresh.ownerUrl
    test.asOwner = async (statement) => {
      const owner = openDatabase(fresh.ownerUrl, { max: 1 })
      await owner.pool.query(statement).finally(() => owner.close())
    }
    // Each connection warms up by itself: four do for one test, and for those that race.
    test.database = openDatabase(fresh.url, { max: 4 })
    test.clock = testClock(beginsOn)
    if (beginsOn !== undefined) await startWithAdmin(fresh.url, test.clock.now())
    passwordHash = await quickHash
    test.ports = await testPorts(fresh.url, storage)
    const built = await buildServer({
      database: test.database,
      ports: test.ports,
      clock: test.clock,
      health: { isDraining: false, parts: {} },
      logger: null,
      trustedProxies,
    })
    test.app = built.app
    test.host = built.host
    test.withToken = (token) => caller(token)
    test.anonymous = caller(null)
    test.signIn = (email, password, options) => test.anonymous.post<Tokens>('token', { email, password }, options)
    test.idOf = async (table, column, value) => {
      const { rows } = await test.database.pool.query<{ id: number }>(
        `select id from "${table}" where "${column}" = $1`,
        [value],
      )
      if (!rows[0]) throw new Error(`no ${table} with ${column} ${String(value)}`)
      return rows[0].id
    }
    test.userWith = async (...permissions) => {
      people += 1
      const email = `person${people}@waybill.example`
      const { rows: roles } = await test.database.pool.query<{ id: number }>(
        'insert into user_role (title, permissions) values ($1, $2) returning id',
        [`Role ${people}`, permissions],
      )
      const { rows } = await test.database.pool.query<{ id: number }>(
        `insert into "user" ("fullName", email, "roleId", "positionTitle", "passwordHash", "createdAt", "departmentId")
         values ($1, $2, $3, 'Clerk', $4, now(), (select id from department limit 1)) returning id`,
        [`Person ${people}`, email, roles[0]!.id, passwordHash],
      )
      const { body: tokens } = await test.signIn(email, ADMIN.password)
      return { caller: caller(tokens.token), id: rows[0]!.id, email, tokens }
    }
    const { body } = await test.signIn(ADMIN.email, ADMIN.password)
    test.admin = caller(body.token)
  })

  afterAll(async () => {
    await test.app?.close()
    await test.ports?.close()
    await test.database?.close()
    await drop?.()
  })
  return test
}

import { Kysely, PostgresDialect, type LogEvent, type PostgresPool, type Transaction } from 'kysely'
import pg from 'pg'
import { createFairTurns } from './fair-turns.ts'
import { preparing } from './prepared.ts'

/** Every table of the database; each module adds its own from its `.table.ts` by declaration merging. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- empty until a module declares its own
export interface Tables {}

export type Db = Kysely<Tables> | Transaction<Tables>

const INT8 = 20
const DATE = 1082
const DATE_ARRAY = 1182
const TIMESTAMPTZ = 1184
const INT8_ARRAY = 1016

/**
 * An instant as PostgreSQL writes it in UTC, in a column or inside JSON, in RFC 3339. A list has hundreds: they are
 * rearranged, not reckoned.
 */
export function instantText(written: string): string {
  const end = written.indexOf('+00', 19)
  const isPlain = written[4] === '-' && end >= 0 && (written.length === end + 3 || written.endsWith('+00:00'))
  if (!isPlain) return new Date(written).toISOString()
  const ms = end === 19 ? '000' : written.slice(20, Math.min(end, 23)).padEnd(3, '0')
  return `${written.slice(0, 10)}T${written.slice(11, 19)}.${ms}Z`
}

// Ids and cents stay below 2^53; dates are local and carry no zone; instants leave as RFC 3339.
pg.types.setTypeParser(INT8, Number)
pg.types.setTypeParser(DATE, (value) => value)
pg.types.setTypeParser(DATE_ARRAY as never, (value: string) => parseTextArray(value))
pg.types.setTypeParser(TIMESTAMPTZ, instantText)
const parseTextArray = pg.types.getTypeParser(1009 as never) as (value: string) => string[]
pg.types.setTypeParser(INT8_ARRAY as never, (value: string) => parseTextArray(value).map(Number))

export interface Database {
  db: Kysely<Tables>
  pool: pg.Pool
  /** those that the query builder takes, in fair turns */
  connections: PostgresPool
  /** how many wait for a connection */
  waiting(): number
  /** when the server last refused a write for want of room, or because it only reads; null: not so far */
  refusedWriteAt(): Date | null
  close(): Promise<void>
}

const CONNECTION_TIMEOUT_MS = 10_000
/**
 * After so long without a word the system asks whether the other side is still there. Left to itself it waits for two
 * hours, and a firewall or a machine that lost its power says nothing.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
// Nobody waits longer than this for somebody else's lock, and no statement of a person runs longer.
const LOCK_TIMEOUT_MS = 15_000
const STATEMENT_TIMEOUT_MS = 60_000

/** What each connection has to know, as PostgreSQL shows it. */
export const SESSION_SETTINGS = [
  ['TimeZone', 'UTC'],
  ['lock_timeout', String(LOCK_TIMEOUT_MS)],
  ['statement_timeout', String(STATEMENT_TIMEOUT_MS)],
] as const

/** They are asked for when a connection is opened. */
export const SESSION_OPTIONS = SESSION_SETTINGS.map(([name, value]) => `-c ${name}=${value}`).join(' ')

/** Hears of statements that took longer than `ms`. */
export interface SlowStatements {
  ms: number
  /** `statement` has no values in it: they travel beside it */
  tell(statement: string, ms: number): void
}

// Enough to find it by.
const TOLD_CHARACTERS = 400

const toldWhenSlow =
  ({ ms, tell }: SlowStatements) =>
  ({ query: { sql: statement }, queryDurationMillis }: LogEvent): void => {
    if (queryDurationMillis <= ms) return
    tell(statement.replace(/\s+/g, ' ').trim().slice(0, TOLD_CHARACTERS), Math.round(queryDurationMillis))
  }

/** The query builder over connections. */
export const queryBuilder = (connections: PostgresPool, slow?: SlowStatements): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: connections }),
    ...(slow && { log: toldWhenSlow(slow) }),
  })

export interface DatabaseOptions {
  max?: number
  slow?: SlowStatements | undefined
  /** gives a statement up that has had no answer for so long; left out, it waits as long as the connection stands */
  answersInMs?: number
  /** waits no longer for a connection; left out, 10 seconds */
  connectsInMs?: number
  /**
   * false behind a pooler by transaction: no statement gets a name, and the role has the settings of a connection
   * (`pooler.ts`); left out, true
   */
  isPrepared?: boolean
}

/** What is asked for by a name is asked for without: the next transaction is on another connection. */
function forgetNames(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown
  pool.query = ((config: string | pg.QueryConfig, ...rest: unknown[]) => {
    if (typeof config === 'string') return query(config, ...rest)
    const { name: _name, ...unnamed } = config
    return query(unnamed, ...rest)
  }) as typeof pool.query
}

/** A little more than a statement may take: what is given up is a connection on which nobody answers any more. */
export const ANSWERS_IN_MS = STATEMENT_TIMEOUT_MS + 5000

/**
 * Opens the pool (10 connections suit two cores, design §8) and the query builder over it. Idle connections stay:
 * each holds its prepared statements.
 */
export function openDatabase(
  url: string,
  { max = 10, slow, answersInMs, connectsInMs = CONNECTION_TIMEOUT_MS, isPrepared = true }: DatabaseOptions = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    ...(isPrepared && { options: SESSION_OPTIONS }),
    connectionTimeoutMillis: connectsInMs,
    idleTimeoutMillis: 0,
    ...(answersInMs !== undefined && { query_timeout: answersInMs }),
    ...KEEP_ALIVE,
  })
  if (!isPrepared) forgetNames(pool)
  // An idle connection that the server ends (restart, failover) must not end the process; the next query opens a new
  // one.
  pool.on('error', () => undefined)
  // Nor one that the server ends between two statements of a transaction: the next statement is refused and says so.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const turns = createFairTurns({
    most: max,
    longestMs: CONNECTION_TIMEOUT_MS,
    // As the pool itself says it.
    tooLate: () => new Error('timeout exceeded when trying to connect'),
  })
  let refusedWriteAt: Date | null = null
  const onRefusedWrite = () => void (refusedWriteAt = new Date())
  const connections = preparing(pool, turns, { onRefusedWrite, isPrepared })
  const db = queryBuilder(connections, slow)
  return {
    db,
    pool,
    connections,
    waiting: () => pool.waitingCount + turns.waiting,
    refusedWriteAt: () => refusedWriteAt,
    close: () => db.destroy(),
  }
}

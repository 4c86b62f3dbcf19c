import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { queryBuilder, type Database, type SlowStatements, type Tables } from './db.ts'
import { withClient } from './pooler.ts'
import { askTogether } from './together.ts'

/** How far PostgreSQL's log was written or replayed, as it says it: `16/B374D848`. */
export type Position = string

/** Two of one form can be compared: the first is higher where its log is longer. */
const inBytes = (position: Position): bigint => {
  const [high, low] = position.split('/') as [string, string]
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/**
 * The position up to which all is safe that anybody was told is saved; null on a standby, which does not know it.
 */
const SAFE_UP_TO = 'case when pg_is_in_recovery() then null else pg_current_wal_flush_lsn()::text end'
const READ_UP_TO = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_flush_lsn() end::text as position`

// A standby is some milliseconds behind; who would wait longer is read for by the primary.
const WAITS_MS = [0, 2, 5, 10]
/** One that could not be reached is left alone for so long, as each try would cost a call the time that it takes. */
const LEFT_ALONE_MS = 5000
/** Who is at the door is answered in a millisecond; a primary that is silent for so long is away, or may be. */
const PATIENCE_MS = 1500

/** Of one system, which all its standbys share. */
const SYSTEM = 'select system_identifier::text as system, pg_is_in_recovery() as "isStandby" from pg_control_system()'

/** How a database may stand to another that is said to be its standby. */
export type StandbyState = 'standby' | 'primary' | 'other system'

/** What answers at `readUrl`, beside the database of `url`. Errors: those of the driver, where it does not answer. */
export async function stateOfStandby({ url, readUrl }: { url: string; readUrl: string }): Promise<StandbyState> {
  const ask = (address: string) =>
    withClient(address, async (client) => {
      const { rows } = await client.query<{ system: string; isStandby: boolean }>(SYSTEM)
      return rows[0]!
    })
  const [primary, standby] = [await ask(url), await ask(readUrl)]
  if (primary.system !== standby.system) return 'other system'
  return standby.isStandby ? 'standby' : 'primary'
}

/** Reads from a standby; see `openStandby`. */
export interface Standby {
  /**
   * Works with a database that has all that was safe at `position`: the standby, or the primary where the standby is
   * not so far. Null: whatever the standby has.
   */
  read<T>(position: Position | null, work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  pool: pg.Pool
}

/**
 * Lets a standby of the same database take reads. It is never older than a call: each says how far the log was written
 * when it came (`openDoor`), and a connection on which less has been replayed is passed by for one of the primary.
 */
export function openStandby(primary: Database, standby: Database, slow?: SlowStatements): Standby {
  const positions = new AsyncLocalStorage<Position | null>()
  const replayed = new WeakMap<PostgresPoolClient, bigint>()
  let leftAloneUntil = 0

  async function isThere(client: PostgresPoolClient, position: Position): Promise<boolean> {
    const wanted = inBytes(position)
    if ((replayed.get(client) ?? -1n) >= wanted) return true
    for (const ms of WAITS_MS) {
      if (ms > 0) await wait(ms)
      const { rows } = await client.query<{ position: Position | null }>(READ_UP_TO, [])
      const found = rows[0]!.position
      if (found === null) return false
      replayed.set(client, inBytes(found))
      if (inBytes(found) >= wanted) return true
    }
    return false
  }

  async function reached(): Promise<PostgresPoolClient | null> {
    if (Date.now() < leftAloneUntil) return null
    return standby.connections.connect().catch(() => {
      leftAloneUntil = Date.now() + LEFT_ALONE_MS
      return null
    })
  }

  const connections: PostgresPool = {
    options: standby.connections.options,
    // Both are closed by whom they were opened.
    end: async () => undefined,
    async connect() {
      const position = positions.getStore()
      if (position === undefined) return primary.connections.connect()
      if (position === null) return standby.connections.connect()
      const client = await reached()
      if (client === null) return primary.connections.connect()
      if (await isThere(client, position).catch(() => false)) return client
      client.release()
      return primary.connections.connect()
    },
  }
  const db = queryBuilder(connections, slow)
  return {
    read: (position, work) => positions.run(position, () => work(db)),
    pool: standby.pool,
  }
}

/** Null where the answer takes longer. */
function inTime<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer | null> {
  const { promise, resolve } = Promise.withResolvers<Answer | null>()
  const timer = setTimeout(() => resolve(null), ms)
  void answer.then((found) => {
    clearTimeout(timer)
    resolve(found)
  })
  return promise
}

/** How far the log was, of `Standby.read`: undefined where there is no standby, null where a standby has answered. */
export interface AsOf {
  position: Position | null | undefined
}

interface Databases {
  /** true where a standby answers for the primary while that is away */
  hasStandby: boolean
  /** The rows of a statement. A standby only answers who `mayBeBehind`. */
  ask<Row extends object>(query: pg.QueryConfig, mayBeBehind: boolean): Promise<AsOf & { rows: Row[] }>
}

/** Finds who calls, by the hash of what they hold, in hexadecimal figures. */
type Finder<Row> = (hash: string, mayBeBehind: boolean) => Promise<(AsOf & { found: Row }) | undefined>

/** Where is asked for every call who it is, and how far the log is. */
export interface Door {
  /** Many who come together are looked up by one statement, which answers each row with its `hash`. */
  finder<Row extends { hash: string }>(query: (hashes: Buffer[]) => pg.QueryConfig): Finder<Row>
}

/** `primary` alone is asked where there is no standby. */
export function openDoor(primary: pg.Pool, standby: pg.Pool | null): Door {
  const databases = databasesAt(primary, standby)
  return {
    finder<Row extends { hash: string }>(query: (hashes: Buffer[]) => pg.QueryConfig) {
      const asking = (mayBeBehind: boolean) =>
        askTogether<AsOf & { found: Row }>(async (hashes) => {
          const { rows, position } = await databases.ask<Row>(
            query(hashes.map((hash) => Buffer.from(hash, 'hex'))),
            mayBeBehind,
          )
          return new Map(rows.map((found) => [found.hash, { found, position }]))
        })
      const find = asking(false)
      const findBehind = databases.hasStandby ? asking(true) : find
      return (hash, mayBeBehind) => (mayBeBehind ? findBehind : find)(hash)
    },
  }
}

function databasesAt(primary: pg.Pool, standby: pg.Pool | null): Databases {
  if (standby === null)
    return {
      hasStandby: false,
      ask: async <Row extends object>(query: pg.QueryConfig) => ({
        rows: (await primary.query<Row>(query)).rows,
        position: undefined,
      }),
    }

  let isAway = false
  let asking = 0

  async function askOf<Row extends object>(pool: pg.Pool, { name, text, values }: pg.QueryConfig) {
    const { rows } = await pool.query<Row & { safeUpTo: Position | null }>({
      ...(name !== undefined && { name: `${name}_up_to` }),
      text: `select asked.*, ${SAFE_UP_TO} as "safeUpTo" from (${text}) asked`,
      values,
    })
    return {
      rows: rows.map(({ safeUpTo: _safeUpTo, ...row }) => row as unknown as Row),
      position: rows[0]?.safeUpTo ?? null,
    }
  }

  async function askPrimary<Row extends object>(query: pg.QueryConfig) {
    asking += 1
    try {
      const answer = await askOf<Row>(primary, query)
      isAway = false
      return answer
    } catch (error) {
      isAway = true
      throw error
    } finally {
      asking -= 1
    }
  }

  return {
    hasStandby: true,
    async ask<Row extends object>(query: pg.QueryConfig, mayBeBehind: boolean) {
      if (!mayBeBehind) return askPrimary<Row>(query)
      // While it is away one call at a time finds out whether it is back.
      const answer = isAway && asking > 0 ? null : askPrimary<Row>(query).catch(() => null)
      const found = answer && (await inTime(answer, isAway ? 0 : PATIENCE_MS))
      if (found !== null) return found
      if (answer !== null) isAway = true
      return askOf<Row>(standby, query).catch(async (error: unknown) => {
        const late = await answer
        if (late === null) throw error
        return late
      })
    },
  }
}

import type { CompiledQuery, PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { FairTurns } from './fair-turns.ts'

const PLANNED_WITH_VALUES = '/* planned with its values */'

/**
 * For a statement whose plan depends on its values: a page or count of filtered rows, where one status is a hundred
 * rows and another all of them. It is planned anew each time; everything else is planned once per connection (design
 * §8).
 */
export const plannedWithValues = <T>(query: CompiledQuery<T>): CompiledQuery<T> => ({
  ...query,
  sql: `${PLANNED_WITH_VALUES} ${query.sql}`,
})

/** Each name holds its statement and plan on every connection, so there are not to be many. */
const MOST_NAMES = 200
const MOST_SEEN = 2000

/** DDL and transaction control gain nothing from a name; a statement after a comment is one that was marked above. */
const MAY_BE_NAMED = /^\s*(select|with|insert|update|delete)\b/i

interface Names {
  /** the name of a statement, or null while it is not worth one: a shape gets its name when it comes back */
  of(text: string): string | null
  /** from now on every statement gets a new name */
  forget(): void
}

function statementNames(): Names {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  let round = 0
  return {
    of(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (names.size === MOST_NAMES || !MAY_BE_NAMED.test(text)) return null
      if (!seenOnce.delete(text)) {
        if (seenOnce.size === MOST_SEEN) seenOnce.clear()
        seenOnce.add(text)
        return null
      }
      const name = `w${round}_${names.size}`
      names.set(text, name)
      return name
    },
    forget() {
      round += 1
      names.clear()
      seenOnce.clear()
    },
  }
}

/** A column was added since the statement was prepared (a newer node has migrated): its rows have another shape now. */
export const isStalePlan = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** The server takes no writes: its disk is full or its memory is, or it only reads (an old primary after a switch). */
const REFUSES_WRITES = /^(53[124]00|25006)$/
const ONLY_READS = '25006'
/** As the driver says it: the connection may still get its answer, for nobody. */
const NO_ANSWER = 'Query read timeout'

/**
 * The pool for the query builder, on which statements that come back are prepared under a name: parsed and planned
 * once per connection instead of at every request, which costs 3 to 4 times as much. Who waits for a connection gets
 * it by `turns`. Without `isPrepared` nothing gets a name. A connection that only reads, or gave no answer in time, is
 * closed when it is given back.
 */
export function preparing(
  pool: pg.Pool,
  turns: FairTurns,
  { onRefusedWrite, isPrepared }: { onRefusedWrite(): void; isPrepared: boolean },
): PostgresPool {
  const names = statementNames()
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>()

  /** what ends the turn of a connection that is in use */
  const giveBack = new WeakMap<pg.PoolClient, () => void>()
  const wrapped = (client: pg.PoolClient): PostgresPoolClient => {
    let isInTransaction = false
    let isSpent = false
    let isSilent = false
    const note = ({ code, message }: { code?: string; message?: string }) => {
      if (REFUSES_WRITES.test(code ?? '')) onRefusedWrite()
      isSilent ||= message === NO_ANSWER
      isSpent ||= isSilent || code === ONLY_READS
    }
    // By callback: what the driver's own promises leave behind outlives the young generation, which costs a tenth of
    // the processor and 100 MB.
    const run = (config: pg.QueryConfig) =>
      new Promise<pg.QueryResult>((resolve, reject) =>
        client.query(config, (error: Error | null, result: pg.QueryResult) => {
          if (error) {
            note(error)
            reject(error)
          } else resolve(result)
        }),
      )
    const query = async (text: string, given: readonly unknown[]) => {
      // The rollback would wait behind the statement that gets no answer.
      if (isSilent) throw new Error('Connection terminated: it gave no answer in time')
      const values = given as unknown[]
      const name = isPrepared ? names.of(text) : null
      if (name === null) {
        if (text === 'begin' || text.startsWith('start transaction')) isInTransaction = true
        else if (text === 'commit' || text === 'rollback') isInTransaction = false
        return run({ text, values })
      }
      try {
        return await run({ name, text, values })
      } catch (error) {
        if (!isStalePlan(error)) throw error
        names.forget()
        // A transaction is lost by the error: its caller tries again.
        if (isInTransaction) throw error
        return run({ text, values })
      }
    }
    return {
      query,
      release(destroy?: boolean) {
        client.release(destroy || isSpent)
        giveBack.get(client)?.()
      },
      processID: (client as { processID?: number }).processID,
    } as unknown as PostgresPoolClient
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const end = await turns.take()
      const client = await pool.connect().catch((error: unknown) => {
        end()
        throw error
      })
      giveBack.set(client, end)
      const seen = known.get(client) ?? wrapped(client)
      known.set(client, seen)
      return seen
    },
  }
}

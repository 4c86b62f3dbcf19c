import type { CompiledQuery } from 'kysely'
import type { Db } from '../database/db.ts'

/** So long a list that was found to have more rows than are counted is taken to have them still. */
const REMEMBERED_MS = 30_000
const MOST_REMEMBERED = 500

/**
 * Per database (by the adapter that a connection and its transactions share): until when which filters are taken to
 * leave more rows than are counted.
 */
const remembered = new WeakMap<object, Map<string, number>>()

/** What is known of one list: that it was found to have more than EXACT_TOTAL rows a short while ago. */
export interface ManyMatches {
  isKnown(): boolean
  note(): void
  forget(): void
}

/**
 * What is known of the rows that `counted` counts: its statement holds the filters and what its asker may see, its
 * values their days and names. A total up to EXACT_TOTAL is always counted anew.
 */
export function manyMatches(db: Db, { sql, parameters }: CompiledQuery): ManyMatches {
  const { adapter } = db.getExecutor()
  const known = remembered.get(adapter) ?? new Map<string, number>()
  remembered.set(adapter, known)
  const key = `${sql} ${JSON.stringify(parameters)}`
  return {
    isKnown() {
      const until = known.get(key)
      return until !== undefined && performance.now() < until
    },
    note() {
      // The oldest goes first: a Map keeps the order in which its keys came.
      known.delete(key)
      const oldest = known.size === MOST_REMEMBERED ? known.keys().next().value : undefined
      if (oldest !== undefined) known.delete(oldest)
      known.set(key, performance.now() + REMEMBERED_MS)
    },
    forget: () => void known.delete(key),
  }
}

import type { QueryClient } from '@tanstack/react-query'

/** What this person has done on boards since the page was loaded. */
interface OwnActs {
  /** orders that were planned, by id */
  planned: Set<number>
}

// As long as what was read is kept: other pages lie between two looks at the board.
const kept = new WeakMap<QueryClient, OwnActs>()

/** What this person has done on boards so far; who acts writes it down there. */
export function ownActsOf(queries: QueryClient): OwnActs {
  const known = kept.get(queries) ?? { planned: new Set() }
  kept.set(queries, known)
  return known
}

/** Where the next pages begin, as far as this visit has come. */
export interface CursorTrail {
  /** Keeps the cursor that leads from `page` to the one after it. */
  remember: (list: string, page: number, nextCursor: string | null) => void
  /** The cursor that opens `page`, or null where it has to be counted off. */
  find: (list: string, page: number) => string | null
  /** Forgets a cursor that the server no longer takes. */
  forget: (list: string, page: number) => void
}

// Somebody who pages through one list and then another: the older ones are counted off again.
const MOST_LISTS = 8

/**
 * Going on from page to page by cursor costs the same however deep, counting off does not (design §8).
 * `list` names the sort and the filters that a cursor is bound to (api, Lists).
 */
export function createCursorTrail(): CursorTrail {
  const lists = new Map<string, Map<number, string>>()
  const pagesOf = (list: string) => {
    const pages = lists.get(list) ?? new Map<number, string>()
    lists.delete(list)
    lists.set(list, pages)
    for (const oldest of lists.keys()) {
      if (lists.size <= MOST_LISTS) break
      lists.delete(oldest)
    }
    return pages
  }
  return {
    remember: (list, page, nextCursor) => {
      if (nextCursor === null) pagesOf(list).delete(page + 1)
      else pagesOf(list).set(page + 1, nextCursor)
    },
    find: (list, page) => lists.get(list)?.get(page) ?? null,
    forget: (list, page) => {
      lists.get(list)?.delete(page)
    },
  }
}

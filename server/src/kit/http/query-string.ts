type Query = { [key: string]: string | string[] | Query }

/** Pairs of a query that are read; a call with more of them is refused before that (`pairsIn`). */
export const MAX_PAIRS = 500

/** How many pairs the query of an address has. */
export function pairsIn(url: string): number {
  const start = url.indexOf('?')
  return start === -1 ? 0 : url.slice(start).split('&').length
}

/**
 * Reads the bracket notation of spec §7: `a[]=1&a[]=2` is a list, `a[from]=…` an object, `a.b[from]=…` an object in
 * an object. A key given twice without brackets is an error of the caller and becomes a list, which no schema takes.
 */
export function parseQueryString(text: string): Query {
  const query: Query = Object.create(null) as Query
  let pairs = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if ((pairs += 1) > MAX_PAIRS) break
    // Empty strings are dropped by the web; a hand-written call may leave them in.
    if (value === '') continue
    const isList = name.endsWith('[]')
    const path = (isList ? name.slice(0, -2) : name).replace(/\[([^\]]*)\]/g, '.$1').split('.')
    put(query, path, value, isList)
  }
  return query
}

function put(query: Query, path: string[], value: string, isList: boolean): void {
  let place = query
  for (const key of path.slice(0, -1)) {
    const next = place[key]
    if (typeof next === 'object' && !Array.isArray(next)) place = next
    else place = place[key] = Object.create(null) as Query
  }
  const last = path.at(-1)!
  const known = place[last]
  if (isList || known !== undefined)
    place[last] = [...(Array.isArray(known) ? known : typeof known === 'string' ? [known] : []), value]
  else place[last] = value
}

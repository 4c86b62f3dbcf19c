/** What a query may hold: scalars, lists of scalars, and ranges (`{ from, to }`). */
export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly (string | number)[]
  | { readonly [part: string]: string | number | null | undefined }

export type QueryValues = { readonly [name: string]: QueryValue }

/**
 * Writes a query the one way (spec §7; api, General): empty values dropped, booleans `1`/`0`,
 * lists `name[]=a&name[]=b`, ranges `name[from]=…&name[to]=…`. No leading `?`.
 */
export function encodeQuery(values: QueryValues): string {
  const parts: string[] = []
  const add = (name: string, value: string | number | boolean | null | undefined) => {
    if (value === undefined || value === null || value === '') return
    const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
    parts.push(`${encodeName(name)}=${encodeURIComponent(text)}`)
  }
  for (const [name, value] of Object.entries(values)) {
    if (isList(value)) for (const item of value) add(`${name}[]`, item)
    else if (typeof value === 'object' && value !== null)
      for (const [part, item] of Object.entries(value)) add(`${name}[${part}]`, item)
    else add(name, value)
  }
  return parts.join('&')
}

/** The reverse of encodeQuery. Scalars stay text: what they mean is the reader's schema's business. */
export function decodeQuery(text: string): Record<string, string | string[] | Record<string, string>> {
  // Maps, because a name is anything that somebody typed; the order of the address is kept.
  const values = new Map<string, string | string[] | Map<string, string>>()
  for (const [key, value] of new URLSearchParams(text)) {
    const [, name, part] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(key) ?? []
    const known = name === undefined ? undefined : values.get(name)
    if (name === undefined || part === undefined) values.set(key, value)
    else if (part === '') values.set(name, Array.isArray(known) ? [...known, value] : [value])
    else values.set(name, known instanceof Map ? known.set(part, value) : new Map([[part, value]]))
  }
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value]),
  )
}

const isList = (value: QueryValue): value is readonly (string | number)[] => Array.isArray(value)

// Brackets are allowed in a query by every browser and server; encoded they make the address bar unreadable.
const encodeName = (name: string): string => encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']')

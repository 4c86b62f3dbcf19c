import { encodeQuery, type QueryValues } from './query-string.ts'

/** One call as it is given; what it says in headers and address is decided here alone (spec §7). */
export interface RequestInput {
  params?: Record<string, string | number>
  query?: QueryValues
  body?: unknown
  version?: number
  idempotencyKey?: string
  form?: FormData
  /** Of a form: which share of its bytes has left, 0 to 1 */
  onProgress?: (share: number) => void
  /** Only `id` and `title`: what spec §7 calls a filter */
  isCompact?: boolean
  signal?: AbortSignal
}

/** Who asks, and how. `token` is null for public calls, `groupFilter` 0 without a global filter. */
interface Asking {
  language: string
  token: string | null
  groupFilter: number
}

/** The headers of a call. A form brings its own content type, with its boundary. */
export function headersOf(input: RequestInput, { language, token, groupFilter }: Asking): Headers {
  const headers = new Headers({ Accept: 'application/json', 'Accept-Language': language })
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  if (!input.isCompact) headers.set('additional-groups', 'detailed')
  if (groupFilter !== 0) headers.set('group-filter', String(groupFilter))
  if (input.version !== undefined) headers.set('If-Match', `"${input.version}"`)
  if (input.idempotencyKey !== undefined) headers.set('Idempotency-Key', input.idempotencyKey)
  if (input.body !== undefined) headers.set('Content-Type', 'application/json')
  return headers
}

/** The address of a call: the holes of the path filled, the query behind it. */
export function addressOf(path: string, { params, query = {} }: RequestInput): string {
  const filled = path.replace(/:(\w+)/g, (_hole, name: string) => encodeURIComponent(String(params?.[name] ?? '')))
  const text = encodeQuery(query)
  return `/api${filled}${text === '' ? '' : `?${text}`}`
}

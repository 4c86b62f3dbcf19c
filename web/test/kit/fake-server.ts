import { ENDPOINTS, RESOURCES } from '@waybill/contract/api'
import { ERRORS, type ErrorCode, type Language, type Problem } from '@waybill/contract/errors'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import type { CompactRow, Page } from '@waybill/contract/kit/paging'
import type { ResourceApi } from '@waybill/contract/kit/resource'
import type { z } from 'zod'
import { decodeQuery } from '../../src/kit/api/query-string.ts'
import { nestRanges } from '../../src/kit/list/page/list-address.ts'

/*
 * The server as the contract describes it, in place of `window.fetch`. It knows every endpoint, takes only what the
 * endpoint's schemas take, and gives only what its reply's schema allows: what does not fit fails the test.
 */

/** A call as the server reads it. */
export interface Call<E extends Endpoint = Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  /** of a `multipart` endpoint */
  form: FormData | null
  /** of If-Match: the version that the page has read */
  version: number | null
  headers: Headers
}

/** A refusal in place of a reply. */
export class Refusal {
  readonly code: ErrorCode
  readonly extra: Partial<Problem>
  constructor(code: ErrorCode, extra: Partial<Problem>) {
    this.code = code
    this.extra = extra
  }
}

/** What a `file` endpoint gives. */
export interface SentFile {
  blob: Blob
  fileName: string
}

type Reply<E extends Endpoint> = z.output<E['reply']> | Refusal | SentFile
type Answer<E extends Endpoint> = Reply<E> | ((call: Call<E>) => Reply<E> | Promise<Reply<E>>)
type AnyAnswer = (call: Call) => unknown

/** An answer of problem+json with this code, in the contract's words; `extra` adds `errors`, `current` and so on. */
export const refusal = (code: ErrorCode, extra: Partial<Problem> = {}): Refusal => new Refusal(code, extra)

const known: readonly Endpoint[] = [
  ...ENDPOINTS,
  ...RESOURCES.flatMap((api) => [
    api.list,
    api.compact,
    api.export,
    api.get,
    api.create,
    api.replace,
    api.patch,
    api.remove,
  ]),
]
const compact = new Set<Endpoint>(RESOURCES.map((api) => api.compact))

// As long as anything on the page is waited for (vitest.config.ts).
const PATIENCE_MS = 20_000

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

// Words before holes: /customers/export is no customer.
const byWords = known.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)

const paramsIn = ({ path }: Endpoint, pathname: string): Record<string, string> | null => {
  const pattern = path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')
  const groups = new RegExp(`^${pattern}$`).exec(pathname)
  if (groups === null) return null
  return Object.fromEntries(
    Object.entries(groups.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  )
}

/** A patch is what was sent: its schema would fill in what each field is where a new record says nothing. */
const onlySent = (body: unknown, sent: unknown): unknown =>
  Object.fromEntries(Object.entries((body ?? {}) as object).filter(([name]) => name in (sent as object)))

let answers = new Map<Endpoint, AnyAnswer>()
let calls: { endpoint: Endpoint; call: Call }[] = []
let held: { endpoint: Endpoint; fits: (call: Call) => boolean; until: Promise<void> }[] = []
let heard = new Set<() => void>()
let readers = new Set<(endpoint: Endpoint) => void>()
let faults: string[] = []
let isOffline = false
let streams = new Set<ReadableStreamDefaultController<Uint8Array>>()

const fault = (text: string) => {
  faults.push(text)
  return new Response(null, { status: 500 })
}

function findEndpoint(method: string, pathname: string, isCompact: boolean): [Endpoint, Record<string, string>] | null {
  for (const endpoint of byWords) {
    if (endpoint.method !== method) continue
    const params = paramsIn(endpoint, pathname)
    if (params === null) continue
    // A list and its compact form share their address (api, Three representations).
    const twin = byWords.find((other) => other !== endpoint && other.method === method && other.path === endpoint.path)
    if (twin !== undefined && compact.has(endpoint) !== isCompact) return [twin, params]
    return [endpoint, params]
  }
  return null
}

const problemOf = ({ code, extra }: Refusal, headers: Headers): Response => {
  const { status, text } = ERRORS[code]
  const detail = text[(headers.get('accept-language') ?? 'en') as Language]
  const problem: Problem = {
    type: 'about:blank',
    title: code,
    status,
    code,
    detail,
    requestId: 'test-1',
    ...extra,
  }
  return new Response(JSON.stringify(problem), {
    status,
    headers: { 'content-type': 'application/problem+json', ...(code === 'rate_limited' && { 'retry-after': '60' }) },
  })
}

function openStream(signal: AbortSignal | null): Response {
  let own: ReadableStreamDefaultController<Uint8Array>
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      own = controller
      streams.add(controller)
    },
    cancel: () => void streams.delete(own),
  })
  signal?.addEventListener('abort', () => {
    if (streams.delete(own)) own.error(signal.reason)
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
}

interface Received {
  method: string
  address: string
  headers: Headers
  body: BodyInit | null
  signal: AbortSignal | null
}

async function respond({ method, address, headers, body, signal }: Received): Promise<Response> {
  const { pathname, search } = new URL(address, location.origin)
  const found = findEndpoint(method, pathname.slice('/api'.length), headers.get('additional-groups') === null)
  if (found === null) return fault(`${method} ${pathname}: the contract has no such endpoint`)
  const [endpoint, given] = found
  const name = nameOf(endpoint)
  const read = (part: 'params' | 'query' | 'body', value: unknown) => {
    const result = endpoint[part].safeParse(value)
    if (!result.success) faults.push(`${name}: what the page sends does not fit the ${part}: ${result.error.message}`)
    return result.data
  }
  const sent: unknown = typeof body === 'string' ? JSON.parse(body) : {}
  const ifMatch = headers.get('if-match')
  if (endpoint.needsVersion && ifMatch === null) return fault(`${name}: the page sends no version`)
  const call: Call = {
    params: read('params', given),
    query: read('query', nestRanges(decodeQuery(search))),
    body: method === 'PATCH' ? onlySent(read('body', sent), sent) : read('body', sent),
    form: body instanceof FormData ? body : null,
    version: ifMatch === null ? null : Number(ifMatch.replaceAll('"', '')),
    headers,
  }
  calls.push({ endpoint, call })
  for (const listener of heard) listener()
  // Held back before it is answered: the answer is that of the moment in which it is let go.
  await Promise.all(held.filter((one) => one.endpoint === endpoint && one.fits(call)).map(({ until }) => until))
  if (isOffline) throw new TypeError('Failed to fetch')
  if (endpoint.shape === 'stream') return openStream(signal)
  const answer = answers.get(endpoint)
  if (answer === undefined) return fault(`${name}: nothing says how this is answered (${pathname}${search})`)
  const reply = await answer(call)
  if (reply instanceof Refusal) return problemOf(reply, headers)
  if (endpoint.shape === 'file') {
    const { blob, fileName } = reply as SentFile
    return new Response(blob, { headers: { 'content-disposition': `attachment; filename="${fileName}"` } })
  }
  const fitting = endpoint.reply.safeParse(reply)
  if (!fitting.success) return fault(`${name}: the test’s reply does not fit: ${fitting.error.message}`)
  if (endpoint.status === 204) return new Response(null, { status: 204 })
  const { fields } = call.query as { fields?: readonly string[] }
  const replied = fields === undefined ? fitting.data : valuesOf(fitting.data as Page<object>, fields)
  const response = new Response(JSON.stringify(replied), {
    status: endpoint.status,
    headers: { 'content-type': 'application/json' },
  })
  const json = response.json.bind(response)
  response.json = async () => {
    const body: unknown = await json()
    for (const reader of readers) reader(endpoint)
    return body
  }
  return response
}

/** Rows as they come where fields are asked for: lists of their values (api, Lists). */
const valuesOf = ({ items, ...page }: Page<object>, fields: readonly string[]): Page<unknown[]> => ({
  ...page,
  items: items.map((row) => fields.map((name) => (row as Record<string, unknown>)[name])),
})

const realFetch = window.fetch.bind(window)

const isOurs = (address: string) => new URL(address, location.origin).pathname.startsWith('/api/')

const isOver = (signal: AbortSignal | null) =>
  new Promise<never>((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason as Error)
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })

/** Stands in for `window.fetch`; what is not the API's goes its way. */
export async function fakeFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const address = input instanceof Request ? input.url : String(input)
  if (!isOurs(address)) return realFetch(input, init)
  const { method = 'GET', headers, body = null, signal = null } = init
  const over = isOver(signal)
  over.catch(() => undefined)
  return Promise.race([respond({ method, address, headers: new Headers(headers), body, signal }), over])
}

/** Forgets the test before: its answers, its calls, what it held back. */
export function forgetCalls(): void {
  for (const stream of streams) stream.close()
  answers = new Map()
  calls = []
  held = []
  heard = new Set()
  readers = new Set()
  faults = []
  isOffline = false
  streams = new Set()
}

/** What did not fit since the test began. */
export const faultsSoFar = (): readonly string[] => faults

const asAnswer = (answer: unknown): AnyAnswer => (typeof answer === 'function' ? (answer as AnyAnswer) : () => answer)

/** The page of a list with these rows and no other. */
export const pageOf = <Row>(items: Row[], perPage = 25): Page<Row> => ({
  items,
  page: 1,
  perPage,
  total: items.length,
  totalIsExact: true,
  nextCursor: null,
})

const plain = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('Ł', 'L').toLowerCase()

/** The faked server, as a test uses it. */
export const server = {
  /** From now on the endpoint is answered so; `answer` may be a function of the call. */
  answer<E extends Endpoint>(endpoint: E, answer: Answer<E>): void {
    answers.set(endpoint, asAnswer(answer))
  },
  /**
   * What select boxes find: these rows, by the words typed, by id and as a whole, as the server's search does; `others`
   * are their titles in other languages.
   */
  offer(
    api: Pick<ResourceApi, 'compact'>,
    own: readonly CompactRow[],
    others: Partial<Record<Language, readonly CompactRow[]>> = {},
  ): void {
    answers.set(api.compact, (call) => {
      const rows = others[call.headers.get('accept-language') as Language] ?? own
      const { q = '', ids } = call.query as { q?: string; ids?: number[] }
      const words = plain(q).split(/\s+/)
      const fits = ({ title, names = [], detail }: CompactRow) =>
        words.every((word) => plain([title, ...names, detail ?? ''].join(' ')).includes(word))
      return pageOf(rows.filter((row) => (ids === undefined ? fits(row) : ids.includes(row.id))))
    })
  },
  /** What was asked of the endpoint so far, oldest first. */
  calls<E extends Endpoint>(endpoint: E): Call<E>[] {
    return calls.filter((one) => one.endpoint === endpoint).map(({ call }) => call as Call<E>)
  },
  /** The next call to the endpoint from now on; begin to wait before the page asks. */
  next<E extends Endpoint>(endpoint: E, fits: (call: Call<E>) => boolean = () => true): Promise<Call<E>> {
    const from = calls.length
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error(`${nameOf(endpoint)}: was not asked`)), PATIENCE_MS)
      const look = () => {
        const found = calls.slice(from).find((one) => one.endpoint === endpoint && fits(one.call as Call<E>))
        if (found === undefined) return
        heard.delete(look)
        clearTimeout(limit)
        resolve(found.call as Call<E>)
      }
      heard.add(look)
    })
  },
  /** Until the page has read the next answer of the endpoint; begin to wait before it is given. */
  read(endpoint: Endpoint): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const reader = (one: Endpoint) => {
      if (one !== endpoint) return
      readers.delete(reader)
      resolve()
    }
    readers.add(reader)
    return promise
  },
  /** Calls to the endpoint wait for their answer until the returned function lets them go. */
  holdBack<E extends Endpoint>(endpoint: E, fits: (call: Call<E>) => boolean = () => true): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    const one = { endpoint, fits: fits as (call: Call) => boolean, until: promise }
    held.push(one)
    return () => {
      held = held.filter((other) => other !== one)
      resolve()
    }
  },
  /** Without the network: no call gets an answer. */
  setOffline(isOff: boolean): void {
    isOffline = isOff
  },
  /** Tells the open streams an event (contract, event). */
  tell(event: string, data: unknown = {}): void {
    const bytes = new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    for (const stream of streams) stream.enqueue(bytes)
  },
}

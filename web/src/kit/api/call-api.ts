import type { Endpoint } from '@waybill/contract/kit/endpoint'
import type { State } from '@waybill/contract/kit/fields'
import type { CompactRow, Page } from '@waybill/contract/kit/paging'
import type { ListApi, RowFieldOf, RowOf } from '@waybill/contract/kit/resource'
import { refreshTokens } from '@waybill/contract/session'
import type { z } from 'zod'
import { clearTokens, readGroupFilter, readTokens, renewalKey, writeTokens } from '../session/token-store.ts'
import { ApiError, errorOf } from './api-error.ts'
import { newRandomKey } from './random-key.ts'
import { createRefresher } from './refresh.ts'
import type { QueryValues } from './query-string.ts'
import { addressOf, headersOf, type RequestInput } from './request.ts'
import { sendForm } from './send-form.ts'

type IsNothing<Schema extends z.ZodType> = z.output<Schema> extends Record<string, never> ? true : false
type Part<Name extends string, Schema extends z.ZodType, Value> =
  IsNothing<Schema> extends true
    ? { [K in Name]?: undefined }
    : object extends Value
      ? { [K in Name]?: Value }
      : { [K in Name]: Value }

/** What a call to this endpoint takes. `query` values are written by encodeQuery. */
export type CallInput<E extends Endpoint> = Part<'params', E['params'], z.output<E['params']>> &
  Part<'body', E['body'], z.input<E['body']>> & {
    query?: Partial<z.output<E['query']>>
    /** The version read, sent as If-Match (api, One record) */
    version?: number
    /** Same key, same effect: keep one per intention, so that a repeat cannot act twice */
    idempotencyKey?: string
    /** For `multipart` endpoints */
    form?: FormData
    /** Which share of the form's bytes has left, 0 to 1 */
    onProgress?: (share: number) => void
    /** Lists: only `id` and `title` (api, Three representations) */
    isCompact?: boolean
    signal?: AbortSignal
  }

/** What a call needs of an endpoint once its input is known to fit. */
export type Way = Pick<Endpoint, 'method' | 'path' | 'access'>

type OptionalIfEmpty<Input> = object extends Input ? [input?: Input] : [input: Input]

interface ApiSettings {
  language: () => string
  /** The session ended without the person's wish: a 401 that renewing could not heal. */
  onSessionLost: () => void
}

let settings: ApiSettings = { language: () => 'en', onSessionLost: () => undefined }

/** Tells the calls where language and loss of session belong; once, at the start. */
export function setUpApi(given: ApiSettings): void {
  settings = given
}

/** Calls an endpoint of the contract and answers its reply. Throws ApiError. */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  ...[input]: OptionalIfEmpty<CallInput<E>>
): Promise<z.output<E['reply']>> {
  const response = await send(endpoint, (input ?? {}) as RequestInput)
  return (response.status === 204 ? {} : await response.json()) as z.output<E['reply']>
}

/** A resource's list as `id` and `title`, for pickers; which are open to all: domain, People and rights. */
export async function callCompact(
  api: { compact: Way },
  query: { q?: string; state?: State; ids?: readonly number[]; page?: number; cursor?: string; perPage?: number },
  signal?: AbortSignal,
): Promise<Page<CompactRow>> {
  const response = await send(api.compact, { query, isCompact: true, signal })
  return (await response.json()) as Page<CompactRow>
}

/** A page of a resource's list with these fields of its rows and no others (api, Lists). */
export async function callRows<Api extends ListApi, const Field extends RowFieldOf<Api>>(
  api: Api,
  fields: readonly Field[],
  query: CallInput<Api['list']>['query'],
  signal?: AbortSignal,
): Promise<Page<Pick<RowOf<Api>, Field>>> {
  const response = await send(api.list, { query: { ...(query as QueryValues), fields }, signal })
  const { items, ...page } = (await response.json()) as Page<readonly unknown[]>
  const toRow = (values: readonly unknown[]) =>
    Object.fromEntries(fields.map((name, place) => [name, values[place]])) as Pick<RowOf<Api>, Field>
  return { ...page, items: items.map(toRow) }
}

/** The bytes behind a `file` endpoint, with the name that the server gave them. */
export async function callFile<E extends Endpoint>(
  endpoint: E,
  ...[input]: OptionalIfEmpty<CallInput<E>>
): Promise<{ blob: Blob; fileName: string }> {
  const response = await send(endpoint, (input ?? {}) as RequestInput)
  return { blob: await response.blob(), fileName: fileNameOf(response.headers.get('content-disposition')) }
}

/** What a `stream` endpoint says, as long as it says something. */
export async function callStream<E extends Endpoint>(
  endpoint: E,
  input: Pick<CallInput<E>, 'query'> & { signal: AbortSignal },
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(endpoint, input as RequestInput)
  return response.body ?? new Blob([]).stream()
}

/** A key for one intention (api, Idempotency-Key). */
export const newIdempotencyKey = newRandomKey

async function send(endpoint: Way, input: RequestInput): Promise<Response> {
  if (endpoint.access === 'public') return okOrThrow(await request(endpoint, input, null))
  const token = readTokens()?.token ?? null
  const response = await request(endpoint, input, token)
  if (response.status !== 401) return okOrThrow(response)
  const renewed = token === null ? null : await refresh(token)
  if (renewed !== null) {
    const again = await request(endpoint, input, renewed)
    if (again.status !== 401) return okOrThrow(again)
  }
  loseSession()
  throw await errorOf(response)
}

async function request(endpoint: Way, input: RequestInput, token: string | null): Promise<Response> {
  const headers = headersOf(input, { language: settings.language(), token, groupFilter: readGroupFilter() })
  const { form, onProgress, signal = null } = input
  const body = form ?? (input.body === undefined ? null : JSON.stringify(input.body))
  const address = addressOf(endpoint.path, input)
  try {
    if (form !== undefined && onProgress !== undefined)
      return await sendForm(address, { method: endpoint.method, headers, form, onProgress, signal })
    return await fetch(address, { method: endpoint.method, headers, body, signal })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new ApiError(0, 'offline')
  }
}

async function okOrThrow(response: Response): Promise<Response> {
  if (response.ok) return response
  throw await errorOf(response)
}

const refresh = createRefresher({
  read: readTokens,
  write: writeTokens,
  key: renewalKey,
  spend: ({ refreshToken }, key) => callApi(refreshTokens, { body: { refreshToken, key } }),
  // Web Locks exist only on https and localhost; without them the server's `token_spent` tells who came second.
  alone: <T>(work: () => Promise<T>): Promise<T> =>
    navigator.locks ? (navigator.locks.request('waybill-refresh', work) as Promise<T>) : work(),
  changed: (from) => tokensChanged(from.refreshToken),
})

// The other tab's answer is on its way: it is stored within moments, or its tab is gone.
const CHANGE_WAIT_MS = 3_000

function tokensChanged(from: string): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('storage', look)
      resolve()
    }
    const look = () => {
      if (readTokens()?.refreshToken !== from) done()
    }
    const timer = setTimeout(done, CHANGE_WAIT_MS)
    window.addEventListener('storage', look)
    look()
  })
}

function loseSession(): void {
  // Several refused calls end here; the first one speaks for all.
  if (readTokens() === null) return
  clearTokens()
  settings.onSessionLost()
}

// RFC 6266: filename* is the exact name, filename a plain one beside it.
function fileNameOf(disposition: string | null): string {
  const exact = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (exact !== undefined) return decodeURIComponent(exact)
  return /filename="([^"]*)"/i.exec(disposition ?? '')?.[1] ?? 'document'
}

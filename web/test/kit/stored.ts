import type { Versioned } from '@waybill/contract/kit/resource'
import type { Endpoint } from '@waybill/contract/kit/endpoint'
import { refusal, server } from './fake-server.ts'

interface StoredApi {
  get: Endpoint
  patch: Endpoint
}

/** One record as the server keeps it. */
export interface Stored<View> {
  /** As it is now */
  now: () => View
  /** Somebody else saves this meanwhile */
  change: (fields: Partial<View>) => void
}

/**
 * Keeps a record: it is read, and what the page saves of it is merged into it as `viewOf` says, by its names alone if
 * nothing else. A version that is not the newest is refused, with the record as it is now.
 */
export function keep<View extends Versioned>(
  api: StoredApi,
  record: View,
  viewOf: (body: Record<string, unknown>, before: View) => Partial<View> = (body) => body as Partial<View>,
): Stored<View> {
  let now = record
  const change = (fields: Partial<View>) => {
    now = { ...now, ...fields, version: now.version + 1 }
  }
  server.answer(api.get, ({ params }) => ((params as { id: number }).id === now.id ? now : refusal('not_found')))
  server.answer(api.patch, ({ body, version }) => {
    if (version !== now.version) return refusal('stale_version', { current: now })
    change(viewOf(body as Record<string, unknown>, now))
    return now
  })
  return { now: () => now, change }
}

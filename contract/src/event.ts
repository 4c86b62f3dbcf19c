import { z } from 'zod'
import { endpoint } from './kit/endpoint.ts'
import { id } from './kit/fields.ts'

/** Of what kinds of record the events tell. */
export const EVENT_KINDS = [
  'order',
  'invoice',
  'invoiceRun',
  'paymentFile',
  'vehicle',
  'carrierCompany',
  'quote',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Records that were made, changed, or are no longer there for the hearer. What they are now is asked as always. */
export const ChangedEvent = z.object({ kind: z.enum(EVENT_KINDS), ids: z.array(id) })
export type ChangedEvent = z.output<typeof ChangedEvent>

/** What changed longer ago is not told again: `missed` comes in its place. */
export const MOST_SECONDS_AGO = 300

/**
 * Server-sent events, read by fetch as a stream. `ready` comes first; `changed` carries a ChangedEvent; `missed` says
 * that some may have been lost, so that what is shown should be read again. `ago` is how many seconds ago the page last
 * heard anything: what changed since then is told first, some of it perhaps for the second time. The stream ends with
 * the session, or with the access token that opened it: open it again with a new one. Errors: `rate_limited` where one
 * person has too many open.
 */
export const streamEvents = endpoint({
  method: 'GET',
  path: '/events',
  access: 'signedIn',
  inPerson: true,
  summary: 'What changes, for those who may see it, as it happens',
  query: z.strictObject({
    ago: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .optional(),
  }),
  shape: 'stream',
})

import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { countryCode, id, idText, language, reference } from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'

/** How far the goods of a customer are; a delay is told beside it. */
export const TRACKING_STATES = [
  'planned',
  'toLoading',
  'loading',
  'loaded',
  'onTheWay',
  'arrived',
  'delivered',
  'canceled',
] as const
export type TrackingState = (typeof TRACKING_STATES)[number]

/** When a stop is due, as it is typed in the order: local dates and times at the stop. */
const TrackedTermin = z.object({
  kind: z.enum(['before', 'fix', 'period']),
  dateFrom: z.string(),
  timeFrom: z.string().nullable(),
  dateTo: z.string().nullable(),
  timeTo: z.string().nullable(),
})
export type TrackedTermin = z.output<typeof TrackedTermin>

const TrackedStop = z.object({
  /** what happens there to the goods of this customer */
  kind: z.enum(['loading', 'unloading', 'both', 'customs', 'other']),
  countryCode,
  city: z.string().nullable(),
  /** times are told by the clock of the stop */
  timeZone: z.string(),
  termin: TrackedTermin.nullable(),
  /** when the truck is expected, as staff have typed it; null once it was there */
  expectedAt: z.string().nullable(),
  arrivedAt: z.string().nullable(),
  loadedAt: z.string().nullable(),
  unloadedAt: z.string().nullable(),
  isDone: z.boolean(),
  /** how many minutes after the end of its appointment it is expected; 0: in time, null: nobody can say */
  lateMinutes: z.number().int().nullable(),
})
export type TrackedStop = z.output<typeof TrackedStop>

/** What a customer may know of its order, and no more (decision 104). */
export const TrackingPage = z.object({
  /** of the customer */
  language,
  /** the customer's own number, else ours */
  reference: z.string(),
  /** ours */
  number: z.string(),
  state: z.enum(TRACKING_STATES),
  /** which of the stops the state speaks of, by its place among them */
  stop: z.number().int().nullable(),
  delay: z
    .object({
      /** its place among the stops */
      stop: z.number().int(),
      /** until when it should have been */
      dueAt: z.string(),
      /** null: nobody has said yet */
      expectedAt: z.string().nullable(),
      /** in words of staff, in the language that they were typed in */
      reason: z.string().nullable(),
    })
    .nullable(),
  /** of the trucks of whose driver and plate the customer was told */
  plateNumbers: z.array(z.string()),
  /** who drives its planned routes, where the department lets customers know */
  carriers: z.array(z.string()),
  stops: z.array(TrackedStop),
  /** there is a map of them */
  hasMap: z.boolean(),
  /** proofs of delivery that were accepted */
  files: z.array(z.object({ key: z.string(), title: z.string(), sizeBytes: z.number().int() })),
  /** who answers questions; the phone of the department or the company where the person has none */
  contact: z.object({ name: z.string().nullable(), phone: z.string().nullable() }),
  company: z.object({ title: z.string(), email: z.string().nullable() }),
  /** when this was told */
  at: z.string(),
  expiresAt: z.string(),
  /** another one as soon as the transport is another one; says nothing by itself */
  mark: z.string(),
})
export type TrackingPage = z.output<typeof TrackingPage>

// Any text is one answer: what cannot be a token is told apart by nothing.
const token = z.string().max(500)

/**
 * What the page of a tracking link shows. Changes nothing. Unknown, changed, revoked and expired links, those of
 * another installation, and those of an order that is gone are one `not_found`.
 */
export const getTrackingPage = endpoint({
  method: 'GET',
  path: '/track/:token',
  access: 'public',
  summary: 'What a customer’s tracking link shows',
  params: z.strictObject({ token }),
  reply: TrackingPage,
})

/** Times in a minute that a link may be asked for its mark, by all who look at its page together. */
export const MARKS_A_MINUTE = 120

/**
 * The mark of a page alone, for who looks at it: where it is another one, the page is asked for anew. Counted apart
 * from all other calls of the link. Error: `not_found`, as the page.
 */
export const getTrackingMark = endpoint({
  method: 'GET',
  path: '/track/:token/mark',
  access: 'public',
  summary: 'Whether what a tracking link shows has changed',
  params: z.strictObject({ token }),
  reply: TrackingPage.pick({ mark: true }),
})

/**
 * The stops of the page on outlines of the countries around them, as SVG; `mark` is that of the page, so that another
 * one is another picture. Error: `not_found`, also where the page has no map.
 */
export const getTrackedMap = endpoint({
  method: 'GET',
  path: '/track/:token/map',
  access: 'public',
  summary: 'A map of the stops of a customer’s tracking link',
  params: z.strictObject({ token }),
  query: z.strictObject({ mark: z.string().max(100).optional() }),
  shape: 'file',
})

/** Error: `not_found`, also for a file that the page does not show. */
export const getTrackedFile = endpoint({
  method: 'GET',
  path: '/track/:token/files/:key',
  access: 'public',
  summary: 'An accepted proof of delivery of a customer’s tracking link',
  params: z.strictObject({ token, key: z.string().max(100) }),
  shape: 'file',
})

// ---------------------------------------------------------------- for staff

/** The tracking links of an order, one for each customer. */
export const TrackingLinks = z.object({
  items: z.array(
    z.object({
      customer: reference,
      /** null: there is none, or the last one is over */
      link: z
        .object({
          id,
          url: z.string(),
          createdAt: z.string(),
          expiresAt: z.string(),
          /** with a mail to the customer */
          sentAt: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
})
export type TrackingLinks = z.output<typeof TrackingLinks>

const ofOrder = z.strictObject({ id: idText })

/** Rights of all three: those of the order. */
export const listTrackingLinks = endpoint({
  method: 'GET',
  path: '/orders/:id/tracking-links',
  access: ORDER_ACCESS,
  summary: 'The tracking links of an order’s customers',
  params: ofOrder,
  reply: TrackingLinks,
})

/**
 * Makes a link; the customer's one before stops working. `linkId` is the one that the caller saw, null for none. The
 * version is the order's. Errors: `stale_version`, `conflict` where another link is there by now,
 * `unknown_reference` at `customerId`.
 */
export const renewTrackingLink = endpoint({
  method: 'POST',
  path: '/orders/:id/tracking-links',
  access: ORDER_ACCESS,
  summary: 'Make the tracking link of a customer anew',
  params: ofOrder,
  body: z.strictObject({ customerId: id, linkId: id.nullable() }),
  reply: TrackingLinks,
  needsVersion: true,
})

/** The link stops working at once. The version is the order's. Errors: `stale_version`, `not_found` without a link. */
export const revokeTrackingLink = endpoint({
  method: 'DELETE',
  path: '/orders/:id/tracking-links/:customerId',
  access: ORDER_ACCESS,
  summary: 'Revoke the tracking link of a customer',
  params: z.strictObject({ id: idText, customerId: idText }),
  needsVersion: true,
})

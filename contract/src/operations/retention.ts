import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { coded, id, idText } from '../kit/fields.ts'

/**
 * What tells of persons and becomes anonymous after a time without use, in the order in which it is shown: records of
 * persons, then what was typed at orders: drivers, disponents and who signed at a route, contacts at a stop.
 */
export const PERSON_KINDS = [
  'driver',
  'carrierContact',
  'customerContact',
  'user',
  'routePerson',
  'stopContact',
] as const
export type PersonKind = (typeof PERSON_KINDS)[number]

/** The months without use that can be chosen; null: they are kept until somebody deletes them. */
export const RETENTION_MONTHS = [6, 12, 18, 24, 36, 48, 60, 84, 120] as const

/**
 * Why one stays: somebody who works here; an order of theirs, or of their company, is not at its end; used within the
 * period.
 */
export const STAY_REASONS = ['active', 'openOrder', 'recent'] as const
export type StayReason = (typeof STAY_REASONS)[number]

/** How many are named of those that would become anonymous. */
export const MOST_NAMED = 100

const months = z.literal(RETENTION_MONTHS)
const count = z.number().int()

const Retention = z.object({
  version: count,
  /** months without use, by kind */
  periods: z.record(z.enum(PERSON_KINDS), months.nullable()),
  /** what the last night did; null: none has yet */
  lastRun: z.object({ at: z.string(), counts: z.record(z.enum(PERSON_KINDS), count) }).nullable(),
})
export type Retention = z.output<typeof Retention>

export const getRetention = endpoint({
  method: 'GET',
  path: '/operations/retention',
  access: 'administrator',
  inPerson: true,
  summary: 'After which time without use records of persons become anonymous',
  reply: Retention,
})

/** Errors: `stale_version` where somebody else has changed it. */
export const setRetention = endpoint({
  method: 'PUT',
  path: '/operations/retention',
  access: 'administrator',
  inPerson: true,
  summary: 'Say after which time without use records of persons become anonymous',
  needsVersion: true,
  body: z.strictObject({ periods: z.record(z.enum(PERSON_KINDS), months.nullable()) }),
  reply: Retention,
})

const RetentionPreview = z.object({
  /** how many would become anonymous tonight */
  dueCount: count,
  /** the first of them, longest without use first; `owner`: their company, or the order at which they were typed */
  due: z.array(z.object({ id, title: z.string(), owner: z.string().nullable(), lastUsedAt: z.string() })),
  stays: z.array(z.object({ reason: z.enum(STAY_REASONS), count })),
})
export type RetentionPreview = z.output<typeof RetentionPreview>

/** Nothing is changed by it. */
export const previewRetention = endpoint({
  method: 'GET',
  path: '/operations/retention/preview',
  access: 'administrator',
  inPerson: true,
  summary: 'Who would become anonymous by a period, and what stays and why',
  query: z.strictObject({
    kind: z.enum(PERSON_KINDS),
    months: idText.refine((value) => (RETENTION_MONTHS as readonly number[]).includes(value), coded('invalid_value')),
  }),
  reply: RetentionPreview,
})

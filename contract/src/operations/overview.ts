import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { id } from '../kit/fields.ts'

/** What leaves by itself and waits for a word after a restore (decision 095). */
export const HELD_KINDS = ['email', 'ksef_submission', 'invoice_run', 'webhook_delivery'] as const

/** How many failed jobs are listed. */
export const MOST_FAILED_JOBS = 100

const count = z.number().int()

const FailedJob = z.object({ id: z.string(), name: z.string(), failedAt: z.string(), tries: count })
export type FailedJob = z.output<typeof FailedJob>

const Held = z.object({
  backupAt: z.string(),
  restoredAt: z.string(),
  kinds: z.array(z.object({ kind: z.enum(HELD_KINDS), count })),
})
export type Held = z.output<typeof Held>

/** A company that sends no invoice since a restore: numbers given after the backup are not known (decision 157). */
const HeldNumber = z.object({
  companyId: id,
  title: z.string(),
  year: count,
  /** the last one of this year that is known here; 0: none */
  last: count,
  /** of its invoices' numbers */
  pattern: z.string(),
  backupAt: z.string(),
  restoredAt: z.string(),
})
export type HeldNumber = z.output<typeof HeldNumber>

/** A batch of the history that is not as it was sealed (decision 136). */
const SealFault = z.object({
  /** entries from this number on */
  firstId: count,
  /** up to this one */
  lastId: count,
  /** when they were sealed */
  at: z.string(),
  /** others than were sealed; as many, and changed; the seal does not follow from the one before it */
  fault: z.enum(['count', 'content', 'chain']),
})
export type SealFault = z.output<typeof SealFault>

/** A Waybill that serves, held against the one that answers (decision 138). */
const OperationsNode = z.object({
  host: z.string(),
  port: count,
  version: z.string(),
  startedAt: z.string(),
  /** its last sign of life: it gives one each half minute */
  seenAt: z.string(),
  /** the one that answers */
  isThis: z.boolean(),
  /** it gave no sign for a minute and a half */
  isSilent: z.boolean(),
  isOtherVersion: z.boolean(),
  /** names of settings that have to be the same, and are not */
  otherSettings: z.array(z.string()),
})
export type OperationsNode = z.output<typeof OperationsNode>

/** How Waybill stands. What could not be read in time, or from too large a table, is null. */
export const Operations = z.object({
  version: z.string(),
  /** the name of the machine that answers: where there are several nodes, another one may answer next */
  node: z.string(),
  startedAt: z.string(),
  /** all of the last day that were not ended, the longest running first */
  nodes: z.array(OperationsNode),
  database: z.object({ version: z.string(), bytes: count.nullable() }),
  /** by name; `oldestSeconds`: how long the oldest that waits could have been done */
  jobs: z
    .array(z.object({ name: z.string(), waiting: count, active: count, failed: count, oldestSeconds: z.number() }))
    .nullable(),
  /** those that are tried no more, the newest first; they are kept for a day */
  failedJobs: z.array(FailedJob).nullable(),
  /** those that wait, and those that failed within a day; more than 100000 of one are told as that many */
  mails: z.object({ planned: count, queued: count, waiting: count, held: count, failed: count }).nullable(),
  sessions: count.nullable(),
  /** `isExact` false: there are so many that a sample was counted */
  files: z.object({ count, bytes: count, isExact: z.boolean() }).nullable(),
  /** `isScheduled`: the server makes them by itself, and those by hand are not told here */
  backups: z.object({
    isScheduled: z.boolean(),
    lastAt: z.string().nullable(),
    failedAt: z.string().nullable(),
    /** files that were missing or damaged in the store when the last good one was made */
    faultyFiles: count,
    /** older backups were to go after it, and could not */
    areOldOnesLeft: z.boolean(),
  }),
  /** the seals of the history; `unsealed` up to 100000, `faults`: the first of so many that the last look has found */
  audit: z
    .object({
      sealedAt: z.string().nullable(),
      unsealed: count,
      checkedAt: z.string().nullable(),
      faultCount: count,
      faults: z.array(SealFault),
    })
    .nullable(),
  /** null: nothing waits for a word */
  held: Held.nullable(),
  /** companies that wait for a word about their invoice numbers */
  numbers: z.array(HeldNumber),
})
export type Operations = z.output<typeof Operations>

export const getOperations = endpoint({
  method: 'GET',
  path: '/operations',
  access: 'administrator',
  inPerson: true,
  summary: 'How this installation stands: jobs, mails, files, database, backups',
  reply: Operations,
})

const failedJob = z.strictObject({ name: z.string().max(100), id: z.uuid() })

/** Once more, now. Errors: `not_found` where it is no failed job any more, also as somebody else was first. */
export const retryJob = endpoint({
  method: 'POST',
  path: '/operations/jobs/:name/:id/retry',
  access: 'administrator',
  inPerson: true,
  summary: 'Try a failed job once more',
  params: failedJob,
})

/** Errors: `not_found` where it is no failed job any more. */
export const removeJob = endpoint({
  method: 'DELETE',
  path: '/operations/jobs/:name/:id',
  access: 'administrator',
  inPerson: true,
  summary: 'Forget a failed job',
  params: failedJob,
})

/**
 * `release` lets go what a restored backup brought along, `drop` drops what can be dropped. `restoredAt` is that of the
 * restore which the person has seen. Errors: `not_found` where nothing of it waits any more.
 */
export const decideHeld = endpoint({
  method: 'POST',
  path: '/operations/held',
  access: 'administrator',
  inPerson: true,
  summary: 'Give the word about what waits since a restore',
  body: z.strictObject({ word: z.enum(['release', 'drop']), restoredAt: z.iso.datetime() }),
})

/** A company's numbers have so many digits at most. */
export const MOST_INVOICES_OF_YEAR = 999_999_999

/**
 * Says which invoice number of this year a company has used last, wherever it stands; from then on it sends again.
 * `restoredAt` is that of the restore which the person has seen. Errors: `not_found` where it waits for no word about
 * it any more.
 */
export const noteNumber = endpoint({
  method: 'POST',
  path: '/operations/numbers',
  access: 'administrator',
  inPerson: true,
  summary: 'Say which invoice number was used last before a restore',
  body: z.strictObject({
    companyId: id,
    last: z.int().min(0).max(MOST_INVOICES_OF_YEAR),
    restoredAt: z.iso.datetime(),
  }),
})

const Licence = z.object({ name: z.string(), version: z.string(), licence: z.string() })
export type Licence = z.output<typeof Licence>

export const listLicences = endpoint({
  method: 'GET',
  path: '/operations/licences',
  access: 'administrator',
  inPerson: true,
  summary: 'The software of others in this Waybill, by name',
  reply: z.object({ items: z.array(Licence) }),
})

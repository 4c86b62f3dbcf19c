import { NoResultError } from 'kysely'
import { ERRORS, type ErrorCode, type FieldErrorCode } from '@waybill/contract/errors'
import { isStalePlan } from '../database/prepared.ts'

/** One wrong field before its words are chosen: `path` is dotted, `params` fill the holes of the text. */
export interface FieldFault {
  path: string
  code: FieldErrorCode
  params?: Record<string, unknown>
}

interface Details {
  fields?: FieldFault[]
  /** stale_version: the record as it is now */
  current?: unknown
  /** illegal_transition */
  from?: string
  to?: string
  allowed?: string[]
  /** rate_limited, in seconds */
  retryAfter?: number
}

/** The one error that a person is meant to see; everything else becomes `internal` with a request id. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Details

  constructor(code: ErrorCode, details: Details = {}, options?: ErrorOptions) {
    super(code, options)
    this.name = 'AppError'
    this.code = code
    this.status = ERRORS[code].status
    this.details = details
  }
}

/** A 422 with one wrong field. */
export const fieldError = (path: string, code: FieldErrorCode, params?: Record<string, unknown>) =>
  new AppError('validation', { fields: [params ? { path, code, params } : { path, code }] })

interface DatabaseError {
  code?: string
  message?: string
  constraint?: string
  detail?: string
}

// Classes 08, 57P and 53 of PostgreSQL's appendix A (connection lost; shutting down, crashed, starting; disk full, out
// of memory, too many connections), one that only reads (25006), and the network's own.
const UNREACHABLE_CODE = /^(08\w{3}|57P0[1-3]|53\w{3}|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)$/
// What the driver says without a code, of a connection that broke, could not be had in time or gave no answer.
const UNREACHABLE_MESSAGE = new RegExp(
  [
    '^Connection terminated',
    '^timeout exceeded when trying to connect',
    '^Client has encountered a connection error',
    '^Query read timeout',
  ].join('|'),
)

/** The database is away, coming back or takes no writes: nobody's fault in this call, and worth another try. */
function isUnreachable({ code, message }: DatabaseError): boolean {
  return UNREACHABLE_CODE.test(code ?? '') || UNREACHABLE_MESSAGE.test(message ?? '')
}

/**
 * What a refusal of the database means to the caller, or null where it is a fault of ours.
 * A constraint is named `<error code>__<field>[__<table>]`, `conflict__<field>__<error code>`, or plainly after its
 * error code (design §3).
 */
export function fromDatabase(error: unknown): AppError | null {
  const { code, constraint, detail } = error as DatabaseError
  if (isUnreachable(error as DatabaseError)) return new AppError('unavailable')
  // It was there a moment ago, and somebody removed it.
  if (error instanceof NoResultError) return new AppError('not_found')
  if (code === '23503') {
    if (detail?.includes('is still referenced') || detail?.includes('is referenced from')) return new AppError('in_use')
    const column = /^Key \("?(\w+)"?\)=/.exec(detail ?? '')?.[1]
    return fieldError(column ?? '', 'unknown_reference')
  }
  // A deadlock or a lock not to be had: nothing was written, the caller may try again.
  if (code === '40P01' || code === '40001' || code === '55P03') return new AppError('conflict')
  // A statement that took longer than any may: the caller may ask for less, or later.
  if (code === '57014') return new AppError('unavailable')
  // A newer node has migrated while this one prepared its statements: the next try finds them anew.
  if (isStalePlan(error)) return new AppError('unavailable')
  if (code === '22021' || code === '22P05') return fieldError('', 'invalid_text')
  if (!constraint) return null
  if (constraint === 'route_status_step') return new AppError('illegal_transition')
  if (constraint === 'frozen' || constraint === 'already_invoiced') return new AppError(constraint)
  const [fieldCode, path, reason] = constraint.split('__')
  if (fieldCode === 'conflict')
    return new AppError('conflict', path && reason ? { fields: [{ path, code: reason as FieldErrorCode }] } : {})
  if (code === '23505' && path) return fieldError(path, fieldCode as FieldErrorCode)
  return null
}

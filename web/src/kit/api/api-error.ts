import type { ErrorCode, FieldError, Problem } from '@waybill/contract/errors'

/** `offline`: no answer came; `unreadable`: an answer that is not ours, as a proxy gives. */
export type ApiErrorCode = ErrorCode | 'offline' | 'unreadable'

/**
 * A refused or failed call. `detail` is in the person's language, except for `offline` and
 * `unreadable`, where it is empty.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: ApiErrorCode
  readonly detail: string
  readonly errors: readonly FieldError[]
  readonly requestId: string | null
  /** Seconds to wait, with `rate_limited` */
  readonly retryAfter: number | null
  /** What this code carries beside: `current`, `from`, `to`, `allowed` */
  readonly extra: Readonly<Partial<Pick<Problem, 'current' | 'from' | 'to' | 'allowed'>>>

  constructor(
    status: number,
    code: ApiErrorCode,
    rest: Partial<Pick<ApiError, 'detail' | 'errors' | 'requestId' | 'retryAfter' | 'extra'>> = {},
  ) {
    super(`${status} ${code}`)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.detail = rest.detail ?? ''
    this.errors = rest.errors ?? []
    this.requestId = rest.requestId ?? null
    this.retryAfter = rest.retryAfter ?? null
    this.extra = rest.extra ?? {}
  }
}

/** True for an ApiError with one of the codes. */
export function hasCode(error: unknown, ...codes: ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code)
}

/** Reads a refused answer (api, Errors) into an ApiError. */
export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id')
  const retryAfter = Number(response.headers.get('retry-after')) || null
  let problem: Partial<Problem>
  try {
    problem = (await response.json()) as Partial<Problem>
  } catch {
    problem = {}
  }
  if (typeof problem.code !== 'string') return new ApiError(response.status, 'unreadable', { requestId, retryAfter })
  const { code, detail, errors, current, from, to, allowed } = problem
  return new ApiError(response.status, code, {
    detail: detail ?? '',
    errors: errors ?? [],
    requestId: problem.requestId ?? requestId,
    retryAfter,
    extra: { current, from, to, allowed },
  })
}

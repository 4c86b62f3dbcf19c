import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, fill, LANGUAGES, type ErrorCode, type Language, type Problem } from '@waybill/contract/errors'
import { FIELD_ERRORS } from '@waybill/contract/errors/all'
import { AppError, fromDatabase } from '../context/errors.ts'

/** The first language of ours in `Accept-Language`, else `en`. */
export function languageOf(header: string | undefined): Language {
  for (const part of (header ?? '').split(',')) {
    const wanted = part.trim().slice(0, 2).toLowerCase()
    const known = LANGUAGES.find((language) => language === wanted)
    if (known) return known
  }
  return 'en'
}

const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_REQ_FILE_TOO_LARGE: 'file_too_large',
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const fromStore = fromDatabase(error)
  if (fromStore) return fromStore
  const { code, statusCode } = error as FastifyError
  const known = FASTIFY_CODES[code]
  if (known) return new AppError(known)
  // What the framework or its parsers refuse before a handler runs is the caller's.
  if (statusCode && statusCode >= 400 && statusCode < 500) return new AppError('malformed')
  return new AppError('internal')
}

/** The body of an error answer in the caller's language; never a stack, never SQL (design §9, rule 10). */
function problemOf(error: AppError, language: Language, requestId: string): Problem {
  const { fields, current, from, to, allowed } = error.details
  const text = ERRORS[error.code].text[language]
  return {
    type: 'about:blank',
    title: text,
    status: error.status,
    code: error.code,
    detail: error.status >= 500 ? `${text} (${requestId})` : text,
    requestId,
    ...(fields && {
      errors: fields.map((field) => ({
        path: field.path,
        code: field.code,
        message: fill(FIELD_ERRORS[field.code][language], field.params),
      })),
    }),
    ...(current !== undefined && { current }),
    ...(from !== undefined && { from, to, allowed }),
  }
}

/** The one error handler. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asAppError(error)
  if (known.status >= 500) request.log.error({ err: error }, 'request failed')
  else request.log.info({ code: known.code }, 'request refused')
  if (known.details.retryAfter !== undefined)
    void reply.header('Retry-After', String(Math.ceil(known.details.retryAfter)))
  return reply
    .status(known.status)
    .type('application/problem+json')
    .send(problemOf(known, languageOf(request.headers['accept-language']), request.id))
}

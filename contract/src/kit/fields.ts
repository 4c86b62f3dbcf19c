import { isTimeZone } from './intl.ts'
import { z } from 'zod'
import { LANGUAGES, type FormErrorCode } from '../errors.ts'
import { isRealDate } from './local-time.ts'
import { isPlainText } from './text.ts'

/** Adds a field error to a zod refinement. */
export const issue = (code: FormErrorCode, path: (string | number)[] = [], params: Record<string, unknown> = {}) => ({
  code: 'custom' as const,
  path,
  message: code,
  params: { code, ...params },
})

/** A refinement's options for a single code. */
export const coded = (code: FormErrorCode) => ({ message: code, params: { code } })

/** A record's id: a positive integer below 2^53 (api, General). */
export const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** The same in a path or query, where everything is text. */
export const idText = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/)
  .transform(Number)
  .refine((value) => value <= Number.MAX_SAFE_INTEGER)

/** Text that must say something: trimmed, 1 to `max` characters. */
export const text = (max = 250) => z.string().trim().min(1).max(max).refine(isPlainText, coded('invalid_text'))

/**
 * Text of one line, such as a subject: nothing in it can begin a line, or a mail header, of its own (design §9, rule
 * 7).
 */
export const line = (max = 250) => text(max).refine((value) => !LINE_ENDS.test(value), coded('invalid_text'))

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const LINE_ENDS = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/

/** Text that may be missing or empty; both are kept as null. */
export const optionalText = (max = 250) =>
  z
    .string()
    .trim()
    .max(max)
    .refine(isPlainText, coded('invalid_text'))
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .default(null)

const EMAIL = /^[^\s@"<>(),;:\\[\]]+@[^\s@"<>(),;:\\[\]]+\.[^\s@"<>(),;:\\[\].]{2,}$/u
export const email = z
  .string()
  .trim()
  .max(250)
  .regex(EMAIL, coded('invalid_email'))
  .refine(isPlainText, coded('invalid_text'))
export const optionalEmail = z
  .union([z.literal('').transform(() => null), email])
  .nullable()
  .default(null)

// A country's and a city's prefix, groups, a second number behind a slash or comma, and an extension in any of our
// languages.
const PHONE = /^(?=(?:\D*\d){4})[\d\s+()/.,;–-]+(?:(?:ext(?:ension)?|x|dw|durchwahl|wewn?|app)\.?:?\s*\d{1,6})?$/iu
/** A phone number as people write it; what cannot be dialled is refused, the rest stays as it is. */
export const optionalPhone = z
  .string()
  .trim()
  .max(50)
  .refine((value) => value === '' || PHONE.test(value), coded('invalid_phone'))
  .transform((value) => (value === '' ? null : value))
  .nullable()
  .default(null)

/** Money in integer cents, up to ±10 billion euros: far beyond any freight, far below 2^53. */
export const cents = z.number().int().min(-1_000_000_000_000).max(1_000_000_000_000)
export const positiveCents = z.number().int().min(0).max(1_000_000_000_000)

/** An amount that is not nothing, in the field of a form with a file. */
export const centsText = z
  .string()
  .regex(/^\d{1,15}$/, coded('invalid_value'))
  .transform(Number)
  .pipe(positiveCents.min(1))

/** VAT in hundredths of a percent: 1900 = 19 %. */
export const vatBp = z.number().int().min(0).max(10_000)

/** A payment period in days; null where what stands next counts. */
export const periodDays = z.number().int().min(0).max(365).nullable().default(null)

/** A measure with at most three places after the point (api, General). */
export const decimal = (max: number, min = 0) =>
  z
    .number()
    .min(min)
    .max(max)
    .refine(
      (value) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6 * Math.max(1, Math.abs(value)),
      coded('invalid_value'),
    )

const DATE = /^[12]\d{3}-\d{2}-\d{2}$/
export const isLocalDate = (value: string): boolean => DATE.test(value) && isRealDate(value)

/** A local date `YYYY-MM-DD` that exists. */
export const localDate = z.string().regex(DATE, coded('invalid_date')).refine(isRealDate, coded('invalid_date'))

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
export const isLocalTime = (value: string): boolean => TIME.test(value)

/** A local time `HH:MM`. */
export const localTime = z.string().regex(TIME, coded('invalid_time'))

/** An instant, RFC 3339 with offset. */
export const instant = z
  .string()
  .regex(
    /^[12]\d{3}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/,
    coded('invalid_date'),
  )
  .refine((value) => isRealDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)), coded('invalid_date'))

export const timeZone = z.string().max(64).refine(isTimeZone, coded('invalid_time_zone'))

export const language = z.enum(LANGUAGES)

/** Active or inactive (spec §4). */
export const STATES = ['active', 'inactive'] as const
export const state = z.enum(STATES).default('active')
export type State = (typeof STATES)[number]

/** A reference as full representations show it. */
export const reference = z.object({ id, title: z.string() })
export type Reference = z.output<typeof reference>

/** ISO 3166-1 alpha-2. */
export const countryCode = z.string().regex(/^[A-Z]{2}$/)

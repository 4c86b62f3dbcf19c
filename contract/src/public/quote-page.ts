import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { countryCode, language, optionalText } from '../kit/fields.ts'

/** Calls that one link takes in a minute. */
export const QUOTE_TRIES_A_MINUTE = 30

/** `open`: can be accepted or refused; `over`: its last day has passed. */
export const QUOTE_PAGE_STATES = ['open', 'over', 'accepted', 'refused'] as const

const stop = z.object({
  countryCode,
  postal: z.string().nullable(),
  city: z.string().nullable(),
  date: z.string().nullable(),
})

/** What a customer reads of its quote: no cost, no margin, nothing of others. */
export const QuotePage = z.object({
  state: z.enum(QUOTE_PAGE_STATES),
  /** of the customer */
  language,
  customer: z.string(),
  number: z.string(),
  /** ours; `logo` is a PNG picture, base64 */
  company: z.object({
    title: z.string(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    logo: z.string().nullable(),
  }),
  contact: z.object({ name: z.string().nullable(), phone: z.string().nullable() }),
  from: stop,
  to: stop,
  goods: z.string().nullable(),
  quantity: z.number().nullable(),
  /** in the language of the call */
  unit: z.string().nullable(),
  weightKg: z.number().nullable(),
  ldm: z.number().nullable(),
  priceCents: z.number().int(),
  validUntil: z.string(),
  remark: z.string().nullable(),
  answer: z.object({ at: z.string(), remark: z.string().nullable() }).nullable(),
})
export type QuotePage = z.output<typeof QuotePage>

// Any text is one answer: what cannot be a token is told apart by nothing.
const byToken = z.strictObject({ token: z.string().max(500) })
const answer = z.strictObject({ remark: optionalText(500) })

/**
 * What the page of a quote shows. Changes nothing: scanners of mails follow links. Unknown, changed, expired and
 * withdrawn links and those of other installations are one `not_found`.
 */
export const getQuotePage = endpoint({
  method: 'GET',
  path: '/quote/:token',
  access: 'public',
  summary: 'What the link of a quote shows',
  params: byToken,
  reply: QuotePage,
})

/** Accepts a quote; once more the same changes nothing. Error: `conflict` where it is over or was refused. */
export const acceptQuote = endpoint({
  method: 'POST',
  path: '/quote/:token/accept',
  access: 'public',
  summary: 'Accept a quote by its link',
  params: byToken,
  body: answer,
  reply: QuotePage,
})

/** Refuses a quote; once more the same changes nothing. Error: `conflict` where it is over or was accepted. */
export const refuseQuote = endpoint({
  method: 'POST',
  path: '/quote/:token/refuse',
  access: 'public',
  summary: 'Refuse a quote by its link',
  params: byToken,
  body: answer,
  reply: QuotePage,
})

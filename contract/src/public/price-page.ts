import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { countryCode, language, localDate, optionalText } from '../kit/fields.ts'

/** Calls that one link takes in a minute. */
export const PRICE_TRIES_A_MINUTE = 30

/**
 * `open`: takes a price; `over`: the deadline has passed, or we ask no more; `given`: another one drives; `yours`: this
 * price was taken.
 */
export const PRICE_STATES = ['open', 'over', 'given', 'yours'] as const

/** What a carrier may know of a transport that it is asked a price for: no names, streets, references, other prices. */
export const PricePage = z.object({
  state: z.enum(PRICE_STATES),
  /** of the carrier */
  language,
  carrier: z.string(),
  /** ours; `logo` is a PNG picture, base64 */
  company: z.object({
    title: z.string(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    logo: z.string().nullable(),
  }),
  contact: z.object({ name: z.string().nullable(), phone: z.string().nullable() }),
  deadline: z.string(),
  /** of our company: the clock of the deadline */
  timeZone: z.string(),
  stops: z.array(
    z.object({
      kind: z.enum(['loading', 'unloading', 'customs', 'other']),
      countryCode,
      postal: z.string().nullable(),
      city: z.string().nullable(),
      termin: z
        .object({
          kind: z.enum(['fix', 'before', 'period']),
          dateFrom: z.string(),
          timeFrom: z.string().nullable(),
          dateTo: z.string().nullable(),
          timeTo: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  cargo: z.object({
    /** pieces with their unit, in the language of the call: `31 × Europallet` */
    units: z.array(z.object({ quantity: z.number(), unit: z.string().nullable() })),
    ldm: z.number(),
    weightKg: z.number(),
    isDangerous: z.boolean(),
    temperatureFrom: z.number().nullable(),
    temperatureTo: z.number().nullable(),
  }),
  /** in the language of the call */
  vehicle: z.string().nullable(),
  isLiftRequired: z.boolean(),
  distanceKm: z.number().nullable(),
  /** ours, to all who are asked */
  remark: z.string().nullable(),
  /** what this carrier has answered; null: nothing yet. Without a price it said *not this time* */
  answer: z
    .object({
      priceCents: z.number().int().nullable(),
      remark: z.string().nullable(),
      holdsUntil: z.string().nullable(),
      answeredAt: z.string(),
    })
    .nullable(),
})
export type PricePage = z.output<typeof PricePage>

// Any text is one answer: what cannot be a token is told apart by nothing.
const byToken = z.strictObject({ token: z.string().max(500) })

/**
 * What the page of a price request shows. Changes nothing: scanners of mails follow links. Unknown, changed and expired
 * links, those of routes that are gone and of other installations are one `not_found`.
 */
export const getPricePage = endpoint({
  method: 'GET',
  path: '/price/:token',
  access: 'public',
  summary: 'What the link of a price request shows',
  params: byToken,
  reply: PricePage,
})

/**
 * The carrier's price, or another one in its place. Error: `conflict` where the round is over.
 */
export const answerPrice = endpoint({
  method: 'POST',
  path: '/price/:token',
  access: 'public',
  summary: 'Answer a price request with a price',
  params: byToken,
  body: z.strictObject({
    priceCents: z.number().int().min(1).max(100_000_000),
    remark: optionalText(500),
    holdsUntil: localDate.nullable().default(null),
  }),
  reply: PricePage,
})

/** Error: `conflict` where the round is over. */
export const declinePrice = endpoint({
  method: 'POST',
  path: '/price/:token/decline',
  access: 'public',
  summary: 'Answer a price request with “not this time”',
  params: byToken,
  body: z.strictObject({ remark: optionalText(500) }),
  reply: PricePage,
})

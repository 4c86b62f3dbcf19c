import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { EXPORT_FORMATS } from '../kit/paging.ts'
import {
  coded,
  countryCode,
  decimal,
  email,
  id,
  idText,
  localDate,
  optionalText,
  positiveCents,
  reference,
  text,
  timeZone,
} from '../kit/fields.ts'
import { ORDER_ACCESS } from '../permissions.ts'

/** How a quote stands in the database. Accepted and refused ones stay as they are. */
export const QUOTE_STEPS = ['draft', 'sent', 'accepted', 'refused'] as const
/** `expired`: a sent one whose last day is over; it can still be accepted by hand, or marked as lost. */
export const QUOTE_STATES = ['draft', 'sent', 'accepted', 'refused', 'expired'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]

/** Where the cost comes from that a price was worked out of. */
export const COST_SOURCES = ['history', 'card', 'asked', 'typed'] as const
export type CostSource = (typeof COST_SOURCES)[number]

/** Why a quote was lost. */
export const LOST_REASONS = ['price', 'capacity', 'time', 'noAnswer', 'other'] as const
export type LostReason = (typeof LOST_REASONS)[number]

/** A link goes on telling how it ended for so many days after the last day of the quote. */
export const QUOTE_LINK_DAYS_AFTER = 30

/** A sent quote is to be followed up when it has no more days than this left. */
export const FOLLOW_UP_DAYS = 3

export const STANDARD_TARGET_BP = 1500

const place = z.strictObject({
  countryId: id,
  postal: optionalText(20),
  city: optionalText(100),
  /** of loading, or of unloading */
  date: localDate.nullable().default(null),
})

export const QuoteWrite = z
  .strictObject({
    customerId: id,
    contactPersonId: id.nullable().default(null),
    departmentId: id,
    /** left out: who makes it */
    caseWorkerId: id.nullable().default(null),
    from: place,
    to: place,
    /** what the goods are */
    goods: optionalText(250),
    quantity: decimal(1_000_000).nullable().default(null),
    unitTypeId: id.nullable().default(null),
    weightKg: decimal(1_000_000).nullable().default(null),
    ldm: decimal(1000).nullable().default(null),
    distanceKm: decimal(100_000).nullable().default(null),
    costSource: z.enum(COST_SOURCES).nullable().default(null),
    costCents: positiveCents.nullable().default(null),
    /** the margin that is aimed at, in hundredths of a percent of the price */
    targetBp: z.number().int().min(0).max(9000).default(STANDARD_TARGET_BP),
    /** net, in euros */
    priceCents: positiveCents.nullable().default(null),
    /** the last day on which it can be accepted */
    validUntil: localDate,
    /** told to the customer */
    remark: optionalText(1000),
  })
  .refine(({ costSource, costCents }) => (costSource === null) === (costCents === null), {
    ...coded('required'),
    path: ['costCents'],
  })
  .refine(({ from, to }) => from.date === null || to.date === null || from.date <= to.date, {
    ...coded('invalid_value'),
    path: ['to', 'date'],
  })
export type QuoteWrite = z.output<typeof QuoteWrite>

const placeView = place.extend({ countryCode })

export const Quote = z.object({
  id,
  version: z.number().int(),
  /** `Q-26-0418` */
  number: z.string(),
  state: z.enum(QUOTE_STATES),
  ...QuoteWrite.shape,
  from: placeView,
  to: placeView,
  customer: reference,
  contactPerson: reference.nullable(),
  department: reference,
  caseWorker: reference.nullable(),
  unitType: reference.nullable(),
  marginBp: z.number().int().nullable(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  sentTo: z.string().nullable(),
  answeredAt: z.string().nullable(),
  /** by the customer's link, or typed by us */
  answeredBy: z.enum(['link', 'hand']).nullable(),
  answerRemark: z.string().nullable(),
  lostReason: z.enum(LOST_REASONS).nullable(),
  /** the order that was made of it; its number alone where the caller may not see it */
  order: z.object({ id: id.nullable(), number: z.string() }).nullable(),
})
export type Quote = z.output<typeof Quote>

/**
 * What a list shows. `followUp`: sent ones that run out soon, and accepted ones without an order; `lost`: refused and
 * expired ones.
 */
export const QUOTES_SHOWN = ['all', 'open', 'followUp', 'accepted', 'lost'] as const
export type QuotesShown = (typeof QUOTES_SHOWN)[number]
export const QUOTES_A_PAGE = 50

const count = z.number().int()

const narrowing = {
  show: z.enum(QUOTES_SHOWN).default('all'),
  /** number, customer or town */
  q: text(100).optional(),
  customerId: idText.optional(),
}

export const QuoteRow = z.object({
  ...Quote.pick({
    id: true,
    number: true,
    state: true,
    from: true,
    to: true,
    customer: true,
    caseWorker: true,
    priceCents: true,
    marginBp: true,
    validUntil: true,
    createdAt: true,
    sentAt: true,
    answeredAt: true,
    lostReason: true,
    answerRemark: true,
    order: true,
  }).shape,
})
export type QuoteRow = z.output<typeof QuoteRow>

/** The newest first. With ASSIGNED_ORDERS those of one's own alone: made by oneself, or given to oneself. */
export const listQuotes = endpoint({
  method: 'GET',
  path: '/quotes',
  access: ORDER_ACCESS,
  summary: 'Quotes, the newest first, with how many are open, won and lost',
  query: z.strictObject({
    ...narrowing,
    page: z
      .string()
      .regex(/^[1-9]\d{0,4}$/)
      .transform(Number)
      .default(1),
    /** no longer asked for: whether a quote is over hangs on the day of its company */
    timeZone: timeZone.optional(),
  }),
  reply: z.object({
    items: z.array(QuoteRow),
    total: count,
    counts: z.record(z.enum(QUOTES_SHOWN), count),
    /** of all that are open: what was offered */
    openCents: count,
    /** of those that were answered in the last 90 days; the margin is that of the accepted ones */
    lately: z.object({ acceptedCount: count, answeredCount: count, marginBp: z.number().int().nullable() }),
  }),
})
export type Quotes = z.output<(typeof listQuotes)['reply']>

export const exportQuotes = endpoint({
  method: 'GET',
  path: '/quotes/export',
  access: ORDER_ACCESS,
  summary: 'All quotes that the list shows, as a file',
  query: z.strictObject({ ...narrowing, format: z.enum(EXPORT_FORMATS), timeZone: timeZone.default('UTC') }),
  shape: 'file',
})

const byId = z.strictObject({ id: idText })

export const getQuote = endpoint({
  method: 'GET',
  path: '/quotes/:id',
  access: ORDER_ACCESS,
  summary: 'A quote',
  params: byId,
  reply: Quote,
})

/**
 * Errors: `unknown_reference` at what does not exist, or is not of the customer; `required` for a postal code or a
 * town at each end.
 */
export const createQuote = endpoint({
  method: 'POST',
  path: '/quotes',
  access: ORDER_ACCESS,
  summary: 'Make a quote',
  body: QuoteWrite,
  reply: Quote,
  status: 201,
})

/** Errors: as making it; `not_found`; `stale_version`; `conflict` for one that is no draft. */
export const changeQuote = endpoint({
  method: 'PUT',
  path: '/quotes/:id',
  access: ORDER_ACCESS,
  summary: 'Change a quote that has not been sent',
  params: byId,
  body: QuoteWrite,
  reply: Quote,
  needsVersion: true,
})

/** Its link opens nothing any more. Errors: `stale_version`, `conflict` for one that is not sent. */
export const withdrawQuote = endpoint({
  method: 'POST',
  path: '/quotes/:id/withdraw',
  access: ORDER_ACCESS,
  summary: 'Take a sent quote back to change it',
  params: byId,
  reply: Quote,
  needsVersion: true,
})

/** Errors: `conflict` for one that has been answered. */
export const loseQuote = endpoint({
  method: 'POST',
  path: '/quotes/:id/lose',
  access: ORDER_ACCESS,
  summary: 'Say that a quote is lost, and why',
  params: byId,
  body: z.strictObject({ reason: z.enum(LOST_REASONS), remark: optionalText(500) }),
  reply: Quote,
  needsVersion: true,
})

/**
 * Makes the order of a quote, with everything that it says. One that nobody has accepted yet is accepted by that: the
 * customer said so by phone. Errors: `required` at `priceCents`, and at `quantity` where neither the quote nor the call
 * says how many units there are; `invalid_value` at `quantity` for another than the quote's; `conflict` for one that is
 * refused or has its order; `stale_version`; those of making an order.
 */
export const orderQuote = endpoint({
  method: 'POST',
  path: '/quotes/:id/order',
  access: ORDER_ACCESS,
  summary: 'Make the order of a quote; this accepts it where nobody has yet',
  params: byId,
  /** how many units, where the quote does not say it: papers of the transport print the figure */
  body: z.strictObject({ quantity: decimal(1_000_000).optional() }),
  reply: Quote,
  needsVersion: true,
})

/** Nothing is written. Errors: `not_found`, `required` at `priceCents`, `conflict` for one that is no draft. */
export const previewQuote = endpoint({
  method: 'GET',
  path: '/quotes/:id/mail',
  access: ORDER_ACCESS,
  summary: 'A quote as it would be sent by mail',
  params: byId,
  reply: z.object({
    /** the address that is known; null: none is */
    to: z.string().nullable(),
    subject: z.string(),
    /** as mail programs show it; the button of a preview leads nowhere */
    html: z.string(),
  }),
})

/**
 * A quote as PDF in the customer's language: the file that was sent, or a draft as it would be. Errors: `not_found`,
 * `required` at `priceCents`.
 */
export const getQuotePaper = endpoint({
  method: 'GET',
  path: '/quotes/:id/paper',
  access: ORDER_ACCESS,
  summary: 'A quote as PDF',
  params: byId,
  shape: 'file',
})

/**
 * Sends a quote in the customer's language, as PDF and with a link by which it is accepted or refused. Errors: as its
 * preview; `stale_version`; `invalid_value` at `validUntil` for a day that is over.
 */
export const sendQuote = endpoint({
  method: 'POST',
  path: '/quotes/:id/send',
  access: ORDER_ACCESS,
  summary: 'Send a quote by mail, with a link to accept it',
  params: byId,
  body: z.strictObject({ to: email }),
  reply: Quote,
  needsVersion: true,
})

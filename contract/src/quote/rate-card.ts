import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  coded,
  countryCode,
  decimal,
  id,
  idText,
  localDate,
  optionalText,
  positiveCents,
  reference,
  text,
} from '../kit/fields.ts'
import { ORDER_ACCESS, RATE_CARD_ACCESS, type Permission } from '../permissions.ts'
import { RATE_BASES, readPostalParts } from './pricing.ts'

/** `sell`: what customers are asked for; `buy`: what carriers ask us for. */
export const CARD_KINDS = ['sell', 'buy'] as const
export type CardKind = (typeof CARD_KINDS)[number]

/** Which right keeps the cards of a kind. */
export const CARD_RIGHTS: Readonly<Record<CardKind, Permission>> = {
  sell: 'CUSTOMER_MANAGEMENT',
  buy: 'CARRIER_MANAGEMENT',
}

export const MOST_RATE_LINES = 500

const postalParts = optionalText(60).refine(
  (value) => value === null || readPostalParts(value) !== null,
  coded('invalid_value'),
)
const MONTH = /^[12]\d{3}-(0[1-9]|1[0-2])$/

const RateLine = z.strictObject({
  fromCountryCode: countryCode,
  /** how postal codes begin: `30`, `30-33`, `30-33, 5`; null: the whole country */
  fromPostal: postalParts,
  toCountryCode: countryCode,
  toPostal: postalParts,
  /** it counts for so many loading metres at most */
  upToLdm: decimal(100).nullable().default(null),
  basis: z.enum(RATE_BASES),
  rateCents: positiveCents,
  minimumCents: positiveCents.nullable().default(null),
})

export const RateCardWrite = z
  .strictObject({
    kind: z.enum(CARD_KINDS),
    title: text(150),
    /** whose card it is: of one that sells a customer, of one that buys a carrier; null: it is general */
    customerId: id.nullable().default(null),
    carrierCompanyId: id.nullable().default(null),
    validFrom: localDate,
    validTo: localDate.nullable().default(null),
    lines: z.array(RateLine).min(1).max(MOST_RATE_LINES),
    /** diesel on top by month, in hundredths of a percent; a month counts until the next that is named */
    fuel: z
      .array(
        z.strictObject({
          month: z.string().regex(MONTH, coded('invalid_date')),
          bp: z.number().int().min(0).max(10_000),
        }),
      )
      .max(60)
      .default([])
      .refine((months) => new Set(months.map(({ month }) => month)).size === months.length, coded('duplicate_key')),
    /** amounts on top of each transport, such as toll */
    surcharges: z
      .array(z.strictObject({ title: text(60), cents: positiveCents }))
      .max(10)
      .default([]),
  })
  .refine(({ kind, carrierCompanyId }) => kind === 'buy' || carrierCompanyId === null, {
    ...coded('invalid_value'),
    path: ['carrierCompanyId'],
  })
  .refine(({ kind, customerId }) => kind === 'sell' || customerId === null, {
    ...coded('invalid_value'),
    path: ['customerId'],
  })
  .refine(({ validFrom, validTo }) => validTo === null || validFrom <= validTo, {
    ...coded('invalid_value'),
    path: ['validTo'],
  })
export type RateCardWrite = z.output<typeof RateCardWrite>

export const RateCard = z.object({
  id,
  version: z.number().int(),
  ...RateCardWrite.shape,
  customer: reference.nullable(),
  carrierCompany: reference.nullable(),
})
export type RateCard = z.output<typeof RateCard>

/** The cards of the kinds that the caller keeps, those that are valid longest first. */
export const listRateCards = endpoint({
  method: 'GET',
  path: '/rate-cards',
  access: RATE_CARD_ACCESS,
  summary: 'Rate cards: what customers are asked for, and what carriers ask for',
  reply: z.object({ items: z.array(RateCard) }),
})

/** Errors: `forbidden` for a kind without its right; `unknown_reference` at `customerId` and `carrierCompanyId`. */
export const createRateCard = endpoint({
  method: 'POST',
  path: '/rate-cards',
  access: RATE_CARD_ACCESS,
  summary: 'Make a rate card',
  body: RateCardWrite,
  reply: RateCard,
  status: 201,
  location: null,
})

const byId = z.strictObject({ id: idText })

/** Errors: as making one; `not_found`, also for a card of another kind; `stale_version`. */
export const changeRateCard = endpoint({
  method: 'PUT',
  path: '/rate-cards/:id',
  access: RATE_CARD_ACCESS,
  summary: 'Change a rate card; quotes keep the figures that they were made with',
  params: byId,
  body: RateCardWrite,
  reply: RateCard,
  needsVersion: true,
})

/** Errors: as changing it. */
export const removeRateCard = endpoint({
  method: 'DELETE',
  path: '/rate-cards/:id',
  access: RATE_CARD_ACCESS,
  summary: 'Remove a rate card; quotes keep the figures that they were made with',
  params: byId,
  needsVersion: true,
})

const price = z.number().int()
const CardPrice = z.object({
  title: z.string(),
  /** whose card: a customer or a carrier; null: it is general */
  owner: reference.nullable(),
  baseCents: price,
  isMinimum: z.boolean(),
  fuelBp: z.number().int(),
  fuelCents: price,
  surchargeCents: price,
  totalCents: price,
})
export type QuotedCard = z.output<typeof CardPrice>

export const LaneCosts = z.object({
  /** what such transports have cost us on this lane in the last twelve months; null: nothing is known */
  history: z
    .object({
      tripCount: z.number().int(),
      middleCents: price,
      /** null where they would tell prices of orders that one may not see */
      lowestCents: price.nullable(),
      highestCents: price.nullable(),
    })
    .nullable(),
  /** the cheapest card of those that buy; null: none fits */
  buy: CardPrice.nullable(),
  /** the customer's card, else a general one; null: none fits */
  sell: CardPrice.nullable(),
  /** the best price that carriers who can be used answered on this lane in the last three months */
  asked: z
    .object({
      answerCount: z.number().int(),
      lowestCents: price,
      carrier: z.string(),
      answeredAt: z.string(),
      /** the day until which it held, where none of the prices holds any more; else null */
      heldUntil: z.string().nullable(),
    })
    .nullable(),
  /** what this customer took and refused on this lane in the last twelve months, the newest first */
  answered: z.array(z.object({ id, number: z.string(), priceCents: price, isAccepted: z.boolean() })),
})
export type LaneCosts = z.output<typeof LaneCosts>

const queryDecimal = (max: number) =>
  z
    .string()
    .regex(/^\d{1,7}(\.\d{1,3})?$/)
    .transform(Number)
    .refine((value) => value <= max)

/** Orders and prices that the caller may not see count among others alone (decision 105). */
export const listLaneCosts = endpoint({
  method: 'GET',
  path: '/quotes/costs',
  access: ORDER_ACCESS,
  summary: 'What a lane costs: before, by rate cards, by answers of carriers; and what the customer took',
  query: z.strictObject({
    fromCountryId: idText,
    fromPostal: text(20).optional(),
    toCountryId: idText,
    toPostal: text(20).optional(),
    day: localDate,
    distanceKm: queryDecimal(100_000).optional(),
    ldm: queryDecimal(1000).optional(),
    weightKg: queryDecimal(1_000_000).optional(),
    customerId: idText.optional(),
  }),
  reply: LaneCosts,
})

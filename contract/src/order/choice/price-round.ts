import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { id, idText, instant, optionalText, positiveCents, reference } from '../../kit/fields.ts'
import { ORDER_ACCESS } from '../../permissions.ts'

/** As many carriers are asked at once. */
export const MOST_ASKED = 20
/** The latest deadline, and how long a link goes on telling how it ended. */
export const MOST_DEADLINE_DAYS = 30
export const LINK_DAYS_AFTER = 30

/**
 * Why a round takes no more prices, before its deadline or after: `taken`: one of the prices was taken; `assigned`:
 * somebody else got the route, or our own fleet; `closed`: by hand; `gone`: the route was canceled or the order merged.
 */
export const CLOSE_REASONS = ['taken', 'assigned', 'closed', 'gone'] as const

export const ANSWER_STATES = ['asked', 'priced', 'declined'] as const

const PriceAnswer = z.object({
  id,
  carrierCompany: reference,
  /** where the link went */
  email: z.string(),
  state: z.enum(ANSWER_STATES),
  priceCents: z.number().int().nullable(),
  remark: z.string().nullable(),
  /** a local date: until then the price holds; null: it said nothing */
  holdsUntil: z.string().nullable(),
  answeredAt: z.string().nullable(),
})
export type PriceAnswer = z.output<typeof PriceAnswer>

/** True as long as a price may be taken; `today` is a local date. */
export const stillHolds = ({ holdsUntil }: Pick<PriceAnswer, 'holdsUntil'>, today: string): boolean =>
  holdsUntil === null || holdsUntil >= today

export const PriceRound = z.object({
  id,
  routeId: id,
  deadline: z.string(),
  /** what we want to pay at most: told to nobody outside */
  limitCents: z.number().int().nullable(),
  remark: z.string().nullable(),
  askedAt: z.string(),
  askedBy: reference.nullable(),
  closedAt: z.string().nullable(),
  closeReason: z.enum(CLOSE_REASONS).nullable(),
  takenAnswerId: id.nullable(),
  /** in the order in which they were asked */
  answers: z.array(PriceAnswer),
})
export type PriceRound = z.output<typeof PriceRound>

const ofRoute = z.strictObject({ id: idText })
const ofRound = z.strictObject({ id: idText, roundId: idText })

/** Rights of all four: those of the order. The newest round of the route; null: nobody was asked yet. */
export const getPriceRound = endpoint({
  method: 'GET',
  path: '/routes/:id/price-round',
  access: ORDER_ACCESS,
  summary: 'Whom we asked for a price of a route, and what they answered',
  params: ofRoute,
  reply: z.object({ round: PriceRound.nullable() }),
})

/**
 * Asks carriers for their price, each with a mail and a link of its own. Errors: `not_found`; `conflict` while a round
 * of the route is open; `unknown_reference` and `recipient_missing` at `carrierCompanyIds.N`; `invalid_value` at
 * `deadline` where it has passed or is too far away.
 */
export const askPrices = endpoint({
  method: 'POST',
  path: '/routes/:id/price-round',
  access: ORDER_ACCESS,
  summary: 'Ask carriers for their price of a route by mail',
  params: ofRoute,
  body: z.strictObject({
    carrierCompanyIds: z
      .array(id)
      .min(1)
      .max(MOST_ASKED)
      .transform((ids) => [...new Set(ids)]),
    deadline: instant,
    limitCents: positiveCents.nullable().default(null),
    /** told to the carriers */
    remark: optionalText(1000),
  }),
  reply: PriceRound,
  status: 201,
  location: null,
})

/** Errors: `not_found`; `conflict` where it is closed. */
export const closePriceRound = endpoint({
  method: 'POST',
  path: '/routes/:id/price-round/:roundId/close',
  access: ORDER_ACCESS,
  summary: 'Take no more prices for a route',
  params: ofRound,
  reply: PriceRound,
})

/**
 * Puts the carrier of an answer on the route at its price, as a save of the order would. The version is the order's.
 * Errors: `not_found`; `stale_version`; `conflict` where the round is closed; at `answerId` `invalid_value` without a
 * price and `price_over` where it holds no longer; those of saving an order, `carrier_not_cleared` among them.
 */
export const takePrice = endpoint({
  method: 'POST',
  path: '/routes/:id/price-round/:roundId/take',
  access: ORDER_ACCESS,
  summary: 'Give a route to a carrier at the price that it answered',
  params: ofRound,
  body: z.strictObject({
    answerId: id,
    /** those who did not decline get a mail that the transport is given away */
    tellOthers: z.boolean().default(false),
  }),
  reply: PriceRound,
  needsVersion: true,
})

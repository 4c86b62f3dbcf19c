import { sql } from 'kysely'
import type { z } from 'zod'
import { roundHalfAwayFromZero } from '@waybill/contract/kit/money'
import { LEAST_FOREIGN } from '@waybill/contract/order/choice/ranking'
import { laneKeyOf } from '@waybill/contract/order/lane'
import { NOT_SUMMED_STATUSES, PLANNED_STATUSES } from '@waybill/contract/order/status'
import { priceByCard, type CardPrice, type PricedLane } from '@waybill/contract/quote/pricing'
import type { LaneCosts, listLaneCosts, QuotedCard, RateCard } from '@waybill/contract/quote/rate-card'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { ofCompany, visibleOrders } from '../order/index.ts'
import { visibleQuotes } from './quote.policy.ts'
import { rateCards } from './rate-card.query.ts'
import './quote.table.ts'

// As literals, so that the index of the lane is used.
const NOT_SUMMED = sql.join(NOT_SUMMED_STATUSES.map((status) => sql.lit(status)))
const HISTORY_MONTHS = 12
const ASKED_MONTHS = 3
/** The newest orders of a lane tell enough. */
const MOST_TRIPS = 500
const MOST_ANSWERED = 8

function monthsBefore(ctx: Ctx, months: number): string {
  const at = new Date(ctx.clock.now())
  at.setUTCMonth(at.getUTCMonth() - months)
  return at.toISOString()
}

/** Of about that size: between three and five quarters of the loading metres, where both are known. */
const ofSize = (ldm: number | undefined) =>
  ldm === undefined || ldm === 0
    ? sql<boolean>`true`
    : sql<boolean>`coalesce((select nullif(sum(c.ldm), 0) between ${ldm * 0.75} and ${ldm * 1.25} from cargo c
        where c."orderId" = "order".id), true)`

interface Trip {
  cents: number
  isVisible: boolean
}

/** What such transports have cost us. Costs of orders that one may not see count together alone. */
async function historyOf(ctx: Ctx, laneKey: string, ldm: number | undefined): Promise<LaneCosts['history']> {
  const { rows } = await sql<Trip>`
    select "order"."carrierCostCents" as cents, ${visibleOrders(ctx)} as "isVisible" from "order"
      where "order"."laneKey" = ${laneKey} and "order"."customerPriceCents" is not null
        and "order".status not in (${NOT_SUMMED}) and "order".status = any(${[...PLANNED_STATUSES]}::text[])
        and "order"."carrierCostCents" > 0 and "order"."createdAt" >= ${monthsBefore(ctx, HISTORY_MONTHS)}
        and ${ofCompany(ctx)} and ${ofSize(ldm)}
      order by "order"."createdAt" desc, "order".id desc limit ${sql.lit(MOST_TRIPS)}
  `.execute(ctx.db)
  const foreign = rows.filter(({ isVisible }) => !isVisible)
  const counted = foreign.length >= LEAST_FOREIGN ? rows : rows.filter(({ isVisible }) => isVisible)
  const cents = counted.map((trip) => trip.cents).toSorted((a, b) => a - b)
  if (cents.length === 0) return null
  const [below, above] = [cents[(cents.length - 1) >> 1]!, cents[cents.length >> 1]!]
  const isAllSeen = counted.every(({ isVisible }) => isVisible)
  return {
    tripCount: cents.length,
    middleCents: roundHalfAwayFromZero(BigInt(below) + BigInt(above), 2),
    lowestCents: isAllSeen ? cents[0]! : null,
    highestCents: isAllSeen ? cents.at(-1)! : null,
  }
}

/** Carriers that would be given a transport. */
const USABLE = sql<boolean>`k.state = 'active' and k."blockedReason" is null`

/**
 * The best price that carriers answered, of orders that the caller sees: of those that still hold, else of the others,
 * with the day until which it did.
 */
async function askedOf(ctx: Ctx, laneKey: string, ldm: number | undefined): Promise<LaneCosts['asked']> {
  const { rows } = await sql<NonNullable<LaneCosts['asked']>>`
    select count(*) over ()::int as "answerCount", a."priceCents" as "lowestCents", k.title as carrier,
        a."answeredAt", case when held."isOver" then a."holdsUntil" end as "heldUntil"
      from price_answer a join price_round round on round.id = a."roundId"
        join "order" on "order".id = round."orderId" join carrier_company k on k.id = a."carrierCompanyId"
        cross join lateral (
          select coalesce(a."holdsUntil" < ${nowOf(ctx)}::timestamptz::date, false) as "isOver") held
      where "order"."laneKey" = ${laneKey} and a."priceCents" is not null and ${USABLE}
        and a."answeredAt" >= ${monthsBefore(ctx, ASKED_MONTHS)} and ${visibleOrders(ctx)} and ${ofSize(ldm)}
      order by held."isOver", a."priceCents", a.id limit 1
  `.execute(ctx.db)
  return rows[0] ?? null
}

const answeredOf = async (ctx: Ctx, laneKey: string, customerId: number): Promise<LaneCosts['answered']> =>
  (
    await sql<LaneCosts['answered'][number]>`
      select quote.id, quote.number, quote."priceCents", quote.state = 'accepted' as "isAccepted" from quote
        where quote."laneKey" = ${laneKey} and quote."customerId" = ${customerId} and quote."priceCents" is not null
          and quote."answeredAt" >= ${monthsBefore(ctx, HISTORY_MONTHS)} and ${visibleQuotes(ctx)}
        order by quote."answeredAt" desc, quote.id desc limit ${sql.lit(MOST_ANSWERED)}
    `.execute(ctx.db)
  ).rows

interface Priced {
  card: RateCard
  price: CardPrice
}

const pricedBy = (cards: readonly RateCard[], lane: PricedLane): Priced[] =>
  cards.flatMap((card) => {
    const price = priceByCard(card, lane)
    return price === null ? [] : [{ card, price }]
  })

const quoted = (one: Priced | undefined): QuotedCard | null =>
  one === undefined
    ? null
    : { title: one.card.title, owner: one.card.customer ?? one.card.carrierCompany, ...one.price }

const cheapest = (priced: readonly Priced[]): Priced | undefined =>
  priced.toSorted((a, b) => a.price.totalCents - b.price.totalCents || a.card.id - b.card.id)[0]

async function cardsFor(ctx: Ctx, lane: PricedLane, customerId: number | undefined) {
  const cards = await rateCards(
    ctx,
    ['sell', 'buy'],
    sql<boolean>`(card."customerId" is null or card."customerId" = ${customerId ?? null})
      and (card."carrierCompanyId" is null or card."carrierCompanyId" in (
        select k.id from carrier_company k where ${USABLE}))`,
  )
  const sell = pricedBy(
    cards.filter(({ kind }) => kind === 'sell'),
    lane,
  )
  const own = sell.filter(({ card }) => card.customerId !== null)
  return {
    buy: quoted(
      cheapest(
        pricedBy(
          cards.filter(({ kind }) => kind === 'buy'),
          lane,
        ),
      ),
    ),
    // Their own agreement counts even where the general one asks for less.
    sell: quoted(cheapest(own.length > 0 ? own : sell)),
  }
}

/** What a lane costs, and what it may be sold for. Errors: `unknown_reference` for a country that does not exist. */
export async function laneCosts(ctx: Ctx, query: z.output<typeof listLaneCosts.query>): Promise<LaneCosts> {
  const { fromCountryId, toCountryId, ldm, customerId } = query
  const countries = await ctx.db
    .selectFrom('country')
    .select(['id', 'code'])
    .where('id', 'in', [fromCountryId, toCountryId])
    .execute()
  const codeOf = (path: string, id: number): string => {
    const country = countries.find((one) => one.id === id)
    if (!country) throw fieldError(path, 'unknown_reference')
    return country.code
  }
  const from = { countryCode: codeOf('fromCountryId', fromCountryId), postal: query.fromPostal ?? null }
  const to = { countryCode: codeOf('toCountryId', toCountryId), postal: query.toPostal ?? null }
  const laneKey = laneKeyOf(from, to)
  const lane: PricedLane = {
    from,
    to,
    day: query.day,
    distanceKm: query.distanceKm ?? null,
    ldm: ldm ?? null,
    weightKg: query.weightKg ?? null,
  }
  return {
    history: laneKey === null ? null : await historyOf(ctx, laneKey, ldm),
    ...(await cardsFor(ctx, lane, customerId)),
    asked: laneKey === null ? null : await askedOf(ctx, laneKey, ldm),
    answered: laneKey === null || customerId === undefined ? [] : await answeredOf(ctx, laneKey, customerId),
  }
}

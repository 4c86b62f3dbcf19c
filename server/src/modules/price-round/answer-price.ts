import { sql } from 'kysely'
import { PRICE_TRIES_A_MINUTE, type PricePage } from '@waybill/contract/public/price-page'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { networkOf } from '../../kit/http/network.ts'
import { audit } from '../../kit/records/audit.ts'
import { countTry, triesOf, untilNextMinute } from '../upload-link/index.ts'
import { answerWith, pricePage, stateOf, type AskedPrice } from './price-page.query.ts'

const tooMany = (ctx: Ctx) => new AppError('rate_limited', { retryAfter: untilNextMinute(ctx) })

/**
 * What a token opens. Errors: `not_found`, the same for a token that is unknown, malformed or expired, or whose route
 * has gone; `rate_limited` for a link that is asked too often, and for an address that has tried too many wrong ones.
 * A token is 256 bits and looked up by its digest, so that how long it takes tells nothing.
 */
export async function openPrice(ctx: Ctx, token: string, ip: string): Promise<AskedPrice> {
  const guesses = `line ${networkOf(ip).line}`
  const asked = await answerWith(ctx, hashSecret(token))
  if (asked === undefined) {
    if ((await countTry(ctx, guesses)) > PRICE_TRIES_A_MINUTE) throw tooMany(ctx)
    throw new AppError('not_found')
  }
  // Who guesses learns nothing more, not even that one of them was right.
  if ((await triesOf(ctx, guesses)) > PRICE_TRIES_A_MINUTE) throw tooMany(ctx)
  if ((await countTry(ctx, `price ${asked.id}`)) > PRICE_TRIES_A_MINUTE) throw tooMany(ctx)
  return asked
}

interface Answered {
  /** null: not this time */
  priceCents: number | null
  remark: string | null
  holdsUntil: string | null
}

/**
 * Writes what a carrier answers, in the place of what it answered before. Error: `conflict` where it is over.
 * Sending the same once more changes nothing.
 */
export const answerPrice = (ctx: Ctx, token: string, answered: Answered): Promise<PricePage> =>
  inTransaction(ctx, async (inner) => {
    // A person who closes the round at this moment comes before or after, never in between.
    await sql`select round.id from price_round round join price_answer a on a."roundId" = round.id
      where a."tokenHash" = ${hashSecret(token)} for share of round`.execute(inner.db)
    const asked = await answerWith(inner, hashSecret(token))
    if (asked === undefined) throw new AppError('not_found')
    if (stateOf(inner, asked) !== 'open') throw new AppError('conflict')
    const { priceCents, remark, holdsUntil } = answered
    const isSame =
      asked.answeredAt !== null &&
      asked.priceCents === priceCents &&
      asked.remark === remark &&
      asked.holdsUntil === holdsUntil
    if (isSame) return pricePage(inner, asked)
    await inner.db
      .updateTable('price_answer')
      .set({ priceCents, isDeclined: priceCents === null, remark, holdsUntil, answeredAt: nowOf(inner) })
      .where('id', '=', asked.id)
      .execute()
    const { title } = await inner.db
      .selectFrom('carrier_company')
      .select('title')
      .where('id', '=', asked.carrierCompanyId)
      .executeTakeFirstOrThrow()
    await audit(inner, {
      ownerKind: 'order',
      ownerId: asked.orderId,
      action: priceCents === null ? 'priceDeclined' : 'priceGiven',
      after: { carrierCompany: title, ...(priceCents !== null && { netCostCents: priceCents }) },
    })
    return pricePage(inner, (await answerWith(inner, hashSecret(token)))!)
  })

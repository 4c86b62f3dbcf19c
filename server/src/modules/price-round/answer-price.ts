import { sql } from 'kysely'
import { PRICE_TRIES_A_MINUTE, type PricePage } from '@waybill/contract/public/price-page'
import { inTransaction, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { hashSecret } from '../../kit/context/secrets.ts'
import { audit } from '../../kit/records/audit.ts'
import { admitFound } from '../upload-link/index.ts'
import { answerWith, pricePage, stateOf, type AskedPrice } from './price-page.query.ts'

/** What a token opens. Errors: as `admitFound`, `not_found` for one whose route has gone, too. */
export async function openPrice(ctx: Ctx, token: string, ip: string): Promise<AskedPrice> {
  const found = await answerWith(ctx, hashSecret(token))
  return admitFound(ctx, { ip, found, subject: found && `price ${found.id}`, most: PRICE_TRIES_A_MINUTE })
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

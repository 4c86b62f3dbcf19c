import { sql } from 'kysely'
import type { CardKind, RateCard, RateCardWrite } from '@waybill/contract/quote/rate-card'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { checkReferences } from '../../kit/records/references.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { ownCardKinds } from './quote.policy.ts'
import { rateCards } from './rate-card.query.ts'

function admitToKind(ctx: Ctx, kind: CardKind): void {
  if (!ownCardKinds(ctx).includes(kind)) throw new AppError('forbidden')
}

/** What the history compares: lines and months by their place, names in place of ids. */
const historyOf = ({ id: _id, version: _v, customerId: _c, carrierCompanyId: _k, ...card }: RateCard) => ({
  ...card,
  customer: card.customer?.title ?? null,
  carrierCompany: card.carrierCompany?.title ?? null,
})

/** A card of a kind that the caller keeps. Error: `not_found`. */
async function ownCard(ctx: Ctx, id: number): Promise<RateCard> {
  const [card] = await rateCards(ctx, ownCardKinds(ctx), sql<boolean>`card.id = ${id}`)
  if (!card) throw new AppError('not_found')
  return card
}

async function columnsOf(ctx: Ctx, { lines, fuel, surcharges, ...card }: RateCardWrite) {
  admitToKind(ctx, card.kind)
  await checkReferences(ctx, [
    { path: 'customerId', table: 'customer', id: card.customerId },
    { path: 'carrierCompanyId', table: 'carrier_company', id: card.carrierCompanyId },
  ])
  return {
    ...card,
    lines: JSON.stringify(lines),
    fuel: JSON.stringify(fuel.toSorted((a, b) => (a.month < b.month ? -1 : 1))),
    surcharges: JSON.stringify(surcharges),
  }
}

export const listRateCards = async (ctx: Ctx): Promise<{ items: RateCard[] }> => ({
  items: await rateCards(ctx, ownCardKinds(ctx)),
})

/** Errors: the contract's. */
export async function createRateCard(ctx: Ctx, body: RateCardWrite): Promise<RateCard> {
  const { id } = await ctx.db
    .insertInto('rate_card')
    .values(await columnsOf(ctx, body))
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(ctx, { ownerKind: 'rateCard', ownerId: id, action: 'created' })
  return ownCard(ctx, id)
}

/** Errors: the contract's. */
export async function changeRateCard(ctx: Ctx, id: number, version: number, body: RateCardWrite): Promise<RateCard> {
  const before = await ownCard(ctx, id)
  if (!(await bumpVersion(ctx, 'rate_card', id, version, await columnsOf(ctx, body))))
    throw new AppError('stale_version', { current: await ownCard(ctx, id) })
  const after = await ownCard(ctx, id)
  await audit(ctx, {
    ownerKind: 'rateCard',
    ownerId: id,
    action: 'updated',
    before: historyOf(before),
    after: historyOf(after),
  })
  return after
}

/** Errors: the contract's. */
export async function removeRateCard(ctx: Ctx, id: number, version: number): Promise<void> {
  const before = await ownCard(ctx, id)
  const { numDeletedRows } = await ctx.db
    .deleteFrom('rate_card')
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (Number(numDeletedRows) === 0) throw new AppError('stale_version', { current: await ownCard(ctx, id) })
  await audit(ctx, { ownerKind: 'rateCard', ownerId: id, action: 'deleted', before: historyOf(before), after: {} })
}

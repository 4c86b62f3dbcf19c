import { localOf } from '@waybill/contract/kit/local-time'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Order, OrderLocation } from '@waybill/contract/order/order'
import type { ExchangedPieces } from '@waybill/contract/pieces/pieces'
import type { ToldExchange } from '@waybill/contract/public/driver-link'
import type { Ctx } from '../../../kit/context/context.ts'
import { namedTypes } from '../account.query.ts'
import { NOBODY, placeOf, refuseWrongTypes, writeLines, type StopHolder } from './stop-lines.ts'
import { inHistory, toldAt } from './stop.query.ts'
import '../load-carrier.table.ts'

/** The types that a driver can tell, in the language of the call. */
export const exchangeTypes = async (ctx: Ctx): Promise<Reference[]> =>
  (await namedTypes(ctx)).map(({ id, title }) => ({ id, title }))

/** What the history of the order says of what a driver told. */
export async function exchangeInHistory(ctx: Ctx, lines: readonly ExchangedPieces[]): Promise<object> {
  if (lines.length === 0) return inHistory([])
  const ids = lines.map(({ typeId }) => typeId)
  const types = await ctx.db.selectFrom('load_carrier_type').select(['id', 'title']).where('id', 'in', ids).execute()
  return inHistory(lines.map((line) => ({ ...line, typeTitle: types.find(({ id }) => id === line.typeId)!.title })))
}

/** Whether it is clear whose account a stop moves where nobody is asked: its place's, or the only customer's. */
const isClear = ({ customerIds }: Order, { companyTitle }: OrderLocation): boolean =>
  companyTitle !== null || customerIds.length === 1

const holderAt = async (ctx: Ctx, { customerIds }: Order, stop: OrderLocation): Promise<StopHolder> =>
  stop.companyTitle === null
    ? { customerId: customerIds[0]!, placeId: null }
    : { customerId: null, placeId: await placeOf(ctx, stop) }

/** Marks a stop as told; false where staff have saved it, which no driver writes over. */
async function takeAsTold(ctx: Ctx, stop: OrderLocation): Promise<boolean> {
  const partner = stop.companyTitle === null ? 'customer' : 'place'
  const taken = await ctx.db
    .insertInto('load_carrier_stop')
    .values({ locationId: stop.id, partner, isTold: true })
    .onConflict((conflict) =>
      conflict
        .column('locationId')
        .doUpdateSet((eb) => ({ partner, version: eb('load_carrier_stop.version', '+', 1) }))
        .where('load_carrier_stop.isTold', '=', true),
    )
    .returning('version')
    .executeTakeFirst()
  return taken !== undefined
}

/**
 * Writes what a driver told of a stop where nobody of ours has saved anything, in the place of what was told before.
 * What was told of an earlier moment, or of a stop of which nobody can say whose account it moves, is written nowhere:
 * staff see it beside theirs. Answers whether it is written. The order must be held. Errors: at
 * `exchange.lines.<n>.typeId` `unknown_reference` and `taken`.
 */
export async function writeToldExchange(
  ctx: Ctx,
  order: Order,
  stop: OrderLocation,
  { at, exchange: { noteNumber, lines } }: { at: string; exchange: ToldExchange },
): Promise<boolean> {
  await refuseWrongTypes(ctx, lines, 'exchange.lines')
  const last = await toldAt(ctx, stop.id)
  if (last !== null && last.at > at) return false
  if (lines.length > 0 && !isClear(order, stop)) return false
  // The stop before its place, as staff who save it do: the other way round each could wait for the other.
  if (!(await takeAsTold(ctx, stop))) return false
  const holder = lines.length === 0 ? NOBODY : await holderAt(ctx, order, stop)
  const movedOn = localOf(at, stop.timeZone).date
  await writeLines(ctx, stop.id, holder, { lines, movedOn, noteNumber, note: null })
  return true
}

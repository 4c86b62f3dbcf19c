import { sql } from 'kysely'
import type { StopLoadCarriersWrite } from '@waybill/contract/load-carrier/stop'
import type { OrderLocation } from '@waybill/contract/order/order'
import type { ExchangedPieces } from '@waybill/contract/pieces/pieces'
import { nowOf, type Ctx } from '../../../kit/context/context.ts'
import { fieldError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { refuseUnknownTypes } from '../movement.service.ts'
import '../load-carrier.table.ts'

type Address = Pick<OrderLocation, 'companyTitle' | 'address' | 'postal' | 'city' | 'countryId'>

/** The place of a stop, made where it is met for the first time. */
export async function placeOf(ctx: Ctx, { companyTitle, address, postal, city, countryId }: Address): Promise<number> {
  const title = companyTitle!
  const find = () =>
    sql<{ id: number }>`select id from load_carrier_place where "countryId" = ${countryId}
      and "placeKey" = search_key(${title}) || '|' || search_key(${postal ?? ''}) || '|' || search_key(${city ?? ''})
    `.execute(ctx.db)
  const known = (await find()).rows[0]
  if (known) return known.id
  const made = await ctx.db
    .insertInto('load_carrier_place')
    .values({ title, address, postal, city, countryId, email: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  // Somebody else has met it in the same moment.
  if (!made) return (await find()).rows[0]!.id
  await audit(ctx, { ownerKind: 'loadCarrierPlace', ownerId: made.id, action: 'created' })
  return made.id
}

/** Whose account a stop moves beside the carrier's. */
export interface StopHolder {
  customerId: number | null
  placeId: number | null
}

/** Whose account a stop without lines moves. */
export const NOBODY: StopHolder = { customerId: null, placeId: null }

/** A type that does not exist is `unknown_reference`, one twice `taken`, at `path` of the line. */
export async function refuseWrongTypes(ctx: Ctx, lines: readonly ExchangedPieces[], path: string): Promise<void> {
  const typeIds = lines.map(({ typeId }) => typeId)
  const twice = typeIds.findIndex((id, index) => typeIds.indexOf(id) < index)
  if (twice >= 0) throw fieldError(`${path}.${twice}.typeId`, 'taken')
  await refuseUnknownTypes(ctx, typeIds, (index) => `${path}.${index}.typeId`)
}

/** Makes the movements of a stop these, whose version the caller has taken. */
export async function writeLines(
  ctx: Ctx,
  stopId: number,
  holder: StopHolder,
  { lines, movedOn, noteNumber, note }: Pick<StopLoadCarriersWrite, 'lines' | 'movedOn' | 'noteNumber' | 'note'>,
): Promise<void> {
  await ctx.db.deleteFrom('load_carrier_movement').where('locationId', '=', stopId).execute()
  if (lines.length === 0) return
  const by = { createdById: ctx.actor?.userId ?? null, createdAt: nowOf(ctx) }
  const told = { carrierCompanyId: null, movedOn, noteNumber, note, locationId: stopId }
  await ctx.db
    .insertInto('load_carrier_movement')
    .values(lines.map((line) => ({ ...line, ...holder, ...by, ...told })))
    .execute()
}

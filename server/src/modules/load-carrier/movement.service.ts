import type { Holder, Movement, MovementWrite } from '@waybill/contract/load-carrier/account'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { admitToAccounts, findHolder, holderColumns, holderOf, OWNER_KINDS } from './holder.policy.ts'
import { movementView } from './movement.query.ts'
import './load-carrier.table.ts'

// The first place on earth that has a day has it so many hours before UTC.
const EARLIEST_ZONE_HOURS = 14

/** Refuses a day that has not come anywhere yet: `invalid_value` at `movedOn`. */
export function refuseFuture(ctx: Ctx, movedOn: string): void {
  const latest = new Date(ctx.clock.now().getTime() + EARLIEST_ZONE_HOURS * 3_600_000).toISOString().slice(0, 10)
  if (movedOn > latest) throw fieldError('movedOn', 'invalid_value')
}

/** Types that exist. Error: `unknown_reference`, at `path` of the first that does not. */
export async function refuseUnknownTypes(
  ctx: Ctx,
  typeIds: readonly number[],
  path: (index: number) => string,
): Promise<void> {
  if (typeIds.length === 0) return
  const known = await ctx.db
    .selectFrom('load_carrier_type')
    .select('id')
    .where('id', 'in', [...typeIds])
    .execute()
  const missing = typeIds.findIndex((id) => !known.some((one) => one.id === id))
  if (missing >= 0) throw fieldError(path(missing), 'unknown_reference')
}

/** What the history says of a movement; its parts are told one by one, as of a record that was empty. */
const NOTHING = { loadCarriers: {} }
const inHistory = ({ movedOn, type, given, received, damaged, noteNumber, note }: Movement) => ({
  loadCarriers: { movedOn, type: type.title, given, received, damaged, noteNumber, note },
})

const tell = (
  ctx: Ctx,
  { kind, id }: Holder,
  action: 'loadCarriersMoved' | 'loadCarriersCorrected' | 'loadCarriersTakenOut',
  before: object,
  after: object,
): Promise<void> => audit(ctx, { ownerKind: OWNER_KINDS[kind], ownerId: id, action, before, after })

async function columnsOf(ctx: Ctx, { holder, ...body }: MovementWrite) {
  admitToAccounts(ctx, holder.kind)
  if ((await findHolder(ctx, holder)) === null) throw fieldError('holder.id', 'unknown_reference')
  await refuseUnknownTypes(ctx, [body.typeId], () => 'typeId')
  refuseFuture(ctx, body.movedOn)
  return { ...body, ...holderColumns(holder) }
}

/** Writes a movement by hand. Errors: the contract's. */
export async function createMovement(ctx: Ctx, body: MovementWrite): Promise<Movement> {
  const { id } = await ctx.db
    .insertInto('load_carrier_movement')
    .values({
      ...(await columnsOf(ctx, body)),
      locationId: null,
      createdById: ctx.actor?.userId ?? null,
      createdAt: nowOf(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await movementView(ctx, body.holder, id)
  await tell(ctx, body.holder, 'loadCarriersMoved', NOTHING, inHistory(made))
  return made
}

/** A movement by hand of which the caller keeps the account. Errors: `not_found`, `forbidden`, `conflict`. */
async function byHand(ctx: Ctx, id: number): Promise<{ holder: Holder; before: Movement }> {
  const row = await ctx.db.selectFrom('load_carrier_movement').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const holder = holderOf(row)
  admitToAccounts(ctx, holder.kind)
  if (row.locationId !== null) throw new AppError('conflict')
  return { holder, before: await movementView(ctx, holder, id) }
}

/** Corrects a movement; it may go to another account. Errors: the contract's, `stale_version`. */
export async function changeMovement(ctx: Ctx, id: number, version: number, body: MovementWrite): Promise<Movement> {
  const { holder, before } = await byHand(ctx, id)
  const columns = await columnsOf(ctx, body)
  if (!(await bumpVersion(ctx, 'load_carrier_movement', id, version, columns)))
    throw new AppError('stale_version', { current: (await byHand(ctx, id)).before })
  const after = await movementView(ctx, body.holder, id)
  if (holder.kind === body.holder.kind && holder.id === body.holder.id)
    await tell(ctx, holder, 'loadCarriersCorrected', inHistory(before), inHistory(after))
  else {
    await tell(ctx, holder, 'loadCarriersTakenOut', inHistory(before), NOTHING)
    await tell(ctx, body.holder, 'loadCarriersMoved', NOTHING, inHistory(after))
  }
  return after
}

/** Takes a movement out of its account. Errors: the contract's, `stale_version`. */
export async function removeMovement(ctx: Ctx, id: number, version: number): Promise<void> {
  const { holder, before } = await byHand(ctx, id)
  const { numDeletedRows } = await ctx.db
    .deleteFrom('load_carrier_movement')
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (Number(numDeletedRows) === 0) throw new AppError('stale_version', { current: (await byHand(ctx, id)).before })
  await tell(ctx, holder, 'loadCarriersTakenOut', inHistory(before), NOTHING)
}

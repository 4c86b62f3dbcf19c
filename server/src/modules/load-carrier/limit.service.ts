import type { z } from 'zod'
import type { saveLimits as endpoint } from '@waybill/contract/load-carrier/limit'
import type { Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { admitToAccounts, findHolder, holderColumns, lockHolder, OWNER_KINDS } from './holder.policy.ts'
import { limitsOf, storedLimits, type Limits } from './limit.query.ts'
import { refuseUnknownTypes } from './movement.service.ts'
import './load-carrier.table.ts'

/** Writes the limits of an account. Errors: the contract's. */
export async function saveLimits(
  ctx: Ctx,
  version: number,
  { holder, items }: z.output<typeof endpoint.body>,
): Promise<Limits> {
  admitToAccounts(ctx, holder.kind)
  if ((await findHolder(ctx, holder)) === null) throw fieldError('holder.id', 'unknown_reference')
  await refuseUnknownTypes(
    ctx,
    items.map(({ typeId }) => typeId),
    (index) => `items.${index}.typeId`,
  )
  // Two who agree on the first limit of an account come after each other.
  await lockHolder(ctx, holder)
  const before = await storedLimits(ctx, holder)
  const isOfNow =
    before.id === null ? version === 0 : await bumpVersion(ctx, 'load_carrier_account', before.id, version, {})
  if (!isOfNow) throw new AppError('stale_version', { current: await limitsOf(ctx, holder) })
  const accountId =
    before.id ??
    (
      await ctx.db
        .insertInto('load_carrier_account')
        .values(holderColumns(holder))
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  await ctx.db.deleteFrom('load_carrier_limit').where('accountId', '=', accountId).execute()
  if (items.length > 0)
    await ctx.db
      .insertInto('load_carrier_limit')
      .values(items.map((one) => ({ accountId, ...one })))
      .execute()
  const after = await storedLimits(ctx, holder)
  await audit(ctx, {
    ownerKind: OWNER_KINDS[holder.kind],
    ownerId: holder.id,
    action: 'loadCarriersLimited',
    before: { loadCarriers: before.named },
    after: { loadCarriers: after.named },
  })
  return { version: after.version, items: after.items }
}

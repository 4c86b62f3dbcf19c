import type { Retention } from '@waybill/contract/operations/retention'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'
import { readRetention } from './retention.query.ts'
import './retention.table.ts'

/** Errors: `stale_version` where somebody else has chosen since. */
export async function setRetention(ctx: Ctx, version: number, periods: Retention['periods']): Promise<Retention> {
  const before = await readRetention(ctx)
  const values = { version: version + 1, periods: JSON.stringify(periods) }
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('retention')
    .values({ ...values, lastRunAt: null, lastCounts: null })
    .onConflict((conflict) => conflict.column('isOnly').doUpdateSet(values).where('retention.version', '=', version))
    .executeTakeFirst()
  const after = await readRetention(ctx)
  if (before.version !== version || Number(numInsertedOrUpdatedRows) === 0)
    throw new AppError('stale_version', { current: after })
  await audit(ctx, {
    ownerKind: 'user',
    ownerId: actorOf(ctx).userId,
    action: 'retentionChosen',
    before: before.periods,
    after: after.periods,
  })
  return after
}

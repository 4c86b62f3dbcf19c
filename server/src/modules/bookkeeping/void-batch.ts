import type { Batch } from '@waybill/contract/bookkeeping/bookkeeping'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { batchView } from './batch.query.ts'
import { lockBatch, writeVoid } from './batch.repository.ts'

/** Gives up a batch that nobody has read in. Errors: `not_found`, `stale_version`, `conflict` where it is void. */
export async function voidBatch(ctx: Ctx, id: number, version: number, reason: string): Promise<Batch> {
  const batch = await lockBatch(ctx, id)
  if (!batch) throw new AppError('not_found')
  if (batch.version !== version) throw new AppError('stale_version', { current: await batchView(ctx, id) })
  if (batch.voidedAt !== null) throw new AppError('conflict')
  await writeVoid(ctx, batch, { voidedAt: nowOf(ctx), voidedById: actorOf(ctx).userId, voidReason: reason })
  return batchView(ctx, id)
}

import type { z } from 'zod'
import type { decideHeld as decideEndpoint } from '@waybill/contract/operations/overview'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { audit } from '../../kit/records/audit.ts'

type Failed = { name: string; id: string }

const told = (ctx: Ctx, action: string, after?: object): Promise<void> =>
  audit(ctx, { ownerKind: 'user', ownerId: actorOf(ctx).userId, action, ...(after && { after }) })

/** Errors: `not_found` where it is no failed job any more. */
export async function retryJob(ctx: Ctx, { name, id }: Failed): Promise<void> {
  if (!(await ctx.ports.jobs.retry(ctx, name, id))) throw new AppError('not_found')
  await told(ctx, 'jobRetried', { job: name })
}

/** Errors: `not_found` where it is no failed job any more. */
export async function removeJob(ctx: Ctx, { name, id }: Failed): Promise<void> {
  if (!(await ctx.ports.jobs.remove(ctx, name, id))) throw new AppError('not_found')
  await told(ctx, 'jobRemoved', { job: name })
}

/** Errors: `not_found` where nothing of that restore waits. */
export async function decideHeld(
  ctx: Ctx,
  { word, restoredAt }: z.output<(typeof decideEndpoint)['body']>,
): Promise<void> {
  // Of two who give a word at once the second finds nothing any more.
  const waiting = await ctx.db.selectFrom('restore_hold').select('restoredAt').forUpdate().execute()
  if (!waiting.some((row) => row.restoredAt === restoredAt)) throw new AppError('not_found')
  const held = await ctx.ports.upkeep.held(ctx.db)
  await ctx.ports.upkeep.release(ctx.db, { isDropped: word === 'drop' })
  await told(ctx, word === 'drop' ? 'heldDropped' : 'heldReleased', held)
}

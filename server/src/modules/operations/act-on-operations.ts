import type { z } from 'zod'
import type { decideHeld as decideEndpoint, noteNumber as noteEndpoint } from '@waybill/contract/operations/overview'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
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

/** Errors: `not_found` where this company waits for no word about that restore; a number below the known one: 422. */
export async function noteNumber(
  ctx: Ctx,
  { companyId, last, restoredAt }: z.output<(typeof noteEndpoint)['body']>,
): Promise<void> {
  await ctx.db.selectFrom('number_hold').select('companyId').where('companyId', '=', companyId).forUpdate().execute()
  const waiting = (await ctx.ports.upkeep.numbers(ctx.db, ctx.clock.now())).find((one) => one.companyId === companyId)
  if (waiting?.restoredAt !== restoredAt) throw new AppError('not_found')
  if (last < waiting.last) throw fieldError('last', 'too_small', { min: waiting.last })
  await ctx.ports.upkeep.noteNumber(ctx.db, { companyId, last }, ctx.clock.now())
  await told(ctx, 'numberNoted', { company: waiting.title, year: waiting.year, last })
}

import { sql } from 'kysely'
import type { OwnSession } from '@waybill/contract/session'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { endSessions, isAlive } from './tokens.ts'

/** The caller's live sessions, this one first. */
export async function listSessions(ctx: Ctx): Promise<{ items: OwnSession[] }> {
  const { userId, sessionId } = actorOf(ctx)
  const items = await ctx.db
    .selectFrom('session')
    .select(['id', 'createdAt', 'lastUsedAt', 'userAgent', 'lastAddress'])
    .select(sql<boolean>`id = ${sessionId}`.as('isCurrent'))
    .where('userId', '=', userId)
    .where(isAlive(ctx))
    .orderBy('isCurrent', 'desc')
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
  return { items }
}

/** Ends one session of the caller's; another's does not exist for them. */
export async function endSession(ctx: Ctx, id: number): Promise<void> {
  const { userId } = actorOf(ctx)
  const ended = await endSessions(ctx, sql<boolean>`id = ${id} and "userId" = ${userId}`)
  if (ended === 0) throw new AppError('not_found')
  await audit(ctx, { ownerKind: 'user', ownerId: userId, action: 'sessionEnded' })
}

export async function endOtherSessions(ctx: Ctx): Promise<void> {
  const { userId, sessionId } = actorOf(ctx)
  const ended = await endSessions(ctx, sql<boolean>`"userId" = ${userId} and id <> ${sessionId}`)
  if (ended > 0) await audit(ctx, { ownerKind: 'user', ownerId: userId, action: 'otherSessionsEnded' })
}

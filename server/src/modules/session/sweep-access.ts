import { sql } from 'kysely'
import type { Ctx } from '../../kit/context/context.ts'
import type { JobDefinition } from '../../kit/context/jobs.ts'
import { GUARDED_DAYS } from '../user/index.ts'
import { DEVICE_DAYS } from './known-device.ts'
import './session.table.ts'

declare module '../../kit/context/jobs.ts' {
  interface JobData {
    sweep_access: Record<string, never>
  }
}

/**
 * Forgets what opens nothing any more and counts for nothing: nobody wants to keep who failed to sign in, or with
 * which device, for ever.
 */
export const sweepAccess: JobDefinition<'sweep_access'> = {
  async handle(ctx) {
    const before = (days: number): string => new Date(ctx.clock.now().getTime() - days * 86_400_000).toISOString()
    await remove(ctx, 'sign_in_failure', sql<boolean>`at < ${before(1)}`)
    await remove(ctx, 'recovery_request', sql<boolean>`at < ${before(1)}`)
    await remove(ctx, 'sign_in_challenge', sql<boolean>`"expiresAt" < ${before(1)}`)
    await remove(ctx, 'provider_attempt', sql<boolean>`"expiresAt" < ${before(1)}`)
    await remove(ctx, 'passkey_challenge', sql<boolean>`"expiresAt" < ${before(1)}`)
    await remove(ctx, 'account_token', sql<boolean>`"expiresAt" < ${before(1)}`)
    await remove(ctx, 'known_device', sql<boolean>`"lastUsedAt" < ${before(DEVICE_DAYS)}`)
    await remove(ctx, 'held_right', sql<boolean>`until < ${before(GUARDED_DAYS)}`)
    // A spent token must be known as long as its session could be renewed.
    await remove(ctx, 'session', sql<boolean>`"endedAt" < ${before(30)} or "expiresAt" < ${before(30)}`)
  },
  timetable: { cron: '41 2 * * *', data: {} },
}

async function remove(
  ctx: Ctx,
  table:
    | 'sign_in_failure'
    | 'recovery_request'
    | 'sign_in_challenge'
    | 'provider_attempt'
    | 'passkey_challenge'
    | 'account_token'
    | 'known_device'
    | 'held_right'
    | 'session',
  which: ReturnType<typeof sql<boolean>>,
): Promise<void> {
  const { numDeletedRows } = await ctx.db.deleteFrom(table).where(which).executeTakeFirst()
  if (numDeletedRows > 0n) ctx.log.info({ table, rows: Number(numDeletedRows) }, 'forgot what is over')
}

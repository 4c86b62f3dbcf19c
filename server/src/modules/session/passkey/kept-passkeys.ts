import { sql } from 'kysely'
import type { Passkey } from '@waybill/contract/session/passkey'
import { nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { audit } from '../../../kit/records/audit.ts'
import { lockSecondFactors } from '../two-factor.ts'
import '../session.table.ts'

declare module '../../../kit/context/events.ts' {
  interface Events {
    /** `copied`: its counter went back, so it was refused; `name` is what its owner calls it */
    'passkey.told': { userId: number; what: 'added' | 'removed' | 'copied'; name: string }
  }
}

const SHOWN = ['id', 'name', 'addedAt', 'lastUsedAt', 'isSynced'] as const

export const passkeysOf = (ctx: Ctx, userId: number): Promise<Passkey[]> =>
  ctx.db.selectFrom('passkey').select(SHOWN).where('userId', '=', userId).orderBy('id').execute()

/** Until somebody has one the sign-in page offers none. */
export const isAnyKept = async (ctx: Ctx): Promise<boolean> =>
  (await ctx.db.selectFrom('passkey').select('id').limit(1).executeTakeFirst()) !== undefined

/** One of the person's own; another's does not exist for them. */
export const ownPasskey = (ctx: Ctx, userId: number, id: number): Promise<Passkey | undefined> =>
  ctx.db.selectFrom('passkey').select(SHOWN).where('userId', '=', userId).where('id', '=', id).executeTakeFirst()

/** What a browser is told of the keys of a person. */
export async function descriptorsOf(
  ctx: Ctx,
  userId: number,
): Promise<{ id: string; type: 'public-key'; transports: string[] }[]> {
  const keys = await ctx.db
    .selectFrom('passkey')
    .select(['credentialId', 'transports'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
  return keys.map(({ credentialId, transports }) => ({
    id: credentialId.toString('base64url'),
    type: 'public-key',
    transports,
  }))
}

/** A key whose owner may sign in. */
export const findKey = (ctx: Ctx, credentialId: Buffer) =>
  ctx.db
    .selectFrom('passkey')
    .innerJoin('user', 'user.id', 'passkey.userId')
    .select(['passkey.id', 'passkey.userId', 'passkey.name', 'passkey.publicKey', 'passkey.userHandle'])
    .select(['user.email', 'user.isAdmin'])
    .where('passkey.credentialId', '=', credentialId)
    .where('user.state', '=', 'active')
    .executeTakeFirst()

/**
 * Notes that a key has signed. False where its counter did not go on: then there is a copy of it somewhere. Keys that
 * do not count say nought always.
 */
export async function noteUse(ctx: Ctx, id: number, { counter, isSynced }: { counter: number; isSynced: boolean }) {
  const { numUpdatedRows } = await ctx.db
    .updateTable('passkey')
    .set({ counter, isSynced, lastUsedAt: nowOf(ctx) })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Takes all passkeys of a person away; false where there is none. */
export async function dropPasskeys(ctx: Ctx, userId: number): Promise<boolean> {
  await lockSecondFactors(ctx, userId)
  const dropped = await ctx.db.deleteFrom('passkey').where('userId', '=', userId).returning('name').execute()
  if (dropped.length === 0) return false
  const name = dropped.map((one) => one.name).join(', ')
  await audit(ctx, { ownerKind: 'user', ownerId: userId, action: 'passkeysReset' })
  await tell(ctx, { type: 'passkey.told', userId, what: 'removed', name })
  return true
}

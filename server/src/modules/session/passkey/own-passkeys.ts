import { randomBytes } from 'node:crypto'
import type { MadePasskey, Passkey, PasskeyCreation } from '@waybill/contract/session/passkey'
import { actorOf, inTransaction, nowOf, tell, type Ctx } from '../../../kit/context/context.ts'
import { AppError } from '../../../kit/context/errors.ts'
import { audit } from '../../../kit/records/audit.ts'
import { mayUsePassword } from '../password.ts'
import { assertOwnPassword } from '../profile.ts'
import { lockSecondFactors, secondFactorsOf } from '../two-factor.ts'
import { ALGORITHMS, readMadePasskey } from './ceremony.ts'
import { descriptorsOf, ownPasskey, passkeysOf } from './kept-passkeys.ts'
import { LIFE_MS, openPasskeyChallenge, spendPasskeyChallenge } from './passkey-challenge.ts'
import { offeredBy, relyingPartyOf } from './relying-party.ts'

const MOST = 20
/** Without a password it is the sign-in itself that proves who is there. */
const FRESH_MS = 10 * 60_000

/** The caller's own passkeys. */
export const listOwnPasskeys = async (ctx: Ctx): Promise<{ items: Passkey[]; isOffered: boolean }> => ({
  items: await passkeysOf(ctx, actorOf(ctx).userId),
  isOffered: relyingPartyOf(ctx.ports.publicUrl) !== null,
})

/**
 * A session left open, or stolen, adds and removes nothing: the password is asked for, or a sign-in of a moment ago of
 * those who have none. Errors: fields, `fresh_sign_in_needed`, `rate_limited`.
 */
async function assertOwner(ctx: Ctx, currentPassword: string | undefined): Promise<void> {
  const { userId, sessionId } = actorOf(ctx)
  const user = await ctx.db
    .selectFrom('user')
    .innerJoin('session', 'session.userId', 'user.id')
    .select(['user.email', 'user.isAdmin', 'user.passwordHash', 'session.createdAt'])
    .where('user.id', '=', userId)
    .where('session.id', '=', sessionId)
    .executeTakeFirstOrThrow()
  if (user.passwordHash !== null && mayUsePassword(ctx, user)) await assertOwnPassword(ctx, currentPassword)
  else if (ctx.clock.now().getTime() - Date.parse(user.createdAt) > FRESH_MS) throw new AppError('fresh_sign_in_needed')
}

/** Errors: `conflict` with twenty, `passkeys_not_here`, and those of the proof. */
export async function beginOwnPasskey(ctx: Ctx, currentPassword: string | undefined): Promise<PasskeyCreation> {
  const party = offeredBy(ctx)
  const { userId, sessionId } = actorOf(ctx)
  await assertOwner(ctx, currentPassword)
  const keys = await descriptorsOf(ctx, userId)
  if (keys.length >= MOST) throw new AppError('conflict')
  const { email, fullName } = await ctx.db
    .selectFrom('user')
    .select(['email', 'fullName'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const known = await ctx.db.selectFrom('passkey').select('userHandle').where('userId', '=', userId).executeTakeFirst()
  const userHandle = known?.userHandle ?? randomBytes(32)
  return {
    rp: { id: party.id, name: 'Waybill' },
    user: { id: userHandle.toString('base64url'), name: email, displayName: fullName },
    challenge: await openPasskeyChallenge(ctx, { adding: { sessionId, userHandle } }),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: LIFE_MS,
    excludeCredentials: keys,
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/** Errors: `passkey_refused`, `conflict` for one that is kept already or the twenty-first, `passkeys_not_here`. */
export async function addOwnPasskey(ctx: Ctx, name: string, made: MadePasskey): Promise<Passkey> {
  const party = offeredBy(ctx)
  const { userId, sessionId } = actorOf(ctx)
  const spent = await spendPasskeyChallenge(ctx, made.clientDataJSON, { sessionId })
  const key = spent && (await readMadePasskey(ctx, party, made, spent.challenge))
  if (!spent?.userHandle || key === null) throw new AppError('passkey_refused')
  const { userHandle } = spent
  return inTransaction(ctx, async (inner) => {
    await lockSecondFactors(inner, userId)
    if ((await passkeysOf(inner, userId)).length >= MOST) throw new AppError('conflict')
    const added = await inner.db
      .insertInto('passkey')
      .values({
        ...key,
        userId,
        name,
        userHandle,
        transports: made.transports,
        addedAt: nowOf(inner),
        lastUsedAt: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw new AppError('conflict')
    await audit(inner, {
      ownerKind: 'user',
      ownerId: userId,
      action: 'passkeyAdded',
      before: { passkey: null },
      after: { passkey: name },
    })
    await tell(inner, { type: 'passkey.told', userId, what: 'added', name })
    return (await ownPasskey(inner, userId, added.id))!
  })
}

/** Errors: `not_found`. */
export async function renameOwnPasskey(ctx: Ctx, id: number, name: string): Promise<Passkey> {
  const { userId } = actorOf(ctx)
  const before = await ownPasskey(ctx, userId, id)
  if (!before) throw new AppError('not_found')
  await ctx.db.updateTable('passkey').set({ name }).where('id', '=', id).execute()
  if (name !== before.name)
    await audit(ctx, {
      ownerKind: 'user',
      ownerId: userId,
      action: 'passkeyRenamed',
      before: { passkey: before.name },
      after: { passkey: name },
    })
  return { ...before, name }
}

/** Errors: `not_found`, `passkey_last`, and those of the proof. */
export async function removeOwnPasskey(ctx: Ctx, id: number, currentPassword: string | undefined): Promise<void> {
  const { userId } = actorOf(ctx)
  if (!(await ownPasskey(ctx, userId, id))) throw new AppError('not_found')
  await assertOwner(ctx, currentPassword)
  await inTransaction(ctx, async (inner) => {
    await lockSecondFactors(inner, userId)
    const { hasCode, isTwoFactorRequired } = await secondFactorsOf(inner, userId)
    const kept = await passkeysOf(inner, userId)
    const removed = kept.find((one) => one.id === id)
    if (!removed) throw new AppError('not_found')
    if (isTwoFactorRequired && !hasCode && kept.length === 1) throw new AppError('passkey_last')
    await inner.db.deleteFrom('passkey').where('id', '=', id).execute()
    await audit(inner, {
      ownerKind: 'user',
      ownerId: userId,
      action: 'passkeyRemoved',
      before: { passkey: removed.name },
      after: { passkey: null },
    })
    await tell(inner, { type: 'passkey.told', userId, what: 'removed', name: removed.name })
  })
}

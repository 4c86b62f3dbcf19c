import type { User } from '@waybill/contract/user'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { assertHoldsRightsOf, assertMayTouch, userService } from '../user/index.ts'
import { makeAccountLink } from './account-link.ts'
import { mayUsePassword } from './password.ts'
import { dropPasskeys } from './passkey/kept-passkeys.ts'
import { endAccess } from './tokens.ts'
import { dropTwoFactor } from './two-factor.ts'

/** The person at the version that was read, whom this caller may touch. */
async function admittedUser(ctx: Ctx, id: number, version: number): Promise<User> {
  const user = await userService.get(ctx, id)
  assertMayTouch(ctx, { isAdmin: user.position?.isAdmin ?? false })
  if (user.version !== version) throw new AppError('stale_version', { current: user })
  return user
}

async function saved(ctx: Ctx, id: number, version: number, values: Record<string, unknown>): Promise<User> {
  if (!(await bumpVersion(ctx, 'user', id, version, values)))
    throw new AppError('stale_version', { current: await userService.get(ctx, id) })
  return userService.get(ctx, id)
}

/**
 * Sends the mail with which a person chooses the first password; those who have one use the way for a forgotten one.
 */
export async function inviteUser(ctx: Ctx, id: number, version: number): Promise<User> {
  const user = await admittedUser(ctx, id, version)
  if (!mayUsePassword(ctx, { email: user.email, isAdmin: user.position?.isAdmin ?? false }))
    throw new AppError('passwords_off')
  if (user.state === 'inactive' || user.hasPassword) throw new AppError('conflict')
  await makeAccountLink(ctx, user, 'invitation')
  await audit(ctx, { ownerKind: 'user', ownerId: id, action: 'invited' })
  return saved(ctx, id, version, { invitedAt: nowOf(ctx) })
}

/**
 * For a lost phone. Not for oneself: that needs a code (DELETE profile/two-factor), or a stolen session could do it.
 */
export async function resetTwoFactor(ctx: Ctx, id: number, version: number): Promise<User> {
  await admittedUser(ctx, id, version)
  if (actorOf(ctx).userId === id) throw new AppError('forbidden')
  await assertHoldsRightsOf(ctx, id)
  if (!(await dropTwoFactor(ctx, id, 'twoFactorReset'))) throw new AppError('conflict')
  await endAccess(ctx, id)
  return saved(ctx, id, version, {})
}

/** For a lost device. Not for oneself: one's own are removed on the profile, with proof. */
export async function removeAllPasskeys(ctx: Ctx, id: number, version: number): Promise<User> {
  await admittedUser(ctx, id, version)
  if (actorOf(ctx).userId === id) throw new AppError('forbidden')
  await assertHoldsRightsOf(ctx, id)
  if (!(await dropPasskeys(ctx, id))) throw new AppError('conflict')
  await endAccess(ctx, id)
  return saved(ctx, id, version, {})
}

/** For a device that is in strange hands. Not for oneself: one's own end on the profile. */
export async function signOutUser(ctx: Ctx, id: number, version: number): Promise<User> {
  await admittedUser(ctx, id, version)
  if (actorOf(ctx).userId === id) throw new AppError('forbidden')
  await assertHoldsRightsOf(ctx, id)
  await endAccess(ctx, id)
  await audit(ctx, { ownerKind: 'user', ownerId: id, action: 'signedOutByOther' })
  return saved(ctx, id, version, {})
}

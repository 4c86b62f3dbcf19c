import { sql } from 'kysely'
import type { Permission } from '@waybill/contract/permissions'
import type { Profile, TwoFactorSetup } from '@waybill/contract/session'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, inTransaction, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import { tellChanged } from '../user/index.ts'
import { judge, ownPasswordOf, refuseGuessing, tryCode } from './guessing.ts'
import { assertNotPersonal, assertUnknownPassword } from './known-passwords.ts'
import { hashPassword, isPassword, knownTurns, mayUsePassword } from './password.ts'
import { endAccess } from './tokens.ts'
import {
  confirmTwoFactor,
  describeSetup,
  dropTwoFactor,
  lockSecondFactors,
  newTwoFactorSecret,
  secondFactorsOf,
  spendCode,
} from './two-factor.ts'

/** The signed-in person. */
export async function readProfile(ctx: Ctx): Promise<Profile> {
  const actor = actorOf(ctx)
  const user = await ctx.db
    .selectFrom('user')
    .leftJoin('user_role as role', 'role.id', 'user.roleId')
    .leftJoin('two_factor', 'two_factor.userId', 'user.id')
    .select([
      'user.id',
      'user.version',
      'user.email',
      'user.fullName',
      'user.phone',
      'user.defaultLanguage',
      'user.positionTitle',
      'user.isAdmin',
      'user.departmentId',
      'user.passwordHash',
    ])
    .select(sql<number>`(select count(*)::int from passkey where passkey."userId" = "user".id)`.as('passkeys'))
    .select(['role.isTwoFactorRequired', 'two_factor.confirmedAt as twoFactorSince'])
    .select((eb) =>
      eb
        .selectFrom('recovery_code as code')
        .select(sql<number>`count(*)::int`.as('left'))
        .whereRef('code.userId', '=', 'user.id')
        .where('code.usedAt', 'is', null)
        .as('recoveryCodesLeft'),
    )
    .where('user.id', '=', actor.userId)
    .executeTakeFirstOrThrow()
  const permissions: readonly Permission[] = actor.permissions
  return {
    id: user.id,
    version: user.version,
    email: user.email,
    fullName: user.fullName,
    phone: user.phone,
    defaultLanguage: user.defaultLanguage,
    position: user.positionTitle === null ? null : { title: user.positionTitle, isAdmin: user.isAdmin },
    permissions: JSON.stringify(permissions),
    twoFactorEnabled: user.twoFactorSince !== null,
    passkeys: user.passkeys,
    isTwoFactorRequired: user.isTwoFactorRequired ?? false,
    recoveryCodesLeft: user.recoveryCodesLeft ?? 0,
    departmentId: user.departmentId,
    hasPassword: user.passwordHash !== null && mayUsePassword(ctx, user),
  }
}

type ProfileChange = Partial<
  Pick<Profile, 'fullName' | 'email' | 'phone' | 'defaultLanguage'> & { currentPassword: string }
>

/** Changes one's own data; the address, at which a forgotten password is replaced, with the password alone (028). */
export async function changeProfile(
  ctx: Ctx,
  version: number,
  { currentPassword, ...body }: ProfileChange,
): Promise<Profile> {
  const before = await readProfile(ctx)
  if (before.version !== version) throw new AppError('stale_version', { current: before })
  if (body.email !== undefined && body.email !== before.email) await assertOwnPassword(ctx, currentPassword)
  return inTransaction(ctx, async (inner) => {
    if (!(await bumpVersion(inner, 'user', before.id, version, body)))
      throw new AppError('stale_version', { current: await readProfile(inner) })
    const after = await readProfile(inner)
    await audit(inner, { ownerKind: 'user', ownerId: after.id, action: 'updated', before, after })
    await tellChanged(inner, after.id, before, after)
    return after
  })
}

/** A session left open is no way to guess the password: wrong ones are counted. Errors: fields, `rate_limited`. */
export async function assertOwnPassword(ctx: Ctx, password: string | undefined): Promise<void> {
  if (password === undefined || password === '') throw fieldError('currentPassword', 'required')
  const { userId } = actorOf(ctx)
  const subjects = [ownPasswordOf(userId)]
  await refuseGuessing(ctx, subjects)
  const { passwordHash } = await ctx.db
    .selectFrom('user')
    .select('passwordHash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const isRight = await knownTurns.take(() => isPassword(passwordHash, password))
  if ((await judge(ctx, subjects, async () => isRight || null)) === null)
    throw fieldError('currentPassword', 'wrong_password')
}

interface PasswordChange {
  currentPassword: string
  newPassword: string
  confirmPassword: string
}

/** Every other session ends (api, Sign-in). */
export async function changePassword(
  ctx: Ctx,
  { currentPassword, newPassword, confirmPassword }: PasswordChange,
): Promise<void> {
  const { userId, sessionId } = actorOf(ctx)
  if (newPassword !== confirmPassword) throw fieldError('confirmPassword', 'passwords_differ')
  await assertOwnPassword(ctx, currentPassword)
  await assertUnknownPassword('newPassword', newPassword)
  const person = await ctx.db
    .selectFrom('user')
    .select(['fullName', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  assertNotPersonal('newPassword', newPassword, person)
  const newHash = await knownTurns.take(() => hashPassword(newPassword))
  await inTransaction(ctx, async (inner) => {
    await inner.db.updateTable('user').set({ passwordHash: newHash }).where('id', '=', userId).execute()
    await inner.db.deleteFrom('account_token').where('userId', '=', userId).execute()
    await endAccess(inner, userId, sessionId)
    await audit(inner, { ownerKind: 'user', ownerId: userId, action: 'passwordChanged' })
  })
}

const hasTwoFactor = async (ctx: Ctx, userId: number): Promise<boolean> =>
  (await ctx.db.selectFrom('two_factor').select('userId').where('userId', '=', userId).executeTakeFirst()) !== undefined

/**
 * A secret that waits for its first code, bound to this session. Errors: `conflict`: a second factor is replaced by
 * removing it first, with a code.
 */
export async function beginTwoFactor(ctx: Ctx): Promise<TwoFactorSetup> {
  const { userId, sessionId } = actorOf(ctx)
  if (await hasTwoFactor(ctx, userId)) throw new AppError('conflict')
  const pendingSecret = await newTwoFactorSecret(ctx, userId)
  await ctx.db.updateTable('session').set({ pendingSecret }).where('id', '=', sessionId).execute()
  return describeSetup(ctx, userId, pendingSecret)
}

/** Errors: `conflict` where nothing waits for a code, `invalid_code`, `rate_limited`. */
export async function switchOnTwoFactor(ctx: Ctx, code: string): Promise<{ recoveryCodes: string[] }> {
  const { userId, sessionId } = actorOf(ctx)
  const recoveryCodes = await tryCode(ctx, userId, async (inner) => {
    const { pendingSecret } = await inner.db
      .selectFrom('session')
      .select('pendingSecret')
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    if (pendingSecret === null || (await hasTwoFactor(inner, userId))) throw new AppError('conflict')
    const codes = await confirmTwoFactor(inner, userId, pendingSecret, code)
    if (codes !== null)
      await inner.db.updateTable('session').set({ pendingSecret: null }).where('userId', '=', userId).execute()
    return codes
  })
  return { recoveryCodes }
}

/**
 * Where the role asks for a second factor only with a passkey beside it. Errors: `conflict` where there is none,
 * `two_factor_required`, `invalid_code`, `rate_limited`.
 */
export async function switchOffTwoFactor(ctx: Ctx, code: string): Promise<void> {
  const { userId } = actorOf(ctx)
  const assertNotLast = async (inner: Ctx): Promise<void> => {
    const { hasCode, hasPasskey, isTwoFactorRequired } = await secondFactorsOf(inner, userId)
    if (!hasCode) throw new AppError('conflict')
    if (isTwoFactorRequired && !hasPasskey) throw new AppError('two_factor_required')
  }
  await assertNotLast(ctx)
  await tryCode(ctx, userId, async (inner) => {
    await lockSecondFactors(inner, userId)
    await assertNotLast(inner)
    return (await spendCode(inner, userId, code)) && (await dropTwoFactor(inner, userId, 'twoFactorDisabled'))
      ? true
      : null
  })
}

import { sql } from 'kysely'
import type { Permission } from '@waybill/contract/permissions'
import type { Profile } from '@waybill/contract/session'
import { audit } from '../../kit/audit.ts'
import { actorOf, type Ctx } from '../../kit/context.ts'
import { AppError, fieldError } from '../../kit/errors.ts'
import { bumpVersion } from '../../kit/table-service.ts'
import { hashPassword, isPassword } from './password.ts'
import { endSessions } from './tokens.ts'

/** The signed-in person. */
export async function readProfile(ctx: Ctx): Promise<Profile> {
  const actor = actorOf(ctx)
  const user = await ctx.db.selectFrom('user').selectAll().where('id', '=', actor.userId).executeTakeFirstOrThrow()
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
    twoFactorEnabled: false,
    departmentId: user.departmentId,
  }
}

/** Changes one's own data. */
export async function changeProfile(ctx: Ctx, version: number, body: Partial<Pick<Profile, 'fullName' | 'email' | 'phone' | 'defaultLanguage'>>): Promise<Profile> {
  const before = await readProfile(ctx)
  if (!(await bumpVersion(ctx, 'user', before.id, version, body))) throw new AppError('stale_version', { current: before })
  const after = await readProfile(ctx)
  await audit(ctx, { ownerKind: 'user', ownerId: after.id, action: 'updated', before, after })
  return after
}

interface PasswordChange {
  currentPassword: string
  newPassword: string
  confirmPassword: string
}

/** Every other session ends (api.md, Sign-in). */
export async function changePassword(ctx: Ctx, { currentPassword, newPassword, confirmPassword }: PasswordChange): Promise<void> {
  const actor = actorOf(ctx)
  if (newPassword !== confirmPassword) throw fieldError('confirmPassword', 'passwords_differ')
  const { passwordHash } = await ctx.db.selectFrom('user').select('passwordHash').where('id', '=', actor.userId).executeTakeFirstOrThrow()
  if (!(await isPassword(passwordHash, currentPassword))) throw fieldError('currentPassword', 'wrong_password')
  await ctx.db
    .updateTable('user')
    .set({ passwordHash: await hashPassword(newPassword) })
    .where('id', '=', actor.userId)
    .execute()
  await endSessions(ctx, sql<boolean>`"userId" = ${actor.userId} and id <> ${actor.sessionId}`)
  await audit(ctx, { ownerKind: 'user', ownerId: actor.userId, action: 'passwordChanged' })
}

import { LANGUAGES } from '@waybill/contract/errors'
import { nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { audit } from '../../kit/records/audit.ts'
import { noteHeldRights } from './user.policy.ts'
import './user.table.ts'

/** A role that the settings of the identity provider name. */
export interface ProvidedRole {
  id: number
  title: string
}

/** The role of this name, if it grants anything; the log says where the settings name one that is not there. */
export async function findProvidedRole(ctx: Ctx, title: string): Promise<ProvidedRole | null> {
  const role = await ctx.db
    .selectFrom('user_role')
    .select(['id', 'title'])
    .where('title', '=', title)
    .where('isEnabled', '=', true)
    .where('state', '=', 'active')
    .executeTakeFirst()
  if (!role) ctx.log.error({ role: title }, 'the settings of the identity provider name a role that is not there')
  return role ?? null
}

interface NewPerson {
  email: string
  fullName: string | null
  /** of the language, as `de` or `de-AT` */
  locale: string | null
}

/** Makes a person whom the identity provider knows. Their position is called like the role, which it wakes (028). */
export async function makeProvidedUser(
  ctx: Ctx,
  { email, fullName, locale }: NewPerson,
  role: ProvidedRole,
): Promise<number> {
  const { id } = await ctx.db
    .insertInto('user')
    .values({
      fullName: fullName ?? email,
      email,
      phone: null,
      defaultLanguage: LANGUAGES.find((language) => locale?.toLowerCase().startsWith(language)) ?? 'en',
      roleId: role.id,
      positionTitle: role.title,
      departmentId: null,
      plateNumber: null,
      passwordHash: null,
      createdAt: nowOf(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(ctx, { ownerKind: 'user', ownerId: id, action: 'created', reason: 'OpenID Connect' })
  return id
}

/**
 * Gives the role that the identity provider names. Another one than before ends every session, as it does where an
 * administrator gives it; a person without a position gets one, called like the role.
 */
export async function giveProvidedRole(ctx: Ctx, userId: number, role: ProvidedRole): Promise<void> {
  const before = await ctx.db
    .selectFrom('user')
    .leftJoin('user_role as held', 'held.id', 'user.roleId')
    .select(['user.roleId', 'user.positionTitle', 'user.isAdmin', 'held.permissions'])
    .where('user.id', '=', userId)
    .forUpdate('user')
    .executeTakeFirstOrThrow()
  if (before.roleId === role.id && before.positionTitle !== null) return
  await noteHeldRights(ctx, [{ userId, isAdmin: before.isAdmin }], before.permissions ?? [])
  const positionTitle = before.positionTitle ?? role.title
  await ctx.db
    .updateTable('user')
    .set(({ eb }) => ({ roleId: role.id, positionTitle, version: eb('version', '+', 1) }))
    .where('id', '=', userId)
    .execute()
  await audit(ctx, {
    ownerKind: 'user',
    ownerId: userId,
    action: 'updated',
    reason: 'OpenID Connect',
    before: { roleId: before.roleId, position: { title: before.positionTitle } },
    after: { roleId: role.id, position: { title: positionTitle } },
  })
  await tell(ctx, { type: 'user.accessChanged', userId })
}

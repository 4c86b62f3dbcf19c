import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import './user.table.ts'

/** Whether this is the address of an active administrator who has a password: the one who gets in by it alone. */
export async function mayBeTheOnlyOne(db: Db, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where(sql<boolean>`lower(email) = ${email}`)
    .where('isAdmin', '=', true)
    .where('state', '=', 'active')
    .where('passwordHash', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

interface NamedRoles {
  createRole: string | null
  roles: { titles: readonly { title: string }[] } | null
}

/** Roles that the settings of the identity provider name and that are not there, or grant nothing. */
export async function missingRoles(
  db: Db,
  provider: NamedRoles | null,
): Promise<{ setting: 'OIDC_CREATE_ROLE' | 'OIDC_ROLES'; title: string }[]> {
  const named = [
    ...(provider?.createRole ? [{ setting: 'OIDC_CREATE_ROLE' as const, title: provider.createRole }] : []),
    ...(provider?.roles?.titles.map(({ title }) => ({ setting: 'OIDC_ROLES' as const, title })) ?? []),
  ]
  if (named.length === 0) return []
  const there = await db
    .selectFrom('user_role')
    .select('title')
    .where('isEnabled', '=', true)
    .where('state', '=', 'active')
    .execute()
  return named.filter(({ title }) => !there.some((role) => role.title === title))
}

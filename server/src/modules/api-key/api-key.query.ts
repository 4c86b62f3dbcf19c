import { sql, type ExpressionBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { rightsOfKey, type ApiKey, type KeyState } from '@waybill/contract/api-key/api-key'
import type { Permission, Rights } from '@waybill/contract/permissions'
import { nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { Tables } from '../../kit/database/db.ts'
import './api-key.table.ts'

const MOST = 500

type Person = 'ownerId' | 'createdById' | 'revokedById'

const person = (eb: ExpressionBuilder<Tables, 'api_key'>, column: Person) =>
  jsonObjectFrom(
    eb
      .selectFrom('user as who')
      .select([sql.ref<number>('who.id').as('id'), 'who.fullName as title'])
      .whereRef('who.id', '=', `api_key.${column}`),
  )

const isOwnerActive = sql<boolean>`exists (select 1 from "user" holder
  where holder.id = api_key."ownerId" and holder.state = 'active')`

// What the owner may do now: as at every request (decision 028).
const ownersPermissions = sql<Permission[]>`coalesce((select role.permissions from "user" holder
  join user_role role on role.id = holder."roleId"
  where holder.id = api_key."ownerId" and role."isEnabled" and role.state = 'active'
    and holder."positionTitle" is not null), '{}')`

async function keys(ctx: Ctx, id: number | null): Promise<ApiKey[]> {
  const state = sql<KeyState>`case when api_key."revokedAt" is not null then 'revoked'
    when api_key."expiresAt" <= ${nowOf(ctx)} then 'expired'
    when ${isOwnerActive} then 'active' else 'ownerInactive' end`
  const rows = await ctx.db
    .selectFrom('api_key')
    .select(['id', 'title', 'hint', 'permissions', 'createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'])
    .select(state.as('state'))
    .select(ownersPermissions.as('ownerPermissions'))
    .select(
      sql<boolean>`exists (select 1 from "user" holder
        where holder.id = api_key."ownerId" and holder."isAdmin")`.as('isOwnerAdmin'),
    )
    .select((eb) => person(eb, 'ownerId').$notNull().as('owner'))
    .select((eb) => person(eb, 'createdById').$notNull().as('createdBy'))
    .select((eb) => person(eb, 'revokedById').as('revokedBy'))
    .$if(id !== null, (query) => query.where('id', '=', id))
    .orderBy(sql`${state} = 'active'`, 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  return rows.map(({ ownerPermissions, isOwnerAdmin, ...row }) => {
    const owner: Rights = { isAdmin: isOwnerAdmin, permissions: ownerPermissions }
    return { ...row, effective: row.state === 'active' ? rightsOfKey(row.permissions, owner) : [] }
  })
}

/** Every key, those that open something first, then the newest. */
export const listKeys = async (ctx: Ctx): Promise<{ items: ApiKey[] }> => ({ items: await keys(ctx, null) })

/** Errors: `not_found`. */
export async function readKey(ctx: Ctx, id: number): Promise<ApiKey> {
  const [key] = await keys(ctx, id)
  if (!key) throw new AppError('not_found')
  return key
}

/** What an active person may do now; null for nobody. */
export async function rightsOfOwner(ctx: Ctx, userId: number): Promise<Rights | null> {
  const { rows } = await sql<Rights>`
    select u."isAdmin", case when r."isEnabled" and r.state = 'active' and u."positionTitle" is not null
        then r.permissions else '{}' end as permissions
      from "user" u left join user_role r on r.id = u."roleId"
      where u.id = ${userId} and u.state = 'active'
  `.execute(ctx.db)
  return rows[0] ?? null
}

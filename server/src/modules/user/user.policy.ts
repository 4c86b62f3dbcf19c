import { sql } from 'kysely'
import { hasPermission, type Permission, type Rights } from '@waybill/contract/permissions'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import './user.table.ts'

/** So long after rights were taken away, their holder is still guarded like a holder (decision 042). */
export const GUARDED_DAYS = 30

/** Nobody grants a permission that they lack (domain, People and rights). */
const mayGrant = (ctx: Ctx, permissions: readonly Permission[]): boolean =>
  permissions.every((permission) => hasPermission(actorOf(ctx), permission))

export function assertMayGrant(ctx: Ctx, permissions: readonly Permission[]): void {
  if (!mayGrant(ctx, permissions)) throw new AppError('forbidden')
}

/** Only administrators touch administrators, and only they make one. */
export function assertMayTouch(ctx: Ctx, ...people: { isAdmin: boolean }[]): void {
  if (!actorOf(ctx).isAdmin && people.some((person) => person.isAdmin)) throw new AppError('forbidden')
}

/**
 * The most that a person's role and position grant or have granted in the last 30 days; also a role that is disabled,
 * or sleeps for want of a position: it can be woken.
 */
async function highestRightsOf(ctx: Ctx, userId: number): Promise<Rights> {
  const since = new Date(ctx.clock.now().getTime() - GUARDED_DAYS * 86_400_000).toISOString()
  const { rows } = await sql<Rights>`
    select coalesce(bool_or(held."isAdmin"), false) as "isAdmin",
      coalesce(array_agg(distinct name) filter (where name is not null), '{}') as permissions
    from (
      select u."isAdmin", coalesce(role.permissions, '{}') as permissions
        from "user" u left join user_role role on role.id = u."roleId" where u.id = ${userId}
      union all
      select "isAdmin", permissions from held_right where "userId" = ${userId} and until > ${since}
    ) held left join unnest(held.permissions) name on true
  `.execute(ctx.db)
  return rows[0]!
}

/** True where the caller holds every right that this person holds or held lately; oneself is no other person. */
export async function holdsRightsOf(ctx: Ctx, userId: number): Promise<boolean> {
  const actor = actorOf(ctx)
  if (actor.isAdmin || actor.userId === userId) return true
  const { isAdmin, permissions } = await highestRightsOf(ctx, userId)
  return !isAdmin && mayGrant(ctx, permissions)
}

/**
 * Nobody changes the state, role, position or second factor of somebody with a right that they lack, nor deletes them.
 * Errors: `person_of_more_rights`.
 */
export async function assertHoldsRightsOf(ctx: Ctx, userId: number): Promise<void> {
  if (!(await holdsRightsOf(ctx, userId))) throw new AppError('person_of_more_rights')
}

/** Keeps what these people could do until now, before it is taken away. */
export async function noteHeldRights(
  ctx: Ctx,
  people: readonly { userId: number; isAdmin: boolean }[],
  permissions: readonly Permission[],
): Promise<void> {
  if (people.length === 0) return
  await ctx.db
    .insertInto('held_right')
    .values(people.map((person) => ({ ...person, permissions: [...permissions], until: nowOf(ctx) })))
    .execute()
}

/**
 * The last administrator can neither be deactivated nor lose the position. Locks the administrators, so that two
 * cannot step down at once.
 */
export async function assertAdministratorRemains(ctx: Ctx, withoutId: number): Promise<void> {
  const remaining = await ctx.db
    .selectFrom('user')
    .select('id')
    .where('isAdmin', '=', true)
    .where('state', '=', 'active')
    .orderBy('id')
    .forUpdate()
    .execute()
  if (remaining.every((user) => user.id === withoutId)) throw new AppError('last_administrator')
}

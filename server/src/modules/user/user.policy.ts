import { hasPermission, type Permission } from '@waybill/contract/permissions'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'

/** Nobody grants a permission that they lack (domain, People and rights). */
export const mayGrant = (ctx: Ctx, permissions: readonly Permission[]): boolean =>
  permissions.every((permission) => hasPermission(actorOf(ctx), permission))

export function assertMayGrant(ctx: Ctx, permissions: readonly Permission[]): void {
  if (!mayGrant(ctx, permissions)) throw new AppError('forbidden')
}

/** Only administrators touch administrators, and only they make one. */
export function assertMayTouch(ctx: Ctx, ...people: { isAdmin: boolean }[]): void {
  if (!actorOf(ctx).isAdmin && people.some((person) => person.isAdmin)) throw new AppError('forbidden')
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

import { sql } from 'kysely'
import type { WriteOf } from '@waybill/contract/kit/resource'
import { roleApi } from '@waybill/contract/user'
import { actorOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError } from '../../kit/context/errors.ts'
import type { ServiceOf } from '../../kit/http/routes.ts'
import { tableService } from '../../kit/records/table-service.ts'
import { assertMayGrant, noteHeldRights } from './user.policy.ts'
import './user.table.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** the role begins to ask for a second factor */
    'role.twoFactorRequired': { roleId: number }
  }
}

const plain = tableService({
  api: roleApi,
  table: 'user_role',
  title: 'title',
  isTitled: true,
  sorts: { title: { column: 'user_role.title', type: 'text' } },
  filters: { isEnabled: (_ctx, isEnabled) => sql<boolean>`user_role."isEnabled" = ${isEnabled}` },
})

async function isHeldByAdministrator(ctx: Ctx, roleId: number): Promise<boolean> {
  return (
    (await ctx.db
      .selectFrom('user')
      .select('id')
      .where('roleId', '=', roleId)
      .where('isAdmin', '=', true)
      .executeTakeFirst()) !== undefined
  )
}

const holdersOf = (ctx: Ctx, roleId: number): Promise<{ userId: number; isAdmin: boolean }[]> =>
  ctx.db.selectFrom('user').select(['id as userId', 'isAdmin']).where('roleId', '=', roleId).execute()

const grants = ({ isEnabled, state }: Pick<WriteOf<typeof roleApi>, 'isEnabled' | 'state'>): boolean =>
  isEnabled && state === 'active'

export const roleService: ServiceOf<typeof roleApi> = {
  ...plain,
  create(ctx, body) {
    assertMayGrant(ctx, body.permissions)
    return plain.create(ctx, body)
  },
  async update(ctx, id, version, body) {
    const actor = actorOf(ctx)
    const before = await plain.get(ctx, id)
    const own = await ctx.db
      .selectFrom('user')
      .select('roleId')
      .where('id', '=', actor.userId)
      .executeTakeFirstOrThrow()
    const changed = [
      ...body.permissions.filter((name) => !before.permissions.includes(name)),
      ...before.permissions.filter((name) => !body.permissions.includes(name)),
    ]
    // Nobody changes what the role they hold grants, nor gives or takes what they lack.
    if (own.roleId === id && !actor.isAdmin && (changed.length > 0 || grants(body) !== grants(before)))
      throw new AppError('forbidden')
    // To wake a role is to give all of it, to put it to sleep is to take all of it away.
    const isWokenOrPutToSleep = grants(body) !== grants(before)
    assertMayGrant(ctx, isWokenOrPutToSleep ? [...before.permissions, ...body.permissions] : changed)
    if (body.isTwoFactorRequired !== before.isTwoFactorRequired && !actor.isAdmin) {
      // A person who signs in with less than their role asks for has not loosened it themselves;
      // administrators are touched by administrators alone.
      if (own.roleId === id || (await isHeldByAdministrator(ctx, id))) throw new AppError('forbidden')
      assertMayGrant(ctx, before.permissions)
    }
    const after = await plain.update(ctx, id, version, body)
    if (before.permissions.some((name) => !after.permissions.includes(name)))
      await noteHeldRights(ctx, await holdersOf(ctx, id), before.permissions)
    if (after.isTwoFactorRequired && !before.isTwoFactorRequired)
      await tell(ctx, { type: 'role.twoFactorRequired', roleId: id })
    return after
  },
}

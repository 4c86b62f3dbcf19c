import { roleApi } from '@waybill/contract/user'
import { actorOf } from '../../kit/context.ts'
import { AppError } from '../../kit/errors.ts'
import type { ServiceOf } from '../../kit/routes.ts'
import { tableService } from '../../kit/table-service.ts'
import { assertMayGrant } from './user.policy.ts'
import './user.table.ts'

const plain = tableService({
  api: roleApi,
  table: 'user_role',
  title: 'title',
  sorts: { title: { column: 'user_role.title', type: 'text' } },
  filter: (rows, { isEnabled }) => (isEnabled === undefined ? rows : rows.where('user_role.isEnabled', '=', isEnabled)),
})

export const roleService: ServiceOf<typeof roleApi> = {
  ...plain,
  create(ctx, body) {
    assertMayGrant(ctx, body.permissions)
    return plain.create(ctx, body)
  },
  async update(ctx, id, version, body) {
    const actor = actorOf(ctx)
    const before = await plain.get(ctx, id)
    const own = await ctx.db.selectFrom('user').select('roleId').where('id', '=', actor.userId).executeTakeFirstOrThrow()
    const changed = [...body.permissions.filter((name) => !before.permissions.includes(name)), ...before.permissions.filter((name) => !body.permissions.includes(name))]
    // Nobody changes the permissions of the role they hold, nor gives or takes what they lack.
    if (own.roleId === id && !actor.isAdmin && (changed.length > 0 || body.isEnabled !== before.isEnabled)) throw new AppError('forbidden')
    assertMayGrant(ctx, changed)
    return plain.update(ctx, id, version, body)
  },
}

import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { userApi, type User } from '@waybill/contract/user'
import { actorOf, nowOf, tell, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import type { ServiceOf } from '../../kit/http/routes.ts'
import { tableService } from '../../kit/records/table-service.ts'
import { shownTitle } from '../../kit/records/titles.ts'
import {
  assertAdministratorRemains,
  assertHoldsRightsOf,
  assertMayGrant,
  assertMayTouch,
  holdsRightsOf,
  noteHeldRights,
} from './user.policy.ts'
import './user.table.ts'

declare module '../../kit/context/events.ts' {
  interface Events {
    /** another role, a position given or taken, or no longer active */
    'user.accessChanged': { userId: number }
    'user.renamed': { userId: number }
    /** `before` and `after` are two mailboxes */
    'user.addressChanged': { userId: number; before: string; after: string }
  }
}

type Service = ServiceOf<typeof userApi>
type Body = Parameters<Service['create']>[1]

const columnsOf = ({ position, ...columns }: Body) => ({
  ...columns,
  positionTitle: position?.title ?? null,
  isAdmin: position?.isAdmin ?? false,
})

async function permissionsOf(ctx: Ctx, roleId: number | null) {
  if (roleId === null) return []
  const role = await ctx.db.selectFrom('user_role').select('permissions').where('id', '=', roleId).executeTakeFirst()
  return role?.permissions ?? []
}

const isAdminIn = ({ position }: Pick<Body, 'position'>): boolean => position?.isAdmin ?? false

async function checkNew(ctx: Ctx, body: Body): Promise<void> {
  assertMayTouch(ctx, { isAdmin: isAdminIn(body) })
  assertMayGrant(ctx, await permissionsOf(ctx, body.roleId))
}

/** What only somebody may change who holds the rights of that person (decision 042); the address has its own words. */
const isGuardedChange = (before: User, body: Body): boolean =>
  body.state !== before.state ||
  body.roleId !== before.roleId ||
  body.position?.title !== before.position?.title ||
  isAdminIn(body) !== isAdminIn(before)

async function checkChange(ctx: Ctx, body: Body, before: User): Promise<void> {
  const isOwn = actorOf(ctx).userId === before.id
  const [wasAdmin, isAdmin] = [isAdminIn(before), isAdminIn(body)]
  assertMayTouch(ctx, { isAdmin: wasAdmin }, { isAdmin })
  if (body.email !== before.email) {
    if (isOwn) throw fieldError('email', 'own_address')
    // Another address and *forgot password* are a way into the account, and to what it may do.
    if (!(await holdsRightsOf(ctx, before.id))) throw fieldError('email', 'address_of_more_rights')
  }
  if (isGuardedChange(before, body)) await assertHoldsRightsOf(ctx, before.id)
  if (body.roleId !== before.roleId) {
    if (isOwn && !actorOf(ctx).isAdmin) throw new AppError('forbidden')
    assertMayGrant(ctx, await permissionsOf(ctx, body.roleId))
  }
  // A position wakes what the role grants.
  if (body.position !== null && before.position === null) assertMayGrant(ctx, await permissionsOf(ctx, body.roleId))
  if (wasAdmin && (!isAdmin || body.state === 'inactive')) await assertAdministratorRemains(ctx, before.id)
}

/** Another role, a position given or taken, or no longer active. */
const isAccessChanged = (before: User, after: User): boolean =>
  (before.state === 'active' && after.state === 'inactive') ||
  isAdminIn(before) !== isAdminIn(after) ||
  (before.position === null) !== (after.position === null) ||
  before.roleId !== after.roleId

type Person = Pick<User, 'email' | 'fullName'>

/** Tells of a new name, and that mails of an account go to another mailbox; capitals make none. */
export async function tellChanged(ctx: Ctx, userId: number, before: Person, after: Person): Promise<void> {
  if (before.fullName !== after.fullName) await tell(ctx, { type: 'user.renamed', userId })
  if (before.email.toLowerCase() !== after.email.toLowerCase())
    await tell(ctx, { type: 'user.addressChanged', userId, before: before.email, after: after.email })
}

const plain = tableService({
  api: userApi,
  table: 'user',
  title: 'fullName',
  sorts: {
    fullName: { column: 'user.fullName', type: 'text' },
    email: { column: 'user.email', type: 'text' },
    createdAt: { column: 'user.createdAt', type: 'timestamptz' },
  },
  select: (rows, ctx) =>
    rows
      .select([
        'user.id',
        'user.version',
        'user.fullName',
        'user.email',
        'user.phone',
        'user.defaultLanguage',
        'user.roleId',
        'user.departmentId',
        'user.plateNumber',
        'user.state',
        'user.createdAt',
        'user.invitedAt',
      ])
      .select((eb) => [
        sql`case when "user"."positionTitle" is null
          then null else jsonb_build_object('title', "user"."positionTitle", 'isAdmin', "user"."isAdmin") end`.as(
          'position',
        ),
        sql`"user"."passwordHash" is not null`.as('hasPassword'),
        sql`exists (select 1 from two_factor where two_factor."userId" = "user".id)`.as('twoFactorEnabled'),
        sql`(select count(*)::int from passkey where passkey."userId" = "user".id)`.as('passkeys'),
        jsonObjectFrom(
          eb
            .selectFrom('user_role')
            .select(['user_role.id', shownTitle(ctx.language, 'user_role').as('title')])
            .whereRef('user_role.id', '=', 'user.roleId'),
        ).as('role'),
        jsonObjectFrom(
          eb
            .selectFrom('department')
            .select(['department.id', 'department.abbreviation as title'])
            .whereRef('department.id', '=', 'user.departmentId'),
        ).as('department'),
      ]),
  filters: {
    roleId: (_ctx, ids) => sql<boolean>`"user"."roleId" = any(${ids}::bigint[])`,
    departmentId: (_ctx, ids) => sql<boolean>`"user"."departmentId" = any(${ids}::bigint[])`,
  },
  narrow: (rows, ctx) =>
    ctx.companyFilter === null
      ? rows
      : rows.where(
          sql<boolean>`"user"."departmentId" in (select id from department where "companyId" = ${ctx.companyFilter})`,
        ),
  onCreate: (ctx) => ({ createdAt: nowOf(ctx) }),
  check: (ctx: Ctx, body: Body, before: User | null) =>
    before === null ? checkNew(ctx, body) : checkChange(ctx, body, before),
  columnsOf,
  onUpdate: async (ctx, id, { before, after }) => {
    if (before.roleId !== after.roleId || isAdminIn(before) !== isAdminIn(after))
      await noteHeldRights(ctx, [{ userId: id, isAdmin: isAdminIn(before) }], await permissionsOf(ctx, before.roleId))
    if (isAccessChanged(before, after)) await tell(ctx, { type: 'user.accessChanged', userId: id })
    await tellChanged(ctx, id, before, after)
  },
})

export const userService: Service = {
  ...plain,
  async remove(ctx, id, version) {
    const before = await plain.get(ctx, id)
    assertMayTouch(ctx, { isAdmin: before.position?.isAdmin ?? false })
    await assertHoldsRightsOf(ctx, id)
    if (before.position?.isAdmin) await assertAdministratorRemains(ctx, id)
    // Their pages on other nodes hear it at once.
    await tell(ctx, { type: 'user.accessChanged', userId: id })
    return plain.remove(ctx, id, version)
  },
}

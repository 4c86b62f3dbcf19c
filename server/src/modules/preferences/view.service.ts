import { sql } from 'kysely'
import { RESOURCES } from '@waybill/contract/api'
import type { Reference } from '@waybill/contract/kit/fields'
import { mayAccess } from '@waybill/contract/permissions'
import type { View } from '@waybill/contract/preferences'
import { audit } from '../../kit/records/audit.ts'
import { actorOf, nowOf, type Ctx } from '../../kit/context/context.ts'
import { AppError, fieldError } from '../../kit/context/errors.ts'
import { bumpVersion } from '../../kit/records/table-service.ts'
import './preferences.table.ts'

type ViewWrite = Pick<View, 'list' | 'name' | 'query' | 'columns' | 'sharedWith'>

const MAX_VIEWS = 200

/** A view says what is searched for: it is shown to those who may open its list. */
const openLists = (ctx: Ctx): string[] =>
  RESOURCES.filter(({ list }) => mayAccess(list.access, ctx.actor)).map(({ path }) => path)

const jsonOf = (columns: View['columns']): string | null => (columns === null ? null : JSON.stringify(columns))

const views = (ctx: Ctx) =>
  ctx.db
    .selectFrom('saved_view as view')
    .innerJoin('user as owner', 'owner.id', 'view.userId')
    .select(['view.id', 'view.version', 'view.list', 'view.name', 'view.query', 'view.columns', 'view.sharedWith'])
    .select([
      sql<Reference>`jsonb_build_object('id', owner.id, 'title', owner."fullName")`.as('owner'),
      sql<boolean>`owner.id = ${actorOf(ctx).userId}`.as('isOwn'),
    ])

/** Own views and those that others share, of lists that the caller may open. */
export async function listViews(ctx: Ctx, list: string | undefined): Promise<{ items: View[] }> {
  const { userId } = actorOf(ctx)
  const lists = openLists(ctx).filter((open) => list === undefined || open === list)
  if (lists.length === 0) return { items: [] }
  const items = await views(ctx)
    .where('view.list', 'in', lists)
    .where(
      sql<boolean>`(owner.id = ${userId} or (owner.state = 'active' and (view."sharedWith" = 'all'
        or (view."sharedWith" = 'department' and owner."departmentId" = (select "departmentId" from "user"
          where id = ${userId})))))`,
    )
    .orderBy(sql`search_key(view.name)`)
    .orderBy('view.id')
    .limit(500)
    .execute()
  return { items }
}

/** One's own view; another's does not exist for this caller. */
async function ownView(ctx: Ctx, id: number): Promise<View> {
  const view = await views(ctx).where('view.id', '=', id).where('owner.id', '=', actorOf(ctx).userId).executeTakeFirst()
  if (!view) throw new AppError('not_found')
  return view
}

/** Errors: `taken`, `too_many`, and `invalid_value` for a list that does not exist or that this person may not open. */
export async function createView(ctx: Ctx, body: ViewWrite): Promise<View> {
  if (!openLists(ctx).includes(body.list)) throw fieldError('list', 'invalid_value')
  const { userId } = actorOf(ctx)
  const { count } = await ctx.db
    .selectFrom('saved_view')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_VIEWS) throw fieldError('name', 'too_many', { max: MAX_VIEWS })
  const { id } = await ctx.db
    .insertInto('saved_view')
    .values({ ...body, columns: jsonOf(body.columns), userId, createdAt: nowOf(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit(ctx, { ownerKind: 'savedView', ownerId: id, action: 'created' })
  return ownView(ctx, id)
}

export async function changeView(ctx: Ctx, id: number, version: number, body: Partial<ViewWrite>): Promise<View> {
  const before = await ownView(ctx, id)
  const { columns, ...others } = body
  const values = Object.fromEntries(
    Object.entries({ ...others, columns: columns === undefined ? undefined : jsonOf(columns) }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  if (!(await bumpVersion(ctx, 'saved_view', id, version, values)))
    throw new AppError('stale_version', { current: await ownView(ctx, id) })
  const after = await ownView(ctx, id)
  await audit(ctx, { ownerKind: 'savedView', ownerId: id, action: 'updated', before, after })
  return after
}

export async function removeView(ctx: Ctx, id: number, version: number | null): Promise<void> {
  const before = await ownView(ctx, id)
  if (version !== null && version !== before.version) throw new AppError('stale_version', { current: before })
  await ctx.db.deleteFrom('saved_view').where('id', '=', id).execute()
  await audit(ctx, { ownerKind: 'savedView', ownerId: id, action: 'deleted', before, after: {} })
}

import type { Preferences } from '@waybill/contract/preferences'
import { actorOf, type Ctx } from '../../kit/context/context.ts'
import { fieldError } from '../../kit/context/errors.ts'
import { mergePatch } from '../../kit/records/merge.ts'
import './preferences.table.ts'

const STANDARD: Preferences = {
  theme: 'system',
  density: 'compact',
  columns: {},
  pinned: {},
  widths: {},
  defaultViews: {},
}
const MAX_LISTS = 50

/** What the person has chosen, and the standard for the rest. */
export async function readPreferences(ctx: Ctx): Promise<Preferences> {
  const row = await ctx.db
    .selectFrom('user_preference')
    .select('value')
    .where('userId', '=', actorOf(ctx).userId)
    .executeTakeFirst()
  return { ...STANDARD, ...row?.value }
}

/** Two tabs may change different things at once: the row is locked while it is read and written. */
export async function changePreferences(ctx: Ctx, patch: object): Promise<Preferences> {
  const { userId } = actorOf(ctx)
  await ctx.db
    .insertInto('user_preference')
    .values({ userId, value: '{}' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { value } = await ctx.db
    .selectFrom('user_preference')
    .select('value')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const changed = mergePatch({ ...STANDARD, ...value }, patch) as Preferences
  // A list's widths are given whole: what is not among them is as wide as it was meant to be.
  const { widths = {} } = patch as { widths?: Preferences['widths'] }
  for (const list of Object.keys(widths)) if (widths[list]) changed.widths[list] = widths[list]
  for (const part of ['columns', 'pinned', 'widths', 'defaultViews'] as const)
    if (Object.keys(changed[part]).length > MAX_LISTS) throw fieldError(part, 'too_many', { max: MAX_LISTS })
  await ctx.db
    .updateTable('user_preference')
    .set({ value: JSON.stringify(changed) })
    .where('userId', '=', userId)
    .execute()
  return changed
}

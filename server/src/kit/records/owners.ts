import { sql } from 'kysely'
import { mayAccess } from '@waybill/contract/permissions'
import type { ResourceApi } from '@waybill/contract/kit/resource'
import type { Ctx, OwnerRule } from '../context/context.ts'
import type { Tables } from '../database/db.ts'
import { AppError } from '../context/errors.ts'

/** The rule of a record that everybody who may read its resource may see, every row of it. */
export const tableOwner = (api: Pick<ResourceApi, 'get' | 'patch'>, table: keyof Tables & string): OwnerRule => ({
  read: api.get.access,
  write: api.patch.access,
  visible: (_ctx, ownerId) =>
    sql<boolean>`exists (select 1 from ${sql.table(table)} owner where owner.id = ${ownerId})`,
  seesAll: () => true,
})

/**
 * Refuses a caller without the right (`forbidden`), a record that this caller may not know of (`not_found`), and to
 * write to one that is closed.
 */
export async function admitToOwner(ctx: Ctx, kind: string, id: number, purpose: 'read' | 'write'): Promise<void> {
  const rule = ctx.owners[kind]
  if (!rule) throw new AppError('not_found')
  if (!mayAccess(rule[purpose], ctx.actor)) throw new AppError('forbidden')
  const { rows } = await sql<{
    isVisible: boolean
  }>`select ${rule.visible(ctx, sql`${id}::bigint`)} as "isVisible"`.execute(ctx.db)
  if (!rows[0]?.isVisible) throw new AppError('not_found')
  if (purpose === 'write') await rule.refuseClosed?.(ctx, id)
}

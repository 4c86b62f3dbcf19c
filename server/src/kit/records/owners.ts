import { sql } from 'kysely'
import { mayAccess } from '@waybill/contract/permissions'
import type { ResourceApi } from '@waybill/contract/kit/resource'
import type { Ctx, OwnerRule } from '../context/context.ts'
import type { Tables } from '../database/db.ts'
import { AppError, fieldError } from '../context/errors.ts'

/** A record’s name, by the column that holds it. */
export const titleBy =
  (table: keyof Tables & string, column: string): OwnerRule['title'] =>
  (ownerId) =>
    sql<
      string | null
    >`(select ${sql.ref(`owner.${column}`)} from ${sql.table(table)} owner where owner.id = ${ownerId})`

/**
 * The rule of a record that everybody who may read its resource may see, every row of it. `titleColumn` holds what it
 * is called.
 */
export const tableOwner = (
  api: Pick<ResourceApi, 'get' | 'patch' | 'compact'>,
  table: keyof Tables & string,
  titleColumn = 'title',
): OwnerRule => ({
  read: api.get.access,
  write: api.patch.access,
  visible: (_ctx, ownerId) =>
    sql<boolean>`exists (select 1 from ${sql.table(table)} owner where owner.id = ${ownerId})`,
  title: titleBy(table, titleColumn),
  seesAll: () => true,
  // An event names ids, and those are in its compact form.
  heardBy: api.compact.access,
})

/**
 * What a caller wants of a record; `check`: to say whether its proof of delivery counts, `readProof`: to look at it
 * before, and at what was ordered of its carrier.
 */
type Purpose = 'read' | 'write' | 'check' | 'readProof'

function ruleFor(rule: OwnerRule, purpose: Purpose): NonNullable<OwnerRule['check']> {
  const { visible } = rule
  if (purpose === 'check') return rule.check ?? { access: rule.write, visible }
  if (purpose === 'readProof') return rule.check ?? { access: rule.read, visible }
  return { access: rule[purpose], visible }
}

/**
 * Refuses a caller without the right (`forbidden`), a record that this caller may not know of (`not_found`), and to
 * write to one that is closed.
 */
export async function admitToOwner(ctx: Ctx, kind: string, id: number, purpose: Purpose): Promise<void> {
  const rule = ctx.owners[kind]
  if (!rule) throw new AppError('not_found')
  const { access, visible } = ruleFor(rule, purpose)
  if (!mayAccess(access, ctx.actor)) throw new AppError('forbidden')
  const { rows } = await sql<{
    isVisible: boolean
  }>`select ${visible(ctx, sql`${id}::bigint`)} as "isVisible"`.execute(ctx.db)
  if (!rows[0]?.isVisible) throw new AppError('not_found')
  if (purpose === 'write' || purpose === 'check') await rule.refuseClosed?.(ctx, id)
}

/**
 * The drop-offs that a proof of delivery of a record proves: those given, or the usual ones. Null where the record has
 * none. Errors at `locationIds`: `required` where a person must say which, `unknown_reference`.
 */
export async function provenBy(
  ctx: Ctx,
  kind: string,
  id: number,
  asked: { locationIds: readonly number[] | undefined; partId: number | null },
): Promise<number[] | null> {
  const rule = ctx.owners[kind]
  if (rule?.proven) return rule.proven(ctx, id, asked)
  if (asked.locationIds !== undefined) throw fieldError('locationIds', 'invalid_value')
  return null
}

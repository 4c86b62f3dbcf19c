import { sql } from 'kysely'
import type { Ctx } from '../context/context.ts'
import type { Tables } from '../database/db.ts'
import { AppError, type FieldFault } from '../context/errors.ts'

export interface ReferenceCheck {
  path: string
  table: keyof Tables & string
  id: number | null | undefined
}

/** Every named record must exist: one statement for all of them, a 422 that names each wrong path. */
export async function checkReferences(ctx: Ctx, checks: readonly ReferenceCheck[]): Promise<void> {
  const byTable = Map.groupBy(
    checks.filter((check) => check.id !== null && check.id !== undefined),
    (check) => check.table,
  )
  if (byTable.size === 0) return
  const parts = [...byTable].map(
    ([table, wanted]) =>
      sql`select ${sql.lit(table)} as "table", id from ${sql.table(table)}
        where id = any(${[...new Set(wanted.map((check) => check.id))]}::bigint[])`,
  )
  const { rows } = await sql<{ table: string; id: number }>`${sql.join(parts, sql` union all `)}`.execute(ctx.db)
  const known = new Set(rows.map((row) => `${row.table}:${row.id}`))
  const fields: FieldFault[] = [...byTable.values()]
    .flat()
    .flatMap((check) =>
      known.has(`${check.table}:${check.id}`) ? [] : [{ path: check.path, code: 'unknown_reference' as const }],
    )
  if (fields.length > 0) throw new AppError('validation', { fields })
}

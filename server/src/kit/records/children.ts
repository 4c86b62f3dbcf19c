import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../context/context.ts'
import type { Tables } from '../database/db.ts'
import { AppError, type FieldFault } from '../context/errors.ts'

interface Child {
  id?: number | undefined
}

interface ChildrenSpec {
  table: keyof Tables & string
  /** the column that names the parent */
  parent: string
  parentId: number
  /** where the children stand in the body, for error paths */
  path: string
  /** PostgreSQL types of the columns that are written */
  columns: Record<string, 'text' | 'bigint' | 'int' | 'double precision' | 'boolean'>
}

/**
 * Makes the stored children equal to the complete list of a body: with `id` = update, without = new, missing = delete (api, One record).
 * Order is kept in `position`. At most four statements, however many children. Errors: a foreign id is `unknown_reference`, one still referred to `in_use`.
 */
export async function saveChildren(
  ctx: Ctx,
  { table, parent, parentId, path, columns }: ChildrenSpec,
  children: readonly (Child & Record<string, unknown>)[],
): Promise<void> {
  const own = sql`${sql.ref(parent)} = ${parentId}`
  const { rows: known } = await sql<{ id: number }>`select id from ${sql.table(table)} where ${own}`.execute(ctx.db)
  const knownIds = new Set(known.map((row) => row.id))
  const foreign: FieldFault[] = children.flatMap((child, index) =>
    child.id !== undefined && !knownIds.has(child.id)
      ? [{ path: `${path}.${index}.id`, code: 'unknown_reference' as const }]
      : [],
  )
  if (foreign.length > 0) throw new AppError('validation', { fields: foreign })
  const kept = children.flatMap((child) => (child.id === undefined ? [] : [child.id]))
  if (kept.length < knownIds.size)
    await sql`delete from ${sql.table(table)} where ${own} and id <> all(${kept}::bigint[])`.execute(ctx.db)

  const names = Object.keys(columns)
  const placed = children.map((child, position) => ({ ...child, position }))
  const record = (rows: readonly unknown[]): RawBuilder<unknown> =>
    sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(id bigint, position int, ${sql.join(names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name]!)}`))})`
  const updated = placed.filter((child) => child.id !== undefined)
  if (updated.length > 0) {
    const sets = sql.join(['position', ...names].map((name) => sql`${sql.ref(name)} = row.${sql.ref(name)}`))
    await sql`update ${sql.table(table)} t set ${sets} from ${record(updated)} where t.id = row.id and t.${own}`.execute(
      ctx.db,
    )
  }
  const added = placed.filter((child) => child.id === undefined)
  if (added.length > 0) {
    const list = sql.join(['position', ...names].map((name) => sql.ref(name)))
    await sql`insert into ${sql.table(table)} (${sql.ref(parent)}, ${list}) select ${parentId}, ${sql.join(['position', ...names].map((name) => sql`row.${sql.ref(name)}`))} from ${record(added)} order by row.position`.execute(
      ctx.db,
    )
  }
}

import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '../context/context.ts'
import { columnDefinitions, type ColumnTypes } from '../database/columns.ts'
import type { Tables } from '../database/db.ts'
import { placed } from './create-many.ts'
import { AppError, type FieldFault } from '../context/errors.ts'

/** The children of one kind that a body lists, and where they are stored. */
export interface Children {
  table: keyof Tables & string
  /** the column that names the parent */
  parent: string
  /** where the children stand in the body, for error paths */
  path: string
  /** PostgreSQL types of the columns that are written */
  columns: Readonly<Record<string, string>>
  rows: readonly ({ id?: number | undefined; position: number } & Readonly<Record<string, unknown>>)[]
}

/** What a save sees to by itself. */
type BySaving<Table extends keyof Tables, Parent> = Extract<keyof Tables[Table], 'id' | 'position' | Parent>

/**
 * Children as they are to be stored, in the order of the body. `columns` names every column of their table, and every
 * field of a row has one: a field that would get lost does not compile, nor a column that no row fills.
 */
export const childrenOf = <
  Table extends keyof Tables & string,
  Parent extends keyof Tables[Table] & string,
  Row extends { readonly id?: number | undefined } & {
    readonly [Name in Exclude<keyof Tables[Table], BySaving<Table, Parent>>]: unknown
  },
>(children: {
  table: Table
  parent: Parent
  path: string
  columns: ColumnTypes<Table, BySaving<Table, Parent>, Exclude<keyof Row, 'id'>>
  rows: readonly Row[]
}): Children => ({ ...children, rows: placed(children.rows) })

/**
 * Makes the stored children equal to the complete list of a body:
 * with `id` = update, without = new, missing = delete (api, One record).
 * Order is kept in `position`. At most four statements, however many children. Errors:
 * a foreign id is `unknown_reference`, one still referred to `in_use`.
 */
export async function saveChildren(
  ctx: Ctx,
  parentId: number,
  { table, parent, path, columns, rows: children }: Children,
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
  const record = (rows: readonly unknown[]): RawBuilder<unknown> =>
    sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(id bigint, position int,
      ${sql.raw(columnDefinitions(columns))})`
  const updated = children.filter((child) => child.id !== undefined)
  if (updated.length > 0) {
    const sets = sql.join(['position', ...names].map((name) => sql`${sql.ref(name)} = row.${sql.ref(name)}`))
    await sql`
      update ${sql.table(table)} t set ${sets} from ${record(updated)} where t.id = row.id and t.${own}
    `.execute(ctx.db)
  }
  const added = children.filter((child) => child.id === undefined)
  if (added.length > 0) {
    const list = sql.join(['position', ...names].map((name) => sql.ref(name)))
    const values = sql.join(['position', ...names].map((name) => sql`row.${sql.ref(name)}`))
    await sql`
      insert into ${sql.table(table)} (${sql.ref(parent)}, ${list})
      select ${parentId}, ${values} from ${record(added)} order by row.position
    `.execute(ctx.db)
  }
}

import { sql, type InsertType, type SelectType } from 'kysely'
import type { Ctx } from '../context/context.ts'
import type { Tables } from './db.ts'

type Column<Table extends keyof Tables, Name extends keyof Tables[Table]> = InsertType<Tables[Table][Name]>

/** Those that the database fills in where a row says nothing, or always. */
type FilledIn<Table extends keyof Tables> = {
  [Name in keyof Tables[Table]]: undefined extends Column<Table, Name>
    ? Name
    : [Column<Table, Name>] extends [never]
      ? Name
      : never
}[keyof Tables[Table]]

/** A new row with every column that the database does not fill in: one that is missing does not compile. */
export type NewRow<Table extends keyof Tables> = {
  readonly [Name in Exclude<keyof Tables[Table], FilledIn<Table>>]: SelectType<Tables[Table][Name]>
}

/**
 * Writes many rows by one statement; the database itself reads each value as its column's type. A field that is no
 * column does not compile. `unlessThere`: the constraint by which rows that are there already are left out. Answers how
 * many were written.
 */
export function insertRows<Table extends keyof Tables & string, Row extends NewRow<Table>>(
  ctx: Pick<Ctx, 'db'>,
  table: Table,
  rows: readonly (Row & { readonly [Name in Exclude<keyof Row, keyof NewRow<Table>>]: never })[],
  options: { unlessThere?: string } = {},
): Promise<number> {
  return insertColumns(ctx, table, rows, options)
}

/** As `insertRows`, of rows whose columns the caller has checked itself; an id that they bring is kept. */
export async function insertColumns(
  ctx: Pick<Ctx, 'db'>,
  table: keyof Tables & string,
  rows: readonly Readonly<Record<string, unknown>>[],
  { unlessThere }: { unlessThere?: string } = {},
): Promise<number> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== undefined)))].map(
    (name) => sql.ref(name),
  )
  if (names.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(names)}) overriding system value
    select ${sql.join(names)} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    ${unlessThere ? sql`on conflict on constraint ${sql.ref(unlessThere)} do nothing` : sql``}
  `.execute(ctx.db)
  return Number(numAffectedRows ?? 0n)
}

import { sql } from 'kysely'
import { auditCreated } from './audit.ts'
import type { Ctx } from '../context/context.ts'
import type { Tables } from '../database/db.ts'
import { insertColumns } from '../database/insert-rows.ts'

type TableName = keyof Tables & string
type Row = Readonly<Record<string, unknown>>

/** A record that is new with all its parts: columns by name, objects as they are. */
export interface NewRecord {
  columns: Row
  parts: readonly { table: TableName; rows: readonly Row[] }[]
}

interface Target {
  table: TableName
  /** what the parts call it: the column that names their record */
  parent: string
  /** what history calls it */
  ownerKind: string
}

/** Parts that keep their place. */
export const placed = <Part extends object>(parts: readonly Part[]) =>
  parts.map((part, position) => ({ ...part, position }))

// A statement of so many rows stays some megabytes small.
const BATCH = 1000

/**
 * Makes many records with their parts, and an entry of history for each, in a handful of statements for a thousand.
 * The caller has checked them; what the database refuses all the same (a number that somebody else has just taken)
 * refuses them all. Must run inside a transaction.
 */
export async function createMany(
  ctx: Ctx,
  { table, parent, ownerKind }: Target,
  records: readonly NewRecord[],
): Promise<void> {
  for (let start = 0; start < records.length; start += BATCH) {
    const batch = records.slice(start, start + BATCH)
    const { rows } = await sql<{
      id: number
    }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id
      from generate_series(1, ${batch.length}::int)`.execute(ctx.db)
    const ids = rows.map(({ id }) => id)
    await insertColumns(
      ctx,
      table,
      batch.map(({ columns }, place) => ({ ...columns, id: ids[place] })),
    )
    const parts = batch.flatMap((record, place) =>
      record.parts.flatMap((part) =>
        part.rows.map((row) => ({ table: part.table, row: { ...row, [parent]: ids[place] } })),
      ),
    )
    for (const [name, rowsOf] of Map.groupBy(parts, (part) => part.table))
      await insertColumns(
        ctx,
        name,
        rowsOf.map(({ row }) => row),
      )
    await auditCreated(ctx, ownerKind, ids)
  }
}

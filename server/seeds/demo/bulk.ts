import { sql } from 'kysely'
import type { Db, Tables } from '../../src/kit/database/db.ts'

type Table = keyof Tables & string
type Row = Readonly<Record<string, unknown>>

const BATCH = 1000

/** The next ids of a table's identity column, so that rows can name each other before they are stored. */
export async function takeIds(db: Db, table: Table, count: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select nextval(pg_get_serial_sequence(${`"${table}"`}, 'id')) as id
    from generate_series(1, ${count}::int)`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Stores rows by the thousand. Their keys are column names, and the same in every row; the table's own types read the
 * JSON. `folded` columns come as plain text and are stored as searches compare it.
 */
export async function insertRows(
  db: Db,
  table: Table,
  rows: readonly Row[],
  { folded = [] }: { folded?: readonly string[] } = {},
): Promise<void> {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const values = sql.join(
    names.map((name) => (folded.includes(name) ? sql`search_key(x.${sql.ref(name)})` : sql`x.${sql.ref(name)}`)),
  )
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = JSON.stringify(rows.slice(start, start + BATCH))
    await sql`
      insert into ${sql.table(table)} (${columns}) overriding system value
      select ${values} from jsonb_populate_recordset(null::${sql.table(table)}, ${batch}::jsonb) x
    `.execute(db)
  }
}

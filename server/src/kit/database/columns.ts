import type { SelectType, Selectable } from 'kysely'
import type { Tables } from './db.ts'

/** PostgreSQL's types that give such a value. */
type StoredAs<Value> = Value extends string
  ? 'text' | 'date' | 'timestamptz'
  : Value extends number
    ? 'bigint' | 'int' | 'double precision'
    : Value extends boolean
      ? 'boolean'
      : Value extends readonly string[]
        ? 'text[]'
        : Value extends readonly number[]
          ? 'bigint[]'
          : 'jsonb'

/**
 * The columns of a table that a save writes, by name, each with PostgreSQL's type: what is written to the table is read
 * from such a list. It names every column but those `LeftOut`, and every field `Written` that comes from outside: one
 * that is missing does not compile, nor one too many. A field that has no column can be satisfied by nothing.
 */
export type ColumnTypes<
  Table extends keyof Tables,
  LeftOut extends keyof Tables[Table] = never,
  Written extends PropertyKey = never,
> = {
  readonly [Name in Exclude<keyof Tables[Table], LeftOut>]: StoredAs<NonNullable<SelectType<Tables[Table][Name]>>>
} & { readonly [Name in Exclude<Written, Exclude<keyof Tables[Table], LeftOut>>]: never }

/** A row as far as such a list goes. */
export type RowWith<Table extends keyof Tables, Columns> = Pick<
  Selectable<Tables[Table]>,
  keyof Columns & keyof Selectable<Tables[Table]>
>

/** Such a list as PostgreSQL reads it behind `jsonb_to_recordset(…) as x`: `"title" text, "position" int`. */
export const columnDefinitions = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')

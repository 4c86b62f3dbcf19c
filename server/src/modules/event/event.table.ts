import type { Generated, JSONColumnType } from 'kysely'
import type { Change } from '../../kit/database/changes.ts'

declare module '../../kit/database/db.ts' {
  interface Tables {
    /** what the database has told lately, by its own clock; written by triggers */
    told_change: { id: Generated<number>; at: Generated<string>; told: JSONColumnType<Change> }
  }
}

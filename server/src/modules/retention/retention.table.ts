import type { Generated, JSONColumnType } from 'kysely'
import type { PersonKind, Retention } from '@waybill/contract/operations/retention'

declare module '../../kit/database/db.ts' {
  interface Tables {
    /** one row, from the first choice on */
    retention: {
      isOnly: Generated<boolean>
      version: Generated<number>
      periods: JSONColumnType<Retention['periods']>
      lastRunAt: string | null
      lastCounts: JSONColumnType<Record<PersonKind, number>> | null
    }
  }
}

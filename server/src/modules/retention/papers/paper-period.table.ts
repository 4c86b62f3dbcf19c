import type { Generated, JSONColumnType } from 'kysely'
import type { PaperKind, PaperPeriods } from '@waybill/contract/operations/paper-periods'

export type YearsOfKinds = PaperPeriods['countries'][number]['years']

declare module '../../../kit/database/db.ts' {
  interface Tables {
    /** one row, from the first choice on */
    paper_period: {
      isOnly: Generated<boolean>
      version: Generated<number>
      /** by the id of our company's country */
      years: JSONColumnType<Record<string, YearsOfKinds>>
      lastRunAt: string | null
      lastCounts: JSONColumnType<Record<PaperKind, number>> | null
    }
  }
}

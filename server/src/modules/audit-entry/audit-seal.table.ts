import type { JSONColumnType } from 'kysely'
import type { SealFault } from '@waybill/contract/operations/overview'

declare module '../../kit/database/db.ts' {
  interface Tables {
    audit_seal: {
      position: number
      afterId: number
      upTo: number
      count: number
      at: string
      form: number
      root: Buffer
      hash: Buffer
    }
    /** entries of which something was emptied, with the hash that their seal holds; written by `empty_audit` alone */
    audit_emptied: { entryId: number; byId: number; hash: Buffer; nowHash: Buffer }
    /** what the last look at all seals has found */
    audit_check: { isOnly: boolean; checkedAt: string; faultCount: number; faults: JSONColumnType<SealFault[]> }
  }
}

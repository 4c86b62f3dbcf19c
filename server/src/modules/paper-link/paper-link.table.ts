import type { Generated } from 'kysely'
import type { RenewedPaper } from '@waybill/contract/kit/expiry'

declare module '../../kit/database/db.ts' {
  interface Tables {
    paper_link: {
      id: Generated<number>
      carrierCompanyId: number
      documentType: RenewedPaper
      /** which department asks */
      departmentId: number
      nonce: Buffer
      /** by it a link is found; the token itself is worked out anew where it is sent */
      tokenHash: Buffer
      createdAt: string
      expiresAt: string
      revokedAt: Generated<string | null>
    }
    paper_request: {
      id: Generated<number>
      carrierCompanyId: number
      documentType: RenewedPaper
      /** the last day of the paper that a new one is wanted of */
      endsOn: string
      /** by itself, so many days before; null: by hand */
      stepDays: number | null
      askedAt: string
      askedById: number | null
    }
  }
}

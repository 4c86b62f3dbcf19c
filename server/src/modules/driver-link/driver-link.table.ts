import type { Generated } from 'kysely'
import type { ReportKind } from '@waybill/contract/public/driver-link'

declare module '../../kit/database/db.ts' {
  interface Tables {
    driver_link: {
      id: Generated<number>
      orderId: number
      /** route and assignment as they were: both go when the order is saved without them */
      routeId: number
      assignmentId: number
      /** null: our own fleet */
      carrierCompanyId: number | null
      nonce: Buffer
      /** by it a link is found; the token itself is worked out anew where it is shown */
      tokenHash: Buffer
      createdAt: string
      createdById: number | null
      revokedAt: Generated<string | null>
      revokedById: Generated<number | null>
    }
    driver_report: {
      id: Generated<number>
      orderId: number
      linkId: number
      routeId: number
      /** the stop as it was: it may be gone */
      locationId: number
      /** what the telephone calls it */
      key: string
      kind: ReportKind
      at: string
      receivedAt: string
      latitude: number | null
      longitude: number | null
      accuracyM: number | null
      text: string | null
      signedBy: string | null
      documentId: number | null
      /** it became the stop's time */
      isWritten: boolean
    }
  }
}

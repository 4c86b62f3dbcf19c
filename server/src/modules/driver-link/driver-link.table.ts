import type { Generated, JSONColumnType } from 'kysely'
import type { ReportKind, ToldExchange } from '@waybill/contract/public/driver-link'

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
    truck_link: {
      id: Generated<number>
      /** a truck of our own */
      vehicleId: number
      /** the first of its days */
      day: string
      nonce: Buffer
      tokenHash: Buffer
      createdAt: string
      createdById: number | null
      revokedAt: Generated<string | null>
      revokedById: Generated<number | null>
    }
    driver_report: {
      id: Generated<number>
      orderId: number
      /** null: told by the link of a truck */
      linkId: number | null
      /** null as well where the truck is gone by now */
      truckLinkId: number | null
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
      /** of load carriers */
      exchange: JSONColumnType<ToldExchange> | null
      /** it became the stop's time, or its load carriers */
      isWritten: boolean
    }
  }
}

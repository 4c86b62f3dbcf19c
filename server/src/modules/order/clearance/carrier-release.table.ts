import type { Generated } from 'kysely'
import type { CarrierRelease, ClearanceCode } from '@waybill/contract/order/clearance/clearance'

declare module '../../../kit/database/db.ts' {
  interface Tables {
    /** That a carrier which is not cleared may drive a route: asked by one person, decided by another. */
    carrier_release: {
      id: Generated<number>
      routeId: number
      carrierCompanyId: number
      /** what kept the carrier back when it was asked */
      reasons: ClearanceCode[]
      lastDay: string
      neededCents: number
      reason: string
      askedById: number
      askedAt: string
      decision: Generated<CarrierRelease['decision']>
      decisionReason: Generated<string | null>
      decidedById: Generated<number | null>
      decidedAt: Generated<string | null>
    }
  }
}

import type { Generated } from 'kysely'
import type { CLOSE_REASONS } from '@waybill/contract/order/choice/price-round'

declare module '../../kit/database/db.ts' {
  interface Tables {
    price_round: {
      id: Generated<number>
      routeId: number
      orderId: number
      deadline: string
      limitCents: number | null
      remark: string | null
      askedById: number | null
      askedAt: string
      closedAt: Generated<string | null>
      closeReason: Generated<(typeof CLOSE_REASONS)[number] | null>
      takenAnswerId: Generated<number | null>
    }
    price_answer: {
      id: Generated<number>
      roundId: number
      carrierCompanyId: number
      email: string
      tokenHash: Buffer
      priceCents: Generated<number | null>
      isDeclined: Generated<boolean>
      remark: Generated<string | null>
      holdsUntil: Generated<string | null>
      answeredAt: Generated<string | null>
    }
  }
}

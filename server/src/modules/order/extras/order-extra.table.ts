import type { Generated, GeneratedAlways } from 'kysely'
import type { ExtraKind, ExtraState, ExtraUnit } from '@waybill/contract/order/extra'

declare module '../../../kit/database/db.ts' {
  interface Tables {
    order_extra: {
      id: Generated<number>
      version: Generated<number>
      orderId: number
      /** of a merge's result: the order that is billed */
      sourceOrderId: number | null
      routeId: number | null
      kind: ExtraKind
      text: string | null
      quantity: number
      unit: ExtraUnit
      /** for one unit, net; null: not charged, not paid */
      priceCents: number | null
      costCents: number | null
      netPriceCents: GeneratedAlways<number | null>
      netCostCents: GeneratedAlways<number | null>
      state: Generated<ExtraState>
      decidedById: number | null
      decidedAt: string | null
      note: string | null
      /** the carrier's invoice whose difference it explains */
      bookedByInvoiceId: number | null
      createdById: number | null
      createdAt: string
    }
  }
}

import type { ExtraKind } from '@waybill/contract/order/extra'

/** An extra that somebody asks for in writing, on the way to the order. */
export interface AskedExtra {
  /** tells two that are alike apart */
  key: string
  kind: ExtraKind
  priceCents: number
}

import type { ExtraKind } from '@waybill/contract/order/extra'

/** An extra that somebody asks for in writing, on the way to the order. */
export interface AskedExtra {
  kind: ExtraKind
  priceCents: number
}

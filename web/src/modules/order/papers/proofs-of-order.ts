import { proofChoice, proofStops, type ProvenOrder } from '@waybill/contract/order/papers/proof-stops'
import type { Proofs } from '../../document/proofs-section.ts'

/** The drop-offs that an order's proofs of delivery may prove. */
export const proofsOf = (order: ProvenOrder): Proofs => ({
  stops: proofStops(order),
  choiceOf: (orderCarrier) => proofChoice(order, orderCarrier),
})

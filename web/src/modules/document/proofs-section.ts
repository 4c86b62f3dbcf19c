import type { Document } from '@waybill/contract/document'
import type { ProofStop } from '@waybill/contract/order/papers/proof-stops'

/** What the proofs of delivery of a record may prove. */
export interface Proofs {
  stops: readonly ProofStop[]
  /** the drop-offs to choose from, and whether a person must; `orderCarrier` is the assignment that a file is about */
  choiceOf: (orderCarrier: number | null) => { ids: readonly number[]; isAsked: boolean }
}

/** The drop-offs to choose from for one file. */
export const stopsToChoose = ({ stops, choiceOf }: Proofs, orderCarrier: number | null): ProofStop[] => {
  const { ids } = choiceOf(orderCarrier)
  return stops.filter(({ id }) => ids.includes(id))
}

/** Where a proof of delivery speaks of a few of several drop-offs: their towns. */
export function placesProven({ stops }: Proofs, { locationIds }: Pick<Document, 'locationIds'>): string[] {
  if (locationIds === null || stops.length < 2) return []
  return [...new Set(stops.filter(({ id }) => locationIds.includes(id)).map(({ place }) => place))]
}

import type { InHand } from './use-board.ts'

/** What is in hand, and where it would be put down. */
export interface Hand {
  inHand: InHand
  /** the row it came from; null for an order of the list */
  fromRow: string | null
  /** the row that it is over; null beside the board */
  rowKey: string | null
  /** over the list, or over an order of it */
  overList: boolean
  overOrderId: number | null
  /** when the first stop to come would be reached, epoch milliseconds; null: the times stay */
  startAt: number | null
  /** by the pointer; else by keys */
  isCarried: boolean
}

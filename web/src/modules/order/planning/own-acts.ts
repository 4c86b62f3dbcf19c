import type { QueryClient } from '@tanstack/react-query'
import type { Order } from '@waybill/contract/order/order'

/** An act that can be undone: how the order stood before it, and the message that offers it. */
interface OwnAct {
  before: Order
  notice: string
}

/** What this person has done on boards since the page was loaded, by the order's id. */
interface OwnActs {
  planned: Set<number>
  /** the order as the latest act left it: newer than what a board has read until it has read again */
  latest: Map<number, Order>
  /** the oldest first */
  undoable: Map<number, readonly OwnAct[]>
  /** the last one of those that wait for each other */
  turns: Map<number, Promise<void>>
  /** how many are on their way */
  running: number
}

// As long as what was read is kept: other pages lie between two looks at the board.
const kept = new WeakMap<QueryClient, OwnActs>()

/** What this person has done on boards so far; who acts writes it down there. */
export function ownActsOf(queries: QueryClient): OwnActs {
  const known = kept.get(queries) ?? {
    planned: new Set(),
    latest: new Map(),
    undoable: new Map(),
    turns: new Map(),
    running: 0,
  }
  kept.set(queries, known)
  return known
}

/** The version that this person has seen last: what the board has read, or what an own act has made of it since. */
export const seenVersion = (own: OwnActs, { orderId, version }: { orderId: number; version: number }): number =>
  Math.max(version, own.latest.get(orderId)?.version ?? 0)

/**
 * Does an act on an order once those before it have ended: two at once would read the same version, and the second be
 * refused. `work` handles its own failures.
 */
export async function inTurn(own: OwnActs, orderId: number, work: () => Promise<void>): Promise<void> {
  own.running += 1
  const turn = (own.turns.get(orderId) ?? Promise.resolve()).then(work)
  own.turns.set(orderId, turn)
  try {
    await turn
  } finally {
    own.running -= 1
    if (own.turns.get(orderId) === turn) own.turns.delete(orderId)
  }
}

/** Writes down what came of an act that nothing can undo; gives the messages that offer what is no longer true. */
export function noteFinal(own: OwnActs, after: Order): string[] {
  own.latest.set(after.id, after)
  return withdraw(own, after.id, 0)
}

/** Writes down an act that can be undone, with the message that offers it. */
export function noteAct(own: OwnActs, act: OwnAct, after: Order): void {
  own.latest.set(after.id, after)
  own.undoable.set(after.id, [...(own.undoable.get(after.id) ?? []), act])
}

/** Writes down that an act was undone, and with it all later ones of its order; gives their messages. */
export function noteUndone(own: OwnActs, act: OwnAct, after: Order): string[] {
  own.latest.set(after.id, after)
  return withdraw(own, after.id, (own.undoable.get(after.id) ?? []).indexOf(act))
}

function withdraw(own: OwnActs, orderId: number, from: number): string[] {
  const acts = own.undoable.get(orderId) ?? []
  own.undoable.set(orderId, acts.slice(0, Math.max(0, from)))
  return acts.slice(Math.max(0, from)).map(({ notice }) => notice)
}

import { setImmediate as next } from 'node:timers/promises'

// What others wait at most.
const PIECE_MS = 10

/** Works through many, in their order, and lets others have the thread every few milliseconds. */
export async function inPieces<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let until = performance.now() + PIECE_MS
  for (const [index, item] of items.entries()) {
    results.push(work(item, index))
    if (performance.now() < until) continue
    await next()
    until = performance.now() + PIECE_MS
  }
  return results
}

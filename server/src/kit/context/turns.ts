import { AppError } from './errors.ts'

/** Heavy work, a few pieces at a time; the others wait in the order in which they came. */
export interface Turns {
  /** Does the work when its turn comes. Error: `unavailable` where too many wait already. */
  take: <T>(work: () => Promise<T>) => Promise<T>
}

/** `atOnce` pieces are worked on together, `waiting` more may wait. */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns {
  let busy = 0
  const queue: (() => void)[] = []
  const done = () => {
    const next = queue.shift()
    if (next === undefined) busy--
    else next()
  }
  return {
    async take(work) {
      if (busy < atOnce) busy++
      else {
        if (queue.length >= waiting) throw new AppError('unavailable')
        await new Promise<void>((resolve) => queue.push(resolve))
      }
      try {
        return await work()
      } finally {
        done()
      }
    },
  }
}

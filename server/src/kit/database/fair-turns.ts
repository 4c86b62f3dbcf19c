import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'

/** For whom work is done: who calls, and which kind of call it is. */
export interface Asker {
  caller: string
  kind: string
}

const asking = new AsyncLocalStorage<Asker>()

// What no request asks for: jobs, the start, upkeep.
const ITSELF: Asker = { caller: '', kind: '' }

/** Does the work, and all that follows from it, in the name of an asker. */
export const askedBy = <Result>(asker: Asker, work: () => Result): Result => asking.run(asker, work)

/**
 * What kind of call this is: method and address without the figures in it. The papers of sixty orders are one kind, a
 * search for one word and for another are two.
 */
export const kindOf = (method: string, address: string): string => `${method} ${address.replace(/\d+/g, '#')}`

/**
 * Things that wait, in a line for each caller, and of each caller in a line for each kind of call. The callers are
 * served in turn, and so are the kinds of each: who asks for a hundred things waits for a hundred, everybody else for
 * one of them.
 */
export interface Lines<Thing> {
  join(thing: Thing): void
  /** Takes out the next one of those that may come now; undefined where none waits. */
  next(mayCome?: (caller: string) => boolean): Thing | undefined
}

export function createLines<Thing>(): Lines<Thing> {
  // A map keeps its entries in the order in which they came: who was served goes to the end.
  const callers = new Map<string, Map<string, Thing[]>>()
  return {
    join(thing) {
      const { caller, kind } = asking.getStore() ?? ITSELF
      const kinds = callers.get(caller) ?? new Map<string, Thing[]>()
      callers.set(caller, kinds)
      const line = kinds.get(kind) ?? []
      kinds.set(kind, line)
      line.push(thing)
    },
    next(mayCome) {
      for (const [caller, kinds] of callers) {
        if (mayCome?.(caller) === false) continue
        for (const [kind, line] of kinds) {
          const thing = line.shift()
          kinds.delete(kind)
          if (line.length > 0) kinds.set(kind, line)
          callers.delete(caller)
          if (kinds.size > 0) callers.set(caller, kinds)
          return thing
        }
      }
      return undefined
    },
  }
}

// Results that come together are worked on one after the other: a call of twelve statements waits twelve times for all
// of them. Two keep a busy process as busy as ten do.
const LEAST = 2
const BUSY = 0.7
// A crowd is there from one moment to the next: in a tenth of a second ten long lists have begun.
const LOOKED_AT_MS = 20

/** True where this process had few pauses of late: then more at once makes each of them slower, and none faster. */
function createBusyWatch(): () => boolean {
  let isBusy = false
  let before = performance.eventLoopUtilization()
  let lookedAt = performance.now()
  return () => {
    const now = performance.now()
    if (now - lookedAt < LOOKED_AT_MS) return isBusy
    const current = performance.eventLoopUtilization()
    isBusy = performance.eventLoopUtilization(current, before).utilization > BUSY
    before = current
    lookedAt = now
    return isBusy
  }
}

/** Turns at something of which there are a few. */
export interface FairTurns {
  /**
   * Resolves when it is the asker's turn, with what ends it. Error: what `tooLate` makes, where that takes longer than
   * `longestMs`.
   */
  take(): Promise<() => void>
  readonly waiting: number
}

/**
 * `most` at once, and while this process has more to do than it can two of people and two of its own: a job may hold
 * its turn for as long as a mail server takes.
 */
export function createFairTurns({
  most,
  longestMs,
  tooLate,
}: {
  most: number
  longestMs: number
  tooLate(): Error
}): FairTurns {
  const lines = createLines<{ begin(): void }>()
  const isBusy = createBusyWatch()
  const taken = { people: 0, itself: 0 }
  const groupOf = (caller: string) => (caller === ITSELF.caller ? 'itself' : 'people')
  let waiting = 0
  let looking: NodeJS.Timeout | undefined

  const isFree = (caller: string) => taken.people + taken.itself < most && (taken[groupOf(caller)] < LEAST || !isBusy())

  function begin(caller: string): () => void {
    const group = groupOf(caller)
    taken[group] += 1
    return () => {
      taken[group] -= 1
      serve()
    }
  }

  function serve(): void {
    for (;;) {
      const next = lines.next(isFree)
      if (next === undefined) break
      next.begin()
    }
    // Who waits because the process was busy begins when it is not, also where nobody else ends a turn.
    if (waiting > 0) looking ??= setInterval(serve, LOOKED_AT_MS).unref()
    else {
      clearInterval(looking)
      looking = undefined
    }
  }

  return {
    async take() {
      const { caller } = asking.getStore() ?? ITSELF
      if (waiting === 0 && isFree(caller)) return begin(caller)
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      let isOver = false
      waiting += 1
      const end = () => {
        isOver = true
        waiting -= 1
        clearTimeout(timer)
      }
      const timer = setTimeout(() => {
        end()
        reject(tooLate())
      }, longestMs)
      lines.join({
        begin() {
          if (isOver) return
          end()
          resolve(begin(caller))
        },
      })
      serve()
      return promise
    },
    get waiting() {
      return waiting
    },
  }
}

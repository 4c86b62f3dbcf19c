import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { createBusyWatch } from '../context/busy.ts'

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
  /**
   * Takes the next one out: of the caller with the least by `weight`, of several the one who was served before the
   * others. Undefined where none waits.
   */
  next(weight?: (caller: string) => number): Thing | undefined
}

const alike = (): number => 0

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
    next(weight = alike) {
      let chosen: string | undefined
      let least = Number.POSITIVE_INFINITY
      for (const caller of callers.keys()) {
        const own = weight(caller)
        if (own >= least) continue
        chosen = caller
        least = own
      }
      if (chosen === undefined) return undefined
      const kinds = callers.get(chosen)!
      const [kind, line] = kinds.entries().next().value!
      const thing = line.shift()
      kinds.delete(kind)
      if (line.length > 0) kinds.set(kind, line)
      callers.delete(chosen)
      if (kinds.size > 0) callers.set(chosen, kinds)
      return thing
    },
  }
}

// Half of it is forgotten after so long.
const FORGOTTEN_MS = 1_000
// Below it callers are alike, and served in turn.
const STEP_MS = 10

/** For how long each caller has held a turn of late, in ms. */
interface Spendings {
  note(caller: string, ms: number): void
  of(caller: string): number
}

export function createSpendings(now: () => number = () => performance.now()): Spendings {
  const spent = new Map<string, { ms: number; at: number }>()
  let sweptAt = now()
  const of = (caller: string): number => {
    const one = spent.get(caller)
    return one === undefined ? 0 : one.ms * 0.5 ** ((now() - one.at) / FORGOTTEN_MS)
  }
  const sweep = () => {
    if (now() - sweptAt < FORGOTTEN_MS) return
    sweptAt = now()
    for (const caller of spent.keys()) if (of(caller) < STEP_MS) spent.delete(caller)
  }
  return {
    note(caller, ms) {
      sweep()
      spent.set(caller, { ms: of(caller) + ms, at: now() })
    },
    of,
  }
}

// Results that come together are worked on one after the other: a call of twelve statements waits twelve times for all
// of them. Three keep a busy process as busy as ten do.
const LEAST = 3
// Where this process had hardly a pause of late, more at once makes each of them slower, and none faster.
const BUSY = { share: 0.9, everyMs: 100 }

/** Turns at something of which there are a few. */
export interface FairTurns {
  /**
   * Resolves when it is the asker's turn, with what ends it. Error: what `tooLate` makes, where that takes longer than
   * `longestMs`.
   */
  take(): Promise<() => void>
  readonly waiting: number
}

interface FairTurnsOptions {
  most: number
  longestMs: number
  tooLate(): Error
  /** in ms; for tests */
  now?: () => number
}

/**
 * `most` at once, and three of them while this process has more to do than it can. Who has held turns for the shortest
 * time of late comes first.
 */
export function createFairTurns({
  most,
  longestMs,
  tooLate,
  now = () => performance.now(),
}: FairTurnsOptions): FairTurns {
  const lines = createLines<() => void>()
  const spendings = createSpendings(now)
  const isBusy = createBusyWatch(BUSY)
  let taken = 0
  let waiting = 0
  const isFree = () => taken < most && (taken < LEAST || !isBusy())
  const weight = (caller: string): number => Math.floor(spendings.of(caller) / STEP_MS)

  const begin = (caller: string): (() => void) => {
    const begunAt = now()
    taken += 1
    return () => {
      taken -= 1
      spendings.note(caller, now() - begunAt)
      while (isFree()) {
        const next = lines.next(weight)
        if (next === undefined) return
        next()
      }
    }
  }

  return {
    async take() {
      const { caller } = asking.getStore() ?? ITSELF
      if (waiting === 0 && isFree()) return begin(caller)
      return new Promise<() => void>((resolve, reject) => {
        let isOver = false
        waiting += 1
        const end = () => {
          isOver = true
          waiting -= 1
        }
        const timer = setTimeout(() => {
          end()
          reject(tooLate())
        }, longestMs)
        lines.join(() => {
          if (isOver) return
          end()
          clearTimeout(timer)
          resolve(begin(caller))
        })
      })
    },
    get waiting() {
      return waiting
    },
  }
}

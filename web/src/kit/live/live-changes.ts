import { EVENT_KINDS, streamEvents, type ChangedEvent } from '@waybill/contract/event'
import { ApiError } from '../api/api-error.ts'
import { callStream } from '../api/call-api.ts'
import { eventsOf } from './event-stream.ts'

/** What was heard: records that changed, or that some changes may not have been heard. */
export type Told = ChangedEvent | 'missed'

/** What the tabs say to each other: that the server lives, what it told, and who has come late. */
type Said = { heard: true } | { told: Told } | { late: string } | { again: readonly Told[]; to: string }

const NAME = 'waybill-events'
// With up to a quarter more, so that a server that comes back is not asked by all browsers at once.
const AGAIN_AFTER_MS = [1000, 2000, 5000, 15_000, 30_000]
const TOO_MANY_MS = 60_000
// What a page shows was read so long before it begins to listen, at most.
const READ_BEFORE_MS = 3000

const listeners = new Set<(told: Told) => void>()
let running: AbortController | null = null

/** Hears what changes as long as somebody in this tab listens; answers how to stop. */
export function hearChanges(listener: (told: Told) => void): () => void {
  listeners.add(listener)
  if (running === null) start((running = new AbortController()).signal)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    running?.abort()
    running = null
  }
}

const tellHere = (told: Told): void => listeners.forEach((listener) => listener(told))

/** One tab of a browser holds the stream and tells the others; when it closes, the next one takes it over. */
function start(signal: AbortSignal): void {
  const channel = new BroadcastChannel(NAME)
  const me = String(Math.random())
  // By the clock of the day: others may stand still while the machine sleeps.
  let heardAt = Date.now() - READ_BEFORE_MS
  let recent: { at: number; told: Told }[] = []
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  const say = (said: Said) => channel.postMessage(said)
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if ('late' in data) {
      const known = recent.filter(({ at }) => at > Date.now() - READ_BEFORE_MS)
      if (known.length > 0) say({ again: known.map(({ told }) => told), to: data.late })
      return
    }
    if ('again' in data) {
      if (data.to === me) data.again.forEach(tellHere)
      return
    }
    heardAt = Date.now()
    if ('told' in data) tellHere(data.told)
  })
  signal.addEventListener('abort', () => channel.close())
  const hold = () =>
    listen(signal, {
      secondsAgo: () => Math.max(0, Math.ceil((Date.now() - heardAt) / 1000)),
      heard() {
        heardAt = Date.now()
        say({ heard: true })
      },
      tell(told) {
        recent = [...recent.filter(({ at }) => at > Date.now() - READ_BEFORE_MS), { at: Date.now(), told }]
        tellHere(told)
        say({ told })
      },
    })
  // What the tab that holds the stream has heard while this one was reading.
  say({ late: me })
  // Web Locks exist only on https and localhost: elsewhere each tab has a stream of its own, and tells
  // itself what the others do too.
  const held = navigator.locks ? navigator.locks.request(NAME, { signal }, hold) : hold()
  held.catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

// A newer server may tell of what this page does not know yet.
const isKnown = (data: unknown): data is ChangedEvent =>
  (EVENT_KINDS as readonly unknown[]).includes((data as ChangedEvent | null)?.kind)

interface Hearing {
  /** since when nothing was heard, in this tab or another */
  secondsAgo(): number
  /** the server said something, or that it lives */
  heard(): void
  tell(told: Told): void
}

async function listen(signal: AbortSignal, { secondsAgo, heard, tell }: Hearing): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let pause = 0
    try {
      const stream = await callStream(streamEvents, { query: { ago: secondsAgo() }, signal })
      for await (const { name, data } of eventsOf(stream, heard)) {
        if (name === 'ready') failures = 0
        else if (name === 'missed') tell('missed')
        else if (name === 'changed' && isKnown(data)) tell(data)
      }
    } catch (error) {
      if (signal.aborted) return
      // The session is over: the next one to sign in begins anew.
      if (error instanceof ApiError && error.status === 401) return
      if (error instanceof ApiError && error.status === 429) pause = TOO_MANY_MS
    }
    await rest(Math.max(pause, AGAIN_AFTER_MS[Math.min(failures, AGAIN_AFTER_MS.length - 1)]!), signal)
    failures += 1
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms * (1 + Math.random() / 4))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

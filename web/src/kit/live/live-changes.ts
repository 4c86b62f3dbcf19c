import { ChangedEvent, streamEvents } from '@waybill/contract/event'
import { ApiError } from '../api/api-error.ts'
import { callStream } from '../api/call-api.ts'
import { eventsOf } from './event-stream.ts'

/** What was heard: records that changed, or that some changes may not have been heard. */
export type Told = ChangedEvent | 'missed'

const NAME = 'waybill-events'
// With up to a quarter more, so that a server that comes back is not asked by all browsers at once.
const AGAIN_AFTER_MS = [1000, 2000, 5000, 15_000, 30_000]
const TOO_MANY_MS = 60_000
// What was read when the listening began is as new as the beginning.
const BEGINNING_MS = 3000

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
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => tellHere(data))
  signal.addEventListener('abort', () => channel.close())
  const hold = () =>
    listen(signal, (told) => {
      tellHere(told)
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
      channel.postMessage(told)
    })
  // Web Locks exist only on https and localhost: elsewhere each tab has a stream of its own, and tells
  // itself what the others do too.
  const held = navigator.locks ? navigator.locks.request(NAME, { signal }, hold) : hold()
  held.catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

async function listen(signal: AbortSignal, tell: (told: Told) => void): Promise<void> {
  const begun = performance.now()
  let failures = 0
  while (!signal.aborted) {
    let pause = 0
    try {
      for await (const { name, data } of eventsOf(await callStream(streamEvents, signal))) {
        if (name === 'ready') {
          if (performance.now() - begun > BEGINNING_MS) tell('missed')
          failures = 0
        } else if (name === 'missed') tell('missed')
        else if (name === 'changed') {
          const changed = ChangedEvent.safeParse(data)
          if (changed.success) tell(changed.data)
        }
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

import type { EventKind } from '@waybill/contract/event'
import { useEffect, useEffectEvent } from 'react'

// Changes come in swarms: one look for all of them, and the next after a while.
const GATHER_MS = 300
const PAUSE_MS = 2000

/**
 * Calls when records of this kind, or of one of these kinds, have changed: a moment later, and not more often than
 * every `pauseMs`; in a tab that nobody looks at once it is looked at again. What changed, the caller reads itself.
 * Null: nothing is waited for.
 */
export function useLiveChanges(
  kinds: EventKind | readonly EventKind[] | null,
  onChange: () => void,
  pauseMs = PAUSE_MS,
): void {
  const call = useEffectEvent(onChange)
  const named = kinds === null ? null : [kinds].flat().join(' ')
  useEffect(() => {
    if (named === null) return
    const heard = new Set(named.split(' '))
    let timer: ReturnType<typeof setTimeout> | undefined
    let isDue = false
    let calledAt = 0
    let stop: (() => void) | undefined
    let isLeft = false
    const run = () => {
      timer = undefined
      if (document.hidden) return
      isDue = false
      calledAt = Date.now()
      call()
    }
    const plan = () => {
      if (isDue) timer ??= setTimeout(run, Math.max(GATHER_MS, calledAt + pauseMs - Date.now()))
    }
    document.addEventListener('visibilitychange', plan)
    // Listening is no part of what a screen needs to open.
    void import('./live-changes.ts').then(({ hearChanges }) => {
      if (isLeft) return
      stop = hearChanges((told) => {
        if (told !== 'missed' && !heard.has(told.kind)) return
        isDue = true
        plan()
      })
    })
    return () => {
      isLeft = true
      stop?.()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', plan)
    }
  }, [named, pauseMs])
}

import type { EventKind } from '@waybill/contract/event'
import { useEffect, useEffectEvent } from 'react'

// Changes come in swarms: one look for all of them, and the next after a while.
const GATHER_MS = 300
const PAUSE_MS = 2000

/**
 * Calls when records of this kind have changed, a moment later and not more often than every other
 * second; in a tab that nobody looks at once it is looked at again. What changed, the caller reads
 * itself. Null: nothing is waited for.
 */
export function useLiveChanges(kind: EventKind | null, onChange: () => void): void {
  const call = useEffectEvent(onChange)
  useEffect(() => {
    if (kind === null) return
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
      if (isDue) timer ??= setTimeout(run, Math.max(GATHER_MS, calledAt + PAUSE_MS - Date.now()))
    }
    document.addEventListener('visibilitychange', plan)
    // Listening is no part of what a screen needs to open.
    void import('./live-changes.ts').then(({ hearChanges }) => {
      if (isLeft) return
      stop = hearChanges((told) => {
        if (told !== 'missed' && told.kind !== kind) return
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
  }, [kind])
}

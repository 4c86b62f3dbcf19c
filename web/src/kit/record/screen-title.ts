import { useEffect, useSyncExternalStore } from 'react'

let own: string | null = null
const listeners = new Set<() => void>()

function tell(title: string | null): void {
  own = title
  for (const listener of listeners) listener()
}

/**
 * Names in the browser's title what the screen shows: a record, or a list that is narrowed to something with a name.
 * Null leaves the title of the screen's route.
 */
export function useScreenTitle(title: string | null): void {
  useEffect(() => {
    if (title === null || title === '') return undefined
    tell(title)
    return () => tell(null)
  }, [title])
}

/** What the open screen calls itself; null where it says nothing of its own. */
export function useOwnTitle(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => own,
  )
}

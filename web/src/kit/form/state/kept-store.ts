import { useSyncExternalStore } from 'react'

/** When the typing of a form was last kept on this device, RFC 3339; null while there is none to keep. */
export interface KeptStore {
  get: () => string | null
  put: (at: string | null) => void
  subscribe: (listener: () => void) => () => void
}

// Typing is kept at nearly every key: only what shows the moment is drawn again, not the form.
export function createKeptStore(first: string | null): KeptStore {
  let keptAt = first
  const listeners = new Set<() => void>()
  return {
    get: () => keptAt,
    put: (at) => {
      keptAt = at
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** When the typing was last kept, for what shows it. */
export const useKeptAt = ({ kept }: { kept: KeptStore }): string | null =>
  useSyncExternalStore(kept.subscribe, kept.get)

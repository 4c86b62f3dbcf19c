import { useSyncExternalStore } from 'react'
import { readGroupFilter, STORED } from '../../kit/session/token-store.ts'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  // Each call reads the filter from the storage: what another tab chose holds here at once, and has to be seen here.
  const heard = (event: StorageEvent) => {
    if (event.key === STORED.groupFilter || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', heard)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', heard)
  }
}

/** The company that everything is narrowed to, or 0 for all (domain, Global filter). */
export const useGroupFilter = (): number => useSyncExternalStore(subscribe, readGroupFilter)

/** Narrows everything to one company, or with 0 to none. */
export function chooseGroupFilter(companyId: number): void {
  if (companyId === 0) localStorage.removeItem(STORED.groupFilter)
  else localStorage.setItem(STORED.groupFilter, String(companyId))
  for (const listener of listeners) listener()
}

import { useSyncExternalStore } from 'react'

export type Density = 'compact' | 'normal'

const STORED = 'density'
const listeners = new Set<() => void>()

const read = (): Density => (localStorage.getItem(STORED) === 'normal' ? 'normal' : 'compact')

/** Puts the row height chosen on this device on the page, where tokens.css reads it. */
export function startDensity(): void {
  document.documentElement.dataset.density = read()
}

/** The rows' height and how to change it: 28 px or 36 px. */
export function useDensity(): [Density, (density: Density) => void] {
  const density = useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, read)
  return [density, chooseDensity]
}

function chooseDensity(density: Density): void {
  localStorage.setItem(STORED, density)
  startDensity()
  for (const listener of listeners) listener()
}

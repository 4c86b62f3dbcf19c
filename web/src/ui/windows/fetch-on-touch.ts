import { useEffect } from 'react'

const TOUCHES = ['focusin', 'pointerdown', 'keydown'] as const

/**
 * Fetches a part of the page as soon as a hand is on it: too late to weigh on the opening, early enough
 * to be there when it is wanted.
 */
export function useFetchOnTouch(fetchPart: () => Promise<unknown>): void {
  useEffect(() => {
    // What cannot be fetched says so where it is shown.
    const fetchEarly = () => void fetchPart().catch(() => undefined)
    for (const touch of TOUCHES) addEventListener(touch, fetchEarly, { once: true })
    return () => {
      for (const touch of TOUCHES) removeEventListener(touch, fetchEarly)
    }
  }, [fetchPart])
}

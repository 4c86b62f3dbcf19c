import { useEffect } from 'react'

/**
 * Fetches a part of the page as soon as a hand is on it: too late to weigh on the opening, early enough
 * to be there when it is wanted.
 */
export function useFetchOnTouch(fetchPart: () => Promise<unknown>): void {
  useEffect(() => {
    // What cannot be fetched says so where it is shown.
    const fetchEarly = () => void fetchPart().catch(() => undefined)
    addEventListener('focusin', fetchEarly, { once: true })
    return () => removeEventListener('focusin', fetchEarly)
  }, [fetchPart])
}

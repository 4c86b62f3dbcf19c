import { useEffect, useRef, useState, type RefObject } from 'react'

// A hand on the page: it may scroll, and a key may search it or lead anywhere.
const HAND = ['focusin', 'keydown', 'pointerdown', 'pointermove', 'wheel'] as const

/**
 * Whether what stands at `ref` has been wanted: it came into the window, or a hand is on
 * the page. Once true it stays so.
 */
export function useIsReached<Element extends HTMLElement>(
  isFromTheStart: boolean,
): { ref: RefObject<Element | null>; isReached: boolean } {
  const ref = useRef<Element>(null)
  const [isReached, setReached] = useState(isFromTheStart)
  useEffect(() => {
    if (isReached) return
    const reach = () => setReached(true)
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && reach(),
    )
    observer.observe(ref.current!)
    for (const event of HAND) addEventListener(event, reach, { passive: true })
    return () => {
      observer.disconnect()
      for (const event of HAND) removeEventListener(event, reach)
    }
  }, [isReached])
  return { ref, isReached }
}

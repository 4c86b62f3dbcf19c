import { useEffect, useRef, useState, type RefObject } from 'react'

// A hand on the page: it may scroll, and a key may search it or lead anywhere.
const TOUCH = ['keydown', 'pointerdown', 'wheel'] as const
const HAND = ['focusin', 'pointermove', ...TOUCH] as const

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

/**
 * Shows the section that the address names (`#extras`), and shows it again as long as sections grow that come in late.
 * Ends with the first touch: from then on the page stays where it was put.
 * @param page holds all sections
 */
export function useNamedSection<Section extends string>(
  named: Section | undefined,
  page: RefObject<HTMLElement | null>,
  enter: (section: Section) => void,
): void {
  useEffect(() => {
    if (named === undefined) return
    const observer = new ResizeObserver(() => enter(named))
    observer.observe(page.current!)
    const end = () => observer.disconnect()
    for (const event of TOUCH) addEventListener(event, end, { passive: true })
    return () => {
      end()
      for (const event of TOUCH) removeEventListener(event, end)
    }
  }, [named, page, enter])
}

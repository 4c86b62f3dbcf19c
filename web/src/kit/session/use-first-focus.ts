import { useEffect, useRef, type RefObject } from 'react'

/**
 * For the field that a person came for: it is in hand as soon as it is there. Not where the page
 * holds other things to do first.
 */
export function useFirstFocus(isWanted = true): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isWanted) input.current?.focus()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the field appears
  }, [])
  return input
}

import { useEffect, useLayoutEffect, useRef } from 'react'

/** What opened a window; for an entry of a menu, which is gone by the time of closing, the menu's button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const opener = button ? document.getElementById(button) : focused
  return opener instanceof HTMLElement ? opener : null
}

// A window has faded by then.
const GONE_MS = 300

const isNowhere = (focused: Element | null): boolean => focused === null || focused === document.body

/**
 * Gives the focus back where it came from. Mantine's own way misses windows that are mounted open and
 * taken away open, as most here are.
 */
export function useFocusBack(isOpen: boolean): void {
  const opener = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (isOpen) opener.current = openerOf(document.activeElement)
  }, [isOpen])
  // Afterwards, not in the layout's phase: React puts the focus back into a window that is still fading.
  useEffect(() => {
    if (!isOpen) return undefined
    return () => {
      const focused = document.activeElement
      // A person who was led to a field stays there.
      if (isNowhere(focused) || focused?.closest('[role=dialog]')) opener.current?.focus({ preventScroll: true })
      // A window that was closed as it opened still takes the focus, and then goes away with it.
      setTimeout(() => {
        if (isNowhere(document.activeElement)) opener.current?.focus({ preventScroll: true })
      }, GONE_MS)
    }
  }, [isOpen])
}

import { useEffect, useRef } from 'react'

const isNowhere = (focused: Element | null): boolean => focused === null || focused === document.body

// An entry goes away with its menu, and for a moment nothing has the focus.
let lastFocused: Element | null = null
document.addEventListener('focusin', ({ target }) => {
  lastFocused = target as Element
})

/** What opened a window; for an entry of a menu, which is gone by the time of closing, the menu's button. */
function openerOf(active: Element | null): HTMLElement | null {
  const menu = (isNowhere(active) ? lastFocused : active)?.closest('[role=menu]')
  const button = menu?.getAttribute('aria-labelledby')
  const opener = button ? document.getElementById(button) : active
  return opener instanceof HTMLElement ? opener : null
}

const FIELDS = 'input:not([type=hidden]), select, textarea, button, a[href]'

/** Puts in hand what Tab would reach from a field. */
export function focusBehind(field: HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>(FIELDS)].filter(
    (one) => one === field || (one.tabIndex >= 0 && !one.matches(':disabled') && one.offsetParent !== null),
  )
  all[all.indexOf(field) + 1]?.focus()
}

/**
 * Gives the focus back where it came from. Mantine's own way misses windows that are mounted open and
 * taken away open, as most here are. What it returns is the window's `onExitTransitionEnd`: a window that
 * was closed as it opened still takes the focus, and would go away with it.
 */
export function useFocusBack(isOpen: boolean): () => void {
  const opener = useRef<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  // While it is drawn: once it stands there its field has the focus, and the menu that it was chosen from is gone.
  if (isOpen && !wasOpen.current) opener.current = openerOf(document.activeElement)
  wasOpen.current = isOpen
  const giveBack = () => {
    const focused = document.activeElement
    // A person who was led to a field stays there.
    if (isNowhere(focused) || focused?.closest('[role=dialog]')) opener.current?.focus({ preventScroll: true })
  }
  // Afterwards, not in the layout's phase: React puts the focus back into a window that is still fading.
  useEffect(() => {
    if (!isOpen) return
    return () => {
      giveBack()
      // Its trap for the focus waits for a timer; closed before that, and without fading, it still takes the focus.
      window.setTimeout(giveBack)
    }
  }, [isOpen])
  // A page may take the window away while it fades.
  useEffect(() => giveBack, [])
  return giveBack
}

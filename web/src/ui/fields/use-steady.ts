import { useEffect, useLayoutEffect, useRef, useState } from 'react'

/**
 * What a list shows while the pointer is down: what it showed when it went down. An answer that arrives between press
 * and release would move another option, or none, under the pointer, and the click would be lost.
 */
export function useSteady<List>(list: List, isShown: boolean): List {
  const [pressed, setPressed] = useState<{ list: List } | null>(null)
  const shown = useRef(list)
  // With the drawing itself: a press just after it must not bring back what was there before.
  useLayoutEffect(() => {
    if (pressed === null) shown.current = list
  })
  useEffect(() => {
    if (!isShown) return
    const press = () => {
      setPressed({ list: shown.current })
      // The press may close the list itself, and is over all the same.
      const end = new AbortController()
      const release = () => {
        end.abort()
        // The click comes after the release, and finds its option still there.
        setTimeout(() => setPressed(null))
      }
      for (const event of ['pointerup', 'pointercancel'])
        document.addEventListener(event, release, { capture: true, signal: end.signal })
    }
    document.addEventListener('pointerdown', press, true)
    return () => document.removeEventListener('pointerdown', press, true)
  }, [isShown])
  return pressed === null ? list : pressed.list
}

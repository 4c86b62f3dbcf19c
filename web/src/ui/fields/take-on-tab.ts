import { useRef, type KeyboardEvent } from 'react'

/** The value of an option that makes something new: Tab walks past it. */
export const MAKE = 'make'

const markedOption = (field: HTMLInputElement): HTMLElement | null => {
  const list = field.getAttribute('aria-controls')
  return list === null ? null : (document.getElementById(list)?.querySelector('[data-combobox-selected]') ?? null)
}

/**
 * For Mantine's searched lists, so that all lists answer alike: what fits first is marked while one types, Enter and
 * Tab take what is marked.
 */
export function useTakeOnTab() {
  // Walking through takes nothing: the one that is chosen already would be taken away.
  const isTyped = useRef(false)
  return {
    selectFirstOptionOnChange: true,
    onInput: () => {
      isTyped.current = true
    },
    // Before Mantine, which counts its options a moment after a list opened and may by then have forgotten the mark
    // that is shown: Enter would take nothing.
    onKeyDownCapture: (event: KeyboardEvent) => {
      const field = event.target
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(field instanceof HTMLInputElement)) return
      const marked = isTyped.current ? markedOption(field) : null
      isTyped.current = false
      if (marked === null) return
      event.preventDefault()
      event.stopPropagation()
      marked.click()
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      const { key, shiftKey, currentTarget } = event
      if (key !== 'Tab') return
      const marked =
        !shiftKey && isTyped.current && currentTarget.value.trim() !== '' ? markedOption(currentTarget) : null
      if (marked?.getAttribute('value') !== MAKE) marked?.click()
      isTyped.current = false
    },
  }
}

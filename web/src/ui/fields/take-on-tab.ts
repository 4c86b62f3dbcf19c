import { useRef, type KeyboardEvent } from 'react'

/** The value of an option that makes something new: Tab walks past it. */
export const MAKE = 'make'

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
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      const { key, shiftKey, currentTarget } = event
      const list = currentTarget.getAttribute('aria-controls')
      if (key === 'Tab' && !shiftKey && isTyped.current && currentTarget.value.trim() !== '' && list !== null)
        document
          .getElementById(list)
          ?.querySelector<HTMLElement>(`[data-combobox-selected]:not([value="${MAKE}"])`)
          ?.click()
      if (key === 'Tab' || key === 'Enter') isTyped.current = false
    },
  }
}

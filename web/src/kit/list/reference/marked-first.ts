import type { ComboboxStore } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'

/**
 * Marks the first option as soon as the options answer what was typed, and none before:
 * or Enter would take a stranger.
 */
export function useMarkedFirst(combobox: ComboboxStore, isAnswered: boolean, options: readonly unknown[]): void {
  const mark = useEffectEvent((isOpen: boolean) => {
    if (!isOpen) return
    if (isAnswered) combobox.selectFirstOption()
    else combobox.resetSelectedOption()
  })
  useEffect(() => mark(combobox.dropdownOpened), [isAnswered, options, combobox.dropdownOpened])
}

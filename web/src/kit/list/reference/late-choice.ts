import type { ComboboxStore } from '@mantine/core'
import { InfiniteQueryObserver, useQueryClient } from '@tanstack/react-query'
import type { Reference } from '@waybill/contract/kit/fields'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../ui/notices/notify.tsx'
import { useErrorText } from '../../i18n/error-text.ts'
import { referencesOf, type CompactApi } from './references.ts'

const underway = new Set<Promise<void>>()

/**
 * Resolves once every choice that was made before its options had come is taken, so that a save just after it has it.
 */
export async function choicesTaken(): Promise<void> {
  await Promise.all(underway)
}

/**
 * For the person who presses Enter or Tab before the options have come: what answers the typed text first is taken as
 * soon as it is known.
 * `take` hears null where nothing answers, or nobody, which is told with the text. `text` is what is waited for, null
 * while nothing is; null ends the waiting.
 */
export function useLateChoice(
  api: CompactApi,
  take: (reference: Reference | null, text: string) => void,
): { text: string | null; wait: (text: string | null) => void } {
  const queries = useQueryClient()
  const { t } = useTranslation()
  const errorText = useErrorText()
  const [text, setText] = useState<string | null>(null)
  // As it is when the answer comes, not as it was when the key was pressed.
  const now = useRef({ take, turn: 0 })
  useEffect(() => {
    now.current.take = take
  }, [take])
  const wait = (typed: string | null) => {
    const turn = (now.current.turn += 1)
    setText(typed)
    if (typed === null) return
    const question = referencesOf(api, typed)
    // The list may have asked already, and leaves its question with the field: an unwatched answer is given up.
    const leave = new InfiniteQueryObserver(queries, { ...question, enabled: false }).subscribe(() => undefined)
    const asked = queries
      .fetchInfiniteQuery(question)
      .then(
        ({ pages }) => pages[0]?.items[0] ?? null,
        (error: unknown) => {
          // The field is empty again, and the eye elsewhere: what was typed must not go without a word.
          if (turn === now.current.turn)
            notify({ tone: 'danger', title: errorText(error), detail: typed, closeLabel: t('close') })
          return null
        },
      )
      .then((reference) => {
        if (turn !== now.current.turn) return
        setText(null)
        now.current.take(reference, typed)
      })
    underway.add(asked)
    void asked.finally(() => {
      leave()
      underway.delete(asked)
    })
  }
  return { text, wait }
}

/**
 * Enter or Tab in a select box that holds typed text: what is marked, or where nothing answers the text yet, `wait`.
 */
export function takeByKey(event: KeyboardEvent, combobox: ComboboxStore, isAnswered: boolean, wait: () => void): void {
  const isTab = event.key === 'Tab' && !event.shiftKey
  if (!isTab && event.key !== 'Enter') return
  if (!isAnswered) {
    // Enter would send the form off.
    if (!isTab) event.preventDefault()
    wait()
    return
  }
  // The key may be quicker than the mark.
  if (combobox.getSelectedOptionIndex() === -1) combobox.selectFirstOption()
  if (isTab && combobox.getSelectedOptionIndex() !== -1) combobox.clickSelectedOption()
}

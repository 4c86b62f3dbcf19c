import { TextInput } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { useShortcut } from '../../shortcuts/shortcuts.ts'
import classes from './search-field.module.css'

// A search runs when the typing rests; every key would be a page of rows nobody wants.
const TYPING_MS = 250

interface SearchFieldProps {
  q: string
  onFind: (q: string) => void
  /** what is found; without it the words of any list */
  label?: string
  className?: string | undefined
  inputClassName?: string | undefined
}

/** What a list is searched by: `/` goes to it, Enter finds at once, Escape finds all again. */
export function SearchField({ q, onFind, label, className, inputClassName }: SearchFieldProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const find = useEffectEvent(onFind)
  useShortcut({ key: '/', label: label ?? t('list-page:key.find'), run: () => input.current?.focus() })
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(() => {
      setTyped(null)
      if (typed.trim() !== q) find(typed.trim())
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, q])
  const findNow = (text: string) => {
    setTyped(null)
    if (text.trim() !== q) onFind(text.trim())
  }
  const shown = typed ?? q
  return (
    <TextInput
      ref={input}
      className={className ?? ''}
      classNames={{ input: inputClassName ?? '' }}
      aria-label={label ?? t('find')}
      placeholder={label ?? t('find')}
      leftSection={<Icon name="search" />}
      leftSectionWidth={30}
      rightSection={
        shown === '' ? (
          <span className={classes.key} aria-hidden>
            <KeyHint>/</KeyHint>
          </span>
        ) : (
          <button type="button" className={classes.empty} aria-label={t('clearSearch')} onClick={() => findNow('')}>
            <Icon name="close" size={13} />
          </button>
        )
      }
      maxLength={100}
      value={shown}
      enterKeyHint="search"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') findNow(shown)
        if (event.key === 'Escape') {
          findNow('')
          event.currentTarget.blur()
        }
      }}
    />
  )
}

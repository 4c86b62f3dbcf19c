import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Reference } from '@waybill/contract/kit/fields'
import {
  useRef,
  useState,
  type ComponentType,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { fieldProps, type FieldMarks } from '../../../ui/fields/field.tsx'
import { MAKE } from '../../../ui/fields/take-on-tab.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { focusBehind } from '../../../ui/windows/focus-back.ts'
import { takeByKey, useLateChoice } from './late-choice.ts'
import { useMarkedFirst } from './marked-first.ts'
import { ReferenceOptions } from './reference-options.tsx'
import { useReferences, useTitles, type CompactApi } from './references.ts'

/** What a window that makes a record is told. */
export interface MakingProps {
  /** The name that nothing has */
  typed: string
  onMade: (reference: Reference) => void
  onClose: () => void
}

/** Long enough for a typist's pause, short enough not to be felt. */
const TYPING_MS = 150

export interface ReferenceSelectProps extends FieldMarks {
  /** The id; null where nothing is chosen */
  value: number | null
  onChange: (value: number | null, reference: Reference | null) => void
  /** The record's own reference as it was read: its title shows at once, and stays where it is inactive by now */
  current?: Reference | null
  placeholder?: string
  isReadOnly?: boolean
  id?: string
  name?: string
  /** Said below the field once it was left with a name that nothing has: what is missing, and the way to add it */
  notFound?: (typed: string) => ReactNode
  /** The window that makes one that is not there yet; without it none is made */
  making?: ComponentType<MakingProps>
  onBlur?: (event: FocusEvent<HTMLInputElement>) => void
  inputRef?: Ref<HTMLInputElement>
}

/**
 * Picks one record by typing parts of its name. Arrows walk, Enter and Tab take the marked one, or what will be the
 * first once the options have come; Escape leaves it as it was, an emptied field is null. Only active records are
 * offered, and the one that an old record holds already.
 */
export function ReferenceSelect({
  api,
  value,
  onChange,
  current = null,
  placeholder,
  isReadOnly = false,
  id,
  name,
  notFound,
  making: Making,
  onBlur,
  inputRef,
  ...marks
}: ReferenceSelectProps & { api: CompactApi }) {
  const { t } = useTranslation('list')
  // Null: nobody is typing, the title shows.
  const [typed, setTyped] = useState<string | null>(null)
  // What the field was left with, where nothing was chosen; the answer may come later.
  const [left, setLeft] = useState<string | null>(null)
  const [made, setMade] = useState<{ typed: string; field: Element | null } | null>(null)
  const byTab = useRef(false)
  const [picked, setPicked] = useState<Reference | null>(null)
  const [q] = useDebouncedValue((typed ?? '').trim(), TYPING_MS)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const list = useReferences(api, q, combobox.dropdownOpened)
  const leftList = useReferences(api, left ?? '', left !== null)
  const missed = left !== null && leftList.isFresh && leftList.items.length === 0 ? left : null
  const titles = useTitles(api, value === null ? [] : [value], [current, picked, ...list.items])
  const title = value === null ? '' : (titles.get(value) ?? '…')
  const isAnswered = list.isFresh && q === (typed ?? '').trim()
  const held = current !== null && current.id === value && q === '' ? [current] : []

  useMarkedFirst(combobox, isAnswered && q !== '', list.items)

  const choose = (reference: Reference | null) => {
    setTyped(null)
    setLeft(null)
    setPicked(reference)
    combobox.closeDropdown()
    if ((reference?.id ?? null) !== value) onChange(reference?.id ?? null, reference)
  }
  const open = (text: string, field: Element | null) => {
    setTyped(null)
    combobox.closeDropdown()
    setMade({ typed: text, field })
  }
  const take = (reference: Reference) => {
    const field = made?.field
    flushSync(() => {
      setMade(null)
      choose(reference)
    })
    // On with the next one: this is answered.
    if (field instanceof HTMLElement) focusBehind(field)
  }
  const late = useLateChoice(api, (reference, text) => {
    if (reference !== null) choose(reference)
    else if (Making !== undefined && !byTab.current) open(text, document.activeElement)
    else if (notFound !== undefined) setLeft(text)
  })
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    if (typed !== null && typed.trim() === '' && value !== null) choose(null)
    if (typed !== null && typed.trim() !== '' && late.text === null && notFound !== undefined) setLeft(typed.trim())
    setTyped(null)
    combobox.closeDropdown()
    onBlur?.(event)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && (combobox.dropdownOpened || typed !== null)) {
      setTyped(null)
      // The modal around it stays.
      event.stopPropagation()
    }
    if (typed === null || typed.trim() === '') return
    byTab.current = event.key === 'Tab'
    // Walking on makes nothing.
    if (byTab.current && isAnswered && list.items.length === 0) return
    takeByKey(event, combobox, isAnswered, () => {
      late.wait(typed.trim())
      setTyped(null)
      combobox.closeDropdown()
    })
  }
  return (
    <Combobox
      store={combobox}
      shadow="md"
      readOnly={isReadOnly}
      onOptionSubmit={(chosen) => {
        if (chosen === MAKE) open((typed ?? '').trim(), document.activeElement)
        else choose([...held, ...list.items].find((one) => String(one.id) === chosen) ?? null)
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...fieldProps(missed === null || notFound === undefined ? marks : { ...marks, error: notFound(missed) })}
          id={id}
          name={name}
          ref={inputRef}
          value={typed ?? late.text ?? title}
          placeholder={placeholder ?? t('pick')}
          readOnly={isReadOnly}
          title={typed === null ? title : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          rightSection={isReadOnly ? null : <Icon name="chevronDown" size={13} />}
          rightSectionPointerEvents="none"
          rightSectionWidth={26}
          onChange={(event) => {
            late.wait(null)
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
          }}
          onClick={() => {
            if (!isReadOnly) combobox.openDropdown()
          }}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={leave}
          onKeyDown={press}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={isReadOnly}>
        <ReferenceOptions
          list={list}
          label={t('choices')}
          isChosen={(one) => one === value}
          first={held}
          nothing={typed === null ? undefined : notFound?.(q)}
          makes={Making !== undefined && isAnswered && q !== '' ? q : undefined}
        />
      </Combobox.Dropdown>
      {made === null || Making === undefined ? null : (
        <Making typed={made.typed} onMade={take} onClose={() => setMade(null)} />
      )}
    </Combobox>
  )
}

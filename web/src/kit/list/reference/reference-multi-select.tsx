import { Combobox, Pill, PillsInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Reference } from '@waybill/contract/kit/fields'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldProps, type FieldMarks } from '../../../ui/fields/field.tsx'
import { ReferenceOptions } from './reference-options.tsx'
import { takeByKey, useLateChoice } from './late-choice.ts'
import { useMarkedFirst } from './marked-first.ts'
import { useReferences, useTitles, type CompactApi } from './references.ts'

const TYPING_MS = 150

export interface ReferenceMultiSelectProps extends FieldMarks {
  value: readonly number[]
  onChange: (value: number[]) => void
  /** The record's own references as they were read; they stay where they are inactive by now */
  current?: readonly Reference[]
  placeholder?: string
  isReadOnly?: boolean
  id?: string
}

const NONE: readonly Reference[] = []

/**
 * Picks several records by typing parts of their names: Enter and Tab take the marked one, or what will be the first
 * once the options have come; Backspace in the empty field takes the last one away.
 */
export function ReferenceMultiSelect({
  api,
  value,
  onChange,
  current = NONE,
  placeholder,
  isReadOnly = false,
  id,
  ...marks
}: ReferenceMultiSelectProps & { api: CompactApi }) {
  const { t } = useTranslation('list')
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<readonly Reference[]>([])
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const list = useReferences(api, q, combobox.dropdownOpened)
  const titles = useTitles(api, value, [...current, ...picked, ...list.items])
  const isAnswered = list.isFresh && q === typed.trim()

  useMarkedFirst(combobox, isAnswered && q !== '', list.items)

  const toggle = (reference: Reference) => {
    setTyped('')
    setPicked([...picked, reference])
    onChange(value.includes(reference.id) ? value.filter((one) => one !== reference.id) : [...value, reference.id])
  }
  const late = useLateChoice(api, (reference) => {
    if (reference !== null && !value.includes(reference.id)) toggle(reference)
  })
  const submit = (chosen: string) => {
    const reference = list.items.find((one) => String(one.id) === chosen)
    if (reference !== undefined) toggle(reference)
  }
  const remove = (gone: number) => onChange(value.filter((one) => one !== gone))
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Backspace' && typed === '' && value.length > 0) {
      event.preventDefault()
      remove(value.at(-1)!)
    }
    if (event.key === 'Escape' && combobox.dropdownOpened) event.stopPropagation()
    if (typed.trim() === '') return
    takeByKey(event, combobox, isAnswered, () => {
      late.wait(typed.trim())
      setTyped('')
    })
  }
  return (
    <Combobox store={combobox} shadow="md" readOnly={isReadOnly} onOptionSubmit={submit}>
      <Combobox.DropdownTarget>
        <PillsInput
          {...fieldProps(marks)}
          // Of the field within: the frame is none.
          aria-required={undefined}
          id={id}
          disabled={isReadOnly}
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group>
            {value.map((one) => (
              <Pill
                key={one}
                withRemoveButton={!isReadOnly}
                onRemove={() => remove(one)}
                removeButtonProps={{ 'aria-label': t('takeAway', { title: titles.get(one) ?? '' }) }}
              >
                {titles.get(one) ?? '…'}
              </Pill>
            ))}
            {late.text === null ? null : <Pill disabled>{late.text}</Pill>}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-required={marks.isRequired || undefined}
                value={typed}
                placeholder={value.length === 0 ? (placeholder ?? t('pick')) : undefined}
                readOnly={isReadOnly}
                autoComplete="off"
                maxLength={100}
                onChange={(event) => {
                  setTyped(event.currentTarget.value)
                  combobox.openDropdown()
                }}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => {
                  setTyped('')
                  combobox.closeDropdown()
                }}
                onKeyDown={press}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={isReadOnly}>
        <ReferenceOptions list={list} label={t('choices')} isChosen={(one) => value.includes(one)} />
      </Combobox.Dropdown>
    </Combobox>
  )
}

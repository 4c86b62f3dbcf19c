import type { KnownPlace } from '@waybill/contract/order/known-places'
import { fold } from '@waybill/contract/kit/text'
import { Combobox, useCombobox } from '@mantine/core'
import { useMemo, type ComponentProps, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { nextOpenCell } from '../../../kit/form/fields/grid-keys.ts'
import { useMarkedFirst } from '../../../kit/list/reference/marked-first.ts'
import classes from './place-cell.module.css'

// As many as are taken in at a glance.
const MOST_OFFERED = 8

interface PlaceCellProps extends Omit<ComponentProps<'input'>, 'value' | 'list' | 'role'> {
  value: string
  known: readonly KnownPlace[]
  /** Names the list */
  listLabel: string
  onPick: (place: KnownPlace) => void
}

/**
 * The company of a stop: free text, with the customer's places that fit it below. Enter takes the marked one with all
 * it knows, Tab leaves what was typed.
 */
export function PlaceCell({ value, known, listLabel, onPick, onBlur, onChange, ...input }: PlaceCellProps) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const isOpen = combobox.dropdownOpened
  const fitting = useMemo(() => (isOpen ? placesFor(known, value) : []), [isOpen, known, value])
  useMarkedFirst(combobox, fitting.length > 0, fitting)
  const pick = (place: string) => {
    flushSync(() => {
      combobox.closeDropdown()
      onPick(fitting[Number(place)]!)
    })
    if (document.activeElement instanceof HTMLElement) nextOpenCell(document.activeElement)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && isOpen) event.stopPropagation()
  }
  return (
    <Combobox store={combobox} shadow="md" width="max-content" position="bottom-start" onOptionSubmit={pick}>
      <Combobox.Target withKeyboardNavigation={isOpen && fitting.length > 0} withExpandedAttribute>
        <input
          {...input}
          value={value}
          onChange={(event) => {
            onChange?.(event)
            if (event.currentTarget.value.trim() === '') combobox.closeDropdown()
            else combobox.openDropdown()
          }}
          onBlur={(event) => {
            combobox.closeDropdown()
            onBlur?.(event)
          }}
          onKeyDown={press}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={fitting.length === 0}>
        <Combobox.Options aria-label={listLabel}>
          {fitting.map((place, index) => (
            <Combobox.Option
              key={`${place.companyTitle}\n${place.address}\n${place.postal}`}
              value={String(index)}
              className={classes.option}
            >
              <b>{place.companyTitle}</b>
              <span>
                {[place.address, [place.postal, place.city].filter(Boolean).join(' ')].filter(Boolean).join(', ')}
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Those that have every word, in their name or their town; those whose name begins so come first. */
function placesFor(known: readonly KnownPlace[], typed: string): KnownPlace[] {
  const wanted = fold(typed.trim())
  if (wanted === '') return []
  const words = wanted.split(' ')
  const named = known.map((place) => ({
    place,
    name: fold(place.companyTitle),
    all: fold([place.companyTitle, place.city, place.postal].filter(Boolean).join(' ')),
  }))
  const fitting = named.filter(({ all }) => words.every((word) => all.includes(word)))
  return fitting
    .toSorted((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)))
    .slice(0, MOST_OFFERED)
    .map(({ place }) => place)
}

import { Button, Checkbox } from '@mantine/core'
import { COLUMN_PX } from '@waybill/contract/preferences'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { releaseKeys } from '../../../ui/windows/held-keys.ts'
import type { ColumnChoice } from './chosen-columns.ts'
import classes from './column-menu.module.css'

export interface ColumnChoicesProps {
  /** All columns in their standard order, the first one, which leads to the record, left out */
  columns: readonly { id: string; label: string }[]
  choice: ColumnChoice
  /** Null: the standard ones */
  onChange: (choice: ColumnChoice | null) => void
  /** px of the columns that this person has made wider or narrower */
  widths: Readonly<Record<string, number>>
  onWidths: (widths: Readonly<Record<string, number>>) => void
}

/** What the menu of the columns holds, in the order in which they stand; the focus is on the first. */
export function ColumnChoices({ columns, choice: { shown, pinned }, onChange, widths, onWidths }: ColumnChoicesProps) {
  const { t } = useTranslation(['list', 'list-page'])
  const list = useRef<HTMLUListElement>(null)
  // Where the window was there before it, the focus is on the window; else the window is about to give it.
  useLayoutEffect(() => {
    const window = document.activeElement
    if (!(window instanceof HTMLElement) || window === document.body || !window.contains(list.current)) return
    list.current?.querySelector('input')?.focus()
    releaseKeys(window)
  }, [])
  const ordered = [
    ...shown.flatMap((id) => columns.find((column) => column.id === id) ?? []),
    ...columns.filter((column) => !shown.includes(column.id)),
  ]
  const without = (ids: readonly string[], id: string) => ids.filter((one) => one !== id)
  const toggle = (id: string) =>
    onChange(
      shown.includes(id)
        ? { shown: without(shown, id), pinned: without(pinned, id) }
        : { shown: [...shown, id], pinned },
    )
  // Pinned, a column goes behind those that are pinned already; let go, before the others.
  const pin = (id: string) => {
    const kept = without(pinned, id)
    onChange({
      shown: [...kept, id, ...without(shown, id).filter((one) => !kept.includes(one))],
      pinned: pinned.includes(id) ? kept : [...kept, id],
    })
  }
  const move = (id: string, by: 1 | -1) => {
    const at = shown.indexOf(id)
    onChange({ shown: shown.toSpliced(at, 1).toSpliced(at + by, 0, id), pinned })
  }
  const mayMove = (place: number, by: 1 | -1) => {
    const [id, next] = [shown[place], shown[place + by]]
    return id !== undefined && next !== undefined && pinned.includes(id) === pinned.includes(next)
  }
  return (
    <>
      <ul className={classes.columns} ref={list}>
        {ordered.map(({ id, label }) => {
          const place = shown.indexOf(id)
          return (
            <li key={id} className={classes.column}>
              <Checkbox className={classes.name} label={label} checked={place !== -1} onChange={() => toggle(id)} />
              <Width
                label={t('list-page:columns.width', { name: label })}
                value={widths[id]}
                onSet={(width) => {
                  const { [id]: _before, ...others } = widths
                  onWidths(width === null ? others : { ...others, [id]: width })
                }}
              />
              <IconButton
                isSmall
                icon="panel"
                className={classes.pin!}
                label={t('list-page:columns.pin', { name: label })}
                aria-pressed={pinned.includes(id)}
                disabled={place === -1}
                onClick={() => pin(id)}
              />
              <IconButton
                isSmall
                icon="arrowUp"
                label={t('list-page:columns.earlier', { name: label })}
                disabled={!mayMove(place, -1)}
                onClick={() => move(id, -1)}
              />
              <IconButton
                isSmall
                icon="arrowDown"
                label={t('list-page:columns.later', { name: label })}
                disabled={!mayMove(place, 1)}
                onClick={() => move(id, 1)}
              />
            </li>
          )
        })}
      </ul>
      <footer className={classes.footer}>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            onChange(null)
            onWidths({})
          }}
        >
          {t('list-page:columns.standard')}
        </Button>
      </footer>
    </>
  )
}

/** How wide a column is, px; empty as it was meant to be. Taken over when the field is left, or by Enter. */
function Width({
  label,
  value,
  onSet,
}: {
  label: string
  value: number | undefined
  onSet: (width: number | null) => void
}) {
  const { t } = useTranslation(['list', 'list-page'])
  const [typed, setTyped] = useState<string | null>(null)
  const take = () => {
    if (typed === null) return
    setTyped(null)
    const width = Math.round(Number(typed))
    if (typed.trim() === '') onSet(null)
    else if (Number.isFinite(width)) onSet(Math.min(COLUMN_PX.max, Math.max(COLUMN_PX.min, width)))
  }
  return (
    <input
      className={classes.width}
      inputMode="numeric"
      aria-label={label}
      title={label}
      placeholder={t('list-page:columns.asMeant')}
      value={typed ?? value ?? ''}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}

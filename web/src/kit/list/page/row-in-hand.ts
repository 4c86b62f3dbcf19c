import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../shortcuts/shortcuts.ts'

/** The row that the keyboard holds, and the one that is looked into beside the list. */
export interface RowInHand {
  id: number | null
  peekId: number | null
  walk: (by: 1 | -1) => void
  close: () => void
}

/**
 * J and K walk through the rows; the link of the row in hand has the focus, so that Enter opens it. With `hasPeek`
 * Space looks into it without leaving the list: that record stands in the address, as everything open does.
 */
export function useRowInHand(rows: readonly { id: number }[] | null, hasPeek: boolean): RowInHand {
  const { t } = useTranslation(['list', 'list-page'])
  const navigate = useNavigate()
  const { peek } = useSearch({ strict: false }) as { peek?: unknown }
  const [held, setHeld] = useState<number | null>(null)
  const peeked = hasPeek && rows !== null ? placeOf(rows, Number(peek)) : -1
  const place = peeked === -1 && rows !== null ? placeOf(rows, held) : peeked
  const look = (id: number | null, replace: boolean) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, peek: id === null ? undefined : String(id) })) as never,
      replace,
      resetScroll: false,
    })
  const hold = (next: number) => {
    const id = rows![next]!.id
    setHeld(id)
    if (peeked !== -1) look(id, true)
  }
  const walk = (by: 1 | -1) => {
    if (rows === null || rows.length === 0) return
    if (place === -1) hold(by === 1 ? 0 : rows.length - 1)
    else hold(Math.min(rows.length - 1, Math.max(0, place + by)))
  }
  const close = () => {
    setHeld(rows?.[peeked]?.id ?? null)
    look(null, true)
  }
  const toggle = () => {
    if (peeked !== -1) close()
    else if (rows !== null && rows.length > 0) look(rows[Math.max(0, place)]!.id, false)
  }
  useShortcut({ key: 'j', label: t('list-page:key.next'), run: () => walk(1) })
  useShortcut({ key: 'k', label: t('list-page:key.previous'), run: () => walk(-1) })
  useShortcut({ key: ' ', label: t('list-page:key.peek'), run: toggle }, hasPeek)
  useShortcut({ key: 'Escape', label: t('list-page:key.closePeek'), run: close }, peeked !== -1)
  return { id: rows?.[place]?.id ?? null, peekId: rows?.[peeked]?.id ?? null, walk, close }
}

const placeOf = (rows: readonly { id: number }[], id: number | null): number => rows.findIndex((row) => row.id === id)

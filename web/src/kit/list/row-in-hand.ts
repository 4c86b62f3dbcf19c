import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../shortcuts/shortcuts.ts'

/** The row that the keyboard holds: J and K walk, and its link has the focus, so that Enter opens it. Null until one is taken up, and after it is gone. */
export function useRowInHand(rows: readonly { id: number }[] | null): number | null {
  const { t } = useTranslation('list')
  const [id, setId] = useState<number | null>(null)
  const place = rows?.findIndex((row) => row.id === id) ?? -1
  const walk = (by: 1 | -1) => {
    if (rows === null || rows.length === 0) return
    const next = place === -1 ? (by === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, place + by))
    setId(rows[next]!.id)
  }
  useShortcut({ key: 'j', label: t('key.next'), run: () => walk(1) })
  useShortcut({ key: 'k', label: t('key.previous'), run: () => walk(-1) })
  return rows?.[place]?.id ?? null
}

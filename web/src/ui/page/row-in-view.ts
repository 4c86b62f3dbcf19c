import { useEffect, type RefObject } from 'react'

/**
 * Keeps the row in hand, `tr[data-current]`, in view, and its link in focus: so it is heard, and Enter opens it as any
 * link. `id` is the row's; null: none is in hand.
 */
export function useRowInView(table: RefObject<HTMLElement | null>, id: number | string | null): void {
  useEffect(() => {
    if (id === null) return
    const row = table.current?.querySelector('tr[data-current]')
    row?.scrollIntoView({ block: 'nearest' })
    row?.querySelector('a')?.focus({ preventScroll: true })
  }, [table, id])
}

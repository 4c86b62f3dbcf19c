import { listAuditEntries } from '@waybill/contract/audit/audit-entry'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../kit/api/call-api.ts'

// Apart from the section that shows it, so that asking for it loads nothing else.
const PER_PAGE = 25
export const RAIL_ID = 'history'

export interface HistoryWords {
  labelOf: (path: string) => string
  wordsOf: (path: string, value: unknown) => string
  /** Fields that nobody writes */
  isDerived?: (path: string) => boolean
  /** A child's place in the record as it is */
  placeOf?: (list: string, id: number) => number | null
}

/** A child's place among those that the record holds now; null for one that is gone. */
export function placeAmong(children: readonly { id: number }[] | undefined, id: number): number | null {
  const place = children?.findIndex((child) => child.id === id) ?? -1
  return place === -1 ? null : place
}

/** `orderId` and the like */
export type HistoryOwner = Readonly<Record<string, number>>

/** Who saved a record last; for messages about conflicts. */
export function useHistory(owner: HistoryOwner, isOn = true) {
  return useInfiniteQuery({
    queryKey: ['audit-entries', owner],
    queryFn: ({ pageParam, signal }) =>
      callApi(listAuditEntries, {
        query: { ...owner, perPage: PER_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    enabled: isOn,
    meta: { showsRefusals: true },
  })
}

/**
 * Whether the history stands beside the form: at first where the window is wide enough for
 * both, then as the person wishes.
 */
export function useHistoryRail(roomFrom = 1181): { isOpen: boolean; toggle: () => void } {
  const [isOpen, setOpen] = useState(() => matchMedia(`(min-width: ${roomFrom}px)`).matches)
  const toggle = () => {
    setOpen(!isOpen)
    // On narrow screens it opens below the form.
    if (!isOpen) requestAnimationFrame(() => document.getElementById(RAIL_ID)?.scrollIntoView({ block: 'nearest' }))
  }
  return { isOpen, toggle }
}

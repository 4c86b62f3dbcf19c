import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ToCheckView } from '@waybill/contract/invoice/checking'
import { useEffect } from 'react'
import { besideQuery, queueQuery } from './use-check.ts'

/** So many rows before the last one of those loaded, more are fetched. */
const NEAR_THE_END = 5

/**
 * Where an invoice stands in the queue, of which only the first pages are loaded: what lies before and behind it, also
 * where it is not among the rows, opened by a link.
 */
export function useQueuePlace(view: ToCheckView, chosen: number | null) {
  const queryClient = useQueryClient()
  const queue = useInfiniteQuery(queueQuery(view))
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = queue
  const ids = data?.pages.flatMap(({ items }) => items.map(({ id }) => id)) ?? []
  const current = chosen ?? ids[0] ?? null
  const index = current === null ? -1 : ids.indexOf(current)
  const isElsewhere = current !== null && data !== undefined && index === -1
  const after = useQuery({ ...besideQuery(view, current ?? 0, 1), enabled: isElsewhere }).data
  const before = useQuery({ ...besideQuery(view, current ?? 0, -1), enabled: isElsewhere }).data

  const isNearEnd = index !== -1 && index >= ids.length - NEAR_THE_END
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetching, isError, fetchNextPage])

  /** The one before or after an invoice, asked for where it is not known yet; null at the end, and without network. */
  const find = async (id: number, step: 1 | -1): Promise<number | null> => {
    const at = ids.indexOf(id)
    const loaded = at === -1 ? undefined : ids[at + step]
    if (loaded !== undefined) return loaded
    if (at !== -1 && (step === -1 || !hasNextPage)) return null
    return queryClient.fetchQuery(besideQuery(view, id, step)).catch(() => null)
  }
  return {
    queue,
    ids,
    current,
    /** null: none, or not known yet */
    next: index === -1 ? (after ?? null) : (ids[index + 1] ?? null),
    hasNext: index === -1 ? (after ?? null) !== null : index < ids.length - 1 || hasNextPage,
    hasPrevious: index === -1 ? (before ?? null) !== null : index > 0,
    find,
  }
}

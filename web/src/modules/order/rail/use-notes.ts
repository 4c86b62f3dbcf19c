import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { listNoteReaders, listNotes, seeNotes } from '@waybill/contract/order/note'
import { orderApi } from '@waybill/contract/order/order'
import { useEffect } from 'react'
import { callApi } from '../../../kit/api/call-api.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { currentSession } from '../../../kit/session/session.ts'

const PER_PAGE = 50

const notesKey = (orderId: number) => [orderApi.path, orderId, 'notes']

/** The notes on an order, the newest first; those that others write come by themselves. */
export function useNotes(orderId: number) {
  const refresh = useRefreshNotes(orderId)
  useLiveChanges('order', refresh)
  return useInfiniteQuery({
    queryKey: notesKey(orderId),
    queryFn: ({ pageParam, signal }) =>
      callApi(listNotes, {
        params: { id: orderId },
        query: { perPage: PER_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    meta: { showsRefusals: true },
  })
}

/** Reads the notes again, and the history, which tells of them as well. */
export function useRefreshNotes(orderId: number): () => void {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: notesKey(orderId) })
    void queries.invalidateQueries({ queryKey: ['audit-entries', { orderId }] })
  }
}

/** What names this person in the notes that are shown no longer waits on the dashboard. */
export function useSeen(orderId: number, mentioned: readonly { mentions: readonly { id: number }[] }[]): void {
  const queries = useQueryClient()
  const self = currentSession()?.profile.id
  const count = mentioned.filter(({ mentions }) => mentions.some(({ id }) => id === self)).length
  useEffect(() => {
    if (count === 0) return
    // Seen again the next time, where this did not arrive.
    void callApi(seeNotes, { params: { id: orderId } }).then(
      () => queries.invalidateQueries({ queryKey: [orderApi.path, 'dashboard'] }),
      () => undefined,
    )
  }, [orderId, count, queries])
}

/** Who may be named in the notes of an order, by the beginning of a word; null: nobody is looked for. */
export function useReaders(orderId: number, q: string | null) {
  return useQuery({
    queryKey: [orderApi.path, orderId, 'readers', q],
    queryFn: ({ signal }) => callApi(listNoteReaders, { params: { id: orderId }, query: { q: q ?? '' }, signal }),
    enabled: q !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    meta: { showsRefusals: true },
  })
}

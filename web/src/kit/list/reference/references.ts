import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Reference } from '@waybill/contract/kit/fields'
import type { Page } from '@waybill/contract/kit/paging'
import { useMemo } from 'react'
import { useSteady } from '../../../ui/fields/use-steady.ts'
import { callCompact, type Way } from '../../api/call-api.ts'

/** A resource that can be picked from: its list of `id` and `title` (api, Three representations). */
export interface CompactApi {
  path: string
  compact: Way
}

const PICKER_PAGE = 50
// Names of customers and colleagues change seldom.
const STALE_MS = 60_000
const MOST_TITLES = 100

/** The records that answer what was typed, page by page. */
export const referencesOf = (api: CompactApi, q: string) =>
  infiniteQueryOptions({
    queryKey: [api.path, 'compact', q],
    queryFn: ({ pageParam, signal }) =>
      callCompact(
        api,
        { q, state: 'active', perPage: PICKER_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    // Who found nothing may be adding it beside this page.
    staleTime: ({ state }) => (state.data?.pages[0]?.items.length === 0 ? 0 : STALE_MS),
    meta: { showsRefusals: true },
  })

/**
 * What can be picked: active records only, more as one scrolls. A refusal is shown where one picks and leads nowhere
 * else.
 */
export function useReferences(api: CompactApi, q: string, isOn: boolean) {
  const answer = useInfiniteQuery({ ...referencesOf(api, q), placeholderData: keepPreviousData, enabled: isOn })
  const found = useMemo(() => answer.data?.pages.flatMap((page) => page.items) ?? [], [answer.data])
  const isFound = answer.data !== undefined && !answer.isPlaceholderData
  const shown = useSteady({ items: found, q: isFound ? q : null }, isOn)
  return {
    items: shown.items,
    /** What is shown answers what was asked */
    isFresh: shown.q === q,
    isLoading: answer.isPending && answer.isFetching,
    error: answer.error,
    retry: () => void answer.refetch(),
    /** Loaded on by scrolling, and nothing is left */
    isEntire: (answer.data?.pages.length ?? 0) > 1 && !answer.hasNextPage,
    loadOn: () => {
      if (answer.hasNextPage && !answer.isFetching) void answer.fetchNextPage()
    },
  }
}

/** Titles that are wanted of one kind of record. */
export interface TitlesAsked {
  api: CompactApi
  ids: readonly number[]
  /** What these hold is not asked for */
  known: readonly (Reference | null | undefined)[]
}

const heldTitles = ({ known }: TitlesAsked) =>
  new Map(known.flatMap((one) => (one ? [[one.id, one.title] as const] : [])))

/** The query for the titles that are not known yet. */
export function titlesOf(asked: TitlesAsked) {
  const { api, ids } = asked
  const titles = heldTitles(asked)
  const missing = ids.filter((id) => !titles.has(id)).slice(0, MOST_TITLES)
  return queryOptions({
    queryKey: [api.path, 'titles', missing],
    queryFn: ({ signal }) => callCompact(api, { ids: missing, perPage: MOST_TITLES }, signal),
    enabled: missing.length > 0,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    meta: { showsRefusals: true },
  })
}

/** The known titles with those that the query found. */
export function withFound(asked: TitlesAsked, found: Page<Reference> | undefined): ReadonlyMap<number, string> {
  const titles = heldTitles(asked)
  for (const one of found?.items ?? []) titles.set(one.id, one.title)
  return titles
}

/** The titles of records that are known by id alone, inactive ones too; what `known` holds is not asked for. */
export function useTitles(
  api: CompactApi,
  ids: readonly number[],
  known: readonly (Reference | null | undefined)[] = [],
): ReadonlyMap<number, string> {
  const asked = { api, ids, known }
  return withFound(asked, useQuery(titlesOf(asked)).data)
}

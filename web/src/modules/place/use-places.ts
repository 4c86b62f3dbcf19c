import { getMap, searchPlaces, type Place } from '@waybill/contract/place'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { GeometryCollection, Topology } from 'topojson-specification'
import outlinesUrl from 'world-atlas/countries-50m.json?url'
import { callApi } from '../../kit/api/call-api.ts'
import { useSteady } from '../../ui/fields/use-steady.ts'

const STALE_MS = 300_000
const NONE: readonly Place[] = []

/** The hits for what is typed; the last ones stay until the next are there. */
export function usePlaces(q: string, countryId: number | null) {
  const isOn = q.length > 1
  const answer = useQuery({
    queryKey: ['places', q, countryId],
    queryFn: ({ signal }) => callApi(searchPlaces, { query: { q, ...(countryId !== null && { countryId }) }, signal }),
    enabled: isOn,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    retry: false,
    meta: { showsRefusals: true },
  })
  const shown = useSteady(
    {
      items: isOn ? (answer.data?.items ?? NONE) : NONE,
      q: answer.data !== undefined && !answer.isPlaceholderData ? q : null,
    },
    isOn,
  )
  return {
    items: shown.items,
    /** What is shown answers what was asked */
    isFresh: isOn && shown.q === q,
    isLoading: isOn && answer.isFetching,
    isFallback: answer.data?.isFallback ?? false,
    error: isOn ? answer.error : null,
    retry: () => void answer.refetch(),
  }
}

export type Outlines = Topology<{ countries: GeometryCollection }>

/** The coasts and borders, from our own server: a map needs no other. */
export const useOutlines = () =>
  useQuery({
    queryKey: ['places', 'outlines'],
    queryFn: async ({ signal }) => {
      const response = await fetch(outlinesUrl, { signal })
      if (!response.ok) throw new Error(`outlines: ${response.status}`)
      return (await response.json()) as Outlines
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { showsRefusals: true },
  })

/** The tiles of the settings; null where there are none, or while they are not known. */
export function useTiles() {
  const { data } = useQuery({
    queryKey: ['places', 'map'],
    queryFn: ({ signal }) => callApi(getMap, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { showsRefusals: true },
  })
  return data?.tiles ?? null
}

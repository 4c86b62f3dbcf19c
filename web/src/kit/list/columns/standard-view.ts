import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { listViews } from '@waybill/contract/preferences'
import { useState } from 'react'
import { callApi } from '../../api/call-api.ts'
import { usePreferences } from './preferences.ts'

/** The views of the list at a resource's path, as the server has them. */
export const viewsOf = (path: string) =>
  queryOptions({
    queryKey: [listViews.path, path],
    queryFn: ({ signal }) => callApi(listViews, { query: { list: path }, signal }),
    staleTime: 60_000,
    meta: { showsRefusals: true },
  })

/**
 * Whether a list whose address says nothing is about to begin with the person's own view, so that its rows are not
 * asked for twice. False again once the view shows, or cannot be had.
 */
export function useAwaitsStandardView(path: string): boolean {
  const isBare = Object.keys(useSearch({ strict: false }) as object).length === 0
  const [isDue, setDue] = useState(isBare)
  const id = usePreferences().preferences?.defaultViews?.[path]
  const { data, error } = useQuery({ ...viewsOf(path), enabled: isDue && id !== undefined })
  const view = data?.items.find((one) => one.id === id)
  const awaits = isDue && isBare && id !== undefined && error === null && (data === undefined || Boolean(view?.query))
  // Afterwards an empty address is one that the person asked for.
  if (isDue && !awaits) setDue(false)
  return awaits
}

import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { View } from '@waybill/contract/preferences'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { List } from '../page/use-list.ts'
import { useColumnChoice } from './chosen-columns.ts'
import { useChangePreferences, usePreferences } from './preferences.ts'
import { viewsOf } from './standard-view.ts'

/** The views of a list that this person saved or that others share, and which of them is shown. */
export function useSavedViews(list: List<unknown>) {
  const answer = useQuery(viewsOf(list.path))
  const views = answer.data?.items ?? []
  const { chosen, choose } = useColumnChoice(list.path)
  const { preferences } = usePreferences()
  const change = useChangePreferences()
  const columns = chosen === undefined ? null : { shown: [...chosen.shown], pinned: [...chosen.pinned] }
  const current = views.find(
    (view) =>
      view.query === list.query && (view.columns === null || JSON.stringify(view.columns) === JSON.stringify(columns)),
  )
  const defaultId = preferences?.defaultViews?.[list.path]
  return {
    views,
    current,
    columns,
    error: answer.error,
    isAnswered: answer.data !== undefined,
    retry: () => void answer.refetch(),
    show: (view: View, isReplacing = false) => {
      list.show(view.query, isReplacing)
      // From now on they are this person's own.
      if (view.columns !== null) choose(view.columns)
    },
    /** The view with which this person's list begins; it may be gone by now */
    standard: views.find(({ id }) => id === defaultId),
    setStandard: (view: View | null) => change({ defaultViews: { [list.path]: view?.id ?? null } }),
  }
}

export type SavedViews = ReturnType<typeof useSavedViews>

/** A list whose address says nothing begins with the person's own view. */
export function useStandardView({ standard, isAnswered, show }: SavedViews): void {
  const isBare = Object.keys(useSearch({ strict: false }) as object).length === 0
  const isDue = useRef(isBare)
  const begin = useEffectEvent(() => {
    if (isDue.current && isBare && standard !== undefined) show(standard, true)
    isDue.current = false
  })
  useEffect(() => {
    if (isAnswered) begin()
  }, [isAnswered])
}

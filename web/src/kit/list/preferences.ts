import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getPreferences, patchPreferences, type Preferences } from '@waybill/contract/preferences'
import { useTranslation } from 'react-i18next'
import { notify } from '../../ui/notify.tsx'
import { callApi, type CallInput } from '../api/call-api.ts'
import { useErrorText } from '../i18n/error-text.ts'
import { currentSession } from '../session/session.ts'

type Change = NonNullable<CallInput<typeof patchPreferences>['body']>

const KEY = [getPreferences.path]
const STORED = 'preferences'

/** How this person wants the screens: as the server keeps it, and until it answers as it was here last. Undefined where neither is known. */
export function usePreferences(): { preferences: Preferences | undefined; isAnswered: boolean } {
  const answer = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => keep(await callApi(getPreferences, { signal })),
    initialData: readKept,
    // What is kept here may have been changed on another device.
    initialDataUpdatedAt: 0,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { showsRefusals: true },
  })
  return { preferences: answer.data, isAnswered: answer.isFetchedAfterMount }
}

/** Changes preferences: here at once, on the server behind it. */
export function useChangePreferences(): (change: Change) => void {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const errorText = useErrorText()
  return (change) => {
    queries.setQueryData<Preferences>(KEY, (before) => (before === undefined ? before : keep(merged(before, change))))
    callApi(patchPreferences, { body: change }).then(
      (now) => queries.setQueryData(KEY, keep(now)),
      (error: unknown) => notify({ tone: 'danger', title: t('notKept'), detail: errorText(error), closeLabel: t('close'), id: 'preferences-not-kept' }),
    )
  }
}

function merged(before: Preferences, { columns = {}, ...change }: Change): Preferences {
  const lists = Object.entries({ ...before.columns, ...columns }).flatMap(([list, chosen]) => (chosen === null ? [] : [[list, chosen] as const]))
  return { ...before, ...change, columns: Object.fromEntries(lists) } as Preferences
}

// So that nothing flashes at the next start.
function keep(preferences: Preferences): Preferences {
  localStorage.setItem(STORED, JSON.stringify({ personId: currentSession()?.profile.id, preferences }))
  return preferences
}

function readKept(): Preferences | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? 'null') as { personId?: unknown; preferences?: Preferences } | null
    return kept !== null && kept.personId === currentSession()?.profile.id ? kept.preferences : undefined
  } catch {
    return undefined
  }
}

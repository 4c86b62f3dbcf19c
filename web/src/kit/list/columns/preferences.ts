import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getPreferences, patchPreferences, type Preferences } from '@waybill/contract/preferences'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../ui/notices/notify.tsx'
import { callApi, type CallInput } from '../../api/call-api.ts'
import { useErrorText } from '../../i18n/error-text.ts'
import { currentSession } from '../../session/session.ts'

type Change = NonNullable<CallInput<typeof patchPreferences>['body']>

const KEY = [getPreferences.path]
const STORED = 'preferences'

/**
 * How this person wants the screens: as the server keeps it, and until it answers as it was here last.
 * Undefined where neither is known.
 */
export function usePreferences(): { preferences: Preferences | undefined; isAnswered: boolean } {
  const answer = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => keep(await readAfterChanges(signal)),
    initialData: readKept,
    // What is kept here may have been changed on another device.
    initialDataUpdatedAt: 0,
    refetchOnMount: ({ state }) => (state.dataUpdateCount === 0 ? 'always' : false),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { showsRefusals: true },
  })
  return { preferences: answer.data, isAnswered: answer.isFetchedAfterMount }
}

let sent: Promise<unknown> = Promise.resolve()
let count = 0

/** As the server keeps them after what was changed here: an answer that is older than that would take it back. */
async function readAfterChanges(signal: AbortSignal): Promise<Preferences> {
  for (;;) {
    const before = count
    await sent
    const answer = await callApi(getPreferences, { signal })
    if (before === count) return answer
  }
}

/** Changes preferences: here at once, on the server behind it. */
export function useChangePreferences(): (change: Change) => void {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const errorText = useErrorText()
  return (change) => {
    // What is being read now does not know of it.
    void queries.cancelQueries({ queryKey: KEY })
    queries.setQueryData<Preferences>(KEY, (before) => (before === undefined ? before : keep(merged(before, change))))
    count += 1
    const place = count
    // One after the other, as they were clicked; what the server says of an earlier one
    // knows nothing of those after it.
    sent = sent
      .then(() => callApi(patchPreferences, { body: change }))
      .then(
        (now) => void (place === count ? queries.setQueryData(KEY, keep(now)) : null),
        (error: unknown) =>
          notify({
            tone: 'danger',
            title: t('notKept'),
            detail: errorText(error),
            closeLabel: t('close'),
            id: 'preferences-not-kept',
          }),
      )
  }
}

function merged(before: Preferences, { columns, pinned, widths, defaultViews, ...change }: Change): Preferences {
  return {
    ...before,
    ...change,
    columns: byList(before.columns, columns),
    pinned: byList(before.pinned, pinned),
    widths: byList(before.widths, widths),
    defaultViews: byList(before.defaultViews, defaultViews),
  } as Preferences
}

const byList = <Chosen>(
  // What is kept on this device may be of an older version.
  before: Readonly<Record<string, Chosen>> | undefined,
  change: Readonly<Record<string, Chosen | null>> | undefined,
): Record<string, Chosen> =>
  Object.fromEntries(
    Object.entries({ ...before, ...change }).flatMap(([list, chosen]) =>
      chosen == null ? [] : [[list, chosen] as const],
    ),
  )

// So that nothing flashes at the next start.
function keep(preferences: Preferences): Preferences {
  localStorage.setItem(STORED, JSON.stringify({ personId: currentSession()?.profile.id, preferences }))
  return preferences
}

function readKept(): Preferences | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? 'null') as {
      personId?: unknown
      preferences?: Preferences
    } | null
    return kept !== null && kept.personId === currentSession()?.profile.id ? kept.preferences : undefined
  } catch {
    return undefined
  }
}

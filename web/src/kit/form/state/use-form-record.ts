import type { ResourceApi, ViewOf } from '@waybill/contract/kit/resource'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { callApi } from '../../api/call-api.ts'
import { currentSession } from '../../session/session.ts'
import { readDraft, type Draft } from './draft-store.ts'

/** What a form starts from: the record as the server has it (null for a new one) and what was typed here before. */
export interface FormRecord<View, Values> {
  view: View
  draft: Draft<Values> | null
}

/** Loads a record for its form, always afresh; it is not renewed behind the person's back while the form is open. */
export function useFormRecord<Api extends ResourceApi, Values>(
  api: Api,
  id: number,
): UseQueryResult<FormRecord<ViewOf<Api>, Values>> {
  return useQuery({
    queryKey: [api.path, id, 'form'],
    queryFn: async ({ signal }) => {
      const [view, draft] = await Promise.all([
        callApi(api.get, { params: { id }, signal }),
        readDraft<Values>(draftKeyOf(api, id)),
      ])
      return { view: view as ViewOf<Api>, draft }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The draft of a record that is still to be made. */
export function useNewRecordDraft<Values>(api: ResourceApi): UseQueryResult<{ draft: Draft<Values> | null }> {
  return useQuery({
    queryKey: [api.path, 'new', 'form'],
    queryFn: async () => ({ draft: await readDraft<Values>(draftKeyOf(api, 'new')) }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const draftKeyOf = (
  api: Pick<ResourceApi, 'path'>,
  id: number | 'new',
  userId = currentSession()?.profile.id ?? 0,
) => ({ userId, form: api.path, id })

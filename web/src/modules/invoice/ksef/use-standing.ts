import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getKsefStanding } from '@waybill/contract/invoice/ksef/standing'
import { callApi } from '../../../kit/api/call-api.ts'
import { useLiveChanges } from '../../../kit/live/use-live-changes.ts'
import { readGroupFilter } from '../../../kit/session/token-store.ts'

/** What of our companies in Poland asks for somebody, as it is now. */
export function useKsefStanding() {
  const queries = useQueryClient()
  useLiveChanges('invoice', () => void queries.invalidateQueries({ queryKey: ['ksef-standing'] }))
  return useQuery({
    queryKey: ['ksef-standing', readGroupFilter()],
    queryFn: ({ signal }) => callApi(getKsefStanding, { signal }),
    placeholderData: (before) => before,
    meta: { showsRefusals: true },
  })
}

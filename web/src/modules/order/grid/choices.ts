import { countryApi } from '@waybill/contract/country'
import { unitTypeApi } from '@waybill/contract/type-list'
import { useQuery } from '@tanstack/react-query'
import { callCompact } from '../../../kit/api/call-api.ts'
import type { CompactApi } from '../../../kit/list/reference/references.ts'
import type { Choice } from './paste.ts'

// Short lists that change with the settings, not with the day.
const STALE_MS = 300_000
const NONE: readonly Choice[] = []

/** All of a short list, as choices of a plain select box. */
function useChoices(api: CompactApi): readonly Choice[] {
  const { data } = useQuery({
    queryKey: [api.path, 'compact', 'all'],
    queryFn: async ({ signal }) => {
      const first = await callCompact(api, { perPage: 100 }, signal)
      const items = [...first.items]
      for (let cursor = first.nextCursor; cursor !== null; ) {
        const next = await callCompact(api, { perPage: 100, cursor }, signal)
        items.push(...next.items)
        cursor = next.nextCursor
      }
      return items
    },
    staleTime: STALE_MS,
    meta: { showsRefusals: true },
  })
  return data ?? NONE
}

/** The types of units with what they measure. */
export const useUnitTypes = () => useChoices(unitTypeApi)

/** The countries with their two letters, by which stops are scanned and typed. */
export const useCountries = () => useChoices(countryApi)

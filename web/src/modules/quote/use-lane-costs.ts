import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { measureDistance } from '@waybill/contract/place'
import { listLaneCosts, type LaneCosts } from '@waybill/contract/quote/rate-card'
import { callApi } from '../../kit/api/call-api.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { known } from './price-part.tsx'
import type { PlaceValues, QuoteValues } from './quote-values.ts'

const TYPING_MS = 300
const STALE_MS = 60_000

const figure = (value: number | null): number | undefined => {
  const read = known(value)
  return read === null || read === 0 ? undefined : read
}

/** What the lane that is typed costs; undefined while an end is not known. */
export function useLaneCosts(values: QuoteValues): LaneCosts | undefined {
  const { from, to, customerId } = values
  const wanted =
    from.countryId === null || to.countryId === null
      ? null
      : {
          fromCountryId: from.countryId,
          fromPostal: from.postal.trim() || undefined,
          toCountryId: to.countryId,
          toPostal: to.postal.trim() || undefined,
          day: from.date ?? localToday(),
          distanceKm: figure(values.distanceKm),
          ldm: figure(values.ldm),
          weightKg: figure(values.weightKg),
          customerId: customerId ?? undefined,
        }
  const [asked] = useDebouncedValue(wanted === null ? null : JSON.stringify(wanted), TYPING_MS)
  const { data } = useQuery({
    queryKey: ['quotes', 'costs', asked],
    queryFn: ({ signal }) => callApi(listLaneCosts, { query: JSON.parse(asked!), signal }),
    enabled: asked !== null,
    placeholderData: asked === null ? undefined : keepPreviousData,
    staleTime: STALE_MS,
    retry: false,
    meta: { showsRefusals: true },
  })
  return data
}

const whereabouts = ({ countryId, city }: PlaceValues): string | null =>
  countryId === null || city.trim() === '' ? null : `${countryId} ${city.trim()}`

/** How far it is between the towns, as the place service says; undefined where it does not know. */
export function useMeasured(values: QuoteValues): number | undefined {
  const ends = [whereabouts(values.from), whereabouts(values.to)]
  const [stops] = useDebouncedValue(ends.includes(null) ? null : ends.join('\n'), TYPING_MS)
  const { data } = useQuery({
    queryKey: ['places', 'distance', stops],
    queryFn: ({ signal }) => callApi(measureDistance, { query: { stops: stops!.split('\n') }, signal }),
    enabled: stops !== null,
    staleTime: STALE_MS,
    retry: false,
    meta: { showsRefusals: true },
  })
  return stops === null ? undefined : (data?.distanceKm ?? undefined)
}

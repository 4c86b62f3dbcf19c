import { terminDoubts } from '@waybill/contract/order/termin/termin-doubts'
import { useMemo } from 'react'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { useCountries } from '../grid/choices.ts'
import type { StopValues } from '../values/draft.ts'

/**
 * What looks like a slip in the termin of each stop, in words; null where nothing does. `known` gives a stop the zone
 * that its own values leave to its country.
 */
export function useTerminDoubts(
  stops: readonly StopValues[],
  known?: { index: number; zone: string | null },
): readonly (string | null)[] {
  const countries = useCountries()
  const fieldErrorText = useFieldErrorText()
  const [index, zone] = [known?.index ?? null, known?.zone ?? null]
  const doubts = useMemo(() => {
    const codes = new Map(countries.map(({ id, code }) => [id, code]))
    return terminDoubts(
      stops.map((stop, place) => ({
        ...stop,
        timeZone: stop.timeZone ?? (place === index ? zone : null),
        countryCode: stop.countryId === null ? null : (codes.get(stop.countryId) ?? null),
      })),
    )
  }, [stops, countries, index, zone])
  return doubts.map((codes) => (codes.length === 0 ? null : codes.map((code) => fieldErrorText(code)).join(' · ')))
}

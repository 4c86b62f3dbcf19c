import { countryApi } from '@waybill/contract/country'
import type { Reference } from '@waybill/contract/kit/fields'
import { fold } from '@waybill/contract/kit/text'
import { unitTypeApi } from '@waybill/contract/type-list'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callCompact } from '../../../kit/api/call-api.ts'
import type { CompactApi } from '../../../kit/list/reference/references.ts'
import type { Choice } from './paste.ts'

// Short lists that change with the settings, not with the day.
const STALE_MS = 300_000
const NONE: readonly Reference[] = []

/** All of a short list, as choices of a plain select box. */
function useChoices(api: CompactApi): readonly Reference[] {
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

export const useUnitTypes = () => useChoices(unitTypeApi)

/** The countries with their two letters, by which stops are scanned and typed. */
export function useCountries(): readonly Choice[] {
  const countries = useChoices(countryApi)
  return useMemo(() => countries.map((country) => ({ ...country, code: countryCodeOf(country.title) })), [countries])
}

let codes: Map<string, string> | null = null

/**
 * The two letters of a country by its name in one of our languages; null for a name that nobody knows.
 * A picker's list holds names alone (api, Three representations).
 */
export function countryCodeOf(title: string): string | null {
  codes ??= readCodes()
  return codes.get(plain(title)) ?? null
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const plain = (name: string): string =>
  fold(name)
    .replaceAll('&', 'and')
    .replace(/[^a-z]+/g, ' ')
    .trim()

function readCodes(): Map<string, string> {
  const known = new Map<string, string>()
  const regions = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => new Intl.Locale(`und-${code}`).toString() === `und-${code}`,
  )
  for (const language of ['en', 'de', 'pl']) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of regions) {
      const name = names.of(code)
      if (name !== undefined) known.set(plain(name), code)
    }
  }
  return known
}

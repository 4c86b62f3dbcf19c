import type { BoardBar, BoardPrices, BoardStop, WaitingCard } from '@waybill/contract/order/planning/board'
import type { BarWarning } from '@waybill/contract/order/planning/warnings'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Format } from '../../../kit/i18n/format.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { useReasonWords } from '../values/reason-words.ts'

const MINUTES_AN_HOUR = 60
const MINUTES_A_DAY = 24 * MINUTES_AN_HOUR

/** How long, as planners say it: `45 min`, `3 h`, `1 d 9 h`. */
export function longWords(minutes: number, t: TFunction<'planning'>): string {
  if (minutes < MINUTES_AN_HOUR) return t('minutes', { count: minutes })
  const [days, hours] = [Math.floor(minutes / MINUTES_A_DAY), Math.floor((minutes % MINUTES_A_DAY) / MINUTES_AN_HOUR)]
  const rest = minutes % MINUTES_AN_HOUR
  return [
    days > 0 ? t('days', { count: days }) : null,
    hours > 0 ? t('hours', { count: hours }) : null,
    days === 0 && hours < 10 && rest > 0 ? t('minutes', { count: rest }) : null,
  ]
    .filter((part) => part !== null)
    .join(' ')
}

/** Where a stop is, as short as it goes. */
export const placeName = (stop: BoardStop | undefined): string => stop?.city ?? stop?.countryCode ?? '–'

/** From where over where to where, each town once in a row. */
export const laneOf = (stops: readonly BoardStop[]): string =>
  stops
    .map(placeName)
    .filter((name, index, all) => name !== all[index - 1])
    .join(' → ')

/** How a request for prices stands: `4 asked, no price yet`, `1,180.00 € best of 3, limit 1,324.00 €`. */
export function priceWords(prices: BoardPrices, t: TFunction<'planning'>, format: Format): string {
  const { asked, priced, declined, bestCents, limitCents } = prices
  if (bestCents === null) return t(declined === asked ? 'prices.declined' : 'prices.asked', { count: asked })
  const best = t('prices.best', { price: format.euro(bestCents), count: priced })
  return limitCents === null ? best : `${best}, ${t('prices.limit', { price: format.euro(limitCents) })}`
}

/** True for what a red frame is drawn around; the rest is amber. */
export const isConflict = ({ code }: BarWarning): boolean =>
  code === 'vehicle_twice' ||
  code === 'vehicle_busy' ||
  code === 'driver_twice' ||
  code === 'gap_too_short' ||
  code === 'unreachable' ||
  code === 'not_cleared'

type WarningWords = (warning: BarWarning, stops: readonly BoardStop[]) => string

/** What bars and rows are told in; made once for all of them, for a board has a thousand. */
export interface BoardWords {
  t: TFunction<['planning', 'order-list']>
  format: Format
  warningWords: WarningWords
}

/** The same object as long as the language stays. `numberOf` names another route. */
export function useBoardWords(numberOf: (routeId: number) => string): BoardWords {
  const { t } = useTranslation(['planning', 'order-list'])
  const format = useFormat()
  const warningWords = useWarningWords(numberOf)
  return useMemo(() => ({ t, format, warningWords }), [t, format, warningWords])
}

/** What is doubtful of a route, in words. `numberOf` names another route. */
export function useWarningWords(numberOf: (routeId: number) => string): WarningWords {
  const { t } = useTranslation('planning')
  const format = useFormat()
  const reasonWords = useReasonWords()
  return useMemo(() => warningWordsIn({ t, format, reasonWords, numberOf }), [t, format, reasonWords, numberOf])
}

interface WordSources {
  t: TFunction<'planning'>
  format: Format
  reasonWords: ReturnType<typeof useReasonWords>
  numberOf: (routeId: number) => string
}

function warningWordsIn({ t, format, reasonWords, numberOf }: WordSources): WarningWords {
  return (warning, stops) => {
    switch (warning.code) {
      case 'too_long':
        return t('warning.too_long', { value: format.number(warning.value), limit: format.number(warning.limit) })
      case 'too_heavy':
        return t('warning.too_heavy', { value: format.number(warning.value), limit: format.number(warning.limit) })
      case 'late':
      case 'early':
      case 'unreachable':
        return t(`warning.${warning.code}`, {
          place: placeName(stops.find(({ id }) => id === warning.stopId)),
          long: longWords(warning.minutes, t),
        })
      case 'vehicle_twice':
      case 'driver_twice':
      case 'gap_too_short':
        return t(`warning.${warning.code}`, {
          number: numberOf(warning.routeId),
          long: longWords(warning.minutes, t),
        })
      case 'vehicle_busy':
        return t('warning.vehicle_busy', { long: longWords(warning.minutes, t) })
      case 'not_cleared':
        return t('warning.not_cleared', { reasons: warning.reasons.map(reasonWords).join(', ') })
    }
  }
}

/** How late a bar is: `+7 h`, `+1 d 9 h`. */
export const lateWords = ({ delay }: BoardBar, now: number, t: TFunction<'planning'>): string | null =>
  delay === null ? null : `+${longWords(Math.max(60, Math.floor((now - Date.parse(delay.expectedAt)) / 60_000)), t)}`

/** Loading metres and tonnes that go on, for a card of the list. */
export function loadOf(stops: WaitingCard['stops'], format: Format): string {
  const ldm = stops.reduce((sum, stop) => sum + stop.ldmOn, 0)
  const kg = stops.reduce((sum, stop) => sum + stop.kgOn, 0)
  return `${format.number(ldm, 1, 1)} · ${format.number(kg / 1000, 1, 1)} t`
}

import { localOf } from '@waybill/contract/kit/local-time'
import type { TrackedStop, TrackedTermin, TrackingPage } from '@waybill/contract/public/tracking-link'
import { momentText, terminText } from '../shell/when-words.ts'
import type { Words } from './track-words.ts'

const hasTime = ({ timeFrom, timeTo }: TrackedTermin): boolean => timeFrom !== null || timeTo !== null

/** Until when a stop was due; where no time was agreed the day says it all. */
function dueText({ termin, timeZone }: TrackedStop, dueAt: string, words: Words): string {
  if (termin !== null && hasTime(termin)) return momentText(dueAt, timeZone, words)
  return words.format.shortWeekdayDate(localOf(dueAt, timeZone).date)
}

/** Hours and minutes of a delay: `2 h 30 min`. */
export function lateText(minutes: number, { t }: Words): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return t('minutes', { minutes: rest })
  return rest === 0 ? t('hours', { hours }) : t('hoursMinutes', { hours, minutes: rest })
}

/** What a stop is called where there is no town. */
export const placeText = ({ city, countryCode }: TrackedStop, { countryName }: Words): string =>
  city ?? countryName(countryCode)

/** What the map of the stops shows, for who does not see it. */
export function mapText({ stops }: TrackingPage, words: Words): string {
  const { t } = words
  const said = stops.map((stop, place) => {
    const text = t('mapStop', { number: place + 1, what: t(`${stop.kind}Stop`), place: placeText(stop, words) })
    return stop.isDone ? `${text} (${t('done')})` : text
  })
  return t('map', { stops: said.join('; ') })
}

interface Standing {
  tone: 'plain' | 'late' | 'done'
  heading: string
  /** below it; empty for nothing */
  detail: string
}

/** The one sentence that says what is going on, and what is known beside it. */
export function standingText(page: TrackingPage, words: Words): Standing {
  const { t } = words
  const { state, stops, delay } = page
  const stop = page.stop === null ? undefined : stops[page.stop]
  if (delay !== null) {
    const late = stops[delay.stop]!
    const due = dueText(late, delay.dueAt, words)
    return {
      tone: 'late',
      heading: t('late', { place: placeText(late, words) }),
      detail:
        delay.expectedAt === null
          ? t('lateUnknown', { due })
          : t('lateUntil', { expected: momentText(delay.expectedAt, late.timeZone, words), due }),
    }
  }
  if (state === 'canceled') return { tone: 'plain', heading: t('canceled'), detail: '' }
  if (state === 'delivered') {
    const done = stop?.unloadedAt ?? null
    return {
      tone: 'done',
      heading: t('delivered'),
      detail: stop === undefined || done === null ? '' : momentText(done, stop.timeZone, words),
    }
  }
  if (stop === undefined)
    return { tone: 'plain', heading: state === 'onTheWay' ? t('onTheWay') : t('planned'), detail: '' }
  const at = {
    planned: stop.expectedAt,
    toLoading: stop.expectedAt,
    onTheWay: stop.expectedAt,
    loading: stop.arrivedAt,
    arrived: stop.arrivedAt,
    loaded: stop.loadedAt,
  }[state]
  const detail = () => {
    if (at !== null) {
      const time = momentText(at, stop.timeZone, words)
      return state === 'loading' || state === 'arrived' || state === 'loaded' ? time : t('expectedAt', { time })
    }
    return stop.termin === null || stop.isDone ? '' : t('plannedFor', { time: terminText(stop.termin, words) })
  }
  return { tone: 'plain', heading: t(`${state}At`, { place: placeText(stop, words) }), detail: detail() }
}

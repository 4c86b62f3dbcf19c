import { long } from '../text/long.ts'
import type { ReadTermin } from '@waybill/contract/intake/reading'
import type { Day } from '../find/days.ts'
import type { Time } from '../find/times.ts'
import type { Found } from '../find/found.ts'

export interface FoundTermin extends Found {
  termin: ReadTermin
  /** a written day and no doubt about what the times are */
  isSure: boolean
  isContradicted: boolean
}

type Sign = Day | Time

const UNTIL = new RegExp(long`
    (?:\bbis(?: spatestens)?(?: zum)?|spatestens(?: bis)?(?: zum)?|\bvor|until|till|\bby|before|(?:no
    |not) later than|latest(?: by)?|\bdo|najpozniej(?: do)?|\bprzed|deadline)\s{0,2}:?\s?(?:den|am|um|the|at|on
    |godz\.?|godziny|dnia|ca\.?|dem|zum)?\s{0,2}(?:(?:uhr|godz\.?)\s)?$
  `)
const SINCE = new RegExp(long`
    (?:\bab|\bvon|\bfruhestens|\bfrom|\bafter|earliest|not before|\bod|\bpo|najwczesniej|zwischen|between
    |miedzy)\s{0,2}(?:den|dem|am|um|the|at|on|godz\.?|godziny|dnia|ca\.?)?\s{0,2}$
  `)
const LATEST_AFTER = /^\s{0,2}(?:spatestens|at the latest|latest|najpozniej)\b/
const TO_DAY = /^[\s,]{0,3}(?:-|bis|to|do|until|till|und|and|a|i)[\s]{0,2}(?:zum |the |dnia )?(?:\ue000*)$/
// Between two signs of one termin there are few words.
const FAR = 34

const isUntil = (low: string, at: number): boolean => UNTIL.test(low.slice(Math.max(0, at - 30), at))
const isSince = (low: string, at: number): boolean => SINCE.test(low.slice(Math.max(0, at - 24), at))

/** The signs that stand together, from the first on: a day with its times, or two days. */
function cluster(low: string, signs: readonly Sign[]): Sign[] {
  const [first] = signs
  if (first === undefined) return []
  const together: Sign[] = [{ ...first }]
  for (const sign of signs.slice(1)) {
    const last = together.at(-1)!
    const between = low.slice(last.to, sign.from)
    // `05.02.2027 (piątek)`, `jutro 24.11.`: the same day in two words.
    const twin = together.find((one) => one.kind === 'day' && sign.kind === 'day' && one.date === sign.date)
    if (twin !== undefined && sign.from - last.to < 12) {
      Object.assign(last, { to: sign.to })
      continue
    }
    if (
      sign.from - last.to > FAR ||
      /\n\s*\n/.test(between) ||
      (/[;(][a-z ]{0,20}$/.test(between) && between.length > 14)
    )
      break
    const hasDay = together.some(({ kind }) => kind === 'day')
    if (sign.kind === 'day' && hasDay && !TO_DAY.test(between) && !isUntil(low, sign.from)) break
    if (sign.kind === 'day' && together.filter(({ kind }) => kind === 'day').length > 1) break
    if (/\n/.test(between) && sign.kind === 'day' && hasDay) break
    together.push({ ...sign })
  }
  return together
}

/** What the signs of a place say together, as the product writes a termin; null where there is no day. */
export function terminOf(low: string, signs: readonly Sign[]): FoundTermin | null {
  const all = cluster(low, signs)
  const days = all.filter((sign) => sign.kind === 'day')
  const times = all.filter((sign) => sign.kind === 'time')
  const [day, otherDay] = days
  if (day === undefined) return null
  const place = { from: all[0]!.from, to: all.at(-1)!.to }
  const answer = (termin: ReadTermin, isClear = true): FoundTermin => ({
    ...place,
    termin,
    isSure: isClear && days.every(({ isWritten, isContradicted }) => isWritten && !isContradicted),
    isContradicted: days.some(({ isContradicted }) => isContradicted),
  })
  const window = times.find(({ until }) => until !== null)
  const untilTime = times.find(({ from, to }) => isUntil(low, from) || LATEST_AFTER.test(low.slice(to, to + 16)))
  const isUntilDay = isUntil(low, day.from) || LATEST_AFTER.test(low.slice(day.to, day.to + 16))
  const plain = times.find((time) => time !== untilTime && time !== window)
  if (otherDay !== undefined) {
    const until = otherDay.date
    const before = times.filter(({ from }) => from < otherDay.from)
    const after = times.filter(({ from }) => from > otherDay.from)
    if (until < day.date) return answer(fixed(day.date, plain?.time ?? null), false)
    if (before.length === 0 && window !== undefined)
      return answer({ kind: 'period', dateFrom: day.date, timeFrom: window.time, dateTo: until, timeTo: window.until })
    return answer({
      kind: 'period',
      dateFrom: day.date,
      timeFrom: before[0]?.time ?? null,
      dateTo: until,
      timeTo: after.at(-1)?.time ?? null,
    })
  }
  const lastDay = day.until ?? day.date
  if (window !== undefined)
    return answer({ kind: 'period', dateFrom: day.date, timeFrom: window.time, dateTo: lastDay, timeTo: window.until })
  if (day.until !== null)
    return answer({
      kind: 'period',
      dateFrom: day.date,
      timeFrom: plain?.time ?? null,
      dateTo: day.until,
      timeTo: untilTime?.time ?? null,
    })
  if (untilTime !== undefined && plain !== undefined && plain.from < untilTime.from && plain.time < untilTime.time)
    return answer({
      kind: 'period',
      dateFrom: day.date,
      timeFrom: plain.time,
      dateTo: day.date,
      timeTo: untilTime.time,
    })
  if (untilTime !== undefined || isUntilDay) {
    const time = untilTime ?? plain
    return answer({ kind: 'before', dateFrom: day.date, timeFrom: time?.time ?? null, dateTo: null, timeTo: null })
  }
  const since = plain !== undefined && isSince(low, plain.from)
  if (since || isSince(low, day.from))
    return answer({ kind: 'period', dateFrom: day.date, timeFrom: plain?.time ?? null, dateTo: day.date, timeTo: null })
  return answer(fixed(day.date, plain?.time ?? null), times.length <= 1)
}

const fixed = (dateFrom: string, timeFrom: string | null): ReadTermin => ({
  kind: 'fix',
  dateFrom,
  timeFrom,
  dateTo: null,
  timeTo: null,
})

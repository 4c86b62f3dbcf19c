import type { Language } from '../../errors.ts'
import { addDays, isRealDate, weekdayOf } from '../../kit/local-time.ts'
import { fold } from '../../kit/text.ts'
import { isTermin, type Termin } from './termin.ts'

// Words are listed folded (without accents), as people write them in mails.
type Word = { weekday: number } | { days: number } | 'until' | 'from' | 'and' | 'fix' | 'filler'

function dictionary(
  weekdays: string[],
  days: string[],
  words: Record<'until' | 'from' | 'and' | 'fix' | 'filler', string>,
): Map<string, Word> {
  const entries = new Map<string, Word>()
  weekdays.forEach((names, index) => names.split(' ').forEach((name) => entries.set(name, { weekday: index + 1 })))
  days.forEach((names, index) => names.split(' ').forEach((name) => name && entries.set(name, { days: index })))
  for (const [meaning, names] of Object.entries(words))
    names.split(' ').forEach((name) => entries.set(name, meaning as Word))
  return entries
}

const WORDS: Readonly<Record<Language, Map<string, Word>>> = {
  en: dictionary(
    [
      'mon monday',
      'tue tues tuesday',
      'wed wednesday',
      'thu thur thurs thursday',
      'fri friday',
      'sat saturday',
      'sun sunday',
    ],
    ['today', 'tomorrow'],
    {
      until: 'by before until till til to latest',
      from: 'from after between',
      and: 'and',
      fix: 'fix fixed sharp exactly',
      filler: 'at on the window slot hrs hours',
    },
  ),
  de: dictionary(
    ['mo montag', 'di dienstag', 'mi mittwoch', 'do donnerstag', 'fr freitag', 'sa samstag sonnabend', 'so sonntag'],
    ['heute', 'morgen', 'ubermorgen'],
    {
      until: 'bis vor spatestens',
      from: 'ab von zwischen',
      and: 'und',
      fix: 'fix fixtermin punktlich genau',
      filler: 'am um den uhr fenster zeitfenster',
    },
  ),
  pl: dictionary(
    [
      'pn pon poniedzialek',
      'wt wto wtorek',
      'sr sro sroda srode',
      'cz czw czwartek',
      'pt pia piatek',
      'sb so sob sobota sobote',
      'nd ndz nie niedz niedziela niedziele',
    ],
    ['dzis dzisiaj', 'jutro', 'pojutrze'],
    {
      until: 'do przed najpozniej',
      from: 'od miedzy pomiedzy',
      and: 'i a',
      fix: 'fix punktualnie dokladnie',
      filler: 'dnia w we o godz godzina godziny okno r roku',
    },
  ),
}

const MONTHS = new Map(
  [
    'jan january januar jaenner sty stycznia styczen',
    'feb february februar lut lutego luty',
    'mar march marz maerz mrz marca marzec',
    'apr april kwi kwietnia kwiecien',
    'may mai maj maja',
    'jun june juni cze czerwca czerwiec',
    'jul july juli lip lipca lipiec',
    'aug august sie sierpnia sierpien',
    'sep sept september wrz wrzesnia wrzesien',
    'oct october okt oktober paz pazdziernika pazdziernik',
    'nov november lis listopada listopad',
    'dec december dez dezember gru grudnia grudzien',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
)

interface Day {
  day: number
  month: number
  year: number | null
}

interface Time {
  minutes: number
  /** written as a bare hour, which before a date may be a day: `2-4.12` */
  bare: boolean
  meridiem: 'am' | 'pm' | null
}

/** What stands on one side of a dash or an *until*. */
interface Side {
  from: boolean
  day: Day | null
  /** a date counted from today */
  date: string | null
  weekday: number | null
  time: Time | null
}

const pad = (value: number): string => String(value).padStart(2, '0')
const dateOf = (year: number, { day, month }: Day): string => `${year}-${pad(month)}-${pad(day)}`
const yearOf = (date: string): number => Number(date.slice(0, 4))
const isDay = (day: Day): boolean => isRealDate(dateOf(day.year ?? 2024, day))

/** The date meant: in its own year, else the next such from `base` on (a 29 February may be seven years off). */
function resolveDay(day: Day, base: string): string | null {
  if (day.year !== null) return isDay(day) ? dateOf(day.year, day) : null
  for (let year = yearOf(base); year <= yearOf(base) + 8; year++) {
    const date = dateOf(year, day)
    if (isRealDate(date) && date >= base) return date
  }
  return null
}

/** The side's date; null where there is none or its weekday says otherwise. */
function resolveSide({ day, date, weekday }: Side, base: string): string | null {
  if (day === null && date === null) return weekday === null ? null : addDays(base, (weekday - weekdayOf(base) + 7) % 7)
  const resolved = date ?? resolveDay(day!, base)
  return resolved !== null && (weekday === null || weekdayOf(resolved) === weekday) ? resolved : null
}

const hasDay = ({ day, date, weekday }: Side): boolean => day !== null || date !== null || weekday !== null

/** Monday to Friday of a calendar week (ISO 8601); without a year the next one that is not over. */
function weekTermin(week: number, year: number | null, today: string): Termin | null {
  const years = year === null ? Array.from({ length: 8 }, (_, index) => yearOf(today) - 1 + index) : [year]
  for (const one of years) {
    const fourth = `${one}-01-04`
    const monday = addDays(fourth, 1 - weekdayOf(fourth) + 7 * (week - 1))
    const isOfYear = week >= 1 && yearOf(addDays(monday, 3)) === one
    const friday = addDays(monday, 4)
    if (isOfYear && (year !== null || friday >= today))
      return { kind: 'period', dateFrom: monday, timeFrom: null, dateTo: friday, timeTo: null }
  }
  return null
}

/** HH:MM; null for the end of the day (24:00), which a termin writes by leaving the time out. */
const clock = (minutes: number): string | null =>
  minutes === 1440 ? null : `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`

interface Reading {
  left: Side
  right: Side
  separator: 'dash' | 'until' | null
  week: { week: number; year: number | null } | null
}

/** Takes the text apart; null where a part of it has no meaning here, so that nothing is overlooked. */
function read(text: string, today: string, language: Language): Reading | null {
  const emptySide = (): Side => ({ from: false, day: null, date: null, weekday: null, time: null })
  const reading: Reading = { left: emptySide(), right: emptySide(), separator: null, week: null }
  const lookUp = (word: string): Word | undefined =>
    WORDS[language].get(word) ?? WORDS.en.get(word) ?? WORDS.de.get(word) ?? WORDS.pl.get(word)
  let side = reading.left
  let at = 0
  let match: RegExpExecArray | null = null
  const eat = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match !== null
  }
  const group = (index: number): string | undefined => match?.[index]
  const number = (index: number): number => Number(group(index))
  const isLikelyYear = (year: number): boolean => year >= yearOf(today) - 1 && year <= yearOf(today) + 10
  /** A year that stands apart after the day: `26 Nov 2026`. Unlikely ones are times: `30.11 2000`. */
  const eatYear = (): number | null => {
    const before = at
    if (eat(/\s*(20\d\d)(?![\d:.h])/y) && isLikelyYear(number(1))) return number(1)
    at = before
    return null
  }
  const setDay = (day: Day): boolean => {
    if (side.day !== null || side.date !== null || !isDay(day)) return false
    side.day = day
    return true
  }
  const setTime = (hours: number, minutes: number, bare: boolean): boolean => {
    let meridiem: Time['meridiem'] = null
    // In German "am" belongs to the date that follows.
    if (language === 'en' && eat(/\s*(am|pm)(?![a-z])/y)) meridiem = group(1) as 'am' | 'pm'
    else eat(/\s*(?:uhr|hrs|h)(?![a-z])/y)
    if (meridiem !== null) {
      if (hours < 1 || hours > 12) return false
      hours = (hours % 12) + (meridiem === 'pm' ? 12 : 0)
    }
    const total = hours * 60 + minutes
    if (side.time !== null || minutes > 59 || total > 1440) return false
    side.time = { minutes: total, bare: bare && meridiem === null, meridiem }
    return true
  }
  const separate = (separator: 'dash' | 'until'): boolean => {
    if (reading.separator !== null) return false
    reading.separator = separator
    side = reading.right
    return true
  }
  /**
   * `8.12` is a day in December, or twelve past eight where a day is known already. A weekday that does not fit it is
   * a slip, not a hint.
   */
  const isTime = (day: Day, hours: number, minutes: number, minuteDigits: number): boolean => {
    if (minuteDigits !== 2 || hours > 24 || minutes > 59) return false
    if (!isDay(day) || side.day !== null || side.date !== null) return true
    if (side.weekday !== null) return false
    if (side === reading.left || !hasDay(reading.left)) return false
    const start = resolveSide(reading.left, today)
    const end = start === null ? null : resolveDay(day, start)
    return start !== null && (end === null || end > addDays(start, 31))
  }
  const dottedDay = (): boolean => {
    const [day, month] = [number(1), number(2)]
    const monthDigits = group(2)!.length
    const isDotted = group(0)!.includes('.')
    const start = at
    let year: number | null = null
    let isEnded = false
    if (eat(/[./](\d{4}|\d{2})(?!\d)/y)) {
      year = group(1)!.length === 4 ? number(1) : 2000 + number(1)
      // Two digits that make no likely year are a time that follows a full stop: `30.11.14-16`.
      if (group(1)!.length === 2 && !isLikelyYear(year)) {
        year = null
        at = start + 1
      }
      isEnded = true
    } else isEnded = eat(/\.(?!\d\d)/y)
    if (isDotted && !isEnded && isTime({ day, month, year: null }, day, month, monthDigits))
      return setTime(day, month, false)
    return setDay({ day, month, year: year ?? eatYear() })
  }
  const word = (): boolean => {
    const name = group(0)!
    eat(/\./y)
    const month = MONTHS.get(name)
    if (month !== undefined) {
      if (!eat(/\s*(\d{1,2})(?:st|nd|rd|th)?(?![\d:.h])/y)) return false
      return setDay({ day: number(1), month, year: eatYear() })
    }
    const meaning = lookUp(name)
    if (meaning === undefined) return false
    if (meaning === 'filler' || meaning === 'fix') return true
    if (meaning === 'until') return separate('until')
    if (meaning === 'and') return separate('dash')
    if (meaning === 'from') return (side.from = side === reading.left)
    if ('weekday' in meaning) {
      if (side.weekday !== null) return false
      side.weekday = meaning.weekday
      return true
    }
    if (side.day !== null || side.date !== null) return false
    side.date = addDays(today, meaning.days)
    return true
  }
  const monthAfterDay = (): boolean => {
    const before = at
    if (eat(/(\d{1,2})(?:st|nd|rd|th|\.)?\s*([a-z]{3,})\.?/y)) {
      const month = MONTHS.get(group(2)!)
      if (month !== undefined) return setDay({ day: number(1), month, year: eatYear() }) || ((at = -1), false)
    }
    at = before
    return false
  }
  while (at < text.length) {
    let isUnderstood: boolean
    if (eat(/[\s,;()[\]"'.]+/y)) isUnderstood = true
    else if (eat(/(\d{4})-(\d{2})-(\d{2})(?!\d)/y))
      isUnderstood = setDay({ day: number(3), month: number(2), year: number(1) })
    else if (eat(/\+\s?(\d{1,3})(?:\s?(?:d|t|days?|tage?|dni))?(?![\da-z])/y)) {
      isUnderstood = side.day === null && side.date === null
      side.date = addDays(today, number(1))
    } else if (eat(/(?:kw|cw|wk|week|tydzien|tydz|tyg)\.?\s*(\d{1,2})(?!\d)(?:\s*\/?\s*(20\d\d))?/y)) {
      isUnderstood = reading.week === null
      reading.week = { week: number(1), year: group(2) === undefined ? null : number(2) }
    } else if (monthAfterDay()) isUnderstood = true
    else if (at === -1) return null
    else if (eat(/(\d{1,2})[./](\d{1,2})(?!\d)/y)) isUnderstood = dottedDay()
    else if (eat(/(\d{1,2})[:h](\d{2})(?!\d)/y)) isUnderstood = setTime(number(1), number(2), false)
    else if (eat(/(\d{2})(\d{2})(?!\d)/y)) isUnderstood = setTime(number(1), number(2), false)
    else if (eat(/(\d{1,2})(?!\d)/y)) isUnderstood = setTime(number(1), 0, true)
    else if (eat(/[a-z]+/y)) isUnderstood = word()
    else if (eat(/<=?|≤/y)) isUnderstood = separate('until')
    else if (eat(/>=?|≥/y)) isUnderstood = side.from = side === reading.left
    else if (eat(/-+/y)) isUnderstood = separate('dash')
    else return null
    if (!isUnderstood) return null
  }
  return reading
}

function interpret({ left, right, separator, week }: Reading, today: string): Termin | null {
  const isEmpty = (side: Side) => !hasDay(side) && side.time === null
  if (week !== null)
    return isEmpty(left) && isEmpty(right) && separator === null ? weekTermin(week.week, week.year, today) : null

  if (separator === null) {
    const date = resolveSide(left, today)
    if (date === null) return null
    if (left.from)
      return left.time === null
        ? null
        : { kind: 'period', dateFrom: date, timeFrom: clock(left.time.minutes), dateTo: date, timeTo: null }
    return left.time?.minutes === 1440
      ? null
      : { kind: 'fix', dateFrom: date, timeFrom: left.time && clock(left.time.minutes), dateTo: null, timeTo: null }
  }

  if (isEmpty(right)) {
    const date = resolveSide(left, today)
    if (separator === 'until' || date === null || left.time === null) return null
    return { kind: 'period', dateFrom: date, timeFrom: clock(left.time.minutes), dateTo: date, timeTo: null }
  }

  const before = (date: string | null, time: Time | null): Termin | null =>
    date === null
      ? null
      : { kind: 'before', dateFrom: date, timeFrom: time && clock(time.minutes), dateTo: null, timeTo: null }
  if (isEmpty(left)) return before(resolveSide(right, today), right.time)

  if (!hasDay(left)) {
    const date = resolveSide(right, today)
    if (date === null || left.time === null) return null
    if (right.time !== null) return span(date, left.time, date, right.time)
    // `2-4.12`: two days of one month.
    const first =
      right.day && left.time.bare
        ? resolveDay({ ...right.day, day: left.time.minutes / 60 }, date.slice(0, 8) + '01')
        : null
    return first !== null && first <= date && first.slice(0, 7) === date.slice(0, 7)
      ? span(first, null, date, null)
      : null
  }

  if (!hasDay(right)) {
    const date = resolveSide(left, today)
    if (date === null || right.time === null) return null
    if (left.time === null) return left.from ? span(date, null, date, right.time) : before(date, right.time)
    return span(date, left.time, date, right.time)
  }

  // The year of the end counts for the start too: `30.11–2.12.2026`.
  if (left.day?.year === null && right.day !== null && right.day.year !== null) {
    const end = resolveSide(right, today)
    const inYear = end && resolveSide({ ...left, day: { ...left.day, year: yearOf(end) } }, today)
    const start =
      inYear !== null && end !== null && inYear <= end
        ? inYear
        : end && resolveSide({ ...left, day: { ...left.day, year: yearOf(end) - 1 } }, today)
    return start === null || end === null ? null : span(start, left.time, end, right.time)
  }
  const start = resolveSide(left, today)
  const end = start && resolveSide(right, start)
  return start === null || end === null ? null : span(start, left.time, end, right.time)
}

/** A period; one that ends at an earlier time of the same day ends on the next. */
function span(dateFrom: string, from: Time | null, dateTo: string, to: Time | null): Termin | null {
  let start = from?.minutes ?? null
  const end = to?.minutes ?? null
  if (start === 1440) return null
  // `2-4 pm`: the afternoon is meant for both.
  if (
    from !== null &&
    to?.meridiem === 'pm' &&
    from.meridiem === null &&
    start !== null &&
    end !== null &&
    start < 720 &&
    start + 720 <= end
  )
    start += 720
  const isOverNight = dateFrom === dateTo && start !== null && end !== null && end < start
  return {
    kind: 'period',
    dateFrom,
    timeFrom: start === null ? null : clock(start),
    dateTo: isOverNight ? addDays(dateTo, 1) : dateTo,
    timeTo: end === null ? null : clock(end),
  }
}

/**
 * A time as people write it (`4.12 8-10`, `3.12 -16`, `+2 7`, `mo bis 12`, `KW 49`) as a termin; null where it is not
 * understood wholly. Days come first (4.12 = 4 December), a day without a year is the next such from today, today
 * included; `today` is `YYYY-MM-DD`. A single time is `fix`, an end alone `before`, two are a `period`. The words of
 * all three languages are known, those of `language` go before. Show the result in full before it counts. Never throws.
 */
export function parseTermin(text: string, { today, language }: { today: string; language: Language }): Termin | null {
  if (text.length > 120 || !isRealDate(today)) return null
  const reading = read(fold(text).replace(/[‐‑‒–—−→]/g, '-'), today, language)
  const found = reading && interpret(reading, today)
  return found !== null && isTermin(found) ? found : null
}

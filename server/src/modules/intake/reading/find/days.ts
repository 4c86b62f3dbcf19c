import { long } from '../text/long.ts'
import { addDays, isRealDate, weekdayOf } from '@waybill/contract/kit/local-time'
import { monthOf } from '../text/zones.ts'
import { scan, without, type Found } from './found.ts'

export interface Day extends Found {
  kind: 'day'
  date: string
  /** of a calendar week or of several days */
  until: string | null
  /** the day is written, not counted from a weekday or *tomorrow* */
  isWritten: boolean
  /** the weekday beside it is another day's */
  isContradicted: boolean
  /** then the nearest day of that weekday */
  byWeekday: string | null
}

const WEEKDAYS: readonly string[] = [
  'montags?|mo|monday|mon|poniedzialek|poniedzialku|pon|pn',
  'dienstags?|di|tuesday|tues|tue|wtorek|wtorku|wto|wt',
  'mittwochs?|mi|wednesday|wed|sroda|srode|srody|sr',
  'donnerstags?|do|thursday|thurs|thur|thu|czwartek|czwartku|czw|cz',
  'freitags?|fr|friday|fri|piatek|piatku|pt|pia',
  'samstags?|sonnabend|sa|saturday|sat|sobota|sobote|soboty|sob',
  'sonntags?|so|sunday|sun|niedziela|niedziele|niedzieli|niedz|nd',
]
const LONG = WEEKDAYS.map((names) =>
  names
    .split('|')
    .filter((name) => name.length > 4)
    .join('|'),
)
const weekdayOfWord = (word: string): number =>
  WEEKDAYS.findIndex((names) => new RegExp(`^(?:${names})$`).test(word)) + 1

const WEEKDAY = `(?:(${WEEKDAYS.join('|')})\\b\\.?,?\\s{0,2}(?:(?:den|the|dnia|dn\\.|dem|,)\\s{1,2})?\\(?)?`
const BEFORE = '(?<![\\w./-])'
const ISO = new RegExp(`${BEFORE}${WEEKDAY}(20\\d\\d)-(\\d\\d)-(\\d\\d)(?!\\d)`, 'g')
const FIGURES = new RegExp(
  `${BEFORE}${WEEKDAY}([0-3]?\\d)\\s?([./-])\\s?([01]?\\d)\\s?` +
    '(?:\\3\\s?((?:20)?\\d\\d)(?![\\d:])|(\\.)?(?![\\d:,]\\d|\\d))',
  'g',
)
const MONTHS =
  long`
    (?:jan(?:uary?|uar|ner)?|feb(?:ruary?|ruar)?|mar(?:ch|z|ca|zec)?|maerz|mrz|apr(?:il)?|may|mai|maja?|june?|juni
    |july?|juli|
  ` +
  'aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|sty(?:cznia|czen)?|lut(?:ego|y)?|' +
  long`
    kwi(?:etnia|ecien)?|cze(?:rwca|rwiec)?|lip(?:ca|iec)?|sierp(?:nia|ien)|wrz(?:esnia|esien)?|paz(?:dziernika
    |dziernik)?|
  ` +
  'lis(?:topada|topad)?|gru(?:dnia|dzien)?)'
const WORDED = new RegExp(
  `${BEFORE}${WEEKDAY}([0-3]?\\d)(?:st|nd|rd|th)?\\.?\\s{1,2}(?:of\\s)?(${MONTHS})\\b\\.?(?:,?\\s{1,2}(20\\d\\d)\\b)?`,
  'g',
)
const AMERICAN = new RegExp(
  `${BEFORE}${WEEKDAY}(${MONTHS})\\.?\\s{1,2}([0-3]?\\d)(?:st|nd|rd|th)?\\b(?![:.]\\d)(?:,?\\s{1,2}(20\\d\\d)\\b)?`,
  'g',
)
const WEEKDAY_NTH = new RegExp(
  `${BEFORE}(${WEEKDAYS.join('|')})\\.?,?\\s{1,2}(?:the\\s)?([0-3]?\\d)(?:st|nd|rd|th)\\b`,
  'g',
)
const DAY_RANGE =
  /(?<![\w./-])([0-3]?\d)\.?\s?(?:-|bis|do|to)\s?([0-3]?\d)[./]([01]?\d)(?:[./]((?:20)?\d\d)?)?(?![\d:])/g
const WEEK = new RegExp(
  long`
    \b(?:kw|calendar week|cal\. week|week|wk|woche|kalenderwoche|tydzien|tyg\.?|tygodniu
    |cw)\s?\.?(?:nr\.?\s?)?(\d{1,2})(?:\s?\/\s?(20\d\d))?(?![\d:.])(?!\s?(?:days|tage))
  `,
  'g',
)
const RELATIVE = new RegExp(
  long`
    \b(heute|today|dzis(?:iaj)?|ubermorgen|pojutrze|day after tomorrow|morgen|tomorrow|jutro|jutrzej\w{0,4}
    |tonight)\b(?!\s?(?:,|!)\s?\n)
  `,
  'g',
)
const BARE = new RegExp(
  `${BEFORE}((?:nachst\\w{0,3}|kommend\\w{0,3}|next|this|diesen|przyszl\\w{0,3}|najblizsz\\w{0,3})\\s)?` +
    `(${LONG.join('|')}|${WEEKDAYS.join('|')})(?![\\w])\\.?`,
  'g',
)
// `do` is a weekday and *to*, `so`, `sa`, `mi` and `fr` are words as well: alone they count before a time only.
const SHORT_WORDS = new Set([
  'do',
  'so',
  'sa',
  'mi',
  'mo',
  'di',
  'fr',
  'sr',
  'nd',
  'cz',
  'pt',
  'pn',
  'wt',
  'sun',
  'sat',
  'pon',
  'wed',
  'mon',
])

const DAYS_AHEAD: readonly (readonly [RegExp, number])[] = [
  [/^(?:heute|today|dzis|tonight)/, 0],
  [/^(?:ubermorgen|pojutrze|day after)/, 2],
  [/^(?:morgen|tomorrow|jutr)/, 1],
]

const pad = (value: string | number): string => String(value).padStart(2, '0')

/** The date in its year; without one the next such day from a week before the mail on. */
function dated(day: string, month: number, year: string | undefined, base: string): string | null {
  if (year !== undefined) {
    const date = `${year.length === 2 ? `20${year}` : year}-${pad(month)}-${pad(day)}`
    return isRealDate(date) ? date : null
  }
  const from = addDays(base, -7)
  for (const offset of [0, 1]) {
    const date = `${Number(from.slice(0, 4)) + offset}-${pad(month)}-${pad(day)}`
    if (isRealDate(date) && date >= from) return date
  }
  return null
}

function mondayOf(week: number, year: number): string {
  const fourth = `${year}-01-04`
  return addDays(fourth, 1 - weekdayOf(fourth) + 7 * (week - 1))
}

/** The day of a weekday that is nearest to a date. */
const nearestWeekday = (date: string, weekday: number): string =>
  addDays(date, ((weekday - weekdayOf(date) + 10) % 7) - 3)

const nextWeekday = (base: string, weekday: number): string => addDays(base, (weekday - weekdayOf(base) + 7) % 7)

interface Reader {
  pattern: RegExp
  read: (match: RegExpExecArray) => { date: string | null; weekday?: string | undefined; until?: string | null } | null
  isWritten: boolean
}

const readersFrom = (base: string): Reader[] => [
  { pattern: ISO, isWritten: true, read: ([, weekday, y, m, d]) => ({ weekday, date: dated(d!, Number(m), y, base) }) },
  {
    pattern: DAY_RANGE,
    isWritten: true,
    read: ([, one, other, month, year]) => {
      const until = Number(month) <= 12 ? dated(other!, Number(month), year, base) : null
      const date = until === null ? null : dated(one!, Number(month), until.slice(0, 4), base)
      return date === null || date >= until! ? null : { date, until }
    },
  },
  {
    pattern: FIGURES,
    isWritten: true,
    read: ([whole, weekday, d, mark, m, year]) => {
      // `7-12` and `10 / 12` are no days; `2/12` is one.
      if (mark === '-' && year === undefined) return null
      if (mark === '/' && year === undefined && /\s/.test(whole.slice(whole.indexOf(d!)).trimEnd())) return null
      if (Number(m) > 12 || Number(m) === 0 || Number(d) === 0) return null
      // `7.1` without a point at the end is a number.
      if (mark === '.' && year === undefined && !/\.\s?\d{1,2}\.$/.test(whole) && m!.length < 2) return null
      return { weekday, date: dated(d!, Number(m), year, base) }
    },
  },
  {
    pattern: WORDED,
    isWritten: true,
    read: ([, weekday, d, month, year]) =>
      monthOf(month!) ? { weekday, date: dated(d!, monthOf(month!), year, base) } : null,
  },
  {
    pattern: AMERICAN,
    isWritten: true,
    read: ([, weekday, month, d, year]) =>
      monthOf(month!) ? { weekday, date: dated(d!, monthOf(month!), year, base) } : null,
  },
  {
    pattern: WEEKDAY_NTH,
    isWritten: true,
    read: ([, weekday, d]) => {
      for (let ahead = 0; ahead < 62; ahead += 1) {
        const date = addDays(base, ahead)
        if (Number(date.slice(8)) === Number(d) && weekdayOf(date) === weekdayOfWord(weekday!)) return { date }
      }
      return null
    },
  },
  {
    pattern: WEEK,
    isWritten: false,
    read: ([, week, year]) => {
      const number = Number(week)
      if (number < 1 || number > 53) return null
      const first = Number(year ?? base.slice(0, 4))
      const monday = mondayOf(number, first)
      const isOver = year === undefined && addDays(monday, 4) < base
      const date = isOver ? mondayOf(number, first + 1) : monday
      return { date, until: addDays(date, 4) }
    },
  },
  {
    pattern: RELATIVE,
    isWritten: false,
    read: ([, word]) => ({ date: addDays(base, DAYS_AHEAD.find(([pattern]) => pattern.test(word!))![1]) }),
  },
]

const TIME_AFTER = new RegExp(long`
    ^\s{0,2}(?:,\s)?(?:\d{1,2}[:.]\d\d|\d{1,2}\s?(?:uhr|h|am|pm|-)|(?:um|at|godz\.?|o|ab|bis|do|von|from|by|before
    |rano|vormittag|nachmittag|fruh)\b|fix)
  `)

/** Days as three languages write them, and those counted from the day of the mail. */
export function findDays(low: string, base: string): Day[] {
  const found: Day[] = []
  let rest = low
  for (const { pattern, read, isWritten } of readersFrom(base)) {
    const here: Day[] = []
    for (const match of scan(pattern, rest)) {
      const day = read(match)
      if (day === null || day.date === null) continue
      const { date } = day
      const weekday = day.weekday === undefined ? null : weekdayOfWord(day.weekday)
      const isContradicted = weekday !== null && weekday !== weekdayOf(date)
      const isLong = match[0].length
      here.push({
        kind: 'day',
        from: match.index,
        to: match.index + isLong - (/\s+$/.exec(match[0])?.[0].length ?? 0),
        date,
        until: day.until ?? null,
        isWritten,
        isContradicted,
        byWeekday: isContradicted ? nearestWeekday(date, weekday) : null,
      })
    }
    found.push(...here)
    rest = without(rest, here)
  }
  for (const match of scan(BARE, rest)) {
    const word = match[2]!
    const to = match.index + match[0].length
    const isAlone = SHORT_WORDS.has(word)
    if (isAlone && !TIME_AFTER.test(low.slice(to, to + 14))) continue
    if (word === 'do' && (match[0].endsWith('.') === false || !/^\s?\d/.test(low.slice(to, to + 3)))) continue
    if (word.endsWith('s') && /^(?:montags|dienstags|freitags)/.test(word)) continue
    const next = nextWeekday(base, weekdayOfWord(word))
    const isNextWeek = /^(?:next|nachst|przyszl)/.test(match[1] ?? '')
    // A weekday that is today's name means the next one, but with an hour to come it may mean today: not sure anyway.
    const date = next === base && (isNextWeek || match[1] !== undefined) ? addDays(next, 7) : next
    found.push({
      kind: 'day',
      from: match.index,
      to,
      date,
      until: null,
      isWritten: false,
      isContradicted: false,
      byWeekday: null,
    })
  }
  return found.sort((one, other) => one.from - other.from)
}

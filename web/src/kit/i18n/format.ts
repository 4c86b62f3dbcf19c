import type { Language } from '@waybill/contract/errors'

// British English: day before month, as freight in Europe writes it.
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', pl: 'pl-PL' }

export type Format = ReturnType<typeof createFormat>

/**
 * How one language writes numbers and dates. Instants are RFC 3339 texts, local dates `YYYY-MM-DD`.
 * Without a time zone an instant is shown in the reader's own; an appointment needs the stop's (design §7).
 */
export function createFormat(language: Language) {
  const locale = LOCALES[language]
  const shapes = { ...SHAPES, ...OWN_SHAPES[language] }
  const numbers = keep((places: string) => {
    const [least, most] = places.split('-').map(Number)
    return new Intl.NumberFormat(locale, {
      useGrouping: 'always',
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    })
  })
  const dates = keep(
    (shape: string) =>
      new Intl.DateTimeFormat(locale, {
        ...shapes[shape.split('|')[0] as Shape],
        timeZone: shape.split('|')[1] || undefined,
      }),
  )
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })

  /** At least `least`, at most `most` places after the point. */
  const number = (value: number, least = 0, most = Math.max(least, 3)) =>
    minus(numbers(`${least}-${most}`).format(value))
  /** Cents as `1,180.00`, without the currency: that stands in the column's head. Other than euros: `4,300.00 PLN`. */
  const money = (cents: number, currency = 'EUR') =>
    `${number(cents / 100, 2, 2)}${currency === 'EUR' ? '' : `\u00A0${currency}`}`
  /** Cents as `1,180.00 €`. */
  const euro = (cents: number) => `${money(cents)}\u00A0€`
  /** Cents of any currency as `1,180.00 €`, `4,300.00 PLN`. */
  const amount = (cents: number, currency: string) => (currency === 'EUR' ? euro(cents) : money(cents, currency))
  /** Hundredths of a percent as `18.6 %`; 19 % has no places. */
  const percent = (basisPoints: number) => `${number(basisPoints / 100, 0, 2)}\u00A0%`
  const inShape = (shape: Shape, instant: string, timeZone = '') =>
    dates(`${shape}|${timeZone}`).format(new Date(instant))

  const isYearOf = (instant: string, timeZone: string | undefined, now: Date) =>
    inShape('year', instant, timeZone) === inShape('year', now.toISOString(), timeZone)

  return {
    locale,
    number,
    money,
    euro,
    amount,
    percent,
    /** A local date, `04 Dec 2026`. */
    date: (localDate: string) => inShape('date', `${localDate}T12:00:00Z`, 'UTC'),
    /** A local date with its weekday, `Fri, 04 Dec 2026`. */
    weekdayDate: (localDate: string) => inShape('weekdayDate', `${localDate}T12:00:00Z`, 'UTC'),
    /** A local date short enough for a lane, `Fri 4 Dec`; with the year where it is not that of `now`. */
    shortWeekdayDate: (localDate: string, now: Date = new Date()) =>
      inShape(
        localDate.startsWith(`${now.getFullYear()}-`) ? 'shortWeekday' : 'shortWeekdayYear',
        `${localDate}T12:00:00Z`,
        'UTC',
      ),
    /** A local date where there is no room for its month, `Fri 4`. */
    weekdayAndDay: (localDate: string) => inShape('weekdayAndDay', `${localDate}T12:00:00Z`, 'UTC'),
    /** An instant's day, `04 Dec 2026`. */
    day: (instant: string, timeZone?: string) => inShape('date', instant, timeZone),
    /** An instant in full, `04 Dec 2026, 08:00`. */
    dateTime: (instant: string, timeZone?: string) => inShape('dateTime', instant, timeZone),
    /** An instant as lists show it: `26 Nov 10:00`; with the year where it is not that of `now`. */
    dayTime: (instant: string, timeZone?: string, now: Date = new Date()) => {
      const day = inShape(isYearOf(instant, timeZone, now) ? 'dayMonth' : 'shortDate', instant, timeZone)
      return `${day} ${inShape('time', instant, timeZone)}`
    },
    /**
     * An instant's day as lists show it where no time of day is known: `26 Nov`, with the year
     * where it is not that of `now`.
     */
    dayShort: (instant: string, timeZone?: string, now: Date = new Date()) =>
      inShape(isYearOf(instant, timeZone, now) ? 'dayMonth' : 'date', instant, timeZone),
    /** An instant's time of day, `08:00`. */
    time: (instant: string, timeZone?: string) => inShape('time', instant, timeZone),
    /** The same with the zone's name at that moment, `02:30 CEST`. */
    timeOfZone: (instant: string, timeZone: string) => inShape('timeOfZone', instant, timeZone),
    /** How long ago or ahead, `3 min. ago`; the absolute time belongs into the tooltip. */
    ago: (instant: string, now: Date = new Date()) => {
      const seconds = (Date.parse(instant) - now.getTime()) / 1000
      const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60]
      return relative.format(Math.trunc(seconds / size), unit)
    },
    /** Names in a row: `A, B and C`. */
    list: (words: string[]) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(words),
  }
}

type Shape = keyof typeof SHAPES
const SHAPES = {
  date: { day: '2-digit', month: 'short', year: 'numeric' },
  weekdayDate: { weekday: 'short', day: '2-digit', month: 'short', year: 'numeric' },
  weekdayAndDay: { weekday: 'short', day: 'numeric' },
  shortWeekday: { weekday: 'short', day: 'numeric', month: 'short' },
  dateTime: { day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  shortWeekdayYear: { weekday: 'short', day: 'numeric', month: 'short', year: '2-digit' },
  dayMonth: { day: '2-digit', month: 'short' },
  shortDate: { day: '2-digit', month: 'short', year: '2-digit' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  timeOfZone: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
  year: { year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

// German writes days in figures; with the month's name they would be cut in every list.
const OWN_SHAPES: Readonly<Partial<Record<Language, Partial<Record<Shape, Intl.DateTimeFormatOptions>>>>> = {
  de: {
    date: { day: '2-digit', month: '2-digit', year: 'numeric' },
    dateTime: {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    },
    dayMonth: { day: '2-digit', month: '2-digit' },
    shortDate: { day: '2-digit', month: '2-digit', year: '2-digit' },
  },
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

// The hyphen of Intl is shorter than a figure, and a loss must not be overlooked.
const minus = (text: string) => text.replace('-', '−')

// Intl's formatters are dear to make and cheap to use: a list formats some hundred cells.
function keep<Made>(make: (key: string) => Made): (key: string) => Made {
  const made = new Map<string, Made>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
}

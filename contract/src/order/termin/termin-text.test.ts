import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../errors.ts'
import { addDays, weekdayOf } from '../../kit/local-time.ts'
import { parseTermin } from './termin-text.ts'
import { termin, type Termin } from './termin.ts'

// A Monday.
const TODAY = '2026-11-23'
const parse = (text: string, language: Language = 'en', today = TODAY) => parseTermin(text, { today, language })
const shown = (found: Termin | null) =>
  found && [found.kind, found.dateFrom, found.timeFrom, found.dateTo, found.timeTo].filter(Boolean).join(' ')

describe('times that are not understood are refused', () => {
  test.each([
    '',
    ' ',
    '-',
    '8-10',
    '16',
    '-16',
    'fix',
    'fix 8',
    '31.2',
    '32.12',
    '4.13',
    '4.12 25',
    '4.12 8:60',
    '4.12 8-25',
    '4.12 8-10 5',
    '4.12 5.12 6.12',
    '4.12 8-10-12',
    'mo mo',
    'x',
    '4.12 maybe',
    '4.12 next week',
    'KW 54',
    'KW 0',
    'KW 49 8-10',
    '2026-02-30',
    'until 17:00',
    'tue 4.12',
    'tue 8.12.26 - mon 9.12',
    'mon +1',
    '5-4.12',
    '4.12.2026 - 3.12.2026',
    '+1 +2',
    'today tomorrow',
    '4.12 24',
    'from 4.12',
    '4.12 until',
    '4.12 13 pm',
    '12 8-10',
  ])('%j', (text) => {
    expect(parse(text)).toBeNull()
  })

  test('and so is an end without a day in Polish, though German reads a Thursday there', () => {
    expect(parse('do 17:00', 'pl')).toBeNull()
  })

  test('and so are endless texts and an impossible today', () => {
    expect(parse(`4.12 8-10${' '.repeat(200)}`)).toBeNull()
    expect(parse('4.12 8-10', 'en', '2026-02-30')).toBeNull()
  })
})

describe('times as people write them', () => {
  test.each<[string, string]>([
    ['4.12 8-10', 'period 2026-12-04 08:00 2026-12-04 10:00'],
    ['3.12 -16', 'before 2026-12-03 16:00'],
    ['+2 7', 'fix 2026-11-25 07:00'],
    ['+0', 'fix 2026-11-23'],
    ['30.11 8:00–12:00', 'period 2026-11-30 08:00 2026-11-30 12:00'],
    ['30.11.8-10', 'period 2026-11-30 08:00 2026-11-30 10:00'],
    ['30.11.14-16', 'period 2026-11-30 14:00 2026-11-30 16:00'],
    ['30.11.26 14-16', 'period 2026-11-30 14:00 2026-11-30 16:00'],
    ['30.11. 8.30', 'fix 2026-11-30 08:30'],
    ['30.11 8.12', 'fix 2026-11-30 08:12'],
    ['4.12 0830-1000', 'period 2026-12-04 08:30 2026-12-04 10:00'],
    ['4.12 2000', 'fix 2026-12-04 20:00'],
    ['4.12 2027', 'fix 2027-12-04'],
    ['4/12 8', 'fix 2026-12-04 08:00'],
    ['2026-12-04 08:00-10:00', 'period 2026-12-04 08:00 2026-12-04 10:00'],
    ['8-10 4.12', 'period 2026-12-04 08:00 2026-12-04 10:00'],
    ['fix 4.12 7', 'fix 2026-12-04 07:00'],
    ['4.12 7 fix', 'fix 2026-12-04 07:00'],
    ['4.12 fix 7:00', 'fix 2026-12-04 07:00'],
    ['4.12 8-', 'period 2026-12-04 08:00 2026-12-04'],
    ['4.12 22-6', 'period 2026-12-04 22:00 2026-12-05 06:00'],
    ['4.12 8-24', 'period 2026-12-04 08:00 2026-12-04'],
    ['4.12 -24:00', 'before 2026-12-04'],
    ['-4.12', 'before 2026-12-04'],
    ['-4.12 12', 'before 2026-12-04 12:00'],
    ['< 4.12 12', 'before 2026-12-04 12:00'],
    ['> 4.12 12', 'period 2026-12-04 12:00 2026-12-04'],
    ['30.11-2.12', 'period 2026-11-30 2026-12-02'],
    ['30.11.-02.12.', 'period 2026-11-30 2026-12-02'],
    ['30.11 - 2.12.2026', 'period 2026-11-30 2026-12-02'],
    ['30.12 - 2.1.2027', 'period 2026-12-30 2027-01-02'],
    ['2-4.12', 'period 2026-12-02 2026-12-04'],
    ['2.-4.12.', 'period 2026-12-02 2026-12-04'],
    ['30.11 8:00 - 1.12 12:00', 'period 2026-11-30 08:00 2026-12-01 12:00'],
    ['3.12 -16.30', 'before 2026-12-03 16:30'],
    ['3.12 -8.10', 'before 2026-12-03 08:10'],
    ['3.12 8.15-10.45', 'period 2026-12-03 08:15 2026-12-03 10:45'],
    ['KW 49', 'period 2026-11-30 2026-12-04'],
    ['kw49', 'period 2026-11-30 2026-12-04'],
    ['week 48', 'period 2026-11-23 2026-11-27'],
    ['wk 47', 'period 2027-11-22 2027-11-26'],
    ['tydz. 53', 'period 2026-12-28 2027-01-01'],
    ['KW 1/2027', 'period 2027-01-04 2027-01-08'],
    ['4 Dec', 'fix 2026-12-04'],
    ['Dec 4 9:00', 'fix 2026-12-04 09:00'],
    ['4th December 2026 9-11', 'period 2026-12-04 09:00 2026-12-04 11:00'],
    ['4. Dez. 9', 'fix 2026-12-04 09:00'],
    ['4 grudnia 9', 'fix 2026-12-04 09:00'],
    ['1. März', 'fix 2027-03-01'],
  ])('%s', (text, expected) => {
    expect(shown(parse(text))).toBe(expected)
  })

  test.each<[string, Language, string]>([
    ['mon', 'en', 'fix 2026-11-23'],
    ['mo', 'de', 'fix 2026-11-23'],
    ['pn', 'pl', 'fix 2026-11-23'],
    ['Do 12', 'de', 'fix 2026-11-26 12:00'],
    ['cz do 12', 'pl', 'before 2026-11-26 12:00'],
    ['śr 6-14', 'pl', 'period 2026-11-25 06:00 2026-11-25 14:00'],
    ['w środę o 6', 'pl', 'fix 2026-11-25 06:00'],
    ['so', 'de', 'fix 2026-11-29'],
    ['so', 'pl', 'fix 2026-11-28'],
    ['mo-mi', 'de', 'period 2026-11-23 2026-11-25'],
    ['fri 12 - mon 8', 'en', 'period 2026-11-27 12:00 2026-11-30 08:00'],
    ['Di 8.12', 'de', 'fix 2026-12-08'],
    ['Mi 8.15', 'de', 'fix 2026-11-25 08:15'],
    ['do 17:00', 'de', 'fix 2026-11-26 17:00'],
    ['heute 14', 'de', 'fix 2026-11-23 14:00'],
    ['übermorgen', 'de', 'fix 2026-11-25'],
    ['jutro 06:00', 'pl', 'fix 2026-11-24 06:00'],
    ['tomorrow by 5pm', 'en', 'before 2026-11-24 17:00'],
    ['tomorrow 2-4pm', 'en', 'period 2026-11-24 14:00 2026-11-24 16:00'],
    ['tomorrow 10am-2pm', 'en', 'period 2026-11-24 10:00 2026-11-24 14:00'],
    ['tomorrow 12am', 'en', 'fix 2026-11-24 00:00'],
    ['am 4.12 von 8 bis 10 Uhr', 'de', 'period 2026-12-04 08:00 2026-12-04 10:00'],
    ['8 am 4.12', 'de', 'fix 2026-12-04 08:00'],
    ['4.12 zwischen 8 und 10', 'de', 'period 2026-12-04 08:00 2026-12-04 10:00'],
    ['4.12 od 8 do 10', 'pl', 'period 2026-12-04 08:00 2026-12-04 10:00'],
    ['4.12 ab 8 Uhr', 'de', 'period 2026-12-04 08:00 2026-12-04'],
    ['from 4.12 till 5.12', 'en', 'period 2026-12-04 2026-12-05'],
    // As eight customers wrote them.
    ['Mo 30.11.2026 08:00–12:00 Uhr', 'de', 'period 2026-11-30 08:00 2026-11-30 12:00'],
    ['Di 01.12.2026 fix 07:00', 'de', 'fix 2026-12-01 07:00'],
    ['02.12.2026 godz. 6:00–14:00', 'pl', 'period 2026-12-02 06:00 2026-12-02 14:00'],
    ['03.12.2026 do 16:00', 'pl', 'before 2026-12-03 16:00'],
    ['04.12.2026 okno 08:00–10:00', 'pl', 'period 2026-12-04 08:00 2026-12-04 10:00'],
    ['from Thursday 26 Nov 2026 10:00, latest 15:00', 'en', 'period 2026-11-26 10:00 2026-11-26 15:00'],
    ['before Monday 30 Nov 12:00', 'en', 'before 2026-11-30 12:00'],
    ['01.12.2026 (7–15 Uhr)', 'de', 'period 2026-12-01 07:00 2026-12-01 15:00'],
    ['bis Do 03.12. 12:00', 'de', 'before 2026-12-03 12:00'],
    ['Do 03.12. fix 14:00', 'de', 'fix 2026-12-03 14:00'],
    ['Fr 04.12. 9–11 Uhr', 'de', 'period 2026-12-04 09:00 2026-12-04 11:00'],
    ['Wed 2 Dec 2026 14:00 fix', 'en', 'fix 2026-12-02 14:00'],
    ['Fri 4 Dec 04:00-06:00', 'en', 'period 2026-12-04 04:00 2026-12-04 06:00'],
    ['24.11.2026 06:00 punktualnie', 'pl', 'fix 2026-11-24 06:00'],
    ['spätestens 08.12.2026', 'de', 'before 2026-12-08'],
  ])('%s (%s)', (text, language, expected) => {
    expect(shown(parse(text, language))).toBe(expected)
  })

  test('a day without a year is the next such day, today included', () => {
    expect(parse('23.11')?.dateFrom).toBe('2026-11-23')
    expect(parse('22.11')?.dateFrom).toBe('2027-11-22')
    expect(parse('29.2')?.dateFrom).toBe('2028-02-29')
    expect(parse('31.12 22-6', 'en', '2026-12-31')).toMatchObject({ dateFrom: '2026-12-31', dateTo: '2027-01-01' })
  })
})

describe('whatever is typed', () => {
  const language = fc.constantFrom(...LANGUAGES)
  const today = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2020-01-01', days))
  const pieces = fc.constantFrom(
    '4.12',
    '30.11.',
    '31.2',
    '2026-12-04',
    '+2',
    '8',
    '8-10',
    '-',
    '–',
    '16:30',
    '24',
    '2400',
    'mo',
    'do',
    'fri',
    'śr',
    'fix',
    'bis',
    'od',
    'until',
    'KW',
    '49',
    'Dez',
    'march',
    '.',
    '/',
    'Uhr',
    'pm',
    'am',
    ' ',
    '99',
    '0',
    '🚚',
    'İ',
  )

  test('never throws, and what it gives is a valid termin', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 8 }).map((list) => list.join(' ')),
      fc.array(pieces, { maxLength: 8 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(text, today, language, (typed, day, spoken) => {
        const found = parseTermin(typed, { today: day, language: spoken })
        if (found !== null) expect(termin.parse(found)).toEqual(found)
      }),
      { numRuns: 2000 },
    )
  })

  test('a day and two times written in numbers come out as they went in, in every language', () => {
    const hour = fc.integer({ min: 0, max: 23 })
    const minute = fc.integer({ min: 0, max: 59 })
    const two = (value: number) => String(value).padStart(2, '0')
    fc.assert(
      fc.property(
        today,
        fc.integer({ min: 0, max: 364 }),
        hour,
        minute,
        hour,
        minute,
        language,
        (day, ahead, h1, m1, h2, m2, spoken) => {
          const date = addDays(day, ahead)
          const [from, to] = [`${two(h1)}:${two(m1)}`, `${two(h2)}:${two(m2)}`]
          const [month, dayOfMonth] = [Number(date.slice(5, 7)), Number(date.slice(8))]
          const found = parseTermin(`${dayOfMonth}.${month} ${h1}:${two(m1)}-${to}`, { today: day, language: spoken })
          expect(found).toEqual({
            kind: 'period',
            dateFrom: date,
            timeFrom: from,
            dateTo: to < from ? addDays(date, 1) : date,
            timeTo: to,
          })
          expect(parseTermin(`-${dayOfMonth}.${month}. ${from}`, { today: day, language: spoken })).toEqual({
            kind: 'before',
            dateFrom: date,
            timeFrom: from,
            dateTo: null,
            timeTo: null,
          })
        },
      ),
    )
  })

  test('a weekday is within the week that begins today', () => {
    const names = {
      en: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      de: ['mo', 'di', 'mi', 'do', 'fr', 'sa', 'so'],
      pl: ['pn', 'wt', 'śr', 'cz', 'pt', 'sb', 'nd'],
    }
    fc.assert(
      fc.property(today, language, fc.integer({ min: 0, max: 6 }), (day, spoken, index) => {
        const found = parseTermin(names[spoken][index]!, { today: day, language: spoken })
        expect(weekdayOf(found!.dateFrom)).toBe(index + 1)
        expect(found!.dateFrom >= day && found!.dateFrom < addDays(day, 7)).toBe(true)
      }),
    )
  })
})

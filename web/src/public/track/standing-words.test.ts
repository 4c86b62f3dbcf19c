import { describe, expect, test } from 'vitest'
import type { TrackedStop, TrackingPage } from '@waybill/contract/public/tracking-link'
import { terminText } from '../shell/when-words.ts'
import { lateText, mapText, standingText } from './standing-words.ts'
import { wordsOf } from './track-words.ts'

const [en, de, pl] = [wordsOf('en'), wordsOf('de'), wordsOf('pl')]
const YEAR = new Date().getFullYear()

const stopOf = (more: Partial<TrackedStop> = {}): TrackedStop => ({
  kind: 'unloading',
  countryCode: 'DE',
  city: 'Bielefeld',
  timeZone: 'Europe/Berlin',
  termin: { kind: 'before', dateFrom: `${YEAR}-07-03`, timeFrom: '16:00', dateTo: null, timeTo: null },
  expectedAt: null,
  arrivedAt: null,
  loadedAt: null,
  unloadedAt: null,
  isDone: false,
  lateMinutes: null,
  ...more,
})
const pageOf = (more: Partial<TrackingPage> = {}): TrackingPage => ({
  language: 'en',
  reference: 'ZT/11/0341',
  number: '26-04817',
  state: 'onTheWay',
  stop: 1,
  delay: null,
  plateNumbers: [],
  carriers: [],
  hasMap: true,
  stops: [stopOf({ kind: 'loading', city: 'Łódź', isDone: true }), stopOf()],
  files: [],
  contact: { name: 'Monika Krause', phone: null },
  company: { title: 'Waybill Spedition', email: null },
  at: `${YEAR}-07-02T10:00:00Z`,
  expiresAt: `${YEAR + 1}-07-02T10:00:00Z`,
  mark: 'm',
  ...more,
})
const said = (more: Partial<TrackingPage>, words = en) => {
  const { heading, detail } = standingText(pageOf(more), words)
  return [heading, detail]
}

describe('the sentence of a tracking page', () => {
  test('names where the goods go, and when they are expected or due', () => {
    expect(said({})[0]).toBe('On the way to Bielefeld')
    expect(said({})[1]).toMatch(/^planned .*3 Jul before 16:00$/)
    const stops = [stopOf(), stopOf({ expectedAt: `${YEAR}-07-03T11:10:00Z` })]
    expect(said({ stops })[1]).toMatch(/^expected .*3 Jul 13:10$/)
    expect(said({ stops }, de)[1]).toMatch(/^erwartet .*3\. Juli 13:10$/)
    expect(
      said({ state: 'loaded', stop: 0, stops: [stopOf({ city: 'Łódź', isDone: true, loadedAt: null })] }, pl),
    ).toEqual(['Załadowano: Łódź', ''])
  })

  test('says of a delay until when, by the clock of the stop, and what is not known yet', () => {
    const delay = { stop: 1, dueAt: `${YEAR}-07-03T14:00:00Z`, expectedAt: `${YEAR}-07-03T16:30:00Z`, reason: null }
    expect(said({ delay })[0]).toBe('Later than planned in Bielefeld')
    expect(said({ delay })[1]).toMatch(/^now about .*3 Jul 18:30, it was due by .*3 Jul 16:00$/)
    expect(said({ delay: { ...delay, expectedAt: null } })[1]).toMatch(/due by .*16:00; the new time follows here$/)
    expect(standingText(pageOf({ delay }), en).tone).toBe('late')
    // Of a day without a time nobody says 23:59.
    const termin = { kind: 'fix', dateFrom: `${YEAR}-07-03`, timeFrom: null, dateTo: null, timeTo: null } as const
    const stops = [stopOf(), stopOf({ termin })]
    expect(said({ stops, delay: { ...delay, dueAt: `${YEAR}-07-03T21:59:59.999Z` } })[1]).toMatch(/due by \D+3 Jul$/)
  })

  test('of a canceled or delivered order is that, whatever else is known', () => {
    expect(said({ state: 'canceled', stop: null, stops: [] })).toEqual(['This order was canceled.', ''])
    const stops = [stopOf({ isDone: true, unloadedAt: `${YEAR}-07-03T07:20:00Z` })]
    const [heading, detail] = said({ state: 'delivered', stop: 0, stops })
    expect([heading, detail]).toEqual(['Delivered', expect.stringMatching(/3 Jul 09:20$/)])
    expect(said({ state: 'planned', stop: null, stops: [] })).toEqual(['Your transport is planned.', ''])
  })

  test('calls a place without a town by its country', () => {
    expect(said({ stops: [stopOf(), stopOf({ city: null })] })[0]).toBe('On the way to Germany')
  })
})

test.each([
  [{ kind: 'before', timeFrom: '16:00' }, 'before 16:00'],
  [{ kind: 'before', timeFrom: null }, 'by '],
  [{ kind: 'fix', timeFrom: '07:00' }, 'Jul 07:00'],
  [{ kind: 'period', timeFrom: '06:00', timeTo: '14:00' }, 'Jul 06:00–14:00'],
  [{ kind: 'period', timeFrom: '22:00', dateTo: `${YEAR}-07-04`, timeTo: '06:00' }, 'Jul 06:00'],
] as const)('an appointment %o says %s', (given, words) => {
  const termin = { dateFrom: `${YEAR}-07-03`, dateTo: null, timeTo: null, ...given }
  expect(terminText(termin, en)).toContain(words)
})

test.each([
  [45, '45 min'],
  [120, '2 h'],
  [150, '2 h 30 min'],
] as const)('%i minutes are %s', (minutes, words) => {
  expect(lateText(minutes, en)).toBe(words)
})

test('the map of the stops says in words what it shows, in three languages', () => {
  const page = pageOf()
  expect(mapText(page, en)).toBe('Map of the stops: 1 Loading in Łódź (done); 2 Unloading in Bielefeld')
  expect(mapText(page, de)).toContain('1 Beladung in Łódź (erledigt); 2 Entladung in Bielefeld')
  expect(mapText(page, pl)).toContain('1 Załadunek: Łódź (zakończone); 2 Rozładunek: Bielefeld')
  expect(mapText(pageOf({ stops: [stopOf({ city: null, countryCode: 'PL' })] }), de)).toContain('1 Entladung in Polen')
})

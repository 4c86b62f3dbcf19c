import { describe, expect, it } from 'vitest'
import { proposedStopTime, stopTimeDoubts } from './stop-times.ts'
import type { Stop } from './schedule.ts'

const NOW = '2026-12-03T15:20:40Z'
const window = { kind: 'period', dateFrom: '2026-12-03', timeFrom: '08:00', dateTo: null, timeTo: '10:00' } as const
const berlin: Stop = { timeZone: 'Europe/Berlin', termin: window }

describe('the time that is proposed for a stop', () => {
  it('is when it was planned, where that has come', () => {
    expect(proposedStopTime({ ...berlin, plannedAt: '2026-12-03T08:15:00Z' }, NOW)).toBe('2026-12-03T08:15:00.000Z')
  })

  it('is when it was due where nothing was planned, by the clock of the stop', () => {
    expect(proposedStopTime(berlin, NOW)).toBe('2026-12-03T07:00:00.000Z')
  })

  it('is when it was due where the plan is still to come', () => {
    expect(proposedStopTime({ ...berlin, plannedAt: '2026-12-03T18:00:00Z' }, NOW)).toBe('2026-12-03T07:00:00.000Z')
  })

  it('is this minute where it was due on a day without a time, or is due later', () => {
    const day = { ...window, timeFrom: null, timeTo: null }
    const later = { ...window, dateFrom: '2026-12-04' }
    for (const termin of [day, later, null])
      expect(proposedStopTime({ ...berlin, termin }, NOW)).toBe('2026-12-03T15:20:00.000Z')
  })
})

describe('a time that is about to be written at a stop', () => {
  it.each(['2026-12-03T06:00:00Z', '2026-12-03T07:30:00Z', '2026-12-03T10:00:00Z'])(
    'is not doubted within an hour of its window: %s',
    (at) => expect(stopTimeDoubts(berlin, at, [])).toEqual([]),
  )

  it.each(['2026-12-03T05:59:00Z', '2026-12-03T10:01:00Z', '2026-12-13T08:00:00Z'])(
    'is doubted beyond that: %s',
    (at) => expect(stopTimeDoubts(berlin, at, [])).toEqual(['outside_termin']),
  )

  it('is doubted where another stop has the same minute', () => {
    expect(stopTimeDoubts(berlin, '2026-12-03T08:00:30Z', ['2026-12-03T08:00:00Z'])).toEqual(['same_minute'])
    expect(stopTimeDoubts(berlin, '2026-12-03T08:01:00Z', ['2026-12-03T08:00:59Z'])).toEqual([])
  })

  it('is doubted for the minute alone where the stop has no appointment', () => {
    expect(stopTimeDoubts({}, '2020-01-01T00:00:00Z', ['2020-01-01T00:00:00Z'])).toEqual(['same_minute'])
  })
})

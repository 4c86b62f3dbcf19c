import { expect, test } from 'vitest'
import type { DrivenStop, ToldExchange } from '@waybill/contract/public/driver-link'
import { currentStop, doneAt, exchangeAt, momentTold, nextStep, toldAt, wayTo } from './steps.ts'

const stop = (more: Partial<DrivenStop> = {}): DrivenStop => ({
  id: 1,
  number: '26-0412/1',
  kind: 'unloading',
  companyTitle: 'Fliesen Moser',
  address: 'Moselring 4',
  postal: '56070',
  city: 'Koblenz',
  countryCode: 'DE',
  latitude: 50.36,
  longitude: 7.59,
  timeZone: 'Europe/Berlin',
  termin: null,
  plannedAt: null,
  reference: null,
  contactPerson: null,
  phone: null,
  notes: [],
  goods: [],
  arrivedAt: null,
  loadedAt: null,
  unloadedAt: null,
  told: [],
  ...more,
})
const AT = '2026-12-03T08:41:00.000Z'
const waits = (kind: 'arrived' | 'unloaded' | 'loaded', more: object = {}) => ({
  key: kind,
  stopId: 1,
  kind,
  at: AT,
  refusal: null,
  ...more,
})

test('a step that waits on the telephone is done, one that was refused is not', () => {
  expect(nextStep(stop(), [])).toBe('arrived')
  expect(nextStep(stop(), [waits('arrived')])).toBe('unloaded')
  expect(nextStep(stop(), [waits('arrived', { refusal: 'The clock' })])).toBe('arrived')
  expect(nextStep(stop(), [waits('arrived', { stopId: 2 })])).toBe('arrived')
})

test('what staff wrote counts as done, and an arrival that nobody told is not asked for afterwards', () => {
  expect(nextStep(stop({ arrivedAt: AT }), [])).toBe('unloaded')
  expect(nextStep(stop({ unloadedAt: AT }), [])).toBeNull()
  expect(doneAt(stop({ arrivedAt: AT }), [], 'arrived')).toBe(AT)
})

test('where goods go off and on, both are asked for; at the customs the arrival alone', () => {
  const both = stop({ kind: 'both', arrivedAt: AT })
  expect(nextStep(both, [])).toBe('unloaded')
  expect(nextStep(both, [waits('unloaded')])).toBe('loaded')
  expect(nextStep(both, [waits('loaded')])).toBe('unloaded')
  expect(nextStep(stop({ kind: 'customs' }), [waits('arrived')])).toBeNull()
})

test('what the server has and what still waits here is told once', () => {
  const known = stop({ told: [{ key: 'arrived', kind: 'arrived', at: AT, exchange: null }] })
  expect(toldAt(known, [waits('arrived'), waits('unloaded')])).toMatchObject([
    { kind: 'arrived', isWaiting: false },
    { kind: 'unloaded', isWaiting: true },
  ])
})

test('of load carriers what was told last counts, of the server or on the telephone, also as nothing', () => {
  const six = { noteNumber: '77120', lines: [{ typeId: 1, given: 6, received: 4, damaged: 0 }] }
  const none = { noteNumber: null, lines: [] }
  const told = (key: string, exchange: ToldExchange) => ({ key, kind: 'loadCarriers' as const, at: AT, exchange })
  const known = stop({ told: [told('first', none), told('second', six)] })
  expect(exchangeAt(stop(), [])).toBeNull()
  expect(exchangeAt(known, [])).toEqual(six)
  expect(toldAt(known, [])).toHaveLength(1)
  const third = { ...told('third', none), stopId: 1, refusal: null }
  expect(exchangeAt(known, [third])).toEqual(none)
  expect(exchangeAt(known, [{ ...third, refusal: 'Unknown' }])).toEqual(six)
  expect(exchangeAt(known, [{ ...third, stopId: 2 }])).toEqual(six)
})

test('a page that an earlier version kept tells of no load carriers', () => {
  const { exchange: _none, ...old } = { key: 'arrived', kind: 'arrived' as const, at: AT, exchange: null }
  expect(toldAt(stop({ told: [old as typeof old & { exchange: null }] }), [])).toMatchObject([{ exchange: null }])
})

test('the first stop with something to tell comes next', () => {
  const stops = [stop({ unloadedAt: AT }), stop({ id: 2 })]
  expect(currentStop({ stops }, [])?.id).toBe(2)
  expect(currentStop({ stops }, [waits('unloaded', { stopId: 2 })])).toBeUndefined()
})

test('the way is found by the typed address, else by the place of the town', () => {
  const android = 'Mozilla/5.0 (Linux; Android 16)'
  expect(wayTo(stop(), android)).toBe('geo:0,0?q=Moselring%204%2C%2056070%20Koblenz%2C%20DE')
  expect(wayTo(stop({ address: null }), android)).toBe('geo:50.36,7.59?q=50.36%2C7.59')
  expect(wayTo(stop(), 'Mozilla/5.0 (iPhone)')).toMatch(/^https:\/\/maps\.apple\.com\/\?daddr=Moselring/)
  expect(wayTo(stop({ address: null, latitude: null }), 'X11')).toBe(
    'https://www.openstreetmap.org/search?query=56070%20Koblenz%2C%20DE',
  )
})

test('a time that the clocks skip is told with those around it, one that comes twice is the last that has been', () => {
  const berlin = (now: string) => ({ timeZone: 'Europe/Berlin', now: new Date(now) })
  expect(momentTold({ date: '2027-03-28', time: '02:30' }, berlin('2027-03-28T06:00:00Z'))).toEqual({
    fault: 'whenSkipped',
    around: { earlier: '01:30', later: '03:30' },
  })
  const twice = { date: '2027-10-31', time: '02:30' }
  expect(momentTold(twice, berlin('2027-10-31T00:45:00Z'))).toEqual({ at: '2027-10-31T00:30:00.000Z' })
  expect(momentTold(twice, berlin('2027-10-31T04:00:00Z'))).toEqual({ at: '2027-10-31T01:30:00.000Z' })
  expect(momentTold(twice, berlin('2027-10-31T00:00:00Z'))).toEqual({ fault: 'whenAhead' })
})

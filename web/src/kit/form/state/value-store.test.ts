import { expect, test } from 'vitest'
import { createValueStore } from './value-store.ts'

const first = () => ({ title: 'a', stops: [{ city: 'Kiel' }, { city: 'Ulm' }], termin: null as { day: string } | null })

test('a value is read and set at its path, and all else stays the same object', () => {
  const values = first()
  const store = createValueStore(values)
  store.set('stops.1.city', 'Graz')
  expect(store.at('stops.1.city')).toBe('Graz')
  expect(store.get().stops[0]).toBe(values.stops[0])
  expect(values.stops[1]).toEqual({ city: 'Ulm' })
  expect(store.at('stops.7.city')).toBeUndefined()
})

test('what is not there yet is made on the way', () => {
  const store = createValueStore(first())
  store.set('termin.day', '2026-12-01')
  expect(store.get().termin).toEqual({ day: '2026-12-01' })
  store.set('stops.2', { city: 'Linz' })
  expect(store.get().stops.map(({ city }) => city)).toEqual(['Kiel', 'Ulm', 'Linz'])
})

test('those who listen hear which path was set, and none after a reset or once they left', () => {
  const store = createValueStore(first())
  const heard: (string | undefined)[] = []
  const leave = store.subscribe((path) => heard.push(path))
  store.set('title', 'b')
  store.reset(first())
  expect(store.at('title')).toBe('a')
  leave()
  store.set('title', 'c')
  expect(heard).toEqual(['title', undefined])
})

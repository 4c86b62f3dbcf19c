import { expect, test } from 'vitest'
import { historyLines } from './history-lines.ts'

const told = (changes: { path: string; from: unknown; to: unknown }[]) =>
  historyLines(changes, {
    isDerived: (path) => path === 'marginBp',
    placeOf: (list, id) => (list === 'locations' && id === 41 ? 2 : null),
  }).map(({ path, from, to }) => [path, from, to])

test('a reference is told once, by its name', () => {
  expect(
    told([
      { path: 'caseWorkerId', from: 1, to: 2 },
      { path: 'caseWorker.id', from: 1, to: 2 },
      { path: 'caseWorker.title', from: 'Anna', to: 'Jonas' },
      { path: 'vehicleTypeId', from: null, to: 7 },
      { path: 'vehicleType', from: null, to: { id: 7, title: 'Mega trailer' } },
    ]),
  ).toEqual([
    ['caseWorkerId', 'Anna', 'Jonas'],
    ['vehicleTypeId', null, 'Mega trailer'],
  ])
})

test('members of a list come and go by name', () => {
  expect(
    told([
      { path: 'managerIds', from: [1], to: [1, 2] },
      { path: 'managers.2', from: null, to: { id: 2, title: 'Jonas' } },
    ]),
  ).toEqual([['managerIds', null, 'Jonas']])
})

test('the drivers of a route are told by name, too', () => {
  expect(
    told([
      { path: 'routes.7.assignment.driverIds', from: [14], to: [15] },
      { path: 'routes.7.assignment.drivers.14', from: { id: 14, title: 'Marek' }, to: null },
      { path: 'routes.7.assignment.drivers.15', from: null, to: { id: 15, title: 'Jan' } },
    ]).map(([, from, to]) => [from, to]),
  ).toEqual([['Marek', 'Jan']])
})

test('children are told by their place, and without one when they are gone', () => {
  expect(
    told([
      { path: 'locations.41.city', from: 'Łódź', to: 'Zgierz' },
      { path: 'locations.9', from: { city: 'Köln' }, to: null },
    ]),
  ).toEqual([
    ['locations.2.city', 'Łódź', 'Zgierz'],
    ['locations', { city: 'Köln' }, null],
  ])
})

test('what follows from the rest is left out', () => {
  expect(
    told([
      { path: 'marginBp', from: 1, to: 2 },
      { path: 'description', from: null, to: 'x' },
    ]),
  ).toEqual([['description', null, 'x']])
})

test('a field that is called title is no reference', () => {
  expect(
    told([
      { path: 'position.title', from: 'Clerk', to: 'Head of dispatch' },
      { path: 'cargo.12.title', from: 'Pipes', to: 'Tubes' },
    ]),
  ).toEqual([
    ['position.title', 'Clerk', 'Head of dispatch'],
    ['cargo.title', 'Pipes', 'Tubes'],
  ])
})

test('of several choices it tells what went and what came', () => {
  expect(
    told([
      { path: 'permissions', from: ['A', 'B'], to: ['B', 'C'] },
      { path: 'deviations', from: [], to: ['D'] },
    ]),
  ).toEqual([
    ['permissions', ['A'], ['C']],
    ['deviations', null, ['D']],
  ])
})

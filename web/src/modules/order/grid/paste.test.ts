import { describe, expect, test } from 'vitest'
import { cellsOf, choiceNamed, pasteCargo, pasteStops } from './paste.ts'
import { emptyOrder, stopOfCargo } from '../values/draft.ts'

const units = [
  { id: 1, title: 'Euro pallet' },
  { id: 2, title: 'Mesh box' },
  { id: 3, title: 'Euro box' },
]
const countries = [
  { id: 1, title: 'Germany', code: 'DE' },
  { id: 2, title: 'Poland', code: 'PL' },
]

describe('the clipboard', () => {
  test('is cells only where it has rows or columns', () => {
    expect(cellsOf('one word')).toBeNull()
    expect(cellsOf('5\tMesh box\r\n2\tReels\r\n')).toEqual([
      ['5', 'Mesh box'],
      ['2', 'Reels'],
    ])
  })

  test('names a unit by its name or by a beginning that only one has', () => {
    expect(choiceNamed(units, 'EURO PALLET')).toBe(1)
    expect(choiceNamed(units, 'mesh')).toBe(2)
    expect(choiceNamed(units, 'euro')).toBeNull()
    expect(choiceNamed(countries, 'pl')).toBe(2)
  })
})

test('rows of cargo fill the lines from the cell in hand, add what is missing, and are measured', () => {
  const order = emptyOrder({ departmentId: 1, caseWorkerId: 1 })
  const cells = cellsOf('5\tMesh box\tSteel parts\t124\t83,5\t97\t2.100\n2\tmesh\tReels\t180\t125\t125\tabc')!
  const { cargo, locations } = pasteCargo(order, { row: 0, column: 0, cells }, { units, language: 'de' })
  expect(cargo).toHaveLength(2)
  expect(cargo[0]).toMatchObject({
    quantity: 5,
    unitTypeId: 2,
    title: 'Steel parts',
    widthCm: 83.5,
    weightKg: 2100,
    ldm: 2.157,
  })
  expect(cargo[1]).toMatchObject({ quantity: 2, unitTypeId: 2, weightKg: null, ldm: 1.875 })
  expect(
    cargo.map((line) => [stopOfCargo(locations, line, 'PICK_UP'), stopOfCargo(locations, line, 'DROP_OFF')]),
  ).toEqual([
    [0, 1],
    [0, 1],
  ])
})

test('a pasted unit is found in any language, and brings its dimensions where none are pasted', () => {
  const order = emptyOrder({ departmentId: 1, caseWorkerId: 1 })
  const dimensions = { lengthCm: 120, widthCm: 80, heightCm: 97 }
  const types = [{ id: 7, title: 'Gitterboks', names: ['Mesh box', 'Gitterbox'], dimensions }]
  const cells = cellsOf('5\tGitterbox\tScrews\n2\tmesh box\tNuts\t124\t83,5')!
  const { cargo } = pasteCargo(order, { row: 0, column: 0, cells }, { units: types, language: 'de' })
  expect(cargo[0]).toMatchObject({ unitTypeId: 7, ...dimensions, ldm: 2 })
  expect(cargo[1]).toMatchObject({ unitTypeId: 7, lengthCm: 124, widthCm: 83.5, heightCm: 97 })
})

test('rows of stops are read as they would be typed', () => {
  const { locations } = emptyOrder({ departmentId: 1, caseWorkerId: 1 })
  const cells = cellsOf(
    [
      '2.12 6-14\tMebli\tul. Pabianicka 119\tPL\t93-490\tŁódź',
      'soonish\tKröger\tIndustriestr. 14\tGermany\t33689\tBielefeld',
      '+2 7\tWohnwelt',
    ].join('\n'),
  )!
  const stops = pasteStops(
    locations,
    { row: 0, column: 1, cells },
    { countries, kindOf: () => null, language: 'en', today: '2026-11-30' },
  )
  expect(stops).toHaveLength(3)
  expect(stops[0]).toMatchObject({
    kind: 'loading',
    companyTitle: 'Mebli',
    countryId: 2,
    postal: '93-490',
    city: 'Łódź',
    termin: { kind: 'period', dateFrom: '2026-12-02', timeFrom: '06:00', timeTo: '14:00' },
  })
  expect(stops[1]).toMatchObject({
    kind: 'unloading',
    termin: null,
    terminText: 'soonish',
    countryId: 1,
    city: 'Bielefeld',
  })
  expect(stops[2]).toMatchObject({
    kind: 'unloading',
    countryId: 1,
    termin: { kind: 'fix', dateFrom: '2026-12-02', timeFrom: '07:00' },
  })
})
